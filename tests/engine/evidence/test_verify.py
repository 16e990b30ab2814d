"""A release verifies; every change to it is found; hostile ones are refused."""

from __future__ import annotations

import csv
import dataclasses
import hashlib
import json
import os
import shutil
from collections import Counter
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deidgui.app.release.writing import write_release
from deidgui.engine.evidence.checks import attacker
from deidgui.engine.evidence.document import Model, canonical_json
from deidgui.engine.evidence.folder import ReleaseFolder
from deidgui.engine.evidence.verify import verify_release
from deidgui.engine.evidence.verify_mapping import read_mapping
from deidgui.engine.privacy import DistinctLDiversity, KAnonymity
from deidgui.errors import Cancelled, ConfigError, DeidError, InputError
from tests.release_case import dossier_of, make_order, released_keys


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release")
    write_release(folder / "out", make_order(folder))
    return folder / "out"


@pytest.fixture
def release(written, tmp_path):
    """A copy that a test may spoil."""
    return shutil.copytree(written, tmp_path / "copy")


def evidence_of(folder):
    return json.loads((folder / "evidence.json").read_bytes())


def state(folder, change):
    """Change the evidence by a function of its fields."""
    fields = evidence_of(folder)
    change(fields)
    (folder / "evidence.json").write_bytes(canonical_json(fields))


def reseal(folder):
    """Make sizes and hashes right again, as a clever forger would."""

    def change(fields):
        for each in [*fields["outputs"], *fields["files"]]:
            content = (folder / each["path"]).read_bytes()
            each["bytes"] = len(content)
            each["sha256"] = hashlib.sha256(content).hexdigest()

    state(folder, change)


def edit_rows(folder, change):
    """Change the released rows (header first) by a function, and reseal."""
    path = folder / evidence_of(folder)["outputs"][0]["path"]
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    rows = change(rows) or rows
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    reseal(folder)


def failed(folder):
    return {check.code for check in verify_release(folder).failed}


def test_untouched_release_verifies(release):
    found = verify_release(release)
    assert found.ok
    assert found.failed == ()
    entropies = {"monotone_entropy", "non_uniform_entropy", "normalized_entropy"}
    of_suppressed = {"monotone_discernibility"}
    assert set(found.unmeasured) == {"kl_divergence"} | entropies | of_suppressed
    assert found.to_json()["ok"] is True
    json.dumps(found.to_json(), allow_nan=False)


@pytest.mark.parametrize("suppressed", ["stars", "left_out"])
@pytest.mark.parametrize(
    "levels",
    [
        {"age": 0, "sex": 0, "zip": 2},
        {"age": 2, "sex": 1, "zip": 2},
        {"age": 1, "sex": 1, "zip": 0},
    ],
)
def test_other_policies_verify(tmp_path, levels, suppressed):
    order = make_order(tmp_path, levels, suppressed=suppressed, below=3)
    assert write_release(tmp_path / "out", order).verification.ok


@pytest.mark.parametrize("suppressed", ["stars", "left_out"])
def test_nothing_released_verifies(tmp_path, suppressed):
    order = make_order(tmp_path, suppressed=suppressed, below=10_000)
    made = write_release(tmp_path / "out", order)
    assert made.verification.ok
    assert made.evidence.suppressed_records == made.evidence.records
    assert made.evidence.outputs[0].rows == (400 if suppressed == "stars" else 0)


