"""Matches a release again with the tables that its evidence compares it with."""

from __future__ import annotations

import csv
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from deidgui.engine.evidence.checks import Check, compare
from deidgui.engine.evidence.document import (
    Compared,
    Dialect,
    Evidence,
    Linked,
    SharedColumn,
)
from deidgui.engine.evidence.folder import (
    EVIDENCE,
    MAX_CELL,
    ReleaseFolder,
    read_evidence,
    read_table,
)
from deidgui.engine.evidence.keyed import Identity, identity_of, in_release
from deidgui.engine.evidence.tally import STAR
from deidgui.errors import DeidError, InputError

_Key = tuple[str | int, ...]
Rows = Iterator[tuple[list[str], list[list[str]]]]

NO_OTHER = {
    *("several_tables", "own_labels", "other_missing", "other_tables"),
    *("other_rows_vary", "other_labels", "other_no_column", "other_values"),
    *("other_many_values", "rows_vary", "few_held_out"),
    *("hold_out_input", "hold_out_alike", "other_skips"),
}
"""Why a release may not be compared with a table that a person chose."""


def identified(against: Sequence[Path]) -> Iterator[tuple[Path, Identity]]:
    """Say which tables are given: folders of releases, or files.

    Raises
    ------
    InputError
        As `identity_of`, and as `ReleaseFolder` for a folder.
    """
    for path in against:
        file = ReleaseFolder(path).file(EVIDENCE) if path.is_dir() else path
        yield path, identity_of(file)


def check_compared(
    folder: ReleaseFolder,
    evidence: Evidence,
    at_hand: Mapping[str, tuple[Path, Identity]],
    unmeasured: dict[str, str],
) -> Iterator[Check]:
    """Compare what is said about matches with other tables.

    Parameters
    ----------
    at_hand : mapping of str to (Path, Identity)
        The other tables that are given, by their SHA-256.
    unmeasured : dict of str to str
        Takes the tables that are not at hand, with the code of the reason.

    Raises
    ------
    InputError, ConfigError
        As `read_evidence` and `read_table` for the other tables.
    """
    found = evidence.criteria.compared if evidence.criteria is not None else ()
    held_out = evidence.criteria.held_out if evidence.criteria is not None else None
    known = {each.sha256 for each in found}
    known |= {held_out.sha256 or ""} if held_out is not None else set()
    known |= {evidence.drift.earlier} if evidence.drift is not None else set()
    for sha256, (path, _identity) in at_hand.items():
        yield Check("against", sha256 in known, {"file": path.name})
    if not found:
        return
    names = {each.name: each.released_as or "" for each in evidence.attributes}
    for each in found:
        about = {"name": each.name}
        fits = _is_complete(evidence, each)
        yield Check("compared_complete", fits, about)
        if not fits:
            continue
        header_of = [names[name] for name in (*_shared_names(each), *each.kept)]
        shown = _shown(folder, evidence, header_of)
        yield from _check_labels(each, shown)
        ours = _ours(each, shown)
        for number, linked in enumerate(each.linked):
            n_columns = len(linked.attributes)
            by_some = _by_some(ours, n_columns)
            yield from _check_figures(each, linked, by_some, is_first=not number)
        if each.sha256 not in at_hand:
            unmeasured[f"compared:{each.name}"] = "other_not_given"
            continue
        path, identity = at_hand[each.sha256]
        groups = [GroupOf(e, identity, evidence) for e in each.shared]
        try:
            yield from _check_theirs(each, ours, path, groups)
        except DeidError:
            unmeasured[f"compared:{each.name}"] = "other_unreadable"
            yield Check("compared_read", ok=False, params=about)


def _shared_names(stated: Compared) -> tuple[str, ...]:
    return tuple(each.attribute for each in stated.shared)


def _is_complete(evidence: Evidence, stated: Compared) -> bool:
    """Whether it is about released columns, and everything of its kind is there."""
    by_name = {each.name: each for each in evidence.attributes}
    shared = _shared_names(stated)
    own = [by_name.get(name) for name in (*shared, *stated.kept)]
    expected = [shared, *([(*shared, *stated.kept)] if stated.kept else [])]
    is_register = stated.kind == "register"
    return (
        bool(shared)
        and all(each is not None and each.released_as for each in own)
        and [each.attributes for each in stated.linked] == expected
        and is_register == (stated.membership is not None)
        and is_register == (stated.coverage is not None)
        and is_register == (stated.dialect is not None)
        and not (is_register and stated.kept)
        and stated.coverage != 0
        and all(_is_whole(each) for each in stated.shared)
    )


def _is_whole(column: SharedColumn) -> bool:
    """Whether each group of values of the other table is one of released labels."""
    return set(column.others.values()) <= set(range(1 + _last_group(column))) and list(
        column.wide
    ) == sorted({*column.wide} - column.others.keys())


