"""Policies of joined neighbours from the choice to the verified release."""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
from collections import Counter
from dataclasses import asdict
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deidgui.app.changes import domain_fingerprint
from deidgui.app.charts.formats import risk_texts
from deidgui.app.classes import Classes
from deidgui.app.loaded import Loaded
from deidgui.app.measuring.comparing import compare, riskiest_classes
from deidgui.app.measuring.measuring import measure_project
from deidgui.app.needed import check_release
from deidgui.app.policies.acceptance import BASELINES
from deidgui.app.policies.alternatives.basis import compute_basis
from deidgui.app.policies.alternatives.judging import judge
from deidgui.app.policies.alternatives.searching import discover
from deidgui.app.policies.alternatives.space import space_of
from deidgui.app.policies.alternatives.storing import chosen_from, policy_from
from deidgui.app.project import (
    Acceptance,
    Chosen,
    Discover,
    ElementChoice,
    InputFile,
    Privacy,
    Project,
)
from deidgui.app.release.overruling import with_overruling
from deidgui.app.release.previewing import preview
from deidgui.app.release.releasing import release
from deidgui.app.release.verifying import verify
from deidgui.app.report import report_html, report_pdf
from deidgui.engine.data.class_table import build_class_table
from deidgui.engine.data.population import Register, SamplingFraction
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.evidence.document import canonical_json
from deidgui.engine.evidence.verify import verify_release
from deidgui.errors import ConfigError, DeidError, InfeasibleError, ProblemsError
from tests.answers import answered, confirmed
from tests.release_case import hierarchies, make_project, make_table

NAMES = ("age", "sex", "zip")
ELEMENTS = {
    "age": ElementChoice(kind="age"),
    "sex": ElementChoice(kind="other"),
    "zip": ElementChoice(kind="zip"),
}
ANY_RISK = ({"kind": "highest_prosecutor_risk", "threshold": 1.0},)
DECIDED = Discover(baseline="safe_harbor", elements=ELEMENTS, iterations=5)


@cache
def tiny(population: str = "none", mode: str = "interval"):
    """Project without models or limits, and its classes."""
    table = make_table()
    known = None
    grids = hierarchies(table)
    if population == "register":
        rng = np.random.default_rng(1)
        sizes = [each.n_leaves for each in grids]
        cells = np.stack([axis.ravel() for axis in np.indices(sizes)], axis=1).astype(
            np.int32
        )
        known = Register(cells, rng.integers(20, 60, len(cells)))
    elif population == "fraction":
        known = SamplingFraction(0.05)
    class_table = build_class_table(table, grids, {"diagnosis": None}, known)
    project = make_project(suppressed=None)
    attributes = tuple(
        each.but(hierarchy={"rule": {"kind": "flat"}}) if each.name in NAMES else each
        for each in confirmed(project).attributes
    )
    file = InputFile(name="population", file="people.csv", sha256="0" * 64, n_rows=9)
    choice = {
        "none": {},
        "fraction": {"kind": "sampling_fraction", "sampling_fraction": 0.05},
        "register": {"kind": "register", "file": file},
    }
    project = project.but(
        attributes=attributes,
        privacy=Privacy(
            population=choice[population],
            # A comparison with Safe Harbor needs people, or a model that is met.
            models=() if population == "register" else ANY_RISK,
        ),
        discover=DECIDED.but(mode=mode),
    )
    return project, Classes(table, class_table, table)


def chosen_of(project, classes, bits, **acceptance):
    """Store bits as accepted for being no riskier than Safe Harbor."""
    space = space_of(classes.class_table, project.discover)
    policy = BitPolicy(space, space.closed(np.array(bits, np.bool_)))
    basis = compute_basis(project, classes)
    given = {
        "by": "risk",
        "baseline": project.discover.baseline,
        "threshold": basis.threshold,
        "gamma": project.discover.gamma,
        **acceptance,
    }
    domains = domain_fingerprint(project)
    return chosen_from(policy, {}, domains, Acceptance(**given), "")


def with_bits(project, classes, bits, **acceptance):
    return project.but(chosen=chosen_of(project, classes, bits, **acceptance))


def general_bits(classes, project, every=9):
    """Few neighbours apart: acceptable, and no level of a hierarchy."""
    space = space_of(classes.class_table, project.discover)
    return np.arange(space.n_bits) % every == every - 1


