"""Makes the evidence, policy and mapping files of a release."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import polars
import pydantic
import reportlab

from deidgui import __version__
from deidgui.engine.arrays import BoolArray, Int32Array, IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.hierarchy import leaf_codes
from deidgui.engine.data.table import Table
from deidgui.engine.evidence.document import (
    Acceptance,
    AnsweredQuestion,
    Attacks,
    Attribute,
    AttributesKnown,
    CellFacts,
    CellsSearched,
    ClassSizes,
    ColumnPrinciples,
    Condition,
    Context,
    Criteria,
    Distribution,
    Dossier,
    Drift,
    Evidence,
    File,
    Input,
    LabelCount,
    Link,
    Measure,
    Missing,
    Model,
    Output,
    Overruled,
    PolicyFacts,
    PreparationStep,
    ProtectedUnit,
    Risk,
    RiskStep,
    RoundFacts,
    RowOrder,
    SafeHarbor,
    Sample,
    SearchRecord,
    SensitivityCase,
    SharedColumn,
    SizeBin,
    Thresholds,
    Validity,
)
from deidgui.engine.evidence.entered import Entered
from deidgui.engine.evidence.keyed import in_release
from deidgui.engine.evidence.mapping import (
    mapping_csv,
    mapping_paths,
    names_values,
    round_mapping_csv,
)
from deidgui.engine.policy.policy import Policy
from deidgui.engine.policy.released import (
    LostValues,
    ReleasedClasses,
    lost_values,
    released_classes,
    released_rows,
)
from deidgui.engine.policy.words import (
    joined_text,
    phrases,
    sentence,
    suppressed_because,
)
from deidgui.engine.risk.class_sizes import (
    CUMULATIVE_LIMITS,
    class_size_histogram,
    cumulative_risk,
)

POLICY_FORMAT = "deidgui-policy"
FEW = 5
"""At least so many records make a number that may be told about suppressed ones."""


@dataclass(frozen=True)
class ReleaseFigures:
    """What other parts measured: parts of the `document`, or mappings of their fields.

    Parameters
    ----------
    risk : mapping
        Fields of `document.Risk`.
    quality : mapping of str to mapping
        By measure; fields of `document.Measure`.
    search : mapping
        Fields of `document.Search`.
    unit : Unit, optional
        Who is protected; each row, without it.
    sample : Sample, optional
        Everybody is released, without it.
    link : Link, optional
        Of linked tables.
    attributes_known : AttributesKnown, optional
        If it was decided how many an adversary knows.
    context : Context, optional
        If anything was said about it.
    sensitivity : sequence of SensitivityCase
        What risks become if one thing is otherwise.
    validity : Validity, optional
        Until when the determination holds.
    drift : Drift, optional
        Since the earlier release that the project names.
    dossier : Dossier, optional
        What was entered for it, and what of it is complete.
    criteria : Criteria, optional
        Who is singled out, and what can be guessed.
    principles : sequence of ColumnPrinciples
        What outsiders may know of each column, if anything was said of one.
    cells : Cells, optional
        What stands in the released cells.
    safe_harbor : mapping, optional
        Fields of `document.SafeHarbor`.
    acceptance : mapping, optional
        Of a discovered policy; fields of `document.Acceptance`.
    overruled : sequence of Overruled
        Models that do not hold, with a person's reason.
    questions : sequence of AnsweredQuestion
        About the released table, with the answers.
    attacks : Attacks, optional
        That were simulated on exactly this release.
    assumptions, warnings : sequence of str
        Plain sentences.
    """

    models: Sequence[Model]
    risk: Mapping[str, Any]
    quality: Mapping[str, Mapping[str, Any]]
    search: Mapping[str, Any]
    unit: ProtectedUnit | None = None
    sample: Sample | None = None
    link: Link | None = None
    attributes_known: AttributesKnown | None = None
    context: Context | None = None
    sensitivity: Sequence[SensitivityCase] = ()
    validity: Validity | None = None
    drift: Drift | None = None
    dossier: Dossier | None = None
    criteria: Criteria | None = None
    principles: Sequence[ColumnPrinciples] = ()
    cells: CellsSearched | None = None
    safe_harbor: Mapping[str, Any] | None = None
    acceptance: Mapping[str, Any] | None = None
    overruled: Sequence[Overruled] = ()
    questions: Sequence[AnsweredQuestion] = ()
    attacks: Attacks | None = None
    assumptions: Sequence[str] = ()
    warnings: Sequence[str] = ()


@dataclass(frozen=True)
class Decisions:
    """What somebody decided, for the record.

    Parameters
    ----------
    suppressed : str
        "stars" or "left_out".
    row_order : str
        "input", "random" or "seeded". PRIVACY: never the seed itself, with which
        anybody could restore the original order.
    created : str or None
        ISO 8601 time, given so that bytes can be reproduced.
    preparation : sequence of PreparationStep
        What was done to the table before the search.
    """

    title: str = ""
    notes: str = ""
    notes_signed: Entered = field(default_factory=Entered)
    thresholds: Thresholds = field(default_factory=Thresholds)
    missing: Missing = field(default_factory=Missing)
    suppressed: Literal["stars", "left_out"] = "stars"
    row_order: Literal["input", "random", "seeded"] = "random"
    spreadsheet_safe: bool = True
    created: str | None = None
    preparation: Sequence[PreparationStep] = ()


@dataclass(frozen=True, eq=False, repr=False)
class Applied:
    """A policy on the classes of a table, and what follows for each attribute.

    Parameters
    ----------
    write : callable
        How a text is written in the release (made harmless for spreadsheets).
    table : Table, optional
        That the class table was counted from, where its rows belong to people.
    positions : mapping of str to int
        Place of the attributes among the columns of the input, from 1.
    names_confirmed : bool
        Whether a person has said that the names of the columns are names.
    """

    class_table: ClassTable
    policy: Policy
    write: Callable[[str], str] = field(default=str)
    table: Table | None = None
    positions: Mapping[str, int] = field(default_factory=dict)
    names_confirmed: bool = False

    @cached_property
    def classes(self) -> ReleasedClasses:
        """Classes after the policy: of people, where rows belong to them."""
        return released_classes(self.class_table, self.policy)

    @cached_property
    def lost(self) -> dict[str, LostValues]:
        """Values that only suppressed records have, by attribute kept in full."""
        found = lost_values(self.class_table, self.policy, self.classes)
        return {each.attribute: each for each in found}

    @cached_property
    def rows(self) -> tuple[ClassTable, ReleasedClasses]:
        """What the classes are in rows of the table, before and after the policy."""
        if self.class_table.units is None:
            return self.class_table, self.classes
        assert self.table is not None, "people have rows in a table"
        return released_rows(self.table, self.class_table, self.policy, self.classes)

    @property
    def few(self) -> int:
        """Numbers of suppressed records below this one are not told."""
        k = self.policy.cells.k if self.policy.cells is not None else 1
        return max(FEW, k, *(each.suppress_below for each in self.policy.rounds))

    @cached_property
    def paths(self) -> dict[str, str]:
        """Path of the mapping file by attribute."""
        return mapping_paths(
            self.policy.attributes, self.positions, are_confirmed=self.names_confirmed
        )

    def leaf_records(self, place: int) -> IntArray:
        """Records that may be named by a value of an attribute: int64, (n_leaves,).

        PRIVACY: none where rows belong to people, since one person alone can have
        many rows with a value.
        """
        if self.class_table.units is not None:
            n_leaves = self.policy.maps[place].hierarchy.n_leaves
            return np.zeros(n_leaves, np.int64)
        table = self.rows[0]
        n_leaves = table.hierarchies[place].n_leaves
        leaves, weights = table.leaves[:, place], table.counts
        return np.bincount(leaves, weights, n_leaves).astype(np.int64)

    def label_records(self, place: int, suppressed: bool) -> IntArray:
        """Released or suppressed records per label of an attribute."""
        found = self.rows[1]
        chosen = found.suppressed == suppressed
        n_labels = len(self.policy.labels[place])
        counts = np.bincount(
            found.labels[chosen, place], found.counts[chosen], n_labels
        )
        # What events of other tables do not have is behind all labels.
        return counts[:n_labels].astype(np.int64)

    def is_released(self, place: int) -> BoolArray:
        """Which labels of an attribute some released record has, or person."""
        found = self.label_records(place, suppressed=False) > 0
        found[self._labels_without_events(place)] = True
        return found

    def _labels_without_events(self, place: int) -> Int32Array:
        """Labels of the released people who have no event: they are in no record."""
        table, units = self.table, self.class_table.units
        each = self.policy.maps[place]
        if table is None or units is None or table.absent is None:
            return np.empty(0, np.int32)
        column = table.column(each.attribute)
        if column.absent is not None:
            return np.empty(0, np.int32)
        classes = self.classes
        gone = units.of_rows(classes.suppressed[classes.of_combination])
        codes = np.unique(column.codes[table.absent & ~gone])
        return each.groups[leaf_codes(column, each.hierarchy)[codes]]

    @cached_property
    def named(self) -> Policy:
        """The policy with only those labels that may be named in words."""
        first, *later = (
            replace(
                each.policy,
                maps=tuple(
                    # PRIVACY: a label that only suppressed records have tells what
                    # they are like.
                    m.naming(self.of_round(number, place))
                    for place, m in enumerate(each.policy.maps)
                ),
            )
            for number, each in enumerate(self.rows[1].rounds)
        )
        return replace(first, kind=self.policy.kind, later=tuple(later))

    def of_round(self, number: int, place: int) -> BoolArray:
        """Which labels of a round some record has that the round releases."""
        return self.rows[1].rounds[number].label_records(place) > 0


def mapping_files(applied: Applied) -> dict[str, bytes]:
    """Content of every mapping file, by its path in the release."""
    return {
        applied.paths[name]: _mapping_file(applied, place)
        for place, name in enumerate(applied.policy.attributes)
    }


def _mapping_file(applied: Applied, place: int) -> bytes:
    leaves, few, write = applied.leaf_records(place), applied.few, applied.write
    if not applied.policy.later:
        released = applied.is_released(place)
        return mapping_csv(applied.policy.maps[place], leaves, released, few, write)
    rounds = [
        (each.policy.maps[place], applied.of_round(number, place))
        for number, each in enumerate(applied.classes.rounds)
    ]
    return round_mapping_csv(rounds, leaves, few, write)


def policy_document(
    applied: Applied, suppressed: str, acceptance: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Content of ``policy.json``: what was done, for a person and a program.

    Parameters
    ----------
    suppressed : str
        "stars" or "left_out".
    acceptance : mapping, optional
        Of a discovered policy: fields of `document.Acceptance`.

    Returns
    -------
    dict
        PRIVACY: names only labels that some released record has.
    """
    policy = applied.policy
    words = {phrase.attribute: phrase for phrase in phrases(applied.named)}
    attributes = [
        {
            "name": each.attribute,
            "effect": words[each.attribute].effect,
            "words": words[each.attribute].text,
            "level": None if policy.later else each.level,
            "height": each.hierarchy.height,
            "values": each.hierarchy.n_leaves,
            "rule": each.hierarchy.rule.to_json() if each.hierarchy.rule else None,
            "labels": [
                applied.write(policy.labels[place][label])
                for label in np.flatnonzero(applied.is_released(place))
            ],
            "mapping": applied.paths[each.attribute],
            **_joined(applied, place),
        }
        for place, each in enumerate(policy.maps)
    ]
    return {
        "format": POLICY_FORMAT,
        "version": 1,
        "kind": policy.kind,
        "levels": policy.levels,
        "withhold_below": policy.smallest_class,
        "conditions": _conditions(policy),
        **({"rounds": rounds(applied)} if policy.later else {}),
        **_cells(policy),
        **({"acceptance": dict(acceptance)} if acceptance else {}),
        "withheld_because": list(suppressed_because(policy)),
        "withheld": suppressed,
        "sentence": _sentence(applied),
        "attributes": attributes,
    }