def _last_group(column: SharedColumn) -> int:
    return max([*column.groups.values(), *column.others.values()], default=0)


def _shown(
    folder: ReleaseFolder, evidence: Evidence, headers: Sequence[str]
) -> Counter[tuple[str, ...]]:
    """Count released people by what they show in some columns."""
    n_suppressed = evidence.suppressed_records
    return Counter(
        people_of(
            read_table(folder, evidence.outputs[0].path),
            headers,
            n_suppressed if evidence.policy.suppressed == "stars" else 0,
            evidence.unit.column,
        )
    )


def _check_labels(
    stated: Compared, shown: Mapping[tuple[str, ...], int]
) -> Iterator[Check]:
    """See that exactly the released labels have a group."""
    for place, column in enumerate(stated.shared):
        about = {"name": stated.name, "attribute": column.attribute}
        labels = {each[place] for each in shown}
        yield Check("compared_shown", labels == set(column.groups), about)


def _ours(stated: Compared, shown: Mapping[tuple[str, ...], int]) -> Counter[_Key]:
    """Count released people by the groups of their labels, and by what is kept."""
    groups = [each.groups for each in stated.shared]
    found: Counter[_Key] = Counter()
    for texts, n in shown.items():
        n_shared = len(groups)
        first = zip(groups, texts[:n_shared], strict=True)
        found[(*(each.get(text, -1) for each, text in first), *texts[n_shared:])] += n
    return found


def people_of(
    table: Rows, headers: Sequence[str], n_suppressed: int, key: str | None
) -> Iterator[tuple[str, ...]]:
    """Cells of some columns, of one row of each person who is not suppressed."""
    seen: set[str] = set()
    for header, rows in table:
        names = [each.strip() for each in header]
        if not set(headers) <= set(names) or (key is not None and key not in names):
            raise InputError("release_malformed", file="", line=1)
        places = [names.index(each) for each in headers]
        star_row = [STAR] * len(header)
        for row in rows:
            if n_suppressed and row == star_row:
                n_suppressed -= 1
                continue
            if key is not None:
                person = row[names.index(key)]
                if person in seen:
                    continue
                seen.add(person)
            yield tuple(row[place] for place in places)


def _by_some(counts: Mapping[_Key, int], n_columns: int) -> Counter[_Key]:
    found: Counter[_Key] = Counter()
    for key, n in counts.items():
        found[key[:n_columns]] += n
    return found


def _check_figures(
    stated: Compared, linked: Linked, ours: Mapping[_Key, int], *, is_first: bool
) -> Iterator[Check]:
    """Count our classes again, and work out what follows from all of them."""
    about = {"name": stated.name, "known": len(linked.attributes)}
    sizes: Counter[int] = Counter()
    for own, _theirs, times in linked.classes:
        sizes[own] += times
    same = sizes == Counter(ours.values())
    pairs = [each[:2] for each in linked.classes]
    once = pairs == sorted(set(pairs))
    yield Check("compared_classes", same and once, about)
    yield compare("compared_records", stated.records, sum(ours.values()), **about)
    n_theirs = sum(theirs * times for _own, theirs, times in linked.classes)
    yield Check("compared_others", n_theirs <= stated.others, about)
    n_left = stated.others - n_theirs if any(e.wide for e in stated.shared) else 0
    yield Check("compared_possible", linked.possible <= n_left, about)
    certain = sum(n for own, theirs, n in linked.classes if own == theirs == 1)
    yield compare("compared_certain", linked.certain, certain, **about)
    coverage = stated.coverage if is_first and stated.coverage is not None else 1.0
    most = _most(linked.classes, coverage) + linked.possible
    if linked.possible:
        most = min(most, sum(ours.values()))
    yield compare("compared_most", linked.most, most, **about)
    if is_first and stated.membership is not None:
        known = [each for each in linked.classes if each[1] > 0]
        shares = [(min(1.0, own / theirs), own * n) for own, theirs, n in known]
        n = sum(weight for _share, weight in shares) or 1
        average = sum(share * weight for share, weight in shares) / n
        highest = max((share for share, _weight in shares), default=0.0)
        yield compare("compared_member", stated.membership.highest, highest, **about)
        yield compare("compared_member", stated.membership.average, average, **about)


def _most(classes: Iterable[tuple[int, int, int]], coverage: float) -> float:
    """Right matches expected at most, if a share of the other people is at hand."""
    right = 0.0
    for own, theirs, times in classes:
        if 0 < theirs < own:
            right += times * theirs / own
        elif theirs:
            right += times * own * (1 - (1 - coverage) ** theirs) / theirs
    return right


# -- the other table -------------------------------------------------------------------


