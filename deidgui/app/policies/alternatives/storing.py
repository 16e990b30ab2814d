"""What does a stored policy of joined neighbours do to each value?"""

from __future__ import annotations

from collections.abc import Mapping

from deidgui.app.changes import domain_fingerprint
from deidgui.app.classes import Classes
from deidgui.app.policies.alternatives.space import space_of
from deidgui.app.project import Acceptance, Chosen, Discover, FoundBy, Project
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.space import Space
from deidgui.engine.discover.wording import as_policy
from deidgui.engine.policy.policy import Policy
from deidgui.errors import ConfigError


def bits_by_attribute(policy: BitPolicy) -> dict[str, str]:
    """Bits of each attribute as text: a "1" where neighbours stay apart."""
    space, text = policy.space, policy.text
    ends = space.first_bit.tolist()
    return {
        name: text[start:end]
        for name, start, end in zip(space.attributes, ends, ends[1:], strict=False)
    }


def chosen_from(
    policy: BitPolicy,
    levels: Mapping[str, int],
    domains: str,
    acceptance: Acceptance,
    note: str = "",
    found_by: FoundBy | None = None,
) -> Chosen:
    """Return a policy as it is stored in a project.

    Parameters
    ----------
    levels : mapping of str to int
        Level whose groups are the values; 0 where none is given.
    domains : str
        See `deidgui.app.changes.domain_fingerprint`.
    """
    return Chosen(
        kind="interval" if policy.space.mode == "interval" else "subtree",
        levels={name: levels.get(name, 0) for name in policy.space.attributes},
        bits=bits_by_attribute(policy),
        domains=domains,
        acceptance=acceptance,
        found_by=found_by,
        note=note,
    )


def bit_policy_from(
    chosen: Chosen, project: Project, classes: Classes
) -> tuple[Space, BitPolicy]:
    """Rebuild the values of a stored policy and its bits.

    Parameters
    ----------
    chosen : Chosen
        Of kind "interval" or "subtree".
    classes : Classes
        Of the same decisions.

    Raises
    ------
    ConfigError
        Code ``chosen_policy_does_not_fit`` if the values are others than those it
        was chosen for.
    """
    table = classes.class_table
    refused = ConfigError("chosen_policy_does_not_fit")
    if chosen.domains != domain_fingerprint(project):
        raise refused
    if set(chosen.bits) != set(table.attributes):
        raise refused
    mode = "interval" if chosen.kind == "interval" else "subtree"
    space = space_of(table, Discover(mode=mode, levels=chosen.levels))
    text = "".join(chosen.bits[name] for name in space.attributes)
    lengths = [len(chosen.bits[name]) for name in space.attributes]
    if lengths != [domain.n_bits for domain in space.domains]:
        raise refused
    policy = BitPolicy.parse(space, text)
    # In subtree mode bits that are no whole nodes would be closed to others.
    if policy.text != text:
        raise refused
    return space, policy


def policy_from(chosen: Chosen, project: Project, classes: Classes) -> Policy:
    """Rebuild a stored policy of joined neighbours exactly.

    Parameters
    ----------
    chosen : Chosen
        Of kind "interval" or "subtree".
    classes : Classes
        Of the same decisions.

    Returns
    -------
    Policy
        Of that kind; it suppresses no record.

    Raises
    ------
    ConfigError
        Code ``chosen_policy_does_not_fit``.
    """
    _, policy = bit_policy_from(chosen, project, classes)
    return as_policy(policy, "chosen")