def cell_facts(policy: Policy) -> CellFacts | None:
    """Count the suppressed cells of a policy; None if it suppresses none singly."""
    cells = policy.cells
    if cells is None:
        return None
    counts = zip(policy.attributes, cells.by_attribute.tolist(), strict=True)
    return CellFacts(
        known=cells.known,
        k=cells.k,
        block_size=cells.block_size,
        records=cells.n_records,
        by_attribute={name: n for name, n in counts if n},
    )


def _cells(policy: Policy) -> dict[str, Any]:
    facts = cell_facts(policy)
    return {"cells": facts.model_dump(mode="json")} if facts is not None else {}


def _joined(applied: Applied, place: int) -> dict[str, Any]:
    """How neighbouring values of an attribute are joined, if they are."""
    each = applied.policy.maps[place]
    if each.joined is None:
        return {}
    found: dict[str, Any] = {
        "bits": each.joined.bits,
        "values_at": each.joined.level,
        "joined": joined_text(applied.named.maps[place]),
    }
    # PRIVACY: see `names_values`; elsewhere the bits tell how many values there are,
    # as the mapping does, and not which.
    if names_values(each, applied.leaf_records(place), applied.few):
        found["value_names"] = [applied.write(text) for text in each.joined.values]
    return found


def _conditions(policy: Policy) -> list[dict[str, Any]]:
    return [each.to_json() for each in policy.conditions]


