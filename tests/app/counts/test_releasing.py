"""A release of tables of counts: whole, verified, and silent about true counts."""

import json
import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from deidgui import resources
from deidgui.app.commands.describe import describe_verification
from deidgui.app.counts.earlier import EarlierOpenError, question_about
from deidgui.app.counts.fuzzing import audited_facts
from deidgui.app.counts.releasing import (
    CountsOrder,
    digests_of,
    prepare_counts,
    write_counts,
)
from deidgui.app.counts.tables import tables_of
from deidgui.app.project import Answer
from deidgui.app.release.signing import make_key, sign_release
from deidgui.app.release.verifying import verify
from deidgui.app.report import counts, pdf
from deidgui.engine.counts.noise.rules import (
    DiscreteGaussian,
    RoundedGaussian,
    SasCompatible,
)
from deidgui.engine.counts.tables.proposing import proposed_structure
from deidgui.engine.evidence.counts_document import AuditFacts, CountsInput
from deidgui.engine.evidence.document import canonical_json
from deidgui.errors import ConfigError, DeidError, VerificationError
from tests.app.counts.test_counts_project import project_of
from tests.engine.counts.seed import TABLE_1, TABLE_2, pasted
from tests.engine.counts.test_fuzzing import SHARES, TRUE
from tests.json_schema import errors

RULES = {
    "keyed": RoundedGaussian(2.5, 11, "noise", "keyed"),
    "fresh": RoundedGaussian(2.5, 11, "noise", "fresh", "", 7, 30),
    "kept": RoundedGaussian(1.33, 11, "kept", "keyed", "2024-Q1"),
    "exact": DiscreteGaussian(2.5, 11, 3, 1e-6),
    "sas": SasCompatible(2.5, 11),
}


SCHEMA = json.loads(
    resources.path("schema", "counts-evidence.schema.json").read_text("utf-8")
)


def evidence_in(folder):
    return json.loads((folder / "evidence.json").read_text("utf-8"))


def order_of(*tables, rule=RULES["keyed"], **others):
    return CountsOrder(
        tables=tables,
        relations=proposed_structure(tables).relations,
        rule=rule,
        inputs=tuple(CountsInput(name=each.name) for each in tables),
        title="Counts",
        **others,
    )


def released(folder, order):
    return write_counts(folder, prepare_counts(order))


def said_beside(order, *folders):
    """An order with a reason for each earlier release."""
    answers = tuple(
        Answer(column=e.column, kind=e.kind, because="Same readers.", about=e.about)
        for e in (
            question_about(each, order.inputs, order.rule, digests_of(order.tables))
            for each in folders
        )
    )
    return replace(order, answers=answers)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("counts") / "release"
    return released(folder, order_of(pasted(TRUE, "characteristics")))


def test_a_pdf_of_counts_has_a_glyph_for_every_letter(tmp_path):
    """A box stood where sigma should."""
    made = released(tmp_path / "out", order_of(pasted(TRUE, "a"), rule=RULES["exact"]))
    fonts = pdf.Fonts()
    stated = str(counts.report_of(made.evidence))
    assert "σ" in stated
    words = fonts.known(stated)
    assert not fonts.lacks
    assert "noise with sigma = 2.5" in words
    assert "rho-zero-concentrated" in words
    # Letters of a word stay letters.
    assert "alpha" not in fonts.known("Πάτρα")


@pytest.mark.parametrize("kind", RULES)
def test_a_release_by_every_rule_is_verified(tmp_path, kind):
    tables = pasted(TRUE, "characteristics"), pasted(SHARES, "shares")
    made = released(tmp_path / "out", order_of(*tables, rule=RULES[kind]))
    assert made.verification.ok
    assert sorted(each.name for each in made.folder.iterdir()) == [
        "characteristics_released.csv",
        "evidence.json",
        "report.html",
        "report.pdf",
        "shares_released.csv",
        "uncertainty.csv",
    ]
    again = verify(made.folder)
    assert again.ok
    assert not again.reasons
    assert not list(errors(SCHEMA, evidence_in(made.folder)))
    described = describe_verification(made.folder, again)
    assert described["ok"]
    assert all(each["words"].endswith(".") for each in described["checks"])


