"""Every text that a person can type is shown by a public edition, or left out of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from deidgui.app.project import Project
from deidgui.app.release.overruling import overruled_warning
from deidgui.app.report.blocks import Paragraph
from deidgui.app.report.contents import report_of
from deidgui.app.report.html import report_html
from deidgui.app.report.public_edition import SHOWN, for_public
from deidgui.app.storage.project_io import project_schema
from deidgui.engine.determination import ITEMS, TYPED
from deidgui.engine.evidence import document
from deidgui.engine.evidence.document import digest_of
from deidgui.engine.evidence.entered import Entered
from deidgui.engine.evidence.unchecked import is_at, leaves
from tests.app.compared_case import compared_release

SHOWN_OF_PROJECT = (
    *("name", "context.recipient", "context.purpose", "context.agreement.reference"),
    *("validity.in_charge", "validity.contact", "dossier.entries.source.text"),
    *("dossier.entries.period.text", "dossier.entries.published.text"),
    "counts.tables.*.name",
)
"""What the half page for the public is made of. Nothing else that is typed."""

LEFT_OUT = (
    *("answers.*.because", "answers.*.by", "notes", "notes_signed.by"),
    *("overrulings.*.because", "overrulings.*.by", "comparisons.*.by"),
    *("comparisons.*.name", "attributes.*.principles.because"),
    *("attributes.*.principles.by", "attributes.*.principles.sources"),
    *("context.agreement.parties", "context.answers.*.by", "context.answers.*.proof"),
    *("context.attacks.*.because", "context.attacks.*.by", "context.breach_source"),
    *("context.prevalence_of", "context.signed.*.by", "context.threshold_because"),
    *("dossier.columns.*.*.by", "dossier.columns.*.*.text", "dossier.entries.*.by"),
    *("dossier.entries.*.text", "dossier.intruder_tests.*.by"),
    *("dossier.intruder_tests.*.sources", "dossier.intruder_tests.*.tested"),
    *("dossier.intruder_tests.*.tried_by", "dossier.not_applying.*.by"),
    *("dossier.not_applying.*.text", "privacy.threshold.justification"),
    *("privacy.threshold.set_by", "validity.conditions", "validity.earlier.by"),
    *("validity.periods.*.after.*.because", "validity.periods.*.after.*.by"),
    *("validity.periods.*.because", "validity.periods.*.by", "validity.signed.*.by"),
    *("validity.triggers.*.because", "validity.triggers.*.by"),
    *("counts.inferable_because", "counts.inferable_signed.by"),
)

NOT_IN_A_REPORT = (
    *("chosen.note", "discover.policy.note", "kept.*.note", "counts.sites.*.name"),
    *("counts.tables.*.sheet", "counts.tables.*.source"),
)
"""Notes on policies, tables of other sites, where tables were read: no report tells."""

NO_WORDS = (
    *("answers.*.about", "answers.*.column", "attacks.order_by", "links.*.column"),
    *("attributes.*.format", "attributes.*.hierarchy.csv", "attributes.*.missing.*"),
    *("attributes.*.name", "attributes.*.open_formats.*", "attributes.*.topic"),
    *("chosen.bits.*", "chosen.domains", "chosen.found_by.wishes.*.attribute"),
    *("chosen.searched.decided", "comparisons.*.columns.*", "comparisons.*.file"),
    *("comparisons.*.dialect.delimiter", "comparisons.*.dialect.encoding"),
    *("comparisons.*.member", "context.answers.*.answer", "context.matrix"),
    *("context.threshold", "counts.noise.refresh", "counts.relations.*.parts.*"),
    *("counts.relations.*.shown", "counts.relations.*.whole", "counts.sites.*.file"),
    *("counts.tables.*.file", "discover.elements.*.date_format"),
    *("discover.policy.bits.*", "discover.policy.domains"),
    "discover.policy.found_by.wishes.*.attribute",
    *("discover.policy.searched.decided", "discover.wishes.*.attribute"),
    *("inputs.*.dialect.delimiter", "inputs.*.dialect.encoding", "inputs.*.file"),
    *("inputs.*.member", "inputs.*.name", "inputs.*.sha256", "kept.*.bits.*"),
    *("kept.*.domains", "kept.*.found_by.wishes.*.attribute"),
    *("kept.*.searched.decided", "links.*.people_column", "overrulings.*.about"),
    *("preparation.*.attribute", "preparation.*.attributes.*", "preparation.*.codes"),
    *("preparation.*.columns.*", "preparation.*.compare.*"),
    *("preparation.*.date_format", "preparation.*.dates", "preparation.*.origin"),
    *("preparation.*.origin_format", "preparation.*.others.*", "preparation.*.period"),
    *("preparation.*.table", "privacy.attributes_known.always.*"),
    *("privacy.attributes_known.groups.*.*", "privacy.models.*.attribute"),
    *("privacy.population.columns.*", "privacy.population.count_column"),
    *("privacy.population.file.dialect.delimiter", "privacy.population.file.file"),
    *("privacy.population.file.dialect.encoding", "privacy.population.file.member"),
    *("privacy.population.file.name", "privacy.population.file.sha256"),
    *("privacy.population.matches.*.csv", "privacy.population.matches.*.target"),
    *("privacy.population.states.*", "privacy.population.tables.*", "unit.column"),
    *("seen.*.*", "validity.earlier.file"),
)
"""Columns, files, formats, fingerprints: chosen or found, not typed as words."""


def texts_of(
    schema: dict[str, Any], node: Any, place: tuple[str, ...]
) -> Iterator[str]:
    """Places of a project at which any text may stand."""
    if "$ref" in node:
        node = schema["$defs"][node["$ref"].rsplit("/", 1)[1]]
    for name in ("anyOf", "oneOf", "allOf", "prefixItems"):
        for each in node.get(name, ()):
            yield from texts_of(schema, each, place)
    is_any = not {"enum", "const", "pattern"} & node.keys()
    if node.get("type") == "string" and is_any:
        yield ".".join(place)
    for name, each in node.get("properties", {}).items():
        yield from texts_of(schema, each, (*place, name))
    inside = [node.get(name) for name in ("additionalProperties", "items")]
    inside += node.get("patternProperties", {}).values()
    for each in inside:
        if isinstance(each, dict):
            yield from texts_of(schema, each, (*place, "*"))


def test_every_text_of_a_project_is_shown_or_left_out():
    """A further text that a person can type has to be placed above."""
    schema = project_schema()
    found = set(texts_of(schema, schema, ()))
    placed = (*LEFT_OUT, *NOT_IN_A_REPORT, *NO_WORDS)
    shown = {e for e in SHOWN_OF_PROJECT if not e.startswith("dossier.entries.")}
    assert found == {*placed, *shown}
    assert len(placed) == len(set(placed))


MARK = re.compile(r"TYPED\d+X")


class Marked:
    """Puts a word of its own into every text that a person can type."""

    def __init__(self) -> None:
        self.places: dict[str, str] = {}

    def __call__(self, project: Project) -> Project:
        project = project.but(
            notes="Notes.",
            notes_signed=Entered(by="N. N.", on="2026-11-23"),
            answers=[e.but(by="N. N.", on="2026-11-23") for e in project.answers],
        )
        fields = project.model_dump(mode="json")
        for place in list(leaves(fields)):
            known = [e for e in (*SHOWN_OF_PROJECT, *LEFT_OUT) if is_at(place, e)]
            if known:
                self._mark(fields, place, known[0])
        return Project.model_validate(fields)

    def _mark(self, fields: Any, place: Any, pattern: str) -> None:
        *steps, last = place
        for each in steps:
            fields = fields[each]
        if isinstance(fields[last], str) and fields[last]:
            word = f"TYPED{len(self.places)}X"
            fields[last], self.places[word] = word, pattern

    def shown_in(self, text: str) -> set[str]:
        """Places of the texts that stand in a report."""
        return {self.places[each] for each in MARK.findall(text)}


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    marked = Marked()
    done, _others = compared_release(tmp_path_factory.mktemp("marked"), marked)
    return marked, done.written.evidence


def test_a_public_edition_shows_of_all_that_is_typed_what_is_listed(case):
    marked, evidence = case
    assert {"answers.*.because", "notes", "comparisons.*.name"} <= set(
        marked.places.values()
    )
    public = report_html(evidence, "public").decode()
    assert marked.shown_in(public) == set(SHOWN_OF_PROJECT) - {"counts.tables.*.name"}
    # That it is signed, and when, stays; nothing is said to be unsigned.
    assert "name not shown, 2026-11-23" in public
    assert "nobody has signed it" not in public
    confidential = report_html(evidence, "confidential").decode()
    assert marked.shown_in(confidential) == set(marked.places.values())
    assert "patients.csv" in confidential
    assert "patients.csv" not in public


def test_a_public_edition_leaves_nothing_of_an_overruled_threshold(case):
    _marked, evidence = case
    overruled = document.Overruled(
        kind="k_anonymity",
        k=5,
        words="Asks for 5.",
        because="Dr. Jo said so",
        by="Dr. Jo",
        on="2026-11-23",
    )
    warning = overruled_warning("Asks for 5.", "Dr. Jo said so")
    found = evidence.model_copy(
        update={"overruled": (overruled,), "warnings": (warning, *evidence.warnings)}
    )
    assert str(report_of(found, "confidential")).count("Dr. Jo said so") == 4
    public = report_of(found, "public")
    assert "Dr. Jo" not in str(public)
    assert "Reason: in the confidential edition (name not shown, 2026-11-23)" in (
        public.headline
    )


def test_what_is_left_out_is_said_once_in_each_part(case):
    _marked, evidence = case
    report = report_of(evidence, "public")
    told = {}
    for section in report.sections:
        part = section.number.split(".")[0]
        for block in section.blocks:
            for row in getattr(block, "rows", ()):
                # Nothing is a line of its own that only says that it is not here.
                assert not any(ONLY_A_GAP.fullmatch(each) for each in row), row
            found = (
                re.match(r"(\d+) texts? of this part", str(block.text))
                if (isinstance(block, Paragraph))
                else None
            )
            if found:
                assert part not in told
                told[part] = int(found[1])
                # Where the day does not stand in a table beside it.
                assert part in ("D6", "D13") or "signed on 2026-11-23" in block.text
    assert told.keys() == {f"D{n}" for n in range(1, 15)} - {"D12"}
    # In these parts nothing but texts of the dossier is typed.
    for part in ("D1", "D4", "D10", "D14"):
        names = {n for e in ITEMS if e.sections[0] == part for n in e.needs}
        assert told[part] == len(names & set(TYPED) - OF_EARLIER[part])


ONLY_A_GAP = re.compile(r"(\[in the confidential edition\][. ]*)+(\(.*\))?")
OF_EARLIER = {"D1": set(), "D4": set(), "D10": set(), "D14": {"expert"}}
"""What stands in the part of an item before."""


def test_both_editions_state_the_number_of_the_same_evidence(case):
    """Also one that leaves out names: `verify` looks for this number."""
    _marked, evidence = case
    assert for_public(evidence) != evidence
    digest = digest_of(evidence)
    for edition in ("public", "confidential"):
        assert report_html(evidence, edition).decode().count(digest) == 4


def test_what_is_shown_are_places_of_the_evidence(case):
    _marked, evidence = case
    places = list(leaves(evidence.model_dump(mode="json")))
    for each in SHOWN:
        assert any(is_at(place, each) for place in places)
