"""A discovered policy, in the whole program: chosen, looked at, released, undone."""

from __future__ import annotations

import json

import numpy as np
import pytest

from deidgui.app import ops
from deidgui.app.changes import domain_fingerprint
from deidgui.app.commands import headless
from deidgui.app.policies.alternatives.basis import compute_basis
from deidgui.app.policies.alternatives.checking import with_elements
from deidgui.app.policies.alternatives.space import proposed_elements, space_of
from deidgui.app.policies.alternatives.storing import chosen_from
from deidgui.app.policies.runner import LATTICE
from deidgui.app.project import Acceptance, Discover
from deidgui.app.session import Kind, State
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.qt.pages.base import StepState

N = 300
ANY_RISK = ({"kind": "highest_prosecutor_risk", "threshold": 1.0},)
ROWS = [("FM"[i % 2], str(20 + i % 79), "abc"[i % 3]) for i in range(N)]


@pytest.fixture
def opened(driver, tmp_path, monkeypatch):
    """A project with a baseline, and no limit or search."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795000000")
    text = "".join(",".join(row) + "\n" for row in ROWS)
    (tmp_path / "patients.csv").write_text("sex,age,illness\n" + text)
    driver.open_data(tmp_path / "patients.csv")
    for name, role in (
        ("sex", "quasi_identifier"),
        ("age", "quasi_identifier"),
        ("illness", "sensitive"),
    ):
        driver.workspace.set_roles([name], role)
    driver.wait_idle()
    driver.session.apply(ops.set_protection(None), "each row is one person")
    decided = with_elements(Discover(), proposed_elements(driver.project))
    driver.session.apply(lambda project: project.but(discover=decided), "rule")
    # Without people a comparison with Safe Harbor needs a model that is met.
    driver.session.apply(ops.change_privacy(models=ANY_RISK), "model")
    driver.wait_idle()
    return driver


def alternative(driver, every=3):
    """A policy that joins most ages, accepted beside Safe Harbor."""
    project, classes = driver.project, driver.session.current(Kind.CLASSES)
    space = space_of(classes.class_table, project.discover)
    bits = np.arange(space.n_bits) % every == 0
    basis = compute_basis(project, classes)
    acceptance = Acceptance(
        by="risk", baseline="safe_harbor", threshold=basis.threshold
    )
    policy = BitPolicy(space, space.closed(bits))
    return chosen_from(policy, {}, domain_fingerprint(project), acceptance)


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_an_alternative_needs_no_search_and_gives_the_same_bytes(opened, tmp_path):
    driver = opened
    assert driver.session.state(LATTICE) is State.ABSENT
    chosen = alternative(driver)
    driver.session.apply(ops.choose_policy(chosen), "choose alternative")
    driver.wait_idle()
    measured = driver.session.current(Kind.MEASUREMENT)
    assert measured.meets_thresholds
    assert measured.accepted.difference <= 0
    driver.session.apply(ops.change_export(shuffle_seed=3), "order")
    driver.wait_idle()
    assert driver.page("policies").status().state is StepState.DONE
    page = driver.page("utility")
    for tab in ("quality", "distribution", "classes", "relations", "risk"):
        page.show_tab(tab)
        driver.wait_idle()
    released = driver.export(tmp_path)
    assert released.written.verification.ok
    assert released.written.evidence.suppressed_records == 0
    driver.workspace.save(tmp_path / "alternative.deid.json")
    for name in ("one", "two"):
        result = headless.run(tmp_path / "alternative.deid.json", tmp_path / name, {})
        assert result["evidence"]["safe_harbor"]["policy_risk"] > 0
        assert contents(tmp_path / name) == contents(released.folder)
    assert headless.verify(tmp_path / "one")["ok"]
    assert not driver.problems


def test_a_choice_can_be_undone_and_a_stale_one_is_told(opened):
    driver = opened
    driver.session.apply(ops.choose_policy(alternative(driver)), "choose alternative")
    driver.wait_idle()
    driver.session.undo()
    driver.wait_idle()
    assert driver.project.chosen is None
    driver.session.redo()
    driver.wait_idle()
    assert driver.session.current(Kind.MEASUREMENT).meets_thresholds
    # Another rule: the comparison the policy was chosen for is not this one any more.
    elements = {
        name: each.but(kind="other")
        for name, each in driver.project.discover.elements.items()
    }
    changed = driver.project.discover.but(elements=elements, gamma=1.0)
    driver.session.apply(lambda project: project.but(discover=changed), "rule")
    driver.wait_idle()
    measured = driver.session.current(Kind.MEASUREMENT)
    assert measured.accepted is not None
    page = driver.page("export")
    if not measured.meets_thresholds:
        assert not page.export_button.isEnabled()
        assert page.status().state is not StepState.READY


def test_an_alternative_of_other_values_is_told_on_every_page(opened):
    driver = opened
    driver.session.apply(ops.choose_policy(alternative(driver)), "choose alternative")
    driver.wait_idle()
    driver.workspace.set_roles(["sex"], "insensitive")
    driver.wait_idle()
    ((_, problem),) = driver.problems
    assert problem.code == "chosen_policy_does_not_fit"
    page = driver.page("export")
    assert not page.export_button.isEnabled()
    assert "does not fit" in page.status().what_is_missing
    assert driver.page("policies").status().state is StepState.STALE
    assert driver.page("utility").status().state is StepState.STALE
    driver.session.undo()
    driver.wait_idle()
    assert driver.session.current(Kind.MEASUREMENT).meets_thresholds


def test_kept_alternatives_stand_beside_policies_of_the_search(opened):
    driver = opened
    driver.session.apply(
        ops.change_privacy(
            models=({"kind": "k_anonymity", "k": 2},), suppression_limit=1.0
        ),
        "models",
    )
    driver.wait_idle()
    driver.search()
    found = driver.session.current(LATTICE)
    for each in (alternative(driver), found.choice(found.optimum)):
        driver.session.apply(ops.keep(each), "keep")
    driver.wait_idle()
    page = driver.page("policies")
    page.show_tab("compare")
    driver.wait_idle()
    kept, best = sorted(page.results.compare.sides, key=lambda s: not s.chosen.bits)
    assert best.chosen.levels == found.levels_of(found.optimum)
    assert not kept.reason
    figures = [{f.label: f for f in side.figures} for side in (kept, best)]
    # Nothing is known about people: one right link for each released class.
    node, links = found.optimum, "Expected correct links"
    n_classes = found.average_risk[node] * (N - found.suppressed[node])
    assert figures[1][links].value == pytest.approx(n_classes)
    basis = driver.workspace.policies.baseline.basis
    assert figures[0][links].value <= basis.threshold
    page.results.compare.choose_wanted.emit(kept.chosen)
    driver.wait_idle()
    assert driver.project.chosen == kept.chosen
    page.results.compare.drop_wanted.emit(kept.chosen)
    driver.wait_idle()
    assert kept.chosen not in driver.project.kept
    # What will be released stands there although it is not kept.
    driver.wait_idle()
    assert kept.chosen in [side.chosen for side in page.results.compare.sides]
    driver.session.apply(ops.forget_choice(), "search's policy")
    driver.wait_idle()
    assert not any(s.chosen.bits for s in page.results.compare.sides if s.chosen)
    assert not driver.problems


def test_the_project_says_in_words_what_does_not_fit(opened, tmp_path):
    driver = opened
    driver.session.apply(ops.choose_policy(alternative(driver)), "choose alternative")
    driver.wait_idle()
    path = tmp_path / "alternative.deid.json"
    driver.workspace.save(path)
    fields = json.loads(path.read_bytes())
    fields["chosen"]["acceptance"]["threshold"] *= 2
    path.write_text(json.dumps(fields))
    with pytest.raises(Exception, match="acceptance_baseline_changed"):
        headless.run(path, tmp_path / "refused", {})
    assert not (tmp_path / "refused").exists()