def released(folder, project, classes):
    source = folder / "patients.csv"
    source.write_bytes(b"stands for the file\n")
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    loaded = Loaded(source, classes.source, digest, None)
    project = answered(project, loaded, classes=classes)
    return release(project, loaded, folder / "release", {}, classes=classes)


def rows_of(folder):
    with next(folder.glob("*_released.csv")).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def runs_by_hand(project, classes):
    """Attribute to value to the values it is released with: from the bits alone."""
    chosen, found = project.chosen, {}
    space = space_of(classes.class_table, project.discover.but(mode=chosen.kind))
    for domain in space.domains:
        runs, current = [], [domain.values[0]]
        for bit, value in zip(
            chosen.bits[domain.attribute], domain.values[1:], strict=True
        ):
            if bit == "1":
                runs.append(current)
                current = []
            current.append(value)
        runs.append(current)
        found[domain.attribute] = {value: tuple(run) for run in runs for value in run}
    return found


def risk_by_hand(classes, groups):
    """Sum of 1 / g over the records; `groups` says what each value is released as."""
    table = classes.class_table
    names = [each.leaves for each in table.hierarchies]

    def key(leaves):
        return tuple(
            groups[name][labels[leaf]]
            for name, labels, leaf in zip(NAMES, names, leaves, strict=True)
        )

    records = Counter()
    for leaves, count in zip(table.leaves.tolist(), table.counts.tolist(), strict=True):
        records[key(leaves)] += count
    known = table.population
    if known is None:
        population = records
    elif isinstance(known, SamplingFraction):
        population = {each: n / known.fraction for each, n in records.items()}
    else:
        population = Counter()
        own = dict(
            zip(map(tuple, table.leaves.tolist()), table.counts.tolist(), strict=True)
        )
        for leaves, count in zip(
            known.leaves.tolist(), known.counts.tolist(), strict=True
        ):
            population[key(leaves)] += max(count, own.get(tuple(leaves), 0))
    return sum(n / population[each] for each, n in records.items())


def safe_harbor_by_hand(classes):
    """What the rule does to each value: 901 and 021 keep three digits, 010 too."""
    leaves = {each.attribute: each.leaves for each in classes.class_table.hierarchies}
    return {
        "age": {value: value for value in leaves["age"]},
        "sex": {value: value for value in leaves["sex"]},
        "zip": {value: value[:3] for value in leaves["zip"]},
    }


@pytest.mark.parametrize("population", ["none", "fraction", "register"])
@pytest.mark.parametrize("mode", ["interval", "subtree"])
def test_a_release_applies_the_bits_and_states_both_risks(tmp_path, population, mode):
    project, classes = tiny(population, mode)
    project = with_bits(project, classes, general_bits(classes, project))
    found = released(tmp_path, project, classes)
    evidence = found.written.evidence
    runs = runs_by_hand(project, classes)
    expected = Counter(
        tuple(runs[name][classes.table.column(name).text(row)] for name in NAMES)
        for row in range(classes.table.n_rows)
    )
    rows = rows_of(found.folder)
    labels = {}
    for name in NAMES:
        own = {m.attribute: m for m in found.measured.policy.maps}[name]
        for leaf, text in enumerate(own.hierarchy.leaves):
            labels[name, runs[name][text]] = own.labels[own.groups[leaf]]
    told = Counter(
        tuple(labels[name, run] for name, run in zip(NAMES, key, strict=True))
        for key in expected.elements()
    )
    assert Counter(tuple(row[name] for name in NAMES) for row in rows) == told
    assert len(rows) == classes.table.n_rows == 400
    assert evidence.suppressed_records == 0
    known = evidence.safe_harbor
    assert known.policy_risk == pytest.approx(risk_by_hand(classes, runs), rel=1e-9)
    by_rule = risk_by_hand(classes, safe_harbor_by_hand(classes))
    assert known.baseline_risk == pytest.approx(by_rule, rel=1e-9)
    assert known.difference == pytest.approx(known.policy_risk - by_rule, rel=1e-6)
    assert known.records == 400
    basis = {"none": "counted", "fraction": "modelled", "register": "counted"}
    assert known.basis == basis[population]
    own, limit = risk_texts(known.policy_risk, known.baseline_risk)
    assert f"{own} expected correct links" in known.words
    assert f"{limit} under Safe Harbor" in known.words
    assert (known.basis in known.words) == (population != "none")
    assert any("Nothing is known" in each for each in evidence.warnings) == (
        population == "none"
    )
    assert evidence.policy.kind == mode
    assert evidence.policy.bits == project.chosen.bits
    assert evidence.policy.acceptance.by == "risk"
    verified = verify_release(found.folder)
    assert verified.ok, verified.failed
    codes = {each.code for each in verified.checks}
    assert {"acceptance", "policy_bits"} <= codes
    # The files tell the risk of the policy only if it goes by the records.
    assert ("policy_risk" in codes) == (population != "register")
    assert ("risk of the policy" in verified.reasons) == (population == "register")
    assert verified.reasons["risk of the baseline"] == "baseline"


