"""Adult with occupation as sensitive attribute: search, release, verification."""

from __future__ import annotations

import csv
import hashlib
import json
import math
from collections import Counter, defaultdict

import pytest

from deidgui.app.classes import Classes
from deidgui.app.loaded import Loaded
from deidgui.app.project import Attribute, Export, Privacy, Project
from deidgui.app.release.releasing import release
from deidgui.app.release.verifying import check_words
from deidgui.engine.data.class_table import build_class_table
from deidgui.engine.evidence.document import canonical_json
from deidgui.engine.evidence.verify import verify_release
from tests.answers import answered
from tests.engine.search.adult import adult_hierarchy, adult_table

QUASI_IDENTIFIERS = ("sex", "age", "race", "marital-status", "education")
SENSITIVE = "occupation"
K = {"kind": "k_anonymity", "k": 5}


def diversity(counts):
    return len(counts)


def entropy(counts):
    n = counts.total()
    return math.exp(-sum(c / n * math.log(c / n) for c in counts.values()))


@pytest.fixture(scope="module")
def classes():
    table = adult_table()
    hierarchies = [adult_hierarchy(name) for name in QUASI_IDENTIFIERS]
    built = build_class_table(table, hierarchies, {SENSITIVE: None})
    return Classes(table, built, table)


def released(classes, folder, models, limit, **changes):
    """Release with some models; the folder and the rows by released class."""
    roles = dict.fromkeys(QUASI_IDENTIFIERS, "quasi_identifier")
    roles[SENSITIVE] = "sensitive"
    project = Project(
        unit={"kind": "row"},
        name="Adult",
        attributes=tuple(
            Attribute(
                name=name,
                role=roles.get(name, "insensitive"),
                confirmed=True,
                hierarchy={"rule": {"kind": "masking"}} if name in roles else None,
            )
            for name in classes.table.column_names
        ),
        privacy=Privacy(models=models, suppression_limit=limit),
        export=Export(suppressed="left_out"),
    ).but(**changes)
    source = folder / "adult.csv"
    source.write_bytes(b"stands for the file\n")
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    loaded = Loaded(source, classes.table, digest, None)
    project = answered(project, loaded, classes=classes)
    done = release(project, loaded, folder / "out", {}, classes=classes)
    path = done.folder / done.written.evidence.outputs[0].path
    with path.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    at = [header.index(name) for name in QUASI_IDENTIFIERS]
    values = defaultdict(Counter)
    for row in rows:
        values[tuple(row[place] for place in at)][row[header.index(SENSITIVE)]] += 1
    return done, values


@pytest.mark.parametrize(
    ("model", "measure", "least"),
    [
        ({"kind": "distinct_l_diversity", "diversity": 6}, diversity, 6),
        (
            {
                "kind": "entropy_l_diversity",
                "diversity": 4.0,
                "estimator": "shannon",
            },
            entropy,
            4.0,
        ),
    ],
)
def test_diversity_from_search_to_verified_release(
    classes, tmp_path, model, measure, least
):
    models = (K, {**model, "attribute": SENSITIVE})
    done, values = released(classes, tmp_path, models, 0.05)
    assert min(map(measure, values.values())) >= least - 1e-9
    assert min(each.total() for each in values.values()) >= 5
    n = sum(each.total() for each in values.values())
    assert done.measured.n_suppressed == 30162 - n <= 1508
    found = done.written.verification
    assert found.failed == ()
    judged = {check.params.get("model") for check in found.checks}
    assert {"k_anonymity", model["kind"]} <= judged
    assert not any(name.startswith(model["kind"]) for name in found.reasons)
    policy = json.loads((done.folder / "policy.json").read_bytes())
    assert policy["conditions"] == [models[1]]
    assert any("ℓ-diversity" in reason for reason in policy["withheld_because"])


def test_closeness_without_suppressed_records_is_measured(classes, tmp_path):
    models = (K, {"kind": "equal_t_closeness", "attribute": SENSITIVE, "t": 0.4})
    done, values = released(classes, tmp_path, models, 0.0)
    whole = sum(values.values(), Counter())
    farthest = max(
        sum(abs(own[v] / own.total() - whole[v] / whole.total()) for v in whole) / 2
        for own in values.values()
    )
    assert farthest <= 0.4
    assert done.written.verification.reasons.get("equal_t_closeness") is None
    assert "equal_t_closeness of occupation" not in done.written.verification.reasons
    # Somebody who swaps values is found.
    path = done.folder / done.written.evidence.outputs[0].path
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    at = rows[0].index(SENSITIVE)
    rows[1:] = [
        [*row[:at], "Tech-support" if row[0] == "Male" else row[at], *row[at + 1 :]]
        for row in rows[1:]
    ]
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    fields = json.loads((done.folder / "evidence.json").read_bytes())
    fields["outputs"][0]["bytes"] = path.stat().st_size
    fields["outputs"][0]["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (done.folder / "evidence.json").write_bytes(canonical_json(fields))
    failed = verify_release(done.folder).failed
    judged = [check.params["model"] for check in failed if "model" in check.params]
    assert judged == ["equal_t_closeness"]
    # What can be guessed, and who is alone, has changed with the values.
    others = {check.code for check in failed if "model" not in check.params}
    assert others <= {
        *("alone_on_all", "guessed", "guessed_baseline"),
        *("one_more_average", "one_more_highest"),
        *("guessed_by_others", "guessed_uniform"),
    }


def test_closeness_with_suppressed_records_is_said_to_be_unmeasured(classes, tmp_path):
    models = (K, {"kind": "equal_t_closeness", "attribute": SENSITIVE, "t": 0.4})
    done, _ = released(classes, tmp_path, models, 0.05)
    assert done.measured.n_suppressed > 0
    reasons = done.written.verification.reasons
    assert reasons["equal_t_closeness of occupation"] == "suppressed_values"
    # PRIVACY: what the input's values are is not told.
    text = (done.folder / "evidence.json").read_text(encoding="utf-8")
    assert not any(value in text for value in ("Tech-support", "Armed-Forces"))


def test_a_model_of_the_whole_release(classes, tmp_path):
    models = (
        K,
        {"kind": "distinct_l_diversity", "attribute": SENSITIVE, "diversity": 3},
        {"kind": "records_at_risk", "threshold": 0.1, "share": 0.01},
    )
    done, values = released(classes, tmp_path, models, 0.05)
    sizes = [each.total() for each in values.values()]
    assert sum(size for size in sizes if size < 10) <= 0.01 * sum(sizes)
    assert done.written.verification.ok
    # For what the search is a proof is stated, and checked.
    evidence = done.written.evidence
    assert evidence.search.is_optimum
    assert "equally small equivalence classes" in evidence.search.proven_for
    report = (done.folder / "report.html").read_text(encoding="utf-8")
    assert "Suppressing others of them could lose less." in report
    for words in ("", "This holds for every choice."):
        search = evidence.search.model_copy(update={"proven_for": words})
        changed = evidence.model_copy(update={"search": search})
        failed = [each.code for each in check_words(changed) if not each.ok]
        assert failed == ["proven_for"]


def test_local_recoding_with_diversity(classes, tmp_path):
    models = (
        K,
        {"kind": "distinct_l_diversity", "attribute": SENSITIVE, "diversity": 5},
    )
    done, values = released(
        classes, tmp_path, models, 0.01, search={"local_recoding": True}
    )
    assert done.measured.chosen_policy.kind == "local_recoding"
    assert min(map(len, values.values())) >= 5
    assert min(each.total() for each in values.values()) >= 5
    assert done.measured.n_suppressed <= 301
    assert done.written.verification.ok
