"""Which results and which parts of the window every field of a project decides."""

import typing

import pytest

from deidgui.app.changes import (
    DECLARING,
    RULES,
    changes_between,
    domain_fingerprint,
    fingerprint,
    marks_of,
)
from deidgui.app.decides import Changes, Decides, Only
from deidgui.app.project import (
    Acceptance,
    Answer,
    AttackChoice,
    Attribute,
    AttributesKnown,
    BlocksChoice,
    CellHidden,
    CellsSaid,
    Chosen,
    ChosenRound,
    Comparison,
    ContextChoice,
    Counts,
    CountTableChoice,
    DialectChoice,
    Discover,
    Dossier,
    ElementChoice,
    EventsKnown,
    Export,
    FoundBy,
    HierarchyChoice,
    InputFile,
    LinkChoice,
    MatchChoice,
    Overruling,
    PopulationChoice,
    PreferenceChoice,
    Privacy,
    Project,
    Quality,
    RelationChoice,
    ReleaseNote,
    SampleChoice,
    Search,
    SiteChoice,
    Threshold,
    UnitOfProtection,
    ValidityChoice,
)
from deidgui.engine.counts.noise.rules import RoundedGaussian
from deidgui.engine.evidence.entered import Entered, Part, Principles, Whole
from deidgui.engine.preparation import TruncateEvents
from deidgui.engine.privacy import (
    AverageProsecutorRisk,
    DistinctLDiversity,
    HierarchicalTCloseness,
    KAnonymity,
)
from deidgui.engine.quality import Loss, Precision

RELEASE_NOTE = ReleaseNote(name="x release", on="2026-11-23", decisions="0" * 64)

RESULTS = {
    "classes": Decides.CLASSES,
    "search": Decides.SEARCH,
    "blocks": Decides.BLOCKS,
    "discovery": Decides.DISCOVERY,
    "measurement": Decides.MEASUREMENT,
    "questions": Decides.QUESTIONS,
    "attacks": Decides.ATTACKS,
    "release": Decides.RELEASE,
    "counts": Decides.COUNTS,
}

NOTHING = frozenset[str]()
RELEASED = frozenset({"release"})
ATTACKED = RELEASED | {"attacks"}
ASKED = RELEASED | {"questions"}
MEASURED = ASKED | ATTACKED | {"measurement"}
SEARCHED = MEASURED | {"search", "blocks"}
ALL = SEARCHED | {"discovery", "classes"}
VALUES = ALL | {"domain"}


def prints(project):
    found = {name: fingerprint(project, each) for name, each in RESULTS.items()}
    return {**found, "domain": domain_fingerprint(project)}


def changed_by(before, after):
    old, new = prints(before), prints(after)
    return frozenset(name for name in old if old[name] != new[name])


def fields_of(kind):
    """Parts that an annotation names, however deep."""
    if isinstance(kind, type) and issubclass(kind, Part):
        yield kind
    for inner in typing.get_args(kind):
        yield from fields_of(inner)


def parts(kind=Project):
    yield kind
    for field in kind.model_fields.values():
        for each in fields_of(field.annotation):
            yield from parts(each)


# -- what is declared ------------------------------------------------------------------


def test_every_field_declares_what_it_decides():
    for part in set(parts()):
        if issubclass(part, Whole):
            continue
        assert part in DECLARING
        for name, marks in marks_of(part, Decides | Only).items():
            assert marks, f"{part.__name__}.{name} declares no result"


def test_every_field_of_the_project_and_its_columns_declares_what_shows_it():
    for part in (Project, Attribute):
        for name, marks in marks_of(part, Changes).items():
            assert len(marks) == 1, f"{part.__name__}.{name} declares no part"


def test_a_part_that_counts_as_a_whole_has_no_parts_that_do_not():
    for part in set(parts()):
        if issubclass(part, Whole):
            assert all(issubclass(each, Whole) for each in parts(part))


def test_every_rule_is_declared_at_a_field():
    declared = {
        each.rule
        for part in DECLARING
        for marks in marks_of(part, Only).values()
        for each in marks
    }
    assert declared == RULES.keys()


def test_results_rest_on_each_other():
    chain = (
        Decides.VALUES,
        Decides.CLASSES,
        Decides.SEARCH,
        Decides.MEASUREMENT,
        Decides.QUESTIONS,
        Decides.RELEASE,
    )
    for place, first in enumerate(chain):
        assert all(each in first for each in chain[place:])
        assert not any(each in first for each in chain[:place])
    assert Decides.DISCOVERY in Decides.CLASSES
    assert Decides.DISCOVERY not in Decides.SEARCH


