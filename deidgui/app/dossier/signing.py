"""One name and day for all that was typed and that nobody has signed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from deidgui.app import ops
from deidgui.app.determination.determination import unsigned
from deidgui.app.determination.validity import sign_validity, unsigned_items
from deidgui.app.entered import check_named
from deidgui.app.project import Attribute, Counts, Project
from deidgui.engine.evidence.entered import Entered, Entry
from deidgui.text import Text, tr

Key = TypeVar("Key")
Given = TypeVar("Given", bound=Entered)


def sign_open(by: str, on: str) -> ops.Op:
    """Stand for everything in a project that nobody has signed.

    What has a name and a day keeps them.

    Raises
    ------
    ConfigError
        Code ``validity_unnamed``, when it is applied.
    """

    def op(project: Project) -> Project:
        check_named(by)
        for part in PARTS.values():
            if part.count(project):
                project = part.sign(by, on)(project)
        return project

    return op


def unsigned_parts(project: Project) -> dict[str, int]:
    """Return how many texts, answers and reasons nobody has signed, by part."""
    counted = {name: part.count(project) for name, part in PARTS.items()}
    return {name: n for name, n in counted.items() if n}


def unsigned_words(found: Mapping[str, int]) -> str:
    """Say what nobody has signed; empty if somebody stands for everything.

    Parameters
    ----------
    found : mapping of str to int
        As of `unsigned_parts`.
    """
    if not found:
        return ""
    names = ", ".join(
        tr(PARTS[name].title) + (f" ({n})" if n > 1 else "")
        for name, n in found.items()
    )
    return tr("Nobody has signed: {names}.", names=names)


@dataclass(frozen=True)
class _Part:
    """A part of a project in which people type.

    Parameters
    ----------
    count : callable
        How much of it is typed and nobody has signed.
    sign : callable
        Signs that.
    """

    title: Text
    count: Callable[[Project], int]
    sign: Callable[[str, str], ops.Op]


def _signed(entered: Given, by: str, on: str) -> Given:
    """Return something with a signature; that of another one stays."""
    return entered if entered.is_signed else entered.but(by=by, on=on)


def _n_open(entered: Sequence[Entered]) -> int:
    return sum(not each.is_signed for each in entered)


# -- reasons ---------------------------------------------------------------------------


def _open_reasons(project: Project) -> int:
    counts = project.counts or Counts()
    n_counts = bool(counts.inferable_because.strip())
    n_counts &= not counts.inferable_signed.is_signed
    return _n_open(project.answers) + _n_open(project.overrulings) + n_counts


def _sign_reasons(by: str, on: str) -> ops.Op:
    def op(project: Project) -> Project:
        counts = project.counts
        if counts is not None and counts.inferable_because.strip():
            signed = _signed(counts.inferable_signed, by, on)
            counts = counts.but(inferable_signed=signed)
        return project.but(
            answers=tuple(_signed(each, by, on) for each in project.answers),
            overrulings=tuple(_signed(each, by, on) for each in project.overrulings),
            counts=counts,
        )

    return op


def _open_notes(project: Project) -> int:
    return int(bool(project.notes.strip()) and not project.notes_signed.is_signed)


def _sign_notes(by: str, on: str) -> ops.Op:
    return lambda project: ops.set_notes(project.notes, by, on)(project)


# -- thresholds, columns ---------------------------------------------------------------


def _open_thresholds(project: Project) -> int:
    threshold = project.privacy.threshold
    return int(bool(threshold.justification.strip()) and not threshold.is_signed)


def _sign_thresholds(by: str, on: str) -> ops.Op:
    return ops.change_threshold(set_by=by, set_on=on)


def _open_columns(project: Project) -> int:
    return _n_open([e.principles for e in project.attributes if e.principles])


def _sign_columns(by: str, on: str) -> ops.Op:
    def signed(each: Attribute) -> Attribute:
        if each.principles is None:
            return each
        return each.but(principles=_signed(each.principles, by, on))

    return lambda project: project.but(
        attributes=tuple(map(signed, project.attributes))
    )


# -- dossier ---------------------------------------------------------------------------


def _open_entries(project: Project) -> int:
    dossier = project.dossier
    texts = (dossier.entries, *dossier.columns.values())
    said = [entry for each in texts for entry in each.values()]
    said += dossier.not_applying.values()
    return _n_open([each for each in said if each.text.strip()])


def _sign_entries(by: str, on: str) -> ops.Op:
    def signed(entries: Mapping[Key, Entry]) -> dict[Key, Entry]:
        return {
            key: _signed(each, by, on) if each.text.strip() else each
            for key, each in entries.items()
        }

    def op(project: Project) -> Project:
        dossier = project.dossier
        return ops.change_dossier(
            entries=signed(dossier.entries),
            columns={name: signed(each) for name, each in dossier.columns.items()},
            not_applying=signed(dossier.not_applying),
        )(project)

    return op


_CONTEXT: Text = "context"
_VALIDITY: Text = "validity"
_REASONS: Text = "reasons"
_NOTES: Text = "notes"
_THRESHOLDS: Text = "justification of the thresholds"
_COLUMNS: Text = "what outsiders may know of columns"
_DOSSIER: Text = "texts of the dossier"

PARTS: Mapping[str, _Part] = {
    "context": _Part(_CONTEXT, lambda p: len(unsigned(p.context)), ops.sign_context),
    "validity": _Part(
        _VALIDITY, lambda p: len(unsigned_items(p.validity)), sign_validity
    ),
    "thresholds": _Part(_THRESHOLDS, _open_thresholds, _sign_thresholds),
    "columns": _Part(_COLUMNS, _open_columns, _sign_columns),
    "dossier": _Part(_DOSSIER, _open_entries, _sign_entries),
    "reasons": _Part(_REASONS, _open_reasons, _sign_reasons),
    "notes": _Part(_NOTES, _open_notes, _sign_notes),
}
"""Where people type, in the order of the steps."""
