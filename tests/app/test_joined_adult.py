"""The paper's data in the paper's state, with a MODELLED population: a release."""

from __future__ import annotations

import hashlib

import numpy as np
import pandas as pd
import pytest

from deidgui.app.changes import domain_fingerprint
from deidgui.app.classes import Classes
from deidgui.app.loaded import Loaded
from deidgui.app.policies.alternatives.basis import compute_basis
from deidgui.app.policies.alternatives.space import space_of
from deidgui.app.policies.alternatives.storing import chosen_from
from deidgui.app.project import (
    Acceptance,
    Attribute,
    Discover,
    ElementChoice,
    Export,
    HierarchyChoice,
    InputFile,
    Privacy,
    Project,
)
from deidgui.app.release.releasing import release
from deidgui.engine.data.table import Column, Table
from deidgui.engine.discover.bit_policy import BitPolicy
from tests.answers import answered
from tests.engine.discover.tennessee import adult_in_tennessee, population, records

NAMES = ("sex", "race", "age")


@pytest.fixture(scope="module")
def adult():
    columns = zip(NAMES, zip(*records(), strict=True), strict=True)
    table = Table("adult.csv", tuple(Column.from_texts(n, list(t)) for n, t in columns))
    file = InputFile(name="population", file="people.csv", sha256="0" * 64)
    kinds = {"sex": "other", "race": "other", "age": "age"}
    project = Project(
        unit={"kind": "row"},
        name="Adult in Tennessee",
        inputs=(InputFile(file="adult.csv"),),
        attributes=tuple(
            Attribute(
                name=name,
                role="quasi_identifier",
                confirmed=True,
                kind="integer" if name == "age" else "category",
                hierarchy=HierarchyChoice(rule={"kind": "flat"}),
            )
            for name in NAMES
        ),
        privacy=Privacy(
            population={"kind": "counts", "file": file, "count_column": "people"}
        ),
        discover=Discover(
            baseline="safe_harbor",
            elements={name: ElementChoice(kind=kind) for name, kind in kinds.items()},
        ),
        export=Export(shuffle_seed=1),
    )
    return project, Classes(table, adult_in_tennessee(), table)


def safe_harbor_risk():
    """Sum of 1 / g, by joining tables."""
    data = pd.DataFrame(records(), columns=NAMES)
    census = pd.DataFrame(
        [(*k, v) for k, v in population().items()], columns=[*NAMES, "g"]
    )
    for frame in (data, census):
        frame["age"] = frame["age"].astype(int).clip(upper=90)
    groups = census.groupby(list(NAMES), as_index=False)["g"].sum()
    linked = data.merge(groups, on=list(NAMES), how="left", validate="many_to_one")
    return (1 / linked["g"]).sum()


def test_a_policy_no_riskier_than_safe_harbor_keeps_the_oldest_ages(adult, tmp_path):
    """Ages 17 to 90 in full but 85-89 joined, races of few people joined instead."""
    project, classes = adult
    space = space_of(classes.class_table, project.discover)
    basis = compute_basis(project, classes)
    bits = np.ones(space.n_bits, np.bool_)
    age = space.attributes.index("age")
    first = int(space.first_bit[age])
    # The rule itself: all ages from 90 on are one value.
    bits[first + 90 : first + 100] = False
    threshold = safe_harbor_risk()
    assert basis.threshold == pytest.approx(threshold, rel=1e-9)
    race = space.attributes.index("race")
    joined = bits.copy()
    joined[first + 90 : first + 100] = True
    joined[space.first_bit[race] + 1 : space.first_bit[race + 1]] = False
    joined[first : first + 100 : 2] = False
    source = tmp_path / "adult.csv"
    source.write_bytes(b"stands for the file\n")
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    loaded = Loaded(source, classes.source, digest, None)
    acceptance = Acceptance(
        by="risk", baseline="safe_harbor", threshold=basis.threshold
    )
    found = {}
    for name, wanted in (("rule", bits), ("other", joined)):
        policy = BitPolicy(space, space.closed(wanted))
        chosen = chosen_from(policy, {}, domain_fingerprint(project), acceptance)
        place = tmp_path / name
        decided = answered(project.but(chosen=chosen), loaded, classes=classes)
        written = release(decided, loaded, place, {}, classes=classes).written
        assert written.verification.ok
        found[name] = written.evidence
        assert written.evidence.suppressed_records == 0
    rule, other = found["rule"].safe_harbor, found["other"].safe_harbor
    # The rule written as bits is as risky as the rule, to the last digit but one.
    assert rule.policy_risk == pytest.approx(rule.baseline_risk, rel=1e-12)
    assert rule.baseline_risk == pytest.approx(threshold, rel=1e-9)
    assert other.difference < 0
    assert found["rule"].policy.joined["age"] == "[90-100]"
    assert found["rule"].policy.joined["sex"] == "∅"
    assert "[90-91]" not in found["rule"].policy.joined["age"]