# -- every field, changed --------------------------------------------------------------


def column(name, role="quasi_identifier", **fields):
    hierarchy = HierarchyChoice(rule={"kind": "flat"})
    return Attribute(name=name, role=role, hierarchy=hierarchy, **fields)


JOINED = Chosen(
    kind="interval",
    levels={"age": 0},
    bits={"age": "01"},
    domains="x",
    acceptance=Acceptance(by="risk", baseline="typed", threshold=1.0),
)

BASE = Project(
    inputs=(InputFile(file="a.csv"),),
    attributes=(
        column("age"),
        column("zip"),
        column("note", "insensitive"),
        column("illness", "sensitive"),
        column("id", "direct_identifier", treatment="remove"),
    ),
    privacy=Privacy(
        models=(KAnonymity(5), DistinctLDiversity("illness", 2)),
        suppression_limit=0.1,
        population=PopulationChoice(
            kind="register", file=InputFile(name="population", file="p.csv")
        ),
    ),
    discover=Discover(baseline="typed", typed=2.0),
    chosen=JOINED,
    comparisons=(Comparison(name="a", kind="register", file="a.csv", sha256="0" * 64),),
)


def with_part(project, place, **fields):
    """The project with fields of the part at "a.b" changed."""
    if not place:
        return project.but(**fields)
    name, _, rest = place.partition(".")
    part = getattr(project, name)
    if isinstance(part, tuple):
        at, _, rest = rest.partition(".")
        inner = list(part)
        inner[int(at)] = with_part(inner[int(at)], rest, **fields)
        return project.but(**{name: tuple(inner)})
    return project.but(**{name: with_part(part, rest, **fields)})


AGE, NOTE, ILLNESS, POPULATION, THRESHOLD = (
    "attributes.0",
    "attributes.2",
    "attributes.3",
    "privacy.population",
    "privacy.threshold",
)

EVENTS = EventsKnown(
    power=5, diversity="entropy", threshold=0.05, limit=0.008, rule="large_sample"
)

PUBLIC = ContextChoice(release="public", threshold="1/11", threshold_because="x")