@pytest.fixture
def case(tmp_path):
    project, classes = tiny()
    project = with_bits(project, classes, general_bits(classes, project))
    return project, classes, released(tmp_path, project, classes)


def test_policy_and_report_say_what_is_joined(case):
    project, _, found = case
    policy = json.loads((found.folder / "policy.json").read_bytes())
    assert policy["kind"] == "interval"
    assert policy["acceptance"]["baseline"] == "safe_harbor"
    by_name = {each["name"]: each for each in policy["attributes"]}
    for name in NAMES:
        assert by_name[name]["bits"] == project.chosen.bits[name]
        assert by_name[name]["joined"].startswith(("[", "∅"))
    page = report_html(found.written.evidence).decode()
    told = found.written.evidence.policy.joined["age"].split(" ")[0]
    for words in ("Compared with Safe Harbor", "Expected correct links", told):
        assert words in page
    assert "does not meet every requirement" not in page
    assert "groups that are no level" in page
    assert report_pdf(found.written.evidence).startswith(b"%PDF")


def test_the_same_project_gives_the_same_bytes_twice(tmp_path, case, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795000000")
    project, classes, _ = case
    export = project.export.but(shuffle_seed=4)
    attributes = tuple(
        each.but(treatment="remove") if each.treatment == "pseudonym" else each
        for each in project.attributes
    )
    project = project.but(export=export, attributes=attributes)
    contents = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        folder = released(tmp_path / name, project, classes).folder
        contents.append(
            {
                path.relative_to(folder): path.read_bytes()
                for path in sorted(folder.rglob("*"))
                if path.is_file()
            }
        )
    assert contents[0] == contents[1]


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_random_bits_are_applied_as_by_hand_and_verified(tmp_path_factory, data):
    project, classes = tiny("none", data.draw(st.sampled_from(["interval", "subtree"])))
    # Any policy is acceptable: the threshold is what somebody typed.
    limit = project.discover.but(baseline="typed", typed=400.0, elements={})
    project = project.but(discover=limit)
    n_bits = space_of(classes.class_table, limit).n_bits
    bits = data.draw(st.lists(st.booleans(), min_size=n_bits, max_size=n_bits))
    project = with_bits(project, classes, bits)
    found = released(tmp_path_factory.mktemp("joined"), project, classes)
    runs = runs_by_hand(project, classes)
    sizes = Counter(
        tuple(runs[name][classes.table.column(name).text(row)] for name in NAMES)
        for row in range(classes.table.n_rows)
    )
    told = Counter(tuple(row[n] for n in NAMES) for row in rows_of(found.folder))
    assert sorted(told.values()) == sorted(sizes.values())
    assert found.measured.after.n_classes == len(sizes)
    assert found.written.verification.ok


# -- tampering -------------------------------------------------------------------------


def vouch(folder, path):
    """Let the evidence vouch for a file that was changed."""
    evidence = json.loads((folder / "evidence.json").read_bytes())
    content = (folder / path).read_bytes()
    for each in [*evidence["outputs"], *evidence["files"]]:
        if each["path"] == path:
            each["bytes"] = len(content)
            each["sha256"] = hashlib.sha256(content).hexdigest()
    (folder / "evidence.json").write_bytes(canonical_json(evidence))


def change_json(folder, path, change):
    fields = json.loads((folder / path).read_bytes())
    change(fields)
    (folder / path).write_bytes(canonical_json(fields))


def cell(folder):
    path = next(folder.glob("*_released.csv"))
    lines = path.read_text().split("\n")
    place = lines[0].split(",").index("sex")
    values = lines[1].split(",")
    values[place] = "*" if values[place] != "*" else "F"
    lines[1] = ",".join(values)
    path.write_text("\n".join(lines))
    return path.name


def mapping(folder):
    path = folder / "mapping" / "age.csv"
    lines = path.read_text().split("\n")
    head, _, last = lines[1].rpartition(",")
    lines[1] = f"{head},{int(last) + 1}"
    path.write_text("\n".join(lines))
    return "mapping/age.csv"


def policy_bits(folder):
    def change(fields):
        each = fields["attributes"][0]
        each["bits"] = each["bits"][::-1]

    change_json(folder, "policy.json", change)
    return "policy.json"


def policy_acceptance(folder):
    change_json(folder, "policy.json", lambda f: f["acceptance"].update(threshold=1e9))
    return "policy.json"


@pytest.mark.parametrize("is_vouched", [False, True])
@pytest.mark.parametrize("change", [cell, mapping, policy_bits, policy_acceptance])
def test_a_changed_release_is_found_out(tmp_path, case, change, is_vouched):
    folder = tmp_path / "changed"
    shutil.copytree(case[2].folder, folder)
    path = change(folder)
    if is_vouched:
        vouch(folder, path)
    assert not verify_release(folder).ok


@pytest.mark.parametrize(
    "change",
    [
        lambda f: f["safe_harbor"].update(policy_risk=1.0),
        lambda f: f["safe_harbor"].update(baseline_risk=1.0),
        lambda f: f["safe_harbor"].update(difference=-1.0),
        lambda f: f["safe_harbor"].update(records=9),
        lambda f: f["policy"]["acceptance"].update(threshold=1e9),
        lambda f: f["policy"].update(kind="lattice"),
        lambda f: f["policy"]["bits"].update(age="1"),
        lambda f: f["policy"].update(acceptance=None),
        lambda f: f.update(safe_harbor=None),
        lambda f: f["safe_harbor"].update(words="No risk at all."),
        lambda f: f["policy"].update(sentence="everything removed"),
    ],
)
def test_changed_evidence_is_found_out(tmp_path, case, change):
    folder = tmp_path / "changed"
    shutil.copytree(case[2].folder, folder)
    change_json(folder, "evidence.json", change)
    assert not verify_release(folder).ok


@pytest.mark.parametrize(
    "settings",
    [
        {"mode": "any"},
        {"weights": ["use"]},
        {"iterations": "many"},
        {"budget": -1},
        {"quotas": ["age"]},
        {"quotas": {"age": "half"}},
        {"demanded": 7},
        {"came_to_its_end": "no"},
        {"unknown": 1},
    ],
)
def test_settings_of_a_search_that_are_none_are_refused(tmp_path, case, settings):
    folder = shutil.copytree(case[2].folder, tmp_path / "changed")
    change_json(folder, "evidence.json", lambda f: f["search"].update(settings))
    with pytest.raises(DeidError):
        verify(folder)


# -- acceptance ------------------------------------------------------------------------


def test_no_model_and_no_limit_is_needed_for_a_policy_accepted_by_risk():
    project, classes = tiny("register")
    with pytest.raises(ProblemsError) as caught:
        check_release(project)
    codes = {each.code for each in caught.value.problems}
    assert codes == {"no_privacy_model", "no_suppression_limit", "no_suppressed_choice"}
    check_release(with_bits(project, classes, general_bits(classes, project)))


def test_without_people_a_comparison_with_safe_harbor_is_no_ground(tmp_path):
    for population in ("none", "fraction"):
        (tmp_path / population).mkdir()
        project, classes = tiny(population)
        project = with_bits(project, classes, general_bits(classes, project))
        bare = project.but(privacy=project.privacy.but(models=()))
        with pytest.raises(ConfigError) as caught:
            check_release(bare)
        assert caught.value.code == "acceptance_lacks_population"
        # A model that is not met does not help it.
        models = ({"kind": "k_anonymity", "k": 300},)
        unmet = project.but(privacy=project.privacy.but(models=models))
        measured = measure_project(unmet, classes, None)
        assert not measured.is_sound
        assert [each.code for each in measured.problems] == [
            "acceptance_lacks_population"
        ]
        with pytest.raises(InfeasibleError) as refused:
            released(tmp_path / population, unmet, classes)
        assert refused.value.code == "thresholds_unmet"
        # Who overrules every threshold answers for the release: it says so first, and
        # nothing of it rests on the comparison.
        overruled = with_overruling(unmet, unmet.privacy.models, "It is a test.")
        folder = released(tmp_path / population, overruled, classes).folder
        evidence = json.loads((folder / "evidence.json").read_bytes())
        assert evidence["warnings"][0].startswith("OVERRULED")
        assert verify_release(folder).ok
        change_json(folder, "evidence.json", lambda f: f.update(overruled=[]))
        failed = {e.code for e in verify_release(folder).checks if not e.ok}
        assert {"overruled", "acceptance_population"} <= failed


def test_models_are_needed_for_a_policy_accepted_by_models():
    project, classes = tiny("register")
    chosen = chosen_of(project, classes, general_bits(classes, project))
    by_models = chosen.but(acceptance=Acceptance(by="models"))
    with pytest.raises(ConfigError) as caught:
        check_release(project.but(chosen=by_models))
    assert caught.value.code == "no_privacy_model"


@pytest.mark.parametrize("k", [2, 300])
@pytest.mark.parametrize("by", ["risk", "models"])
def test_models_are_conditions_whatever_a_policy_was_accepted_for(tmp_path, k, by):
    project, classes = tiny("register")
    chosen = chosen_of(project, classes, general_bits(classes, project, every=30))
    if by == "models":
        chosen = chosen.but(acceptance=Acceptance(by="models"))
    models = ({"kind": "k_anonymity", "k": k},)
    project = project.but(chosen=chosen, privacy=project.privacy.but(models=models))
    measured = measure_project(project, classes, None)
    is_met = min(measured.sizes_after) >= k
    assert measured.meets_thresholds == is_met == (k == 2)
    if is_met:
        evidence = released(tmp_path, project, classes).written.evidence
        assert evidence.policy.acceptance.by == by
        assert (evidence.safe_harbor is None) == (by == "models")
        assert evidence.overruled == ()
        return
    with pytest.raises(InfeasibleError) as caught:
        released(tmp_path, project, classes)
    assert caught.value.code == "thresholds_unmet"
    assert caught.value.params["kind"] == "k_anonymity"
    # With a reason for exactly these decisions it goes out, and says so first.
    overruled = with_overruling(project, project.privacy.models, "The board said so.")
    made = released(tmp_path, overruled, classes)
    evidence = made.written.evidence
    assert [each.kind for each in evidence.overruled] == ["k_anonymity"]
    assert "OVERRULED" in evidence.warnings[0]
    assert "The board said so." in evidence.warnings[0]
    report = report_html(evidence).decode()
    assert report.index("THRESHOLDS NOT MET") < report.index('class="lead"')
    later = overruled.but(
        privacy=overruled.privacy.but(models=({"kind": "k_anonymity", "k": 301},))
    )
    with pytest.raises(InfeasibleError):
        released(tmp_path, later, classes)


def unnamed(folder):
    change_json(folder, "evidence.json", lambda f: f.update(overruled=[]))


def untold(folder):
    change_json(folder, "evidence.json", lambda f: f["warnings"].pop(0))


def without_people(folder):
    change_json(
        folder, "evidence.json", lambda f: f["risk"].update(population_known="none")
    )


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (unnamed, "overruled"),
        (untold, "overruled_warned"),
        (without_people, "policy_risk"),
    ],
)
def test_verify_finds_out_what_is_not_met_and_not_told(tmp_path, change, code):
    project, classes = tiny("register")
    project = with_bits(project, classes, general_bits(classes, project, every=30))
    models = ({"kind": "k_anonymity", "k": 300},)
    project = project.but(privacy=project.privacy.but(models=models))
    project = with_overruling(project, project.privacy.models, "It is a test.")
    folder = released(tmp_path, project, classes).folder
    assert verify_release(folder).ok
    change(folder)
    found = verify_release(folder)
    assert code in {each.code for each in found.failed}