def test_masked_tables_are_released_without_noise(tmp_path):
    facts = {"exact": 1, "tight": 0, "narrowed": 0, "protected": 0, "because": "Known."}
    audit = AuditFacts(threshold=11, width=3, **facts)
    order = order_of(pasted(TABLE_1), rule=None, audit=audit)
    made = released(tmp_path / "out", order)
    assert made.verification.ok
    text = (made.folder / "pasted_released.csv").read_text("utf-8")
    assert "T,98" in text
    assert not (made.folder / "uncertainty.csv").exists()
    assert any("inferred exactly" in each for each in made.evidence.warnings)

    def unreasoned(_folder, stated):
        stated["audit"]["because"] = ""

    def higher(_folder, stated):
        stated["audit"]["threshold"] = 99

    def other(folder, _stated):
        swap("pasted_released.csv", "100,000", "100,001")(folder, _stated)

    for number, (change, code) in enumerate(
        [
            (unreasoned, "inferable_reasoned"),
            (higher, "no_small_counts"),
            (other, "sums_agree"),
        ]
    ):
        place = tmp_path / str(number)
        place.mkdir()
        assert code in changed(made.folder, place, change)


DISAGREEING = """\
Characteristic,N
Overall,100
By Sex:,
F,60
M,50
X,T
By Age:,
18-24,T
25-35,T
36+,90
"""


def test_counts_of_sums_that_do_not_agree_are_never_called_protected(tmp_path):
    project, files = project_of(DISAGREEING.replace(",", "\t"), threshold=11)
    counts = project.counts.but(release="masked", mask_zero=False)
    tables = tables_of(project, files)
    with pytest.raises(ConfigError) as caught:
        audited_facts(counts, tables)
    assert caught.value.code == "counts_inconsistent"
    assert caught.value.params == {"n": 1}
    counts = counts.but(inferable_because="The source is wrong.")
    facts = audited_facts(counts, tables)
    assert (facts.exact, facts.narrowed, facts.protected) == (0, 2, 0)
    assert facts.inconsistent == ((0, 5, 1),)
    assert [each.words for each in facts.left_out] == [
        "F + M + X = Overall [By Sex, N]"
    ]
    made = released(tmp_path / "out", order_of(*tables, rule=None, audit=facts))
    assert made.verification.ok
    assert not list(errors(SCHEMA, evidence_in(made.folder)))
    assert any("do not agree" in each for each in made.evidence.warnings)
    report = (made.folder / "report.html").read_text("utf-8")
    assert "F + M + X = Overall" in report
    assert all("M" not in each.words for each in made.evidence.equations)

    def unsaid(_folder, stated):
        stated["audit"]["left_out"] = []

    def another(_folder, stated):
        stated["audit"]["inconsistent"] = [[0, 4, 1]]

    for number, change in enumerate((unsaid, another)):
        place = tmp_path / str(number)
        place.mkdir()
        assert "left_out_stated" in changed(made.folder, place, change)


def test_the_layout_is_that_of_the_table(finished):
    lines = (finished.folder / "characteristics_released.csv").read_text("utf-8")
    rows = [line.split(",")[0] for line in lines.splitlines()]
    assert rows == [line.split("\t")[0] for line in TRUE.splitlines()]


def true_texts(folder):
    """Everything in a release, as text."""
    return {
        each.name: each.read_bytes().decode("utf-8", "replace")
        for each in folder.iterdir()
        if each.suffix != ".pdf"
    }