FIELDS = [
    ("", {"name": "x"}, RELEASED),
    ("", {"notes": "x"}, RELEASED),
    ("", {"unit": UnitOfProtection(kind="row")}, RELEASED),
    ("", {"unit": UnitOfProtection(kind="key", column="note")}, ALL),
    ("", {"preparation": (TruncateEvents(0.95, ("note",)),)}, VALUES),
    (
        "",
        {"answers": (Answer(column="age", kind="text", because="x", about="x"),)},
        RELEASED,
    ),
    ("", {"overrulings": (Overruling(model={}, because="x", about="x"),)}, RELEASED),
    ("", {"notes_signed": Entered(by="N. N.", on="2026-11-23")}, RELEASED),
    ("", {"kept": (Chosen(levels={"age": 1}),)}, NOTHING),
    ("", {"export": Export(shuffle=False)}, RELEASED),
    ("", {"comparisons": ()}, RELEASED),
    ("comparisons.0", {"name": "b"}, RELEASED),
    ("comparisons.0", {"kind": "release"}, RELEASED),
    ("comparisons.0", {"file": "b.csv"}, NOTHING),
    ("comparisons.0", {"sha256": "1" * 64}, RELEASED),
    ("comparisons.0", {"member": "b.csv"}, RELEASED),
    ("comparisons.0", {"dialect": DialectChoice(delimiter=";")}, RELEASED),
    ("comparisons.0", {"columns": {"age": "AGE"}}, RELEASED),
    ("comparisons.0", {"coverage": 0.5}, RELEASED),
    ("comparisons.0", {"by": "N. N."}, RELEASED),
    ("comparisons.0", {"on": "2026-11-23"}, RELEASED),
    ("attacks", {"runs": 5}, ATTACKED),
    ("attacks", {"seed": 5}, ATTACKED),
    ("attacks", {"order_by": "note"}, ATTACKED),
    ("attacks", {"in_release": True}, RELEASED),
    ("", {"quality": Quality(measure=Precision())}, SEARCHED),
    ("", {"quality": Quality(keep_something=True)}, SEARCHED),
    ("privacy", {"attributes_known": AttributesKnown(known=1)}, RELEASED),
    # What is said decides the release; what follows from it for the risk, figures.
    ("", {"context": ContextChoice(purpose="x", release="public")}, RELEASED),
    ("", {"context": PUBLIC}, MEASURED),
    ("", {"validity": ValidityChoice(contact="x")}, RELEASED),
    ("", {"dossier": Dossier(regime="hipaa")}, RELEASED),
    ("", {"importance_said": True}, NOTHING),
    ("", {"seen": {"hierarchies": ("age",)}}, NOTHING),
    ("", {"released": RELEASE_NOTE}, NOTHING),
    ("", {"sample": SampleChoice(fraction=0.5)}, ALL),
    ("", {"search": Search(seed=1)}, SEARCHED),
    ("", {"blocks": BlocksChoice(size=4)}, frozenset({"blocks"})),
    ("", {"chosen": None}, MEASURED),
    ("chosen", {"note": "x"}, MEASURED),
    ("chosen", {"found_by": FoundBy(method="bps")}, MEASURED),
    ("inputs.0", {"file": "b.csv"}, NOTHING),
    ("inputs.0", {"name": "x"}, NOTHING),
    ("inputs.0", {"member": "x"}, VALUES),
    ("inputs.0", {"sha256": "x"}, VALUES),
    ("inputs.0", {"n_bytes": 1}, VALUES),
    ("inputs.0", {"n_rows": 1}, VALUES),
    ("inputs.0", {"dialect": DialectChoice(delimiter=";")}, VALUES),
    ("inputs.0", {"dialect": DialectChoice(skip_ragged=True)}, VALUES),
    ("inputs.0", {"country": "US"}, ASKED),
    ("inputs.0", {"header_in_doubt": True}, RELEASED),
    ("inputs.0", {"header_confirmed": True}, RELEASED),
    ("inputs.0", {"n_left_out": 1}, RELEASED),
    (AGE, {"name": "years"}, VALUES),
    (AGE, {"include": False}, VALUES),
    (AGE, {"role": "insensitive"}, VALUES),
    (AGE, {"confirmed": True}, RELEASED),
    (AGE, {"taken_over": True}, RELEASED),
    (AGE, {"treatment": "mask"}, ASKED),
    (AGE, {"kind": "integer"}, VALUES),
    (AGE, {"format": "x"}, VALUES),
    (AGE, {"open_formats": ("x", "y")}, RELEASED),
    (AGE, {"topic": "age"}, VALUES),
    (AGE, {"missing": ("x",)}, VALUES),
    (AGE, {"hierarchy": HierarchyChoice(csv="x")}, VALUES),
    (AGE, {"weight": 1.0}, SEARCHED),
    (AGE, {"minimum_level": 1}, SEARCHED | {"discovery"}),
    (AGE, {"maximum_level": 1}, SEARCHED),
    (AGE, {"principles": Principles(availability="low")}, RELEASED),
    *(
        (NOTE, change, ASKED | ATTACKED)
        for change in (
            {"name": "x"},
            {"kind": "integer"},
            {"missing": ("x",)},
            {"hierarchy": None},
            {"weight": 1.0},
            {"minimum_level": 1},
        )
    ),
    (NOTE, {"include": False}, ASKED),
    (NOTE, {"topic": "age"}, RELEASED),
    (ILLNESS, {"missing": ("x",)}, ALL),
    (ILLNESS, {"hierarchy": None}, ASKED | ATTACKED),
    (ILLNESS, {"include": False}, ALL),
    (ILLNESS, {"role": "insensitive"}, ALL),
    (ILLNESS, {"kind": "integer"}, ASKED | ATTACKED),
    (ILLNESS, {"format": "x"}, ASKED | ATTACKED),
    (THRESHOLD, {"at_risk": 0.1}, MEASURED),
    (THRESHOLD, {"recipient": "own"}, MEASURED),
    # A name makes no figure stale, and no reason that rests on figures.
    (THRESHOLD, {"set_by": "x"}, RELEASED),
    (THRESHOLD, {"set_on": "2026-11-23"}, RELEASED),
    (THRESHOLD, {"justification": "x"}, RELEASED),
    ("privacy", {"models": (KAnonymity(5),)}, ALL),
    (
        "privacy",
        {"models": (KAnonymity(6), DistinctLDiversity("illness", 2))},
        SEARCHED,
    ),
    (
        "privacy",
        {"models": (DistinctLDiversity("illness", 2), KAnonymity(5))},
        SEARCHED,
    ),
    (
        "privacy",
        {"models": (KAnonymity(5), HierarchicalTCloseness("illness", 0.5))},
        ALL,
    ),
    ("privacy", {"suppression_limit": 0.2}, SEARCHED),
    ("privacy", {"events": EVENTS}, SEARCHED),
    ("privacy", {"missing_matches": "anything"}, MEASURED | {"discovery"}),
    (POPULATION, {"file": InputFile(name="population", file="q.csv")}, MEASURED),
    (POPULATION, {"file": InputFile(name="x", file="p.csv")}, MEASURED),
    (
        POPULATION,
        {"file": InputFile(name="population", file="p.csv", sha256="x")},
        VALUES,
    ),
    (POPULATION, {"kind": "counts"}, VALUES),
    (POPULATION, {"columns": {"age": "years"}}, VALUES),
    (POPULATION, {"columns": {"note": "x"}}, MEASURED),
    (POPULATION, {"columns": {"age": "age"}}, MEASURED),
    (POPULATION, {"adds_rows": True}, VALUES),
    (POPULATION, {"states": ("TN",)}, VALUES),
    (POPULATION, {"youngest": 1}, VALUES),
    (POPULATION, {"oldest": 1}, VALUES),
    (POPULATION, {"matches": {"age": MatchChoice(csv="x")}}, VALUES),
    (POPULATION, {"matches": {"note": MatchChoice(csv="x")}}, MEASURED),
    (POPULATION, {"kind": "counts", "count_column": "n"}, VALUES),
    (POPULATION, {"kind": "none", "file": None}, VALUES),
    (
        POPULATION,
        {"kind": "sampling_fraction", "file": None, "sampling_fraction": 0.1},
        VALUES,
    ),
    (POPULATION, {"kind": "built_in", "file": None, "tables": ("x",)}, VALUES),
    ("discover", {"baseline": None, "typed": None}, {"discovery"}),
    ("discover", {"typed": 3.0}, {"discovery"}),
    ("discover", {"gamma": 2.0}, {"discovery"}),
    ("discover", {"margin": 0.1}, {"discovery"}),
    ("discover", {"quotas": {"age": 0.5}}, {"discovery"}),
    ("discover", {"mode": "subtree"}, {"discovery"}),
    ("discover", {"levels": {"age": 1}}, {"discovery"}),
    ("discover", {"method": "directed"}, {"discovery"}),
    ("discover", {"weights": "none"}, {"discovery"}),
    ("discover", {"iterations": 1}, {"discovery"}),
    ("discover", {"budget": 2}, {"discovery"}),
    ("discover", {"completes": False}, {"discovery"}),
    ("discover", {"seed": 1}, {"discovery"}),
    ("discover", {"preferences": (PreferenceChoice(attribute="age"),)}, NOTHING),
    (
        "discover",
        {"preferences": (PreferenceChoice(attribute="age", is_demanded=True),)},
        {"discovery"},
    ),
    ("discover", {"census": "2010"}, MEASURED | {"discovery"}),
    (
        "discover",
        {"elements": {"age": ElementChoice(kind="age")}},
        MEASURED | {"discovery"},
    ),
    (
        "discover",
        {"baseline": "policy", "typed": None, "policy": Chosen(levels={"age": 1})},
        MEASURED | {"discovery"},
    ),
]