def rounds(applied: Applied) -> list[dict[str, Any]]:
    """What each round of a policy of several does (see `document.RoundFacts`)."""
    if not applied.policy.later:
        return []
    return [
        {
            "levels": each.policy.levels,
            "withhold_below": each.policy.suppress_below,
            "conditions": _conditions(each.policy),
            "records": each.n_released,
        }
        for each in applied.rows[1].rounds
    ]


def _sentence(applied: Applied) -> str:
    found, n = applied.classes, applied.class_table.n_records
    of_people = applied.class_table.units is not None
    return sentence(
        applied.named, found.n_suppressed, n, found.n_later, of_people=of_people
    )


def distributions(applied: Applied) -> dict[str, Distribution]:
    """Records by released label of every quasi-identifier."""
    return {
        each.attribute: distribution(
            [applied.write(label) for label in applied.policy.labels[place]],
            applied.label_records(place, suppressed=False),
            applied.label_records(place, suppressed=True),
            applied.few,
            # PRIVACY: rows can be many and their person one.
            is_shown=applied.class_table.units is None,
        )
        for place, each in enumerate(applied.policy.maps)
    }


def build_evidence(
    applied: Applied,
    attributes: Sequence[Attribute],
    inputs: Sequence[Input],
    outputs: Sequence[Output],
    files: Sequence[File],
    figures: ReleaseFigures,
    decisions: Decisions,
) -> Evidence:
    """Put everything that is known about a release into one document.

    Parameters
    ----------
    attributes : sequence of Attribute
        One per column of the input; see `quasi_identifier`.
    inputs, outputs, files : sequences
        Facts about the bytes that were read and written.
    """
    classes, counts = applied.classes, applied.class_table.counts
    return Evidence(
        deidgui=__version__,
        created=decisions.created,
        title=decisions.title,
        notes=decisions.notes,
        notes_signed=decisions.notes_signed,
        inputs=tuple(inputs),
        preparation=tuple(decisions.preparation),
        outputs=tuple(outputs),
        files=tuple(files),
        attributes=tuple(attributes),
        policy=_policy_facts(applied, figures, decisions),
        records=applied.rows[0].n_records,
        suppressed_records=applied.rows[1].n_suppressed,
        unit=_unit(applied, figures.unit),
        sample=figures.sample,
        link=figures.link,
        attributes_known=figures.attributes_known,
        criteria=_keyed(figures.criteria, decisions.created, inputs[0].sha256),
        models=tuple(figures.models),
        overruled=tuple(figures.overruled),
        questions=tuple(figures.questions),
        risk=Risk.model_validate(figures.risk),
        quality={
            name: Measure.model_validate(each) for name, each in figures.quality.items()
        },
        search=SearchRecord.model_validate(figures.search),
        thresholds=decisions.thresholds,
        context=figures.context,
        sensitivity=tuple(figures.sensitivity),
        principles=tuple(figures.principles),
        cells=figures.cells,
        validity=figures.validity,
        drift=figures.drift,
        dossier=figures.dossier,
        missing=decisions.missing,
        row_order=RowOrder(kind=decisions.row_order),
        spreadsheet_safe=decisions.spreadsheet_safe,
        class_sizes=class_sizes(counts, classes.kept_counts, applied.few),
        distributions=distributions(applied),
        safe_harbor=(
            SafeHarbor.model_validate(figures.safe_harbor)
            if figures.safe_harbor
            else None
        ),
        attacks=figures.attacks,
        assumptions=tuple(figures.assumptions),
        warnings=tuple(figures.warnings),
        software=software(),
    )


