"""Attacks 2 and 3: the attacker matches the release with a register of people."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import AnyArray, IntArray
from deidgui.engine.attack.linked import joint_codes
from deidgui.errors import ConfigError


def expected_share(n_classes: int, n_people: int) -> float:
    """Expected share of right matches of a sample of a register.

    Parameters
    ----------
    n_classes : int, >= 1
        Classes of the register that have people.
    n_people : int, >= n_classes
        People of the register.

    Returns
    -------
    float in (0, 1]
        Whatever the size of the sample.

    Raises
    ------
    ConfigError
        Code ``register_empty``.

    Notes
    -----
    The release is taken to be a simple random sample of the register, and records are
    matched one to one inside each class by chance.

    References
    ----------
    .. [1] F. Dankar, K. El Emam (2010), *A method for evaluating marketer
       re-identification risk*, EDBT/ICDT Workshops; methods.md E.9.
    """
    if not 1 <= n_classes <= n_people:
        raise ConfigError("register_empty", n_classes=n_classes, n_people=n_people)
    return n_classes / n_people


def share_of_release(released: IntArray, register: IntArray) -> float:
    """Expected share of right matches of the records of one release.

    Parameters
    ----------
    released, register : ndarray of int64, shape (n_classes,)
        Records and people of each class.

    Returns
    -------
    float in [0, 1]
        Records of classes without people in the register are matched with nobody.

    Raises
    ------
    ConfigError
        Code ``nobody_there``.

    References
    ----------
    .. [1] F. Dankar, K. El Emam (2010), equation 2; methods.md E.9.
    """
    n = int(released.sum())
    if not n:
        raise ConfigError("nobody_there")
    known = register > 0
    # With fewer people in the register than records, no more than these are right.
    right = np.minimum(released[known] / register[known], 1.0)
    return float(right.sum() / n)


@dataclass(frozen=True)
class Combination:
    """What some attributes of a register tell.

    Parameters
    ----------
    share : float in (0, 1]
        `expected_share` of the register by these attributes.
    """

    attributes: tuple[str, ...]
    n_classes: int
    share: float


def combinations(
    register: Mapping[str, AnyArray],
    sizes: Sequence[int],
    counts: IntArray | None = None,
) -> tuple[Combination, ...]:
    """Measure every combination of attributes of a register.

    Parameters
    ----------
    register : mapping of str to ndarray of int, each of shape (n_kinds,)
        Codes of the released values of its people, by attribute.
    sizes : sequence of int
        How many attributes are known.
    counts : ndarray of int64, shape (n_kinds,), each >= 1, optional
        People of each kind; one, if not given.

    Returns
    -------
    tuple of Combination
        The share of more attributes is never lower.

    Raises
    ------
    ConfigError
        Code ``register_empty``.
    """
    n_people = 0
    if register:
        n_people = len(next(iter(register.values())))
    if counts is not None:
        n_people = int(counts.sum())
    found = []
    for size in sizes:
        for names in itertools.combinations(register, size):
            codes = joint_codes([register[name] for name in names])
            n_classes = int(codes.max(initial=-1)) + 1
            share = expected_share(n_classes, n_people)
            found.append(Combination(names, n_classes, share))
    return tuple(found)