def _place_or_fields(value: object) -> str:
    """Name a case by its place and its fields; sets have no order to be named by."""
    return (
        value if isinstance(value, str) else ",".join(getattr(value, "keys", tuple)())
    )


@pytest.mark.parametrize(("place", "fields", "decided"), FIELDS, ids=_place_or_fields)
def test_what_a_field_decides(place, fields, decided):
    after = with_part(BASE, place, **fields)
    assert after != BASE
    assert changed_by(BASE, after) == decided


@pytest.mark.parametrize("first", list(Decides.__members__.values()))
def test_results_decided_together_are_all_decided(first):
    for second in Decides.__members__.values():
        assert first in first | second
        assert second in first | second


LINKED = BASE.but(
    inputs=(*BASE.inputs, InputFile(name="people", file="people.csv")),
    links=(LinkChoice(column="pid", people_column="ID"),),
    unit=UnitOfProtection(kind="key", column="pid"),
)
OF_LINK = [
    ("links.0", {"people_column": "NR"}, VALUES),
    ("links.0", {"orphans": "left_out"}, RELEASED),
    ("links.0", {"n_orphans": 3}, RELEASED),
    ("links.0", {"n_keyless": 3}, RELEASED),
    ("links.0", {"n_without_events": 3}, RELEASED),
    (AGE, {"table": "people"}, RELEASED),
    ("inputs.1", {"sha256": "0" * 64}, VALUES),
]