def test_a_policy_that_is_riskier_is_refused(tmp_path):
    project, classes = tiny()
    n_bits = space_of(classes.class_table, project.discover).n_bits
    project = with_bits(project, classes, np.ones(n_bits, np.bool_))
    measured = measure_project(project, classes, None)
    assert not measured.meets_thresholds
    assert "is NOT shown" in measured.accepted.words
    with pytest.raises(InfeasibleError) as caught:
        released(tmp_path, project, classes)
    assert caught.value.code == "acceptance_risk_higher"
    assert not (tmp_path / "release").exists()


def test_a_baseline_that_changed_is_refused(tmp_path):
    project, classes = tiny()
    project = with_bits(project, classes, general_bits(classes, project))
    other = {**ELEMENTS, "zip": ElementChoice(kind="other")}
    stale = project.but(discover=project.discover.but(elements=other))
    with pytest.raises(InfeasibleError) as caught:
        released(tmp_path, stale, classes)
    assert caught.value.code == "acceptance_baseline_changed"
    assert caught.value.params["baseline"] == BASELINES["safe_harbor"]
    few = {name: ELEMENTS[name] for name in ("age", "sex")}
    lacking = project.but(discover=project.discover.but(elements=few))
    with pytest.raises(ConfigError) as refused:
        released(tmp_path, lacking, classes)
    assert refused.value.code == "discovery_element_missing"