def test_nothing_tells_true_counts_or_noise(tmp_path):
    """Not even a hash: few counts with known noise are found by trying."""
    true = [str(1_234_567 + 1_020_304 * place) for place in range(8)]
    rows = (f"Group {place}\t{n}" for place, n in enumerate(true))
    table = pasted("\n".join(("Group\tN", *rows, "")))
    key_file = tmp_path / "noise.key"
    made = released(
        tmp_path / "out",
        order_of(table, key_file=key_file, sha256=("ab" * 32,)),
    )
    secret = json.loads(key_file.read_text())["secret"]
    noisy = made.verification
    assert noisy.ok
    shown = "".join(true_texts(made.folder).values())
    assert secret not in shown
    assert "ab" * 32 not in shown
    told = [each for each in true if each in shown]
    # Noise is 0 in one count of six: in all eight never.
    assert len(told) < len(true)
    evidence = (made.folder / "evidence.json").read_text("utf-8")
    assert not any(each in evidence for each in true)


def test_true_zeros_are_kept_apart(tmp_path):
    zeros = tmp_path / "zeros.json"
    order = order_of(pasted(TRUE), rule=RULES["kept"], zeros_file=zeros)
    made = released(tmp_path / "out", order)
    kept = json.loads(zeros.read_text())
    assert len(kept["zeros"]) == 5
    assert kept["release"]["sha256"] == [e.sha256 for e in made.evidence.outputs]
    if os.name == "posix":
        assert stat.S_IMODE(zeros.stat().st_mode) == 0o600
    # A true zero has the uncertainty of all others in what is released.
    lines = (made.folder / "uncertainty.csv").read_text("utf-8").splitlines()[1:]
    assert len({line.split(",")[-4] for line in lines}) == 1


def test_a_kept_key_repeats_the_noise_and_a_destroyed_one_does_not(tmp_path):
    key_file = tmp_path / "noise.key"
    order = order_of(pasted(TRUE), key_file=key_file)
    one = released(tmp_path / "one", order)
    if os.name == "posix":
        assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    other = released(tmp_path / "two", order)
    assert (
        true_texts(one.folder)["uncertainty.csv"]
        == (true_texts(other.folder)["uncertainty.csv"])
    )
    assert one.evidence.noise.key == "kept_apart"
    order = said_beside(order_of(pasted(TRUE)), one.folder, other.folder)
    third = released(tmp_path / "three", order)
    assert third.evidence.noise.key == "destroyed"
    assert any("destroyed" in each for each in third.evidence.warnings)
    assert (
        true_texts(third.folder)["uncertainty.csv"]
        != (true_texts(one.folder)["uncertainty.csv"])
    )


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_key_that_others_may_read_is_refused(tmp_path):
    key_file = tmp_path / "noise.key"
    released(tmp_path / "one", order_of(pasted(TRUE), key_file=key_file))
    key_file.chmod(0o644)
    with pytest.raises(ConfigError) as caught:
        prepare_counts(order_of(pasted(TRUE), key_file=key_file))
    assert caught.value.code == "key_readable"


def test_a_file_that_is_no_key_is_refused(tmp_path):
    other = tmp_path / "other.key"
    other.write_text("{}")
    other.chmod(0o600)
    with pytest.raises(DeidError) as caught:
        prepare_counts(order_of(pasted(TRUE), key_file=other))
    assert caught.value.code == "not_a_key"
    assert other.read_text() == "{}"


def test_a_key_inside_the_release_is_refused(tmp_path):
    out = tmp_path / "out"
    order = order_of(pasted(TRUE), key_file=out / "noise.key")
    with pytest.raises(ConfigError) as caught:
        released(out, order)
    assert caught.value.code == "key_inside_release"
    assert not out.exists()


def test_what_was_prepared_is_what_is_released(tmp_path):
    prepared = prepare_counts(order_of(pasted(TRUE), rule=RULES["fresh"]))
    made = write_counts(tmp_path / "out", prepared)
    shown = [",".join(row) for row in prepared.tables[0].grid]
    text = (made.folder / "pasted_released.csv").read_text("utf-8")
    assert [line.replace('"', "") for line in text.splitlines()] == shown