def _keyed(
    criteria: Criteria | None, created: str | None, sha256: str
) -> Criteria | None:
    """Digests of the values of compared tables as this release alone has them."""

    def of_release(columns: Sequence[SharedColumn]) -> tuple[SharedColumn, ...]:
        found = []
        for each in columns:
            others = {
                in_release(digest, created, sha256): group
                for digest, group in each.others.items()
            }
            # PRIVACY: in the order of the values they would tell ranks.
            ordered = dict(sorted(others.items()))
            wide = tuple(sorted(in_release(e, created, sha256) for e in each.wide))
            found.append(each.model_copy(update={"others": ordered, "wide": wide}))
        return tuple(found)

    if criteria is None:
        return None
    compared = tuple(
        each.model_copy(update={"shared": of_release(each.shared)})
        for each in criteria.compared
    )
    held_out = criteria.held_out
    if held_out is not None:
        held_out = held_out.model_copy(update={"shared": of_release(held_out.shared)})
    return criteria.model_copy(update={"compared": compared, "held_out": held_out})


def _policy_facts(
    applied: Applied, figures: ReleaseFigures, decisions: Decisions
) -> PolicyFacts:
    """What the policy does, and why it is acceptable."""
    policy = applied.policy
    return PolicyFacts(
        kind=policy.kind,
        levels=policy.levels,
        suppress_below=policy.smallest_class,
        conditions=tuple(map(Condition.model_validate, _conditions(policy))),
        rounds=tuple(map(RoundFacts.model_validate, rounds(applied))),
        cells=cell_facts(policy),
        **_joined_facts(applied),
        acceptance=(
            Acceptance.model_validate(figures.acceptance)
            if figures.acceptance
            else None
        ),
        suppressed_because=suppressed_because(policy),
        suppressed=decisions.suppressed,
        sentence=_sentence(applied),
        origin=policy.origin,
    )