@pytest.mark.parametrize(("place", "fields", "decided"), OF_LINK, ids=_place_or_fields)
def test_what_a_field_of_a_link_decides(place, fields, decided):
    after = with_part(LINKED, place, **fields)
    assert after != LINKED
    assert changed_by(LINKED, after) == decided


def test_another_key_of_a_link_decides_the_values():
    link = LINKED.links[0].but(column="nr")
    unit = UnitOfProtection(kind="key", column="nr")
    assert changed_by(LINKED, LINKED.but(links=(link,), unit=unit)) == VALUES


def test_the_table_above_changes_every_field_of_every_declaring_part():
    of_place = {
        "": Project,
        "inputs.0": InputFile,
        POPULATION: PopulationChoice,
        THRESHOLD: Threshold,
        "privacy": Privacy,
        "discover": Discover,
        "attacks": AttackChoice,
        "comparisons.0": Comparison,
        AGE: Attribute,
        "links.0": LinkChoice,
    }
    changed = {part: set() for part in DECLARING}
    for place, fields, _ in (*FIELDS, *OF_LINK):
        if place in of_place:
            changed[of_place[place]] |= fields.keys()
    # Constants, and parts whose own fields are in the table.
    fixed = {"format", "version", "kind", "inputs", "attributes", "privacy", "discover"}
    fixed |= {"attacks", "counts"}
    kept = {Project: fixed | {"links"}, LinkChoice: {"table", "people", "column"}}
    for part in set(DECLARING) - {Counts, CountTableChoice}:  # see below
        left_out = kept.get(part, {"population", "threshold"})
        assert set(part.model_fields) - changed[part] <= left_out


def test_what_is_masked_decides_the_audit_and_noise_the_release_alone():
    table = CountTableChoice(name="a", file="tables/a.csv", kinds=("label", "count"))
    hidden = (CellHidden(row=1, column=1, mark="complement"),)
    said = (CellsSaid(row=1, kind="mean"),)
    audited = RELEASED | {"counts"}
    before = Project(kind="counts", counts=Counts(tables=(table,)))
    place = ("a", 1, 1)
    relation = RelationChoice(form="same", whole=place, parts=(("a", 2, 1),))
    of_table = (
        ({"said": said}, audited),
        ({"hidden": hidden}, audited),
        ({"file": "tables/b.csv"}, audited),
        ({"labels": (0,)}, audited),
        ({"n_header_rows": 1}, audited),
        ({"kinds": ("count", "count")}, audited),
        ({"name": "b"}, audited),
        ({"source": "b.xlsx"}, RELEASED),
        ({"sheet": "b"}, RELEASED),
        ({"confirmed": True}, NOTHING),
    )
    of_counts = (
        *(({"tables": (table.but(**each),)}, decided) for each, decided in of_table),
        ({"threshold": 11}, audited),
        ({"mask_zero": True}, audited),
        ({"any_count": True}, audited),
        ({"width": 5}, audited),
        ({"marks": {"s": "masked"}}, audited),
        ({"relations": (relation,)}, audited),
        ({"relations_confirmed": True}, NOTHING),
        ({"release": "noise"}, RELEASED),
        ({"noise": RoundedGaussian.proposed()}, RELEASED),
        ({"inferable_because": "Known."}, RELEASED),
        ({"inferable_signed": Entered(by="N. N.", on="2026-11-23")}, RELEASED),
        ({"sites": (SiteChoice(name="b", file="tables/b.csv"),)}, NOTHING),
        ({"sites_sigma": 2.5}, NOTHING),
    )
    for changes, decided in of_counts:
        after = before.but(counts=before.counts.but(**changes))
        assert changed_by(before, after) == decided, changes
        assert changes_between(before, after) is Changes.COUNTS
    for part, tried in ((CountTableChoice, of_table), (Counts, of_counts)):
        assert {name for each, _ in tried for name in each} == set(part.model_fields)


def test_models_decide_alternatives_only_as_the_baseline_or_beside_a_policy():
    for baseline, decided in (
        ({"baseline": "models", "typed": None}, True),
        (
            {"baseline": "policy", "typed": None, "policy": Chosen(levels={"age": 1})},
            True,
        ),
        ({}, False),
    ):
        before = with_part(BASE, "discover", **baseline)
        models = (AverageProsecutorRisk(0.1), DistinctLDiversity("illness", 2))
        after = with_part(before, "privacy", models=models)
        assert ("discovery" in changed_by(before, after)) is decided