def test_other_searches_since_then_change_nothing(tmp_path):
    """The comparison is made as it was when the policy was chosen."""
    project, classes = tiny()
    project = with_bits(project, classes, general_bits(classes, project))
    later = project.discover.but(
        mode="subtree", levels={"zip": 1}, gamma=2.0, baseline="models"
    )
    assert judge(project.but(discover=later), project.chosen, classes).is_met


def test_values_that_changed_are_refused(tmp_path):
    project, classes = tiny()
    chosen = chosen_of(project, classes, general_bits(classes, project))
    for wrong in (
        chosen.but(domains="0" * 64),
        chosen.but(bits={**chosen.bits, "sex": "1"}),
    ):
        with pytest.raises(ConfigError) as caught:
            released(tmp_path, project.but(chosen=wrong), classes)
        assert caught.value.code == "chosen_policy_does_not_fit"


def test_a_policy_baseline_must_still_be_known():
    project, classes = tiny()
    base = Chosen(levels={"age": 1, "sex": 1, "zip": 1})
    discover_ = project.discover.but(baseline="policy", policy=base, elements={})
    project = project.but(discover=discover_)
    project = with_bits(project, classes, general_bits(classes, project, every=40))
    assert judge(project, project.chosen, classes).is_met
    gone = project.but(discover=DECIDED)
    (problem,) = judge(gone, project.chosen, classes).problems
    assert problem.code == "acceptance_baseline_gone"
    # Now with an own ZIP code for every record: riskier than it was.
    other = project.discover.but(policy=base.but(levels={**base.levels, "zip": 0}))
    found = judge(project.but(discover=other), project.chosen, classes)
    (changed,) = found.problems
    assert changed.code == "acceptance_baseline_changed"
    assert changed.params["baseline"] == BASELINES["policy"]
    stated = project.chosen.acceptance.threshold
    assert found.baseline_risk > stated
    shown = risk_texts(stated, found.baseline_risk)
    assert (changed.params["stated"], changed.params["found"]) == shown