def _unit(applied: Applied, unit: ProtectedUnit | None) -> ProtectedUnit:
    """Who is protected, with the header under which a key is released."""
    if unit is None or unit.column is None:
        return unit or ProtectedUnit(kind="row")
    return unit.model_copy(update={"column": applied.write(unit.column)})


def _joined_facts(applied: Applied) -> dict[str, Any]:
    """Bits of joined neighbours by attribute, for `document.PolicyFacts`."""
    known = [
        (each.attribute, each.joined, shown)
        for each, shown in zip(applied.policy.maps, applied.named.maps, strict=True)
        if each.joined is not None
    ]
    return {
        "bits": {name: joined.bits for name, joined, _ in known},
        "values_at": {name: joined.level for name, joined, _ in known},
        "joined": {name: joined_text(shown) for name, _, shown in known},
    }


def quasi_identifier(applied: Applied, attribute: str, **facts: Any) -> Attribute:
    """Evidence about one quasi-identifier; `facts` are the other fields."""
    place = applied.policy.attributes.index(attribute)
    each, lost = applied.policy.maps[place], applied.lost.get(attribute)
    return Attribute(
        name=attribute,
        released_as=applied.write(attribute),
        role="quasi_identifier",
        treatment="generalized",
        words=_words(applied, place),
        level=None if applied.policy.later else each.level,
        height=each.hierarchy.height,
        leaves=each.hierarchy.n_leaves,
        mapping=applied.paths[attribute],
        lost=lost.n_lost if lost else 0,
        is_constant=lost is not None and lost.is_constant,
        **facts,
    )


def _words(applied: Applied, place: int) -> str:
    """What is released of an attribute, in each round that differs."""
    found = [phrases(each)[place].text for each in applied.named.rounds]
    return "; else ".join(dict.fromkeys(found))


def software() -> dict[str, str]:
    """Versions of what computed the release."""
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "polars": polars.__version__,
        "pydantic": pydantic.VERSION,
        "reportlab": reportlab.__version__,
    }