# -- files -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["patients_released.csv", "policy.json", "report.html", "report.pdf"]
)
def test_one_changed_byte_is_found(release, name):
    content = bytearray((release / name).read_bytes())
    content[len(content) // 2] ^= 1
    (release / name).write_bytes(bytes(content))
    assert failed(release) == {"file_hash"}


def test_report_that_nobody_vouches_for_is_found(release):
    def change(fields):
        fields["files"] = [f for f in fields["files"] if f["path"] != "report.pdf"]

    state(release, change)
    assert failed(release) == {"no_other_files", "files_vouched"}


def test_missing_longer_and_strange_files_are_found(release):
    (release / "mapping" / "sex.csv").unlink()
    with (release / "policy.json").open("ab") as file:
        file.write(b" ")
    (release / "mapping" / "names.csv").write_text("who", encoding="utf-8")
    assert failed(release) == {"file_present", "file_bytes", "no_other_files"}


def test_links_are_not_followed(release, tmp_path):
    path = release / "policy.json"
    shutil.move(path, tmp_path / "elsewhere.json")
    path.symlink_to(tmp_path / "elsewhere.json")
    assert "file_present" in failed(release)
    (release / "mapping" / "link").symlink_to(tmp_path)
    assert "no_other_files" in failed(release)


def test_policy_must_agree_with_the_evidence(release):
    policy = json.loads((release / "policy.json").read_bytes())
    policy["levels"]["age"] = 2
    (release / "policy.json").write_text(json.dumps(policy), encoding="utf-8")
    reseal(release)
    assert failed(release) == {"policy_agrees", "policy_form"}


# -- rows ------------------------------------------------------------------------------


def test_dropped_row_is_found(release):
    edit_rows(release, lambda rows: rows[:-1])
    assert {"rows", "rows_of_file"} <= failed(release)


def test_label_made_up_is_found(release):
    def change(rows):
        next(row for row in rows[1:] if row[1] != "*")[1] = "107"

    edit_rows(release, change)
    assert "labels_in_mapping" in failed(release)


def test_class_that_is_too_small_is_found(release):
    """One record moves to the other sex: some class loses or gains a member."""

    def change(rows):
        row = next(row for row in rows[1:] if row[2] == "F")
        row[2] = "M"

    edit_rows(release, change)
    assert {"distribution"} <= failed(release)


def test_suppressed_value_that_was_left_is_found(release):
    def change(rows):
        next(row for row in rows[1:] if set(row) == {"*"})[4] = "I10"

    edit_rows(release, change)
    assert {"suppressed", "suppress_rule"} <= failed(release)


def test_identifier_instead_of_code_is_found(release):
    def change(rows):
        rows[1][0] = "M00017"

    edit_rows(release, change)
    assert failed(release) == {"pseudonyms"}


def test_formula_is_found(release):
    def change(rows):
        rows[1][5] = "=HYPERLINK(1)"

    edit_rows(release, change)
    of_cells = {"alone_on_all", "one_more_average"}
    assert failed(release) == {"spreadsheet"} | of_cells


def test_column_added_is_found(release):
    edit_rows(release, lambda rows: [[*row, "x"] for row in rows])
    assert failed(release) == {"columns"}


OF_CODES = {"alone_on_all", "dossier_item", "dossier_complete"}
"""Nobody knows codes, and somebody keeps their key."""


def test_direct_identifier_declared_as_kept_is_found(release):
    def change(fields):
        fields["attributes"][0]["treatment"] = "kept"

    state(release, change)
    of_column = {"no_direct_identifiers", "attribute_fits"}
    assert failed(release) == of_column | (OF_CODES - {"alone_on_all"})


def test_mask_must_be_stars(release):
    def change(fields):
        fields["attributes"][0]["treatment"] = "mask"

    state(release, change)
    assert failed(release) == {"masked", "attribute_fits"} | OF_CODES


# -- figures ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "value", "code"),
    [
        (("suppressed_records",), 19, "suppressed"),
        (("records",), 399, "rows"),
        (("policy", "withhold_below"), 6, "policy_agrees"),
        (("risk", "prosecutor", "highest"), 0.1, "prosecutor_highest"),
        (("risk", "prosecutor", "average"), 0.0894, "prosecutor_average"),
        (("risk", "prosecutor", "records_at_risk"), 1, "prosecutor_records_at_risk"),
        (("risk", "prosecutor", "at_risk"), 0.1, "prosecutor_at_risk"),
        (("risk", "prosecutor", "highest"), None, "prosecutor_highest"),
        (("risk", "journalist", "average"), 0.01, "journalist_average"),
        (("risk", "journalist", "highest"), 0.01, "journalist_highest"),
        (("risk", "marketer", "average"), 0.01, "marketer_average"),
        (("risk", "classes"), 33, "classes"),
        (("risk", "smallest_class"), 6, "smallest_class"),
        (("risk", "uniques"), 1, "uniques"),
        (("risk", "records"), 400, "records_released"),
        (("models", 0, "satisfied"), False, "model"),
        (("models", 0, "k"), 6, "model"),
        (("quality", "loss", "value"), 0.1, "quality"),
        (("quality", "loss", "by_attribute", "age"), 0.1, "quality_of_attribute"),
        (("class_sizes", "after", 4, "records"), 1, "class_sizes"),
        (("class_sizes", "cumulative", -2, "after"), 0.0, "cumulative_risk"),
        (("distributions", "zip", "labels", 0, "released"), 1, "distribution"),
        (("attributes", 2, "leaves"), 100, "mapping_values"),
        (("attributes", 2, "level"), 2, "policy_agrees"),
        (("policy", "levels", "age"), 2, "policy_agrees"),
        (("attributes", 2, "mapping"), "mapping/none.csv", "mapping_vouched"),
    ],
)
def test_figure_that_is_not_true_is_found(release, place, value, code):
    def change(fields):
        *steps, last = place
        for step in steps:
            fields = fields[step]
        assert fields[last] != value
        fields[last] = value

    state(release, change)
    assert code in failed(release)


