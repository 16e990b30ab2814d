"""Policies as bits, one for each boundary between neighbouring values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import BoolArray, Int32Array
from deidgui.engine.discover.space import Space


def key_of(bits: BoolArray) -> bytes:
    """Bits or splits as bytes: equal exactly for equal ones."""
    return np.packbits(bits).tobytes()


@dataclass(frozen=True, eq=False)
class BitPolicy:
    """Which neighbours are kept apart (1) and which are joined (0).

    A policy is a *descendant* of another, more specific, if it keeps apart all that
    the other does and more; the other is its *ancestor*.

    Parameters
    ----------
    splits : ndarray of bool, shape (n_splits,)
        Never changed.

    References
    ----------
    .. [1] Benitez, Loukides and Malin (2010), sections 2.2 and 2.4; methods.md A.1
       and A.2.
    """

    space: Space
    splits: BoolArray

    def __repr__(self) -> str:
        return f"<BitPolicy of level {self.level} of {self.space.n_bits}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BitPolicy):
            return NotImplemented
        return self.space is other.space and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    @cached_property
    def key(self) -> bytes:
        """Its splits as bytes."""
        return key_of(self.splits)

    @cached_property
    def bits(self) -> BoolArray:
        """Its bits: bool, shape (n_bits,)."""
        return self.space.bits_of(self.splits)

    @property
    def text(self) -> str:
        """Its bits as written in the paper: "10010"."""
        return "".join("1" if bit else "0" for bit in self.bits.tolist())

    @property
    def level(self) -> int:
        """Number of joined neighbours; 0 keeps every value."""
        return int(len(self.bits) - np.count_nonzero(self.bits))

    @cached_property
    def groups(self) -> tuple[Int32Array, ...]:
        """Run of each value, by attribute: int32, (n_values,), from 0 on."""
        return self.space.groups(self.bits)

    def children(self) -> Iterator[BitPolicy]:
        """Policies one step more specific; in interval mode as many as zeros."""
        for place in self.space.splits.can_split(self.splits).tolist():
            yield self._with(place, True)

    def _with(self, place: int, is_split: bool) -> BitPolicy:
        splits = self.splits.copy()
        splits[place] = is_split
        return BitPolicy(self.space, splits)

    @classmethod
    def parse(cls, space: Space, text: str) -> BitPolicy:
        """Read bits as written in the paper.

        In subtree mode joins more where these bits do not stand for whole nodes.

        Parameters
        ----------
        text : str of 0 and 1, one for each bit
        """
        bits = np.array([each == "1" for each in text], np.bool_)
        assert len(bits) == space.n_bits
        return cls(space, space.closed(bits))