# -- beside an earlier release ---------------------------------------------------------


def masked_order(text, n_exact):
    facts = {"exact": n_exact, "tight": 0, "narrowed": 0, "protected": 0}
    audit = AuditFacts(threshold=11, width=3, because="Known.", **facts)
    return order_of(pasted(text), rule=None, audit=audit)


@pytest.mark.parametrize(
    ("first", "then", "words"),
    [
        ("noise", "noise", "can average them"),
        ("masked", "noise", "noisy counts of what is masked"),
        ("noise", "masked", "noisy counts of what is masked"),
    ],
)
def test_a_second_release_of_the_same_counts_needs_a_reason(
    tmp_path, first, then, words
):
    kinds = {"noise": order_of(pasted(TABLE_1)), "masked": masked_order(TABLE_1, 1)}
    one = released(tmp_path / "one", kinds[first])
    assert not one.evidence.questions
    order = kinds[then]
    with pytest.raises(EarlierOpenError) as caught:
        released(tmp_path / "two", order)
    assert words in caught.value.question.words
    assert not (tmp_path / "two").exists()
    made = released(tmp_path / "two", said_beside(order, one.folder))
    (stated,) = made.evidence.questions
    assert (stated.kind, stated.because) == ("earlier", "Same readers.")
    assert any(words in each for each in made.evidence.warnings)
    assert verify(made.folder).ok
    # A third one is asked about the second, which nobody has answered about.
    if then == "noise":
        with pytest.raises(EarlierOpenError):
            released(tmp_path / "three", said_beside(order, one.folder))


def test_an_earlier_release_is_found_where_a_person_says_and_by_its_file(tmp_path):
    order = order_of(pasted(TRUE, "old"))
    given = (CountsInput(name="old", file="t.csv"),)
    released(tmp_path / "a" / "one", replace(order, inputs=given))
    now = order_of(pasted(TRUE, "new"))
    now = replace(now, inputs=(CountsInput(name="new", file="t.csv"),))
    out = tmp_path / "b" / "two"
    with pytest.raises(EarlierOpenError):
        write_counts(out, prepare_counts(now), places=[tmp_path / "a"])
    # Other tables are no earlier release of these.
    other = order_of(pasted(TRUE, "other"))
    assert write_counts(out, prepare_counts(other), places=[tmp_path / "a"])


