"""What has changed since an earlier release, and whether somebody decided anew."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from deidgui.app.determination.validity import enter_measured
from deidgui.app.dossier.drift_words import trigger_words
from deidgui.app.entered import check_named, today
from deidgui.app.ops import Op
from deidgui.app.project import EarlierRelease, Project
from deidgui.app.storage.named_inputs import EARLIER, found_below
from deidgui.engine.evidence.document import ColumnDrift, Distribution, Drift, Evidence
from deidgui.engine.evidence.entered import TriggerMet
from deidgui.engine.evidence.folder import (
    EVIDENCE,
    MAX_JSON_BYTES,
    POLICY,
    REPORTS,
    ReleaseFolder,
    is_of_counts,
    read_evidence,
)
from deidgui.engine.evidence.verify import check_files
from deidgui.engine.evidence.verify_drift import (
    digest_of_facts,
    policy_facts,
    print_of,
)
from deidgui.engine.risk.drift import REDO, shift_of
from deidgui.errors import ConfigError, DeidError, InputError
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import tr

BY = "deidgui"
"""Who enters a trigger that was measured."""

MOST_COUNTED = 2**53
"""Records of a release at most: shares of them are exact enough."""

TENTH = 0.1
"""Change of the number of people after which a determination is made anew.

References
----------
.. [1] determination.md 3.3.
"""


class DriftError(ConfigError):
    """A release differs from the earlier one, and nobody has decided anew.

    Parameters
    ----------
    triggers : sequence of TriggerMet
        That were measured.
    """

    def __init__(self, triggers: Sequence[TriggerMet]) -> None:
        what = " ".join(each.because for each in triggers)
        super().__init__("validity_measured", what=what)
        self.triggers = tuple(triggers)


# -- the earlier release ---------------------------------------------------------------


def open_earlier(
    folder: Path, by: str, root: Path | None, *, monitor: Monitor = NULL_MONITOR
) -> tuple[EarlierRelease, str]:
    """Read the release that the next one is compared with.

    Parameters
    ----------
    by : str
        Who chooses it.
    root : Path or None
        Folder of the project, which names files below it by their relative path.

    Returns
    -------
    chosen : EarlierRelease
    follows : str
        SHA-256 of the evidence that this one was compared with; empty if with none.

    Raises
    ------
    ConfigError
        Codes ``validity_unnamed``, and ``earlier_changed`` if its files are not those
        that its evidence vouches for.
    InputError
        Code ``other_of_counts``, and as `read_evidence`.
    """
    check_named(by)
    files = ReleaseFolder(folder)
    if is_of_counts(files):
        raise InputError("other_of_counts", folder=folder.resolve().name)
    evidence = read_evidence(files)
    if not all(
        each.ok for each in check_files(files, evidence, monitor, {POLICY, *REPORTS})
    ):
        raise ConfigError("earlier_changed", folder=folder.name)
    _check_agreed(evidence, folder.name)
    place, base = folder.resolve(), None if root is None else root.resolve()
    name = place.name
    if base is not None and place.is_relative_to(base):
        name = place.relative_to(base).as_posix()
    day, follows = today().isoformat(), evidence.drift
    chosen = EarlierRelease(file=name, sha256=_digest(files), by=by.strip(), on=day)
    return chosen, "" if follows is None else follows.earlier


def _digest(files: ReleaseFolder) -> str:
    return hashlib.sha256(files.read(EVIDENCE, MAX_JSON_BYTES)).hexdigest()


def _check_agreed(evidence: Evidence, folder: str) -> None:
    """See that a stranger's evidence says nothing that contradicts itself.

    Raises
    ------
    ConfigError
        Code ``earlier_changed``.
    """
    found = evidence.distributions
    counts = [n for each in found.values() for n in _counts(each).values()]
    counts += [_others(each) for each in found.values()]
    counts.append(_people(evidence))
    names = {each.name for each in evidence.attributes}
    if not found.keys() <= names or not all(0 <= n <= MOST_COUNTED for n in counts):
        raise ConfigError("earlier_changed", folder=folder)


def read_earlier(
    project: Project, root: Path | None, given: Path | None = None
) -> Evidence | None:
    """Read the evidence of the earlier release; None if the project names none.

    Parameters
    ----------
    root : Path or None
        Folder of the project.
    given : Path, optional
        Where the release is, if it is not below that folder.

    Raises
    ------
    ConfigError
        Code ``earlier_missing``: what cannot be compared is not passed over; or
        ``earlier_changed`` if its evidence contradicts itself.
    """
    chosen = project.validity.earlier
    if chosen is None:
        return None
    name = Path(chosen.file).name
    for place in (given, found_below(project, root).get(EARLIER)):
        if place is None:
            continue
        try:
            files = ReleaseFolder(place)
            if _digest(files) != chosen.sha256:
                continue
            evidence = read_evidence(files)
        except DeidError:
            continue
        _check_agreed(evidence, name)
        return evidence
    raise ConfigError("earlier_missing", folder=name)


def compare_with(chosen: EarlierRelease | None, by: str, follows: str = "") -> Op:
    """Choose the earlier release, or none.

    Who gives a comparison up enters a trigger by it: nothing is released until somebody
    decides anew, and what was given up is stated beside that decision. A release that
    was itself compared with the one before takes its place without one.

    Parameters
    ----------
    by : str
        Who chooses.
    follows : str
        See `open_earlier`.

    Raises
    ------
    ConfigError
        Code ``validity_unnamed``.
    """
    check_named(by)

    def op(project: Project) -> Project:
        left, changed = project.validity.earlier, project
        # PRIVACY: another release in its place gives the comparison up as well.
        goes_on = () if chosen is None else (chosen.sha256, follows)
        if left is not None and left.sha256 not in goes_on:
            words = tr(
                "Nothing is compared any more with the release whose evidence has the "
                "SHA-256 {digest}.",
                digest=left.sha256,
            )
            met = TriggerMet(
                kind="comparison",
                because=words,
                by=by.strip(),
                on=today().isoformat(),
                digest=left.sha256,
            )
            changed = enter_measured((met,))(project)
        return changed.but(validity=changed.validity.but(earlier=chosen))

    return op


# -- what has changed ------------------------------------------------------------------


def drift_between(digest: str, then: Evidence, now: Evidence) -> Drift:
    """Compare two releases of a project by their evidence.

    Parameters
    ----------
    digest : str
        SHA-256 of the earlier evidence.
    """
    levels = {each.name: each.level for each in then.attributes}
    columns = []
    for name, present in now.distributions.items():
        level = next(each.level for each in now.attributes if each.name == name)
        earlier = then.distributions.get(name)
        if earlier is None or levels[name] != level:
            columns.append(ColumnDrift(attribute=name, comparable=False))
            continue
        others = (_others(earlier), _others(present))
        shift = shift_of(_counts(earlier), _counts(present), others)
        if not shift.is_comparable:
            columns.append(
                ColumnDrift(attribute=name, comparable=False, rest=shift.totals)
            )
            continue
        columns.append(
            ColumnDrift(
                attribute=name,
                cells=dict(shift.cells),
                rest=shift.rest,
                # Rounding may leave a sum of nothing just below it.
                stability=max(0.0, shift.stability),
            )
        )
    found = Drift(
        earlier=digest,
        created=then.created,
        inputs_before=tuple(each.sha256 for each in then.inputs),
        inputs=tuple(each.sha256 for each in now.inputs),
        policy_before=digest_of_facts(policy_facts(then)),
        policy=digest_of_facts(policy_facts(now)),
        people_before=_people(then),
        people=_people(now),
        columns=tuple(columns),
    )
    return found.model_copy(update={"met": tuple(_met(found))})


def _met(drift: Drift) -> Iterator[str]:
    if drift.inputs != drift.inputs_before:
        yield "extract"
    if drift.policy != drift.policy_before:
        yield "policy"
    if abs(drift.people - drift.people_before) > TENTH * drift.people_before:
        yield "people"
    is_moved = any((each.stability or 0.0) > REDO for each in drift.columns)
    if is_moved or not all(each.comparable for each in drift.columns):
        yield "drift"


def _counts(found: Distribution) -> dict[str, int]:
    return {each.label: each.released for each in found.labels}


def _others(found: Distribution) -> int:
    return 0 if found.others is None else found.others.released


def _people(evidence: Evidence) -> int:
    unit = evidence.unit
    if unit.people is not None:
        return unit.people - (unit.suppressed_people or 0)
    return evidence.records - evidence.suppressed_records


# -- deciding --------------------------------------------------------------------------


def undecided(project: Project, drift: Drift | None) -> tuple[TriggerMet, ...]:
    """Return the measured triggers after which nobody has decided anew."""
    if drift is None:
        return ()
    day = today().isoformat()
    decided = {
        (trigger.kind, trigger.digest)
        for period in project.validity.periods
        for trigger in period.after
    }
    found = [
        TriggerMet(
            kind=kind,
            because=trigger_words(drift, kind),
            by=BY,
            on=day,
            digest=print_of(drift, kind),
        )
        for kind in drift.met
    ]
    return tuple(each for each in found if (each.kind, each.digest) not in decided)


def check_drift(project: Project, drift: Drift | None) -> None:
    """See that somebody has decided anew after all that has changed.

    Raises
    ------
    DriftError
        With the triggers that are met.
    """
    if left := undecided(project, drift):
        raise DriftError(left)