# -- views -----------------------------------------------------------------------------


def test_views_of_the_release_show_the_joined_values(case):
    project, classes, found = case
    policy = policy_from(project.chosen, project, classes)
    shown = preview(project, classes, policy)
    assert shown.n_suppressed == 0
    assert shown.changed.any()
    sizes = found.measured.sizes_after
    assert riskiest_classes(classes, policy).n_classes == len(sizes)
    comparison = compare(project, classes, policy)
    for name in comparison.names:
        comparison.distribution(name)
    comparison.association_maps()


def test_measures_without_a_level_are_not_stated(case):
    figures = {each.measure.kind: each for each in case[2].measured.quality}
    assert figures["precision"].value is None
    assert "age" not in figures["precision"].by_attribute
    assert figures["loss"].value is not None
    evidence = case[2].written.evidence
    assert evidence.quality["height"].value is None
    reasons = case[2].written.verification.reasons
    assert reasons["precision"] == "no_level"
    assert isinstance(Path(case[2].folder), Path)
    assert isinstance(project_round_trip(case[0]), Project)


def project_round_trip(project):
    return Project.model_validate_json(project.model_dump_json())


def test_what_a_discovery_finds_can_be_released(tmp_path):
    project, classes = tiny("register")
    steered = project.discover.but(quotas={"age": 0.2})
    project = project.but(discover=steered)
    found = discover(project, classes)
    assert len(found)
    project = project.but(chosen=found.choice(0))
    # Another search is being prepared: the release is not what that would find.
    changed = project.discover.but(method="directed", seed=99, iterations=1, quotas={})
    project = project_round_trip(project.but(discover=changed))
    made = released(tmp_path, project, classes)
    evidence = made.written.evidence
    risk = found.alternatives[0].risk
    assert evidence.safe_harbor.policy_risk == pytest.approx(risk, rel=1e-12)
    assert evidence.safe_harbor.difference <= 0
    assert evidence.search.method == "discovery_bps"
    assert (evidence.search.seed, evidence.search.iterations) == (0, 5)
    assert evidence.search.alternatives == len(found)
    assert evidence.search.quotas == {"age": 0.2}
    report = (made.folder / "report.html").read_text(encoding="utf-8")
    assert "Alternatives to choose from" in report
    assert "Searches that joined one column alone" in report