def test_the_same_masked_tables_tell_nothing_more(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    order = masked_order(TABLE_1, 1)
    released(tmp_path / "one", order)
    assert not released(tmp_path / "two", order).evidence.questions
    other = masked_order(TABLE_2, 4)
    with pytest.raises(EarlierOpenError) as caught:
        released(tmp_path / "three", other)
    assert "the other may show" in caught.value.question.words


# -- whole or not at all ---------------------------------------------------------------


def test_an_older_release_of_the_same_project_is_replaced(tmp_path):
    out = tmp_path / "out"
    released(out, order_of(pasted(TRUE)))
    before = (out / "uncertainty.csv").read_bytes()
    released(out, said_beside(order_of(pasted(TRUE)), out))
    assert (out / "uncertainty.csv").read_bytes() != before
    assert verify(out).ok


def test_what_is_no_older_release_is_not_replaced(tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    with pytest.raises(ConfigError) as caught:
        released(out, order_of(pasted(TRUE)))
    assert caught.value.code == "folder_in_use"
    (out / "mine.txt").unlink()
    released(out, order_of(pasted(TRUE)))
    with pytest.raises(ConfigError) as caught:
        released(out, order_of(pasted(TRUE, "other")))
    assert caught.value.code == "folder_other_project"
    with (out / "uncertainty.csv").open("a") as file:
        file.write("\n")
    with pytest.raises(ConfigError) as caught:
        released(out, order_of(pasted(TRUE)))
    assert caught.value.code == "folder_damaged"


def test_a_release_that_fails_leaves_nothing(tmp_path, monkeypatch):
    from deidgui.app.release import writing

    def broken(*_args, **_more):
        raise VerificationError("release_not_verified", folder="out", failed=())

    monkeypatch.setattr(writing, "refuse_unverified", broken)
    key_file = tmp_path / "noise.key"
    with pytest.raises(VerificationError):
        released(tmp_path / "out", order_of(pasted(TRUE), key_file=key_file))
    assert list(tmp_path.iterdir()) == []


def test_a_release_can_be_signed(finished, tmp_path):
    keys = tmp_path / "keys"
    keys.mkdir()
    make_key(keys / "site.key")
    sign_release(finished.folder, keys / "site.key")
    found = verify(finished.folder)
    assert found.ok
    assert found.signature is not None
    (finished.folder / "signature.json").unlink()


# -- what verification notices ---------------------------------------------------------


def changed(folder: Path, tmp_path: Path, change) -> list[str]:
    """Codes that fail after a change that keeps hashes and reports consistent."""
    copy = tmp_path / "copy"
    copy.mkdir()
    for each in folder.iterdir():
        (copy / each.name).write_bytes(each.read_bytes())
    stated = json.loads((copy / "evidence.json").read_text("utf-8"))
    change(copy, stated)
    from hashlib import sha256

    for each in (*stated["outputs"], *stated["files"]):
        content = (copy / each["path"]).read_bytes()
        each["bytes"] = len(content)
        each["sha256"] = sha256(content).hexdigest()
    (copy / "evidence.json").write_bytes(canonical_json(stated))
    return [each.code for each in verify(copy).failed]


def refused(folder, tmp_path, change):
    """Codes that fail, or that of the error."""
    try:
        return changed(folder, tmp_path, change)
    except DeidError as error:
        problems = getattr(error, "problems", (error,))
        return [each.code for each in problems]


def swap(name, old, new, count=1):
    def change(folder, _stated):
        text = (folder / name).read_text("utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new, count), "utf-8")

    return change


def test_an_unchanged_copy_is_verified(finished, tmp_path):
    assert changed(finished.folder, tmp_path, lambda *_: None) == []


def test_a_changed_count_is_noticed(finished, tmp_path):
    first = (finished.folder / "uncertainty.csv").read_text("utf-8").splitlines()[1]
    count = int(first.split(",")[5])
    path = "characteristics_released.csv"
    change = swap(path, f"Overall (N),{count}", f"Overall (N),{count + 1}")
    assert "counts_as_stated" in changed(finished.folder, tmp_path, change)


@pytest.mark.parametrize(
    ("place", "value", "code"),
    [
        (("noise", "standard_deviation"), 2.0, "noise_spread"),
        (("noise", "mean"), 0.5, "noise_spread"),
        (("noise", "sigma"), 3.0, "noise_spread"),
        (("noise", "kind"), "other", "noise_known"),
        (("noise", "words"), ["Nothing was done."], "noise_words"),
        (("redundancy", "weakened"), 3, "redundancy_counted"),
        (("redundancy", "least"), 2.5, "redundancy_counted"),
        (("redundancy",), None, "redundancy_stated"),
        (("equations",), [], "effective_as_stated"),
        (("warnings",), [], "warnings"),
        (("assumptions",), [], "assumptions"),
        (("outputs", 0, "negative"), 17, "negative_as_stated"),
        (("outputs", 0, "counts"), 17, "counts_as_stated"),
        (("outputs", 0, "rows"), 3, "counts_shape"),
    ],
)
def test_a_changed_statement_is_noticed(finished, tmp_path, place, value, code):
    def change(_folder, stated):
        part = stated
        for each in place[:-1]:
            part = part[each]
        part[place[-1]] = value

    assert code in changed(finished.folder, tmp_path, change)


@pytest.mark.parametrize(
    "line",
    [
        "1,2,2,a,b,1,nan,0,0,nan",
        "1,2,2,a,b,1,2.5,0,0,inf",
        f"1,2,2,a,b,{10**400},2.5,0,0,2.5",
        f"1,2,2,a,b,{'9' * 5000},2.5,0,0,2.5",
        "1,2,2,a,b,1.5,2.5,0,0,2.5",
        "1,2",
        "-5,9999999999999999999999,2,a,b,1,2.5,0,0,2.5",
    ],
)
def test_hostile_uncertainties_are_refused(finished, tmp_path, line):
    header = (finished.folder / "uncertainty.csv").read_text("utf-8").splitlines()[0]

    def change(folder, _stated):
        (folder / "uncertainty.csv").write_text(f"{header}\n{line}\n", "utf-8")

    assert refused(finished.folder, tmp_path, change)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("noise", "sigma"), 1e-300),
        (("noise", "sigma"), 1e12),
        (("noise", "standard_deviation"), 0.0),
        (("noise", "counts_per_person"), 10**400),
        (("noise", "delta"), 5e-324),
        (("noise", "delta"), None),
    ],
)
def test_hostile_statements_are_refused(tmp_path, place, value):
    made = released(tmp_path / "out", order_of(pasted(TRUE), rule=RULES["exact"]))

    def change(_folder, stated):
        stated[place[0]][place[1]] = value

    codes = refused(made.folder, tmp_path, change)
    assert {"guarantee_as_stated", "evidence_field"} & set(codes)