def test_attackers_of_the_methods_page():
    """O-F1 without a register: f = (1, 2, 3), n = 6; and 10 % samples by hand."""
    sizes = np.array([1, 2, 3])
    prosecutor = attacker(sizes, 1.0, 0.2)
    assert (prosecutor.highest, prosecutor.average) == (1.0, 0.5)
    assert (prosecutor.at_risk, prosecutor.records_at_risk) == (1.0, 6)
    journalist = attacker(sizes, 0.1, 0.05)
    # F = 10, 20, 30: highest 1/10; average 3 classes / 60 people; 1/20 is not above.
    assert journalist.highest == pytest.approx(0.1)
    assert journalist.average == pytest.approx(0.05)
    assert journalist.records_at_risk == 1


# -- hostile ---------------------------------------------------------------------------


def test_no_release(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("x", encoding="utf-8")
    for name in ("empty", "file", "absent"):
        with pytest.raises(InputError) as caught:
            verify_release(tmp_path / name)
        assert caught.value.code == "not_a_release"


@pytest.mark.parametrize(
    "path",
    [
        *("../patients.csv", "/etc/passwd", "mapping/../../x", "C:\\x", "a\\b", "a:b"),
        *("./x", "a//b", "a\0b", ""),
    ],
)
def test_paths_that_leave_the_release_are_refused(release, path):
    def change(fields):
        fields["outputs"][0]["path"] = path

    state(release, change)
    with pytest.raises(DeidError) as caught:
        verify_release(release)
    codes = ("path_leaves_release", "evidence_field", "several_problems")
    assert caught.value.code in codes


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "release_not_json"),
        (b"\xff\xfe", "release_not_json"),
        (b"[]", "release_not_json"),
        (b"{}", "not_evidence"),
        (b"[" * 100_000, "release_not_json"),
        (b'{"format": "deidgui-evidence", "version": NaN}', "release_not_json"),
        (b'{"format": "deidgui-evidence", "version": "1"}', "not_evidence"),
        (b'{"format": "deidgui-evidence", "version": 2}', "evidence_newer"),
        (b'{"format": "deidgui-project", "version": 1}', "not_evidence"),
    ],
)
def test_evidence_of_another_kind_is_refused(release, content, code):
    (release / "evidence.json").write_bytes(content)
    with pytest.raises(DeidError) as caught:
        verify_release(release)
    assert caught.value.code == code


def test_every_wrong_field_is_named_without_its_value(release):
    def change(fields):
        fields["records"] = "sentinel-4711"
        fields["risk"]["prosecutor"]["highest"] = 7
        fields["outputs"][0]["sha256"] = "sentinel-4711"
        fields["unknown"] = "sentinel-4711"

    state(release, change)
    with pytest.raises(ConfigError) as caught:
        verify_release(release)
    problems = caught.value.problems
    assert {each.params["field"] for each in problems} >= {
        "records",
        "risk.prosecutor.highest",
        "outputs.0.sha256",
        "unknown",
    }
    assert "sentinel" not in repr([repr(each) for each in problems])


