"""Policies for people of whom some events are known, from decision to release."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from deidgui.app import ops
from deidgui.app.classes import Classes, build_classes
from deidgui.app.commands import headless, summary
from deidgui.app.deciding import deciding
from deidgui.app.deciding.asked import AskedDecisions
from deidgui.app.events_known import (
    precedent,
    proposed_events,
    size_by,
    with_threshold,
)
from deidgui.app.measuring.measuring import measure_project
from deidgui.app.needed import problems_of
from deidgui.app.policies.candidate import Proven
from deidgui.app.policies.longitudinal.events import (
    events_of,
    history_of,
    nearly_constant,
)
from deidgui.app.policies.longitudinal.source import lattice_of_events
from deidgui.app.policies.ordering import sorted_words
from deidgui.app.policies.policy_set import PolicySet
from deidgui.app.policies.source import LONGITUDINAL, main_kind, source
from deidgui.app.project import Chosen, EventsKnown, Project
from deidgui.app.release.overruling import conditions_called, with_overruling
from deidgui.app.release.releasing import release
from deidgui.engine.data.table import Table
from deidgui.engine.evidence.document import Evidence
from deidgui.engine.evidence.verify import verify_release
from deidgui.engine.longitudinal.lola import NodeCheck, node_losses
from deidgui.engine.privacy import DistinctLDiversity, KAnonymity
from deidgui.errors import Cancelled, ConfigError, InfeasibleError
from tests.answers import answer_file, answered
from tests.app.policies.longitudinal_case import (
    KNOWN,
    ROLES,
    decided,
    make_events_case,
)
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
    assert public.privacy.models == decided_one.privacy.models
    assert public.privacy.events == with_threshold(KNOWN, 1 / 11)
    assert public.privacy.events.limit == pytest.approx(0.0004 * 11)
    back = ops.set_events(None)(public)
    kinds = [each.kind for each in back.privacy.models]
    assert kinds == ["highest_prosecutor_risk", other.kind]


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
                sorted(own.leaves[i] for i in events.history.event_leaves(place)[a:b])
            )
            for a, b in itertools.pairwise(events.history.starts(place))
        )
        assert counted == Counter(tuple(sorted(p[name])) for p in plain.values())
    # Power is cut to the number of events, and that is said.
    most = events.most_events
    more = replace(events, known=KNOWN.but(power=most + 1))
    assert f"people with up to {most}" in more.power_words()
    assert f"{events.n_with_fewer} people have fewer rows" in events.power_words()
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


def test_the_list_says_which_loss_counts(
    case: tuple[Project, Classes, object],
) -> None:
    project, classes, _ = case
    known = ops.set_events(KNOWN.but(limit=0.2, power=1))(small(project, classes))
    asked = ops.set_keep_something(False)(known)
    weights = {each.name: each.weight for each in asked.quasi_identifiers}
    found = source(LONGITUDINAL).run(asked, classes)
    policies = PolicySet((found.guided_by(asked.quality.measure, weights),))
    columns, order = policies.columns, policies.order()
    shown = order[columns.meets[order]]
    assert (np.diff(columns.events_loss[shown]) >= 0).all()
    n_less = int((columns.loss[shown] < columns.loss[shown[0]] - 1e-9).sum())
    words = sorted_words(policies, shown)
    assert words.startswith("Sorted by loss, lowest first.")
    assert f"“Loss, events”; by “Loss”, {n_less} polic" in words


def test_of_many_policies_the_best_alone_is_proven(
    case: tuple[Project, Classes, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    project, classes, _ = case
    known = KNOWN.but(limit=0.2, power=1)
    asked = ops.set_events(known)(small(project, classes))
    module = "deidgui.app.policies.longitudinal.source"
    for keeps in (True, False):
        asked = ops.set_keep_something(keeps)(asked)
        whole = source(LONGITUDINAL).run(asked, classes)
        best = whole.looked[whole.optimum]
        with monkeypatch.context() as patch:
            patch.setattr(f"{module}.MOST_TAGGED", 0)
            alone = source(LONGITUDINAL).run(asked, classes)
            assert alone.proof.is_complete
            assert alone.proof.gap == 0
            assert alone.looked[alone.optimum].loss == pytest.approx(best.loss)
            assert alone.removal[alone.optimum] == whole.removal[whole.optimum]
            assert Proven.MINIMAL in alone.proven(alone.optimum)
            # Some at a time, each search goes on from the one before.
            patch.setattr(f"{module}.MOST_LOOKED", 4)
            patch.setattr(f"{module}.MOST_LISTED", 6)
            found, looked = None, []
            while found is None or not found.proof.is_complete:
                found = source(LONGITUDINAL).run(asked, classes, basis=found)
                looked.append(found.proof.n_examined)
                assert len(found.policies) <= 7
                if not found.proof.is_complete:
                    told = source(LONGITUDINAL).describe(found)
                    assert (told["complete"], told["gap"]) == (False, found.proof.gap)
            assert looked == sorted(set(looked))
            assert len(looked) > 1
            chosen = found.looked[found.optimum]
            assert chosen.levels == alone.looked[alone.optimum].levels
            assert found.n_meeting == alone.n_meeting


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


# -- the condition and the release -----------------------------------------------------

CHOSEN = {"sex": 0, "birth_year": 3, "region": 2, "admission_year": 2, "ward": 1}


def with_choice(project: Project, **levels: int) -> Project:
    chosen = Chosen(kind="longitudinal", levels={**CHOSEN, **levels})
    return ops.choose_policy(chosen)(project)


def test_a_release_states_who_knows_what_and_is_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, classes, loaded = make_events_case(tmp_path, KNOWN.but(limit=0.08))
    project = answered(with_choice(project), loaded)
    finished = release(project, loaded, tmp_path / "out", {}, classes=classes)
    evidence = json.loads((tmp_path / "out" / "evidence.json").read_text("utf-8"))
    (model,) = evidence["models"]
    assert (model["kind"], model["satisfied"]) == ("events_known", True)
    assert "at most 2 values of each other column" in model["words"]
    events = evidence["unit"]["events"]
    assert events["size"] == 5
    assert events["decides"]["share"] <= events["by_released"]["high"]
    assert "estimated" in events["words"] or "at most" in events["words"]
    assert events["words"] in (tmp_path / "out" / "report.html").read_text("utf-8")
    assert evidence["search"]["method"] == "lola"
    assert not evidence["search"]["complete"]
    assert finished.measured.meets_thresholds
    found = verify_release(tmp_path / "out")
    assert found.ok
    codes = {each.code for each in found.checks}
    assert {"events_size", "events_people", "events_columns"} <= codes
    assert codes & {"events_estimate", "events_counted"}
    # A search that looks elsewhere for who is at risk, and is wrong, is found out.
    stated = evidence["unit"]["events"]["by_released"]
    stated["share"] = stated["low"] = stated["high"] = 0.5
    monkeypatch.setattr(
        "deidgui.engine.evidence.verify.read_evidence",
        lambda _folder: Evidence.model_validate(evidence),
    )
    failed = {each.code for each in verify_release(tmp_path / "out").failed}
    assert failed & {"events_estimate", "events_counted"}


def test_the_limit_is_a_condition_that_a_person_can_overrule(tmp_path: Path) -> None:
    project, classes, loaded = make_events_case(tmp_path, KNOWN.but(limit=0.001))
    project = answered(with_choice(project, ward=0), loaded)
    measured = measure_project(project, classes, None)
    assert [each.model.kind for each in measured.unmet] == ["events_known"]
    with pytest.raises(InfeasibleError) as caught:
        release(project, loaded, tmp_path / "out", {}, classes=classes)
    assert caught.value.code == "thresholds_unmet"
    conditions = conditions_called(project, "events_known")
    project = with_overruling(project, conditions, "An agreement is signed.")
    release(project, loaded, tmp_path / "out", {}, classes=classes)
    evidence = json.loads((tmp_path / "out" / "evidence.json").read_text("utf-8"))
    assert evidence["warnings"][0].startswith("OVERRULED")
    assert "An agreement is signed." in evidence["warnings"][0]
    assert evidence["overruled"][0]["kind"] == "events_known"
    assert verify_release(tmp_path / "out").ok


def test_levels_that_are_forbidden_are_not_released(tmp_path: Path) -> None:
    project, classes, loaded = make_events_case(tmp_path, KNOWN.but(limit=0.5))
    project = ops.change_attribute("ward", minimum_level=2)(with_choice(project))
    with pytest.raises(InfeasibleError) as caught:
        release(
            answered(project, loaded), loaded, tmp_path / "out", {}, classes=classes
        )
    assert caught.value.code == "chosen_outside_limits"


def test_a_model_of_sensitive_values_is_a_further_condition(
    case: tuple[Project, Classes, object],
) -> None:
    project, _, loaded = case
    project = small(project, case[1])
    model = DistinctLDiversity("diagnosis", 3)
    project = ops.change_privacy(models=(model,))(project)
    classes = build_classes(project, loaded.table, {})
    found = source(LONGITUDINAL).run(project, classes)
    for row, each in enumerate(found.looked):
        if each.is_met:
            assert each.share.meets
            chosen = ops.choose_policy(found.choice(row))(project)
            assert not measure_project(chosen, classes, None).unmet


# -- the command line ------------------------------------------------------------------


def test_the_whole_way_without_a_window(tmp_path: Path) -> None:
    stays = write_events(tmp_path / "stays.csv", 200)
    project_file = tmp_path / "stays.deid.json"
    headless.inspect(stays, project_file, key="subject_id")

    def decide(**given: object) -> dict[str, object]:
        return deciding.decide(project_file, AskedDecisions(**given), {})

    roles = [f"{name}={role}" for name, role in ROLES.items()]
    roles.append("subject_id=direct_identifier:pseudonym")
    decide(roles=tuple(roles), confirms=True, recipient="researcher")
    quasi = [name for name, role in ROLES.items() if role == "quasi_identifier"]
    decide(
        hierarchies=tuple(f"{name}=proposed" for name in quasi),
        levels=("birth_year=2..", "admission_year=1.."),
        events="proposed,power=2,limit=0.1",
        settings=("search.seed=3",),
    )
    with pytest.raises(ConfigError) as caught:
        decide(events="power=0")
    assert caught.value.code == "not_one_of"
    for wrong in ("powers=3", "diversity=x", "threshold=2", "limit=many"):
        with pytest.raises(ConfigError) as caught:
            decide(events=wrong)
        assert caught.value.code == "not_one_of"
    stored = json.loads(project_file.read_text("utf-8"))["privacy"]["events"]
    assert (stored["power"], stored["threshold"], stored["limit"]) == (2, 0.2, 0.1)
    answer_file(project_file)
    found = headless.search(project_file, {})["longitudinal"]
    assert found["complete"]
    assert found["asked"]["size"] == 5
    shares = [each["share_at_risk"] for each in found["candidates"] if each["meets"]]
    assert shares
    assert max(shares) <= 0.1
    said = " ".join(summary.of_search(headless.search(project_file, {})).split())
    assert "1. loss" in said
    assert found["asked"]["power_words"] in said
    assert decide(choose="1")["open"] == []
    done = headless.run(project_file, tmp_path / "out", {})
    best = found["optimum"]
    assert done["evidence"]["policy"]["levels"] == best["levels"]
    assert done["evidence"]["unit"]["events"]["decides"]["share"] == pytest.approx(
        best["share_at_risk"]
    )
    assert headless.verify(tmp_path / "out")["ok"]


def test_a_project_without_events_has_nothing_to_search(tmp_path: Path) -> None:
    project, classes, _ = make_events_case(tmp_path, KNOWN, 30)
    for name in ("admission_year", "ward"):
        project = ops.set_included(name, False)(project)
    table = classes.source
    rebuilt = build_classes(project, table, {})
    with pytest.raises(ConfigError) as caught:
        source(LONGITUDINAL).run(project, rebuilt)
    assert caught.value.code == "no_event_attribute"