def test_a_hierarchy_of_a_sensitive_column_decides_if_a_model_asks_for_it():
    models = (HierarchicalTCloseness("illness", 0.5),)
    before = with_part(BASE, "privacy", models=models)
    after = with_part(before, ILLNESS, hierarchy=HierarchyChoice(csv="x"))
    assert changed_by(before, after) == ALL


def test_without_people_matches_and_topics_decide_figures_alone():
    before = with_part(BASE, POPULATION, kind="none", file=None)
    topic = with_part(before, AGE, topic="age")
    assert changed_by(before, topic) == RELEASED
    matches = with_part(before, POPULATION, matches={"age": MatchChoice(csv="x")})
    assert changed_by(before, matches) == MEASURED


def test_what_a_rule_rests_on_decides_the_figures_of_an_alternative_alone():
    before = BASE.but(chosen=Chosen(levels={"age": 1}))
    assert changed_by(before, with_part(before, "discover", census="2010")) == {
        "discovery"
    }
    rounds = Chosen(
        kind="local_recoding", levels={"age": 1}, later=(ChosenRound(levels={}),)
    )
    assert changed_by(before, BASE.but(chosen=rounds)) == MEASURED


def test_defaults_that_are_written_out_change_nothing():
    same = Quality(measure={"kind": "loss"})
    assert changed_by(BASE, BASE.but(quality=same)) == NOTHING
    assert Loss().to_json() == BASE.quality.measure.to_json()


def test_the_fingerprint_that_projects_keep_stays_the_same():
    """Alternatives that were chosen with an earlier version must still fit."""
    assert domain_fingerprint(BASE) == KEPT


KEPT = "1d38e9827adaeae2fd3647ce529a2c308eb0febe58e2e217b100d559ca2b584b"


# -- parts of the window ---------------------------------------------------------------

SHOWN = [
    ("", {"name": "x"}, Changes.NOTES),
    ("", {"notes": "x"}, Changes.NOTES),
    ("", {"kept": (JOINED,)}, Changes.CHOICE),
    ("", {"chosen": None}, Changes.CHOICE),
    ("", {"export": Export(shuffle=False)}, Changes.EXPORT),
    ("", {"quality": Quality(measure=Precision())}, Changes.QUALITY),
    ("", {"search": Search(seed=1)}, Changes.SEARCH),
    ("", {"blocks": BlocksChoice(size=4)}, Changes.SEARCH),
    ("", {"discover": Discover()}, Changes.DISCOVER),
    ("", {"attributes": ()}, Changes.DATA | Changes.ROLES | Changes.HIERARCHY),
    ("inputs.0", {"file": "b.csv"}, Changes.DATA),
    ("privacy", {"models": ()}, Changes.PRIVACY),
    (AGE, {"name": "x"}, Changes.DATA | Changes.ROLES | Changes.HIERARCHY),
    (AGE, {"include": False}, Changes.ROLES),
    (AGE, {"role": "sensitive"}, Changes.ROLES),
    (AGE, {"confirmed": True}, Changes.ROLES),
    (AGE, {"treatment": "mask"}, Changes.ROLES),
    (AGE, {"kind": "integer"}, Changes.DATA),
    (AGE, {"format": "x"}, Changes.DATA),
    (AGE, {"open_formats": ("x", "y")}, Changes.DATA),
    ("", {"importance_said": True}, Changes.QUALITY),
    ("", {"seen": {"hierarchies": ("age",)}}, Changes.NOTHING),
    ("", {"released": RELEASE_NOTE}, Changes.NOTHING),
    ("", {"sample": SampleChoice(fraction=0.5)}, Changes.PRIVACY),
    (AGE, {"missing": ()}, Changes.DATA),
    (AGE, {"topic": "age"}, Changes.NOTHING),
    (AGE, {"hierarchy": None}, Changes.HIERARCHY),
    (AGE, {"weight": 1.0}, Changes.HIERARCHY),
    (AGE, {"minimum_level": 1}, Changes.HIERARCHY),
    (AGE, {"maximum_level": 1}, Changes.HIERARCHY),
]


@pytest.mark.parametrize(("place", "fields", "shown"), SHOWN, ids=_place_or_fields)
def test_what_shows_a_field(place, fields, shown):
    assert changes_between(BASE, with_part(BASE, place, **fields)) == shown
    assert changes_between(BASE, BASE) == Changes.NOTHING