def test_too_large_evidence_is_refused_unread(release):
    os.truncate(release / "evidence.json", 10**9)
    with pytest.raises(InputError) as caught:
        verify_release(release)
    assert caught.value.code == "release_file_too_large"


@pytest.mark.parametrize(
    "content",
    [
        b"value,label\n",
        b"a,b,c\n",
        b"value,label,values\n,x,-1\n",
        b"\xff",
        b'value,label,values\n"',
        b"value,label,values\n,x,1\xc2\xb2\n",
    ],
)
def test_malformed_mapping_is_refused(release, content):
    (release / "mapping" / "age.csv").write_bytes(content)
    reseal(release)
    with pytest.raises(InputError) as caught:
        verify_release(release)
    assert caught.value.code == "release_malformed"
    assert caught.value.params["file"] == "mapping/age.csv"


@pytest.mark.parametrize("found", [7, "x", {"a": 1}, [[]], [{"name": ["age"]}], None])
def test_a_policy_of_other_types_is_found_out(release, found):
    path = release / "policy.json"
    policy = json.loads(path.read_bytes())
    path.write_bytes(canonical_json({**policy, "attributes": found}))
    reseal(release)
    failed = {each.code for each in verify_release(release).checks if not each.ok}
    assert failed >= {"policy_attributes", "policy_fields"}


@pytest.mark.parametrize("line", [b"a,b\n", b'"x\n', b"\xff\n", b"\n"])
def test_malformed_table_is_refused(release, line):
    path = release / "patients_released.csv"
    path.write_bytes(path.read_bytes() + line)
    reseal(release)
    with pytest.raises(InputError) as caught:
        verify_release(release)
    assert caught.value.code == "release_malformed"


def test_cancel(release):
    class Stopper:
        def report(self, fraction, note=""):
            if fraction > 0.05:
                raise Cancelled

    with pytest.raises(Cancelled):
        verify_release(release, monitor=Stopper())


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=3,
)


@settings(
    max_examples=120,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.data())
def test_any_field_replaced_is_refused_or_measured(written, tmp_path, data):
    """Whatever stands in the evidence: a coded error or a verdict, never a crash."""
    folder = tmp_path / "spoilt"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(written, folder)

    def change(fields):
        while True:
            keys = list(fields) if isinstance(fields, dict) else range(len(fields))
            key = data.draw(st.sampled_from(list(keys)))
            inner = fields[key]
            if (
                not isinstance(inner, dict | list)
                or not inner
                or data.draw(st.booleans())
            ):
                fields[key] = data.draw(JSON)
                return
            fields = inner

    state(folder, change)
    with suppress(DeidError):
        assert verify_release(folder).checks


# -- models of sensitive values --------------------------------------------------------

DIVERSE = DistinctLDiversity("diagnosis", 3)


@pytest.fixture(scope="module")
def diverse(tmp_path_factory):
    folder = tmp_path_factory.mktemp("diverse")
    levels = {"age": 1, "sex": 0, "zip": 0}
    order = make_order(folder, levels, below=2, conditions=[DIVERSE])
    two = Model(**KAnonymity(2).to_json(), satisfied=True)
    figures = dataclasses.replace(
        order.figures,
        models=[two, *order.figures.models[1:]],
        overruled=(),
        dossier=dossier_of(order.project, ()),
    )
    write_release(folder / "out", dataclasses.replace(order, figures=figures))
    return folder / "out"


@pytest.fixture
def sensitive(diverse, tmp_path):
    return shutil.copytree(diverse, tmp_path / "copy")