SIZE_STARTS = (1, 2, 3, 4, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Smallest size of each bin of the class size distribution."""

MOST_LABELS = 40
"""More labels are summed up."""


def class_sizes(before: IntArray, after: IntArray, few: int) -> ClassSizes:
    """Class size distribution and cumulative prosecutor risk.

    Parameters
    ----------
    before, after : ndarray of int64, shape (n_classes,), each >= 1
        Sizes of the classes of the input, and of the released ones.
    few : int, >= 2
        Smaller classes are one band, and how many of the input have which risk is not
        told. PRIVACY: the small classes are those that are suppressed.
    """
    starts = (1, few, *(start for start in SIZE_STARTS if start > few))
    limits = CUMULATIVE_LIMITS.tolist()
    old, new = cumulative_risk(before).tolist(), cumulative_risk(after).tolist()
    return ClassSizes(
        before=_bins(before, starts),
        after=_bins(after, starts),
        cumulative=tuple(
            RiskStep(
                limit=limit,
                before=share if limit == 1 or limit * few < 1 + 1e-9 else None,
                after=released,
            )
            for limit, share, released in zip(limits, old, new, strict=True)
        ),
    )


def _bins(sizes: IntArray, starts: Sequence[int]) -> tuple[SizeBin, ...]:
    found = class_size_histogram(sizes, starts)
    ends = (*(start - 1 for start in starts[1:]), None)
    return tuple(
        SizeBin(smallest=start, largest=end, classes=n_classes, records=n_records)
        for start, end, n_classes, n_records in zip(
            starts,
            ends,
            found.n_classes.tolist(),
            found.n_records.tolist(),
            strict=True,
        )
    )


def distribution(
    labels: Sequence[str],
    released: IntArray,
    suppressed: IntArray,
    few: int,
    *,
    is_shown: bool = True,
) -> Distribution:
    """Records by label, small suppressed numbers left out.

    Parameters
    ----------
    labels : sequence of str
        As they stand in the release, in the order of the hierarchy.
    released, suppressed : ndarray of int64, shape (n_labels,)
        Released and suppressed records with each label.
    few : int, >= 2
        Smaller numbers of suppressed records are not told.
    is_shown : bool
        Whether larger ones are.

    Returns
    -------
    Distribution
        PRIVACY: labels that no released record has are not named, since they
        would tell what a suppressed record was like.
    """
    order = np.argsort(-released, kind="stable")
    listed = np.sort(order[: min(MOST_LABELS, int((released > 0).sum()))])
    rest = np.setdiff1d(np.arange(len(labels)), listed)
    cells = [*suppressed[listed].tolist()]
    if len(rest):
        cells.append(int(suppressed[rest].sum()))
    shown: list[int | None] = [None] * len(cells)
    if is_shown or not any(cells):
        shown = hide_few(cells, few)
    counts = [
        LabelCount(label=labels[at], released=int(released[at]), suppressed=count)
        for at, count in zip(listed.tolist(), shown, strict=False)
    ]
    others = None
    if len(rest):
        n_named = int((released[rest] > 0).sum())
        others = LabelCount(
            label=str(n_named), released=int(released[rest].sum()), suppressed=shown[-1]
        )
    return Distribution(labels=tuple(counts), others=others, fewer_than=few)


def hide_few(cells: Sequence[int], few: int) -> list[int | None]:
    """Leave out small numbers, and so many more that none follows from the total.

    Parameters
    ----------
    cells : sequence of int, each >= 0
        Their sum is known to the reader.
    few : int
        Numbers below this one are left out, zero too; what is left out adds up to
        this one at least.

    Returns
    -------
    list of int or None
        As they are if all are zero: nothing was suppressed.
    """
    if not any(cells):
        return list(cells)
    hidden = {place for place, cell in enumerate(cells) if cell < few}
    others = sorted(set(range(len(cells))) - hidden, key=lambda place: cells[place])
    for place in others:
        # PRIVACY: the total less what is shown is the sum of what is hidden.
        if not hidden or (
            len(hidden) > 1 and sum(cells[each] for each in hidden) >= few
        ):
            break
        hidden.add(place)
    return [None if place in hidden else cell for place, cell in enumerate(cells)]