def test_settings_that_were_not_noted_are_not_stated(tmp_path):
    """Projects of earlier versions do not tell how their policy was found."""
    project, classes = tiny()
    project = with_bits(project, classes, general_bits(classes, project))
    made = released(tmp_path, project, classes)
    assert made.written.evidence.search.method == "discovery"
    assert made.written.evidence.search.seed is None
    report = (made.folder / "report.html").read_text(encoding="utf-8")
    assert "was not noted" in report


# -- missing values --------------------------------------------------------------------


def missing_place(classes, project):
    """Where the bits of age start, how many there are, and where its gap stands."""
    space = space_of(classes.class_table, project.discover)
    domain = space.domains[0]
    start = int(space.first_bit[0])
    return start, domain.n_bits, domain.missing_value


@pytest.mark.parametrize("matches", ["own_category", "anything"])
@pytest.mark.parametrize("fate", ["alone", "with neighbours", "with all"])
def test_missing_values_are_released_as_the_bits_say(tmp_path, fate, matches):
    project, classes = tiny()
    privacy = project.privacy.but(missing_matches=matches)
    project = project.but(privacy=privacy)
    bits = general_bits(classes, project)
    start, n_bits, gap = missing_place(classes, project)
    around = [start + gap - 1, start + gap]
    around = [each for each in around if start <= each < start + n_bits]
    if fate == "with all":
        bits[start : start + n_bits] = False
    else:
        bits[around] = fate == "alone"
    project = with_bits(project, classes, bits)
    found = released(tmp_path, project, classes)
    assert found.written.verification.ok
    labels = {row["age"] for row in rows_of(found.folder)}
    missing = [label for label in labels if not label or "no value" in label]
    assert (
        missing
        == {
            "alone": [""],
            "with neighbours": missing,
            "with all": [],
        }[fate]
    )
    if fate == "with neighbours":
        assert len(missing) == 1
        assert missing[0].startswith("{")
    if fate == "with all":
        assert labels == {"*"}
    # A gap that stands alone may be anybody; among others it is no gap any more.
    alone = fate == "alone" and matches == "anything"
    reasons = found.written.verification.reasons
    assert (reasons.get("prosecutor") == "missing_matches") == (matches == "anything")
    figures = found.measured.after
    own = measure_project(
        project.but(privacy=privacy.but(missing_matches="own_category")), classes, None
    ).after
    assert (figures.prosecutor.average < own.prosecutor.average) == alone


def test_the_sentence_of_a_typed_threshold_speaks_of_no_rule():
    project, classes = tiny()
    typed = project.discover.but(baseline="typed", typed=399.0, elements={})
    project = project.but(discover=typed)
    project = with_bits(project, classes, general_bits(classes, project))
    words = judge(project, project.chosen, classes).words
    assert "no greater than the threshold that was set" in words
    assert "of 399.00 that are allowed, of 400 records" in words
    assert "Safe Harbor" not in words


# -- values that are groups ------------------------------------------------------------