def test_diversity_is_measured_from_the_files(sensitive):
    found = verify_release(sensitive)
    assert found.ok
    assert {"distinct_l_diversity"} <= {c.params.get("model") for c in found.checks}
    stated = evidence_of(sensitive)["policy"]
    assert stated["conditions"] == [DIVERSE.to_json()]
    assert len(stated["withheld_because"]) == 2
    # Some classes of two or more records are suppressed for their diagnoses alone.
    header, *rows = read_rows(sensitive)
    released = Counter(tuple(row[1:4]) for row in rows if set(row) != {"*"})
    by_size = make_order(sensitive.parent, stated["levels"], below=2)
    sizes = Counter(released_keys(by_size.table, by_size.policy))
    assert set(released) < {key for key, size in sizes.items() if size >= 2}
    assert header[4] == "diagnosis"


def read_rows(folder):
    path = folder / evidence_of(folder)["outputs"][0]["path"]
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def test_a_class_without_diversity_is_found(sensitive):
    def change(rows):
        first = next(row for row in rows[1:] if set(row) != {"*"})
        for row in rows[1:]:
            if row[1:4] == first[1:4]:
                row[4] = "I10"

    edit_rows(sensitive, change)
    of_values = {"alone_on_all", "one_more_average", "guessed"}
    of_values |= {"guessed_baseline", "guessed_by_others", "guessed_uniform"}
    assert failed(sensitive) == {"model"} | of_values


def test_a_condition_must_be_a_stated_model(sensitive):
    def change(fields):
        fields["models"] = fields["models"][:1]

    state(sensitive, change)
    assert failed(sensitive) == {"policy_agrees"}


def test_a_condition_must_be_that_of_the_policy(sensitive):
    def change(fields):
        fields["policy"]["conditions"][0]["diversity"] = 2
        fields["models"][1]["diversity"] = 2

    state(sensitive, change)
    assert failed(sensitive) == {"policy_agrees"}


def test_values_of_suppressed_records_leave_closeness_unmeasured(sensitive):
    def change(fields):
        model = {"kind": "equal_t_closeness", "attribute": "diagnosis", "t": 0.9}
        kind = model.pop("kind")
        stated = {"kind": kind, "satisfied": True, "words": "", **model}
        fields["models"].append(stated)

    state(sensitive, change)
    found = verify_release(sensitive)
    assert found.ok
    assert found.reasons["equal_t_closeness of diagnosis"] == "suppressed_values"


# -- several rounds --------------------------------------------------------------------


def mapped(folder, *lines):
    (folder / "evidence.json").write_text("{}", encoding="utf-8")
    text = "\n".join(["round,value,label,values", *lines, ""])
    (folder / "a.csv").write_text(text, encoding="utf-8")
    return read_mapping(ReleaseFolder(folder), "a.csv")


def test_each_round_maps_the_whole_hierarchy(tmp_path):
    lines = ["1,,3,1", "1,(not released),,2", "2,,30-39,2", "2,,3,1"]
    found = mapped(tmp_path, *lines)
    assert found.values == {"3": 1, "30-39": 2}
    assert (found.n_values, found.is_ambiguous) == (3, False)


def test_rounds_that_cover_different_hierarchies_are_found(tmp_path):
    assert mapped(tmp_path, "1,,a,3", "2,,b,2").n_values == -1


def test_a_label_of_two_meanings_is_said_to_be_ambiguous(tmp_path):
    assert mapped(tmp_path, "1,,X,1", "1,,y,1", "2,,X,2").is_ambiguous


@pytest.mark.parametrize("line", ["1,,a", "1,,a,b,2", "", "1,,a,-1"])
def test_malformed_rounds_are_refused(tmp_path, line):
    with pytest.raises(InputError) as caught:
        mapped(tmp_path, "1,,a,3", line)
    assert caught.value.code == "release_malformed"


def test_people_by_a_column_that_is_not_released(tmp_path):
    """It was a traceback."""
    folder = tmp_path / "r"
    write_release(folder, make_order(tmp_path))
    path = folder / "evidence.json"
    fields = json.loads(path.read_bytes())
    fields["unit"] = {"kind": "key", "column": "nowhere"}
    path.write_text(json.dumps(fields), encoding="utf-8")
    verification = verify_release(folder)
    assert "columns" in {check.code for check in verification.failed}