def _check_theirs(
    stated: Compared, ours: Mapping[_Key, int], path: Path, groups: Sequence[GroupOf]
) -> Iterator[Check]:
    """Count the other table again, and the pairs of classes with it."""
    shared = stated.shared
    headers = [*(each.column for each in shared), *stated.kept.values()]
    n_others, unknown = 0, [0] * len(shared)
    theirs: Counter[_Key] = Counter()
    for shown, n in Counter(_their_people(stated, path, headers)).items():
        n_others += n
        found = [each.of(text) for each, text in zip(groups, shown, strict=False)]
        for place, group in enumerate(found):
            unknown[place] += n if group < 0 else 0
        if min(found) >= 0:
            theirs[(*found, *shown[len(shared) :])] += n
    about = {"name": stated.name}
    yield compare("compared_people", stated.others, n_others, **about)
    for column, n in zip(shared, unknown, strict=True):
        of_column = {**about, "attribute": column.attribute}
        yield compare("compared_unknown", column.unknown, n, **of_column)
        last = _last_group(column)
        alike = all(
            group > last or group == column.groups.get(text, group)
            for text, group in groups[shared.index(column)].known.items()
        )
        yield Check("compared_labels", alike, of_column)
    for linked in stated.linked:
        n_columns = len(linked.attributes)
        own, other = (_by_some(each, n_columns) for each in (ours, theirs))
        pairs = Counter((n, other[key]) for key, n in own.items())
        known = {(a, b): times for a, b, times in linked.classes}
        about_pairs = {**about, "known": n_columns}
        yield Check("compared_pairs", dict(pairs) == known, about_pairs)
        possible = _possible(shared, own, other)
        yield compare("compared_wide", linked.possible, possible, **about_pairs)


def _possible(
    shared: Sequence[SharedColumn], ours: Mapping[_Key, int], theirs: Iterable[_Key]
) -> int:
    """How many rows of the other table are wide, and may be people of ours."""
    last = [_last_group(each) for each in shared]
    shown = list(map(set, zip(*ours, strict=True)))
    found = 0
    for key in theirs:
        groups = (int(group) for group in key[: len(last)])
        wide = [group > most for group, most in zip(groups, last, strict=False)]
        wide += [False] * (len(key) - len(wide))
        found += any(wide) and all(
            is_wide or each in known
            for each, is_wide, known in zip(key, wide, shown, strict=True)
        )
    return found


class GroupOf:
    """Groups of the values of the other table, found by their keyed digests."""

    def __init__(
        self, column: SharedColumn, identity: Identity, evidence: Evidence
    ) -> None:
        self._column, self._identity = column, identity
        self._release = evidence.created, evidence.inputs[0].sha256
        self._wide = {digest: number for number, digest in enumerate(column.wide)}
        self.known: dict[str, int] = {}

    def of(self, text: str) -> int:
        """Group of a value; -1 if it belongs to no released label.

        A wide value has a number beyond those of all groups.
        """
        if text not in self.known:
            digest = self._identity.digest(self._column.attribute, text)
            stated = in_release(digest, *self._release)
            group = self._column.others.get(stated, -1)
            if stated in self._wide:
                # Of its own: who has one is in no class.
                group = _last_group(self._column) + 1 + self._wide[stated]
            self.known[text] = group
        return self.known[text]


def _their_people(
    stated: Compared, path: Path, headers: Sequence[str]
) -> Iterator[tuple[str, ...]]:
    if stated.kind == "register":
        assert stated.dialect is not None, "of a register"
        yield from people_of(cut_rows(stated.dialect, path), headers, 0, None)
        return
    folder = ReleaseFolder(path)
    evidence = read_evidence(folder)
    by_stars = evidence.policy.suppressed == "stars"
    yield from people_of(
        read_table(folder, evidence.outputs[0].path),
        headers,
        evidence.suppressed_records if by_stars else 0,
        evidence.unit.column,
    )


def cut_rows(cut: Dialect, path: Path) -> Rows:
    """Header and rows of a text file, as the evidence says that it is cut."""
    before = csv.field_size_limit(MAX_CELL)
    try:
        with path.open(encoding=cut.encoding, newline="") as file:
            lines = itertools.islice(file, cut.skip_lines, None)
            reader = csv.reader(
                lines,
                delimiter=cut.delimiter,
                quotechar=cut.quote or None,
                quoting=csv.QUOTE_MINIMAL if cut.quote else csv.QUOTE_NONE,
                skipinitialspace=cut.skip_blanks,
                strict=True,
            )
            header = [each.removeprefix("\ufeff") for each in next(reader, [])]
            while rows := list(itertools.islice(reader, 10_000)):
                yield header, [each for each in rows if len(each) == len(header)]
    except (csv.Error, ValueError, LookupError, TypeError):
        raise InputError("other_unreadable", file=path.name) from None
    except OSError as error:
        raise InputError(
            "cannot_read", file=path.name, reason=error.strerror or ""
        ) from None
    finally:
        csv.field_size_limit(before)