@pytest.mark.parametrize("mode", ["interval", "subtree"])
def test_bits_may_join_groups_of_a_level(tmp_path, mode):
    project, classes = tiny()
    levels = {"age": 1, "zip": 1}
    limits = {"baseline": "typed", "typed": 400.0, "elements": {}}
    decided = project.discover.but(mode=mode, levels=levels, **limits)
    project = project.but(discover=decided)
    space = space_of(classes.class_table, decided)
    bits = np.ones(space.n_bits, np.bool_)
    # The first two bands of ages; nodes of a hierarchy of bands join all or none.
    bits[: space.domains[0].n_bits if mode == "subtree" else 1] = False
    policy = BitPolicy(space, space.closed(bits))
    acceptance = Acceptance(by="risk", baseline="typed", threshold=400.0)
    domains = domain_fingerprint(project)
    project = project.but(chosen=chosen_from(policy, levels, domains, acceptance))
    found = released(tmp_path, project, classes)
    evidence = found.written.evidence
    starts = evidence.policy.values_at
    assert (starts["age"], starts["zip"]) == (1, 1)
    # Sexes may stand in the order of how frequent they are.
    assert starts["sex"] in ((0,) if mode == "subtree" else (0, None))
    labels = {row["age"] for row in rows_of(found.folder)}
    if mode == "subtree":
        assert labels == {"*"}
    else:
        bands = classes.class_table.hierarchies[0].levels[1].labels
        assert set(bands[2:]) <= labels
        assert len(labels) == len(bands) - 1
    assert {row["zip"] for row in rows_of(found.folder)} == {"010**", "021**", "902**"}
    # Bits of other levels do not fit.
    other = project.chosen.but(levels={**project.chosen.levels, "age": 0})
    with pytest.raises(ConfigError) as caught:
        released(tmp_path, project.but(chosen=other), classes)
    assert caught.value.code == "chosen_policy_does_not_fit"


# -- for who must sign -----------------------------------------------------------------


def population_beside(classes, runs):
    """By record, how many people look like it: from the register alone."""
    table, sizes = classes.class_table, Counter()
    names = [hierarchy.leaves for hierarchy in table.hierarchies]

    def label(leaves):
        pairs = zip(NAMES, names, leaves, strict=True)
        return tuple(runs[name][texts[leaf]] for name, texts, leaf in pairs)

    register = table.population
    for leaves, n in zip(register.leaves, register.counts, strict=True):
        sizes[label(leaves)] += int(n)
    pairs = zip(table.leaves, table.counts, strict=True)
    return [sizes[label(leaves)] for leaves, n in pairs for _ in range(n)]


def test_it_is_told_whether_risk_moved_to_a_few_records(tmp_path):
    """The sum alone would not show that single records became riskier."""
    project, classes = tiny("register")
    rule = population_beside(classes, safe_harbor_by_hand(classes))
    space = space_of(classes.class_table, project.discover)
    seen = Counter()
    for every in (1, 2, 9):
        bits = np.arange(space.n_bits) % every == every - 1
        given = with_bits(project, classes, bits)
        own = population_beside(classes, runs_by_hand(given, classes))
        told = judge(given, given.chosen, classes)
        spread = told.per_record
        assert spread.highest == pytest.approx(1 / min(own))
        assert spread.baseline_highest == pytest.approx(1 / min(rule))
        pairs = list(zip(own, rule, strict=True))
        assert spread.n_riskier == sum(g < h for g, h in pairs)
        assert spread.n_safer == sum(g > h for g, h in pairs)
        assert sum(1 / g for g in own) == pytest.approx(told.risk)
        seen.update(riskier=spread.n_riskier, safer=spread.n_safer)
    assert min(seen.values()) > 0
    made = released(tmp_path, given, classes)
    known = made.written.evidence.safe_harbor.per_record
    assert known.model_dump() == asdict(spread)
    report = (made.folder / "report.html").read_text(encoding="utf-8")
    assert f">{known.n_safer}<" in report


def test_evidence_says_what_the_comparison_is_and_what_it_is_not(case):
    _, _, found = case
    evidence = found.written.evidence
    scope = evidence.safe_harbor.scope
    assert "expected to make" in scope
    assert "no determination by itself" in scope
    assert "the year only" not in str(evidence.safe_harbor.rule)
    assert evidence.safe_harbor.rule["sex"] == "kept in full: no identifier of the rule"
    assert evidence.safe_harbor.rule["zip"].startswith("three digits, 000 where few")
    told = " ".join(evidence.assumptions)
    assert "takes one of those who fit a record" in told
    assert "The Safe Harbor rule is applied to the quasi-identifiers alone" in told
    report = (found.folder / "report.html").read_text(encoding="utf-8")
    for words in (
        scope,
        "Not a determination",
        "45 CFR 164.514(b)(1)",
        "a limit set by law",
    ):
        assert words in report
    # A sign that printed reports cannot show.
    assert "∅" not in report