def test_a_wrong_guarantee_is_noticed(tmp_path):
    made = released(tmp_path / "out", order_of(pasted(TRUE), rule=RULES["exact"]))

    def change(_folder, stated):
        stated["noise"]["epsilon"] /= 2

    assert "guarantee_as_stated" in changed(made.folder, tmp_path, change)


def test_tables_without_noise_are_noticed(tmp_path, monkeypatch):
    """Sums that all agree: the noise is missing."""
    tables = [
        pasted(f"Group\tN\nTotal\t{50 + 2 * n}\nA\t{30 + n}\nB\t{20 + n}\n", f"t{n}")
        for n in range(20)
    ]
    rule = RULES["fresh"]
    monkeypatch.setattr(type(rule), "draw", lambda _self, counts, *_a, **_k: counts)
    with pytest.raises(VerificationError) as caught:
        released(tmp_path / "out", order_of(*tables, rule=rule))
    assert "noise_is_there" in caught.value.params["failed"]


def test_labels_that_a_spreadsheet_would_execute_are_harmless(tmp_path):
    table = pasted("Group\tN\n=1+1\t50\nOther\t60\n")
    made = released(tmp_path / "out", order_of(table))
    text = (made.folder / "pasted_released.csv").read_text("utf-8")
    assert "'=1+1" in text


def test_negative_counts_beside_percentages_are_read_back(tmp_path):
    rows = "".join(f"Group {n}\t0 (0.0%)\n" for n in range(40))
    table = pasted(f"Group\tN (%)\nTotal\t50 (100.0%)\nMost\t50 (100.0%)\n{rows}")
    made = released(tmp_path / "out", order_of(table))
    assert made.verification.ok
    assert made.evidence.outputs[0].negative > 0


def test_released_files_never_have_the_same_name(tmp_path):
    one, other = pasted(TRUE, "a/b"), pasted(TRUE, "a_b")
    made = released(tmp_path / "out", order_of(one, other))
    assert len({each.path for each in made.evidence.outputs}) == 2
    assert made.verification.ok


def test_the_tables_of_the_paper_are_released(tmp_path):
    order = order_of(pasted(TABLE_1, "one"), pasted(TABLE_2, "two"))
    made = released(tmp_path / "out", order)
    assert made.verification.ok
    assert sum(each.masked for each in made.evidence.outputs) == 5
    assert replace(order).tables == order.tables


def test_a_release_does_not_import_what_it_is_verified_by():
    """The verification of counts shares nothing with what makes them."""
    code = (
        "import sys, deidgui.engine.evidence.verify_counts;"
        "print([m for m in sys.modules if m.startswith('deidgui.engine.counts')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
