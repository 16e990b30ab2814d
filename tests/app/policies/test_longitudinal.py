"""Policies for people of whom some events are known, from decision to release."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path

import pytest

from deidgui.app import ops
from deidgui.app.classes import Classes, build_classes
from deidgui.app.events_known import (
    precedent,
    proposed_events,
    size_by,
    with_threshold,
)
from deidgui.app.policies.candidate import Proven
from deidgui.app.policies.longitudinal.events import (
    events_of,
    history_of,
    nearly_constant,
)
from deidgui.app.policies.longitudinal.source import lattice_of_events
from deidgui.app.policies.source import LONGITUDINAL, main_kind, source
from deidgui.app.project import EventsKnown, Project
from deidgui.app.release.releasing import problems_of
from deidgui.engine.data.table import Table
from deidgui.engine.longitudinal.lola import NodeCheck, node_losses
from deidgui.engine.privacy import DistinctLDiversity, KAnonymity
from deidgui.errors import Cancelled, ConfigError
from tests.app.policies.longitudinal_case import KNOWN, decided, make_events_case
from tests.events_case import write_events


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, Classes, object]:
    return make_events_case(tmp_path_factory.mktemp("stays"), n_patients=120)


# -- the decision ----------------------------------------------------------------------


def test_what_is_proposed_is_what_the_prize_used() -> None:
    found = proposed_events(Project())
    assert (found.power, found.threshold, found.rule) == (5, 0.05, "large_sample")
    assert found.limit == pytest.approx(0.008)
    assert int(113_000 * found.limit) == 904
    worst = found.limit + (1 - found.limit) * found.threshold
    assert worst == pytest.approx(0.0576)
    assert "Heritage" in precedent(found.threshold)
    assert precedent(0.0501) == ""


def test_both_rules_tell_how_many_people_must_match() -> None:
    known = proposed_events(Project())
    fractions = (0.05, 0.1, 0.2, 0.5, 1.0)
    assert [size_by("large_sample", known, each) for each in fractions] == [
        *(1, 2, 4, 10, 20)
    ]
    assert [size_by("poisson", known, each) for each in fractions] == [4, 5, 8, 15, 20]
    with pytest.raises(ConfigError):
        size_by("large_sample", known, 1.5)


def test_a_decision_replaces_models_of_class_sizes_only() -> None:
    other = DistinctLDiversity("illness", 2)
    project = ops.take_over("researcher")(Project())
    project = ops.change_privacy(models=(KAnonymity(5), other))(project)
    decided_one = ops.set_events(KNOWN)(project)
    assert decided_one.privacy.models == (other,)
    assert main_kind(project) == "lattice"
    assert main_kind(decided_one) == LONGITUDINAL
    # Another recipient fills in the threshold, and no models of class sizes.
    public = ops.take_over("public")(decided_one)
    assert public.privacy.models == ()
    assert public.privacy.events == with_threshold(KNOWN, 0.09)
    assert public.privacy.events.limit == pytest.approx(0.0004 / 0.09)
    back = ops.set_events(None)(public)
    assert [each.kind for each in back.privacy.models] == ["highest_prosecutor_risk"]


def test_nothing_of_a_decision_has_a_default() -> None:
    fields = KNOWN.model_dump()
    for name in set(fields) - {"significance"}:
        with pytest.raises(ValueError, match=name):
            EventsKnown(**{k: v for k, v in fields.items() if k != name})
    with pytest.raises(ValueError, match="significance"):
        KNOWN.but(rule="poisson")


def test_what_is_missing_is_said(case: tuple[Project, Classes, object]) -> None:
    project, _, _ = case
    codes = {each.code for each in source(LONGITUDINAL).problems(Project())}
    assert {"events_undecided", "events_need_people"} <= codes
    assert source(LONGITUDINAL).problems(project) == []
    # The search of the lattice would take everything to be known.
    assert "events_need_longitudinal" in {
        each.code for each in source("lattice").problems(project)
    }
    assert problems_of(ops.confirm_roles()(project)) == ()


# -- people and events -----------------------------------------------------------------


def texts_of(table: Table, name: str) -> list[str]:
    """The text of every row of a column."""
    column = table.column(name)
    return [column.values[code] for code in column.codes.tolist()]


def plain_history(classes: Classes) -> dict[str, dict[str, list[str]]]:
    """Texts of each person by column, from the rows alone."""
    table = classes.source
    names = classes.class_table.attributes
    texts = {name: texts_of(table, name) for name in names}
    found: dict[str, dict[str, list[str]]] = {}
    for row, key in enumerate(texts_of(table, "subject_id")):
        person = found.setdefault(key, {name: [] for name in names})
        for name in names:
            person[name].append(texts[name][row])
    return found


def test_columns_of_people_and_of_events(case: tuple[Project, Classes, object]) -> None:
    project, classes, _ = case
    events = events_of(project, classes)
    assert events.person_attributes == ("sex", "birth_year", "region")
    assert events.event_attributes == ("admission_year", "ward")
    plain = plain_history(classes)
    assert events.history.n_people == len(plain)
    assert events.history.n_events == sum(len(p["ward"]) for p in plain.values())
    for name in events.event_attributes:
        place = events.event_attributes.index(name)
        own = events.history.event_hierarchies[place]
        counted = Counter(
            tuple(
                sorted(own.leaves[i] for i in events.history.event_leaves[a:b, place])
            )
            for a, b in itertools.pairwise(events.history.starts)
        )
        assert counted == Counter(tuple(sorted(p[name])) for p in plain.values())
    # Power is cut to the number of events.
    assert (events.powers <= events.history.n_events_of[:, None]).all()
    assert events.n_with_fewer == sum(len(p["ward"]) < 2 for p in plain.values())


def test_columns_with_few_mistakes_are_listed(tmp_path: Path) -> None:
    path = write_events(tmp_path / "stays.csv", 150)
    lines = path.read_text("utf-8").splitlines()
    person = lines[1].split(",")[0]
    places = [n for n, line in enumerate(lines) if line.startswith(f"{person},")]
    cells = lines[places[0]].split(",")
    cells[2] = "M" if cells[2] == "F" else "F"
    lines[places[0]] = ",".join(cells)
    if len(places) == 1:
        lines.append(
            ",".join([cells[0], "999999", "F" if cells[2] == "M" else "M", *cells[3:]])
        )
    path.write_text("\n".join(lines) + "\n", "utf-8")
    project, loaded = decided(path)
    history = history_of(build_classes(project, loaded.table, {}))
    (only,) = nearly_constant(history)
    assert (only.attribute, only.n_differing, only.n_all) == ("sex", 1, 150)


# -- the search ------------------------------------------------------------------------


def small(project: Project, classes: Classes) -> Project:
    """The same with few enough levels to look at every node."""
    tops = {h.attribute: h.height for h in classes.class_table.hierarchies}
    for name, low in (("birth_year", 3), ("admission_year", 2)):
        change = ops.change_attribute(name, minimum_level=low, maximum_level=tops[name])
        project = change(project)
    return project


def test_the_optimum_is_that_of_looking_at_every_policy(
    case: tuple[Project, Classes, object],
) -> None:
    project, classes, _ = case
    for limit, power, seed in ((0.05, 2, 0), (0.2, 1, 1), (0.4, 5, 2)):
        known = KNOWN.but(limit=limit, power=power)
        asked = ops.set_events(known)(small(project, classes))
        asked = ops.change_search(seed=seed)(asked)
        asked = ops.set_keep_something(False)(asked)
        found = source(LONGITUDINAL).run(asked, classes)
        events = events_of(asked, classes)
        lattice = lattice_of_events(asked, classes, events)
        check = NodeCheck(events.history, events.powers, events.asked, lattice)
        weights = {each.name: each.weight for each in asked.quasi_identifiers}
        losses = node_losses(events.history, lattice, weights)
        met = [n for n in range(lattice.n_nodes) if check.meets(lattice.levels_of(n))]
        assert found.optimum is not None
        best = found.looked[found.optimum]
        assert best.loss == pytest.approx(min(losses[n] for n in met))
        assert best.is_met
        minimal = {
            n for n in met if not set(lattice.predecessors(n).tolist()) & set(met)
        }
        told = {
            lattice.node([each.levels[name] for name in events.attributes])
            for row, each in enumerate(found.looked)
            if Proven.MINIMAL in found.proven(row)
        }
        assert told == minimal


def test_none_meets_and_who_causes_it_is_told(
    case: tuple[Project, Classes, object],
) -> None:
    project, classes, _ = case
    for each in project.quasi_identifiers:
        project = ops.change_attribute(each.name, maximum_level=0)(project)
    found = source(LONGITUDINAL).run(project, classes)
    assert found.optimum is None
    assert found.nearest == 0
    assert found.causes is not None
    assert 0 < found.causes.n_at_risk <= found.causes.n_all
    described = source(LONGITUDINAL).describe(found)
    assert described["optimum"] is None
    assert described["nearest_miss"]["share_at_risk"] > KNOWN.limit
    assert str(found.causes.n_at_risk) in described["causes"]
    shown = repr((found, found.causes))
    values = {leaf for h in classes.hierarchies.values() for leaf in h.leaves}
    assert not [each for each in values if len(each) > 4 and each in shown]


class StopsAfter:
    """A monitor that cancels when a number of policies is known."""

    def __init__(self, most: int) -> None:
        self.most, self.seen = most, []

    def report(self, fraction: float, note: str = "") -> None:
        del fraction, note
        if self.seen and len(self.seen[-1].policies) >= self.most:
            raise Cancelled


def test_a_search_goes_on_where_it_was_cancelled(
    case: tuple[Project, Classes, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    project, classes, _ = case
    project = small(project, classes)
    monkeypatch.setattr("deidgui.app.policies.longitudinal.source.REPORT_EVERY_S", 0)
    whole = source(LONGITUDINAL).run(project, classes)
    monitor = StopsAfter(4)
    with pytest.raises(Cancelled):
        source(LONGITUDINAL).run(
            project, classes, emit=monitor.seen.append, monitor=monitor
        )
    before = monitor.seen[-1]
    assert not before.proof.is_complete
    assert 4 <= len(before.policies) < len(whole.policies)
    looked = []
    seen_at = "deidgui.engine.longitudinal.lola.share_at_risk"
    from deidgui.engine.longitudinal import lola as engine

    def counted(*args: object, **known: object) -> object:
        looked.append(1)
        return real(*args, **known)

    real = engine.share_at_risk
    monkeypatch.setattr(seen_at, counted)
    again = source(LONGITUDINAL).run(project, classes, basis=before)
    assert [each.levels for each in again.looked] == [e.levels for e in whole.looked]
    assert [each.share for each in again.looked] == [e.share for e in whole.looked]
    assert len(looked) == len(whole.policies) - len(before.policies)
