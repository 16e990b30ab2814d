"""No value of the data leaves the table: not in any message, log, trace or file."""

from __future__ import annotations

import json
import logging
import os
import shutil
import tempfile
import traceback
from pathlib import Path

import pytest

from deidgui.app import ops
from deidgui.app.classes import build_classes
from deidgui.app.commands import headless
from deidgui.app.measuring.measuring import measure_project
from deidgui.app.policies.lattice.searching import search as search_policies
from deidgui.app.reading.reading import propose_project, read_input
from deidgui.app.recovery import Recovery
from deidgui.app.storage.project_io import dump_project, save_project
from deidgui.app.workspace import Workspace
from deidgui.cli.main import main
from deidgui.errors import Cancelled, DeidError
from deidgui.monitor import NULL_MONITOR
from tests.answers import answer_file
from tests.cli.case import BANDS, COLUMNS, Case, csv_of, rows
from tests.qt.fakes import InlineExecutor

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

WORD, NUMBER = "Zqxmaria", "918273645"
"""Sentinels that no program text contains; one person has them everywhere."""

KEPT = "Wvydecided"
"""A value of a column that the release keeps on purpose."""


def patients():
    """Patients; two of them have the sentinels in every column."""
    records = rows()
    # Every name and number begins differently, so that a search for a part of the
    # sentinel finds parts, too.
    records[17] = dict.fromkeys(records[17], WORD) | {"age": NUMBER, "diagnosis": KEPT}
    records[18] = dict.fromkeys(records[18], NUMBER) | {"sex": WORD, "diagnosis": KEPT}
    return records


def holds(content: str | bytes) -> bool:
    """Whether a text or the bytes of a file hold a sentinel, in any usual form."""
    if isinstance(content, str):
        content = content.encode("utf-8", "surrogatepass")
    lower = content.lower()
    forms = []
    for sentinel in (WORD, NUMBER, "918,273,645", "918 273 645", "9.18273645e"):
        text = sentinel.lower()
        forms += [text.encode(), text.encode("utf-16-le"), text[::-1].encode()]
    return any(form in lower for form in forms)


class Ears:
    """Everything that a run tells anybody, but the files of the release."""

    def __init__(self, root: Path, capsys, caplog):
        self.root, self._capsys, self._caplog = root, capsys, caplog
        self.errors: list[BaseException] = []
        self.allowed: set[Path] = set()

    def check(self) -> None:
        """Assert that no sentinel was told; forgets what was heard."""
        captured = self._capsys.readouterr()
        assert not holds(captured.out), captured.out
        assert not holds(captured.err), captured.err
        for record in self._caplog.records:
            told = logging.Formatter().format(record)
            assert not holds(told), told
            assert not holds(repr(record.__dict__))
        for error in self.errors:
            for text in told_by(error):
                assert not holds(text), text
        found = [path for path in self._files() if holds(path.read_bytes())]
        assert not found, found
        names = [str(path) for path in self.root.rglob("*")]
        assert not any(map(holds, names)), names

    def _files(self):
        return (
            path
            for path in self.root.rglob("*")
            if path.is_file() and path not in self.allowed
        )


def told_by(error: BaseException) -> list[str]:
    """What can be read from an exception, as a log or a crash file would."""
    texts = ["".join(traceback.format_exception(error))]
    each: BaseException | None = error
    while each is not None:
        texts += [repr(each), str(each), repr(each.args), repr(vars(each))]
        texts += getattr(each, "__notes__", [])
        each = each.__cause__ or (
            None if each.__suppress_context__ else each.__context__
        )
    return texts


@pytest.fixture
def case(tmp_path, monkeypatch):
    """The table with sentinels, its project; home and temporary folder beside it."""
    folder = tmp_path / "work"
    folder.mkdir()
    made = Case.write(folder, patients())
    made.change_attribute("age", minimum_level=1, hierarchy=BANDS)
    made.change_attribute("zip", minimum_level=1)
    for name in ("home", "temporary"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("DEIDGUI_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.chdir(folder)
    return made


@pytest.fixture
def ears(tmp_path, case, capsys, caplog):
    caplog.set_level(logging.DEBUG)
    heard = Ears(tmp_path, capsys, caplog)
    heard.allowed.add(case.data)
    return heard


# -- ways to fail ----------------------------------------------------------------------


def wrong_delimiter(case, _patch):
    dialect(case, delimiter=";")


def wrong_quote(case, _patch):
    case.data.write_text(case.data.read_text().replace(WORD, f"'{WORD}", 1))
    dialect(case, quote="'")


def no_header(case, _patch):
    case.data.write_text("".join(case.data.read_text().splitlines(True)[18:]))


def wrong_encoding(case, _patch):
    case.data.write_bytes(
        case.data.read_bytes().replace(WORD.encode(), b"Zqxmaria\xff")
    )
    dialect(case, encoding="utf-8")


def utf16(case, _patch):
    dialect(case, encoding="utf-16")


def unknown_encoding(case, _patch):
    dialect(case, encoding="klingon")


def too_many_cells(case, _patch):
    case.data.write_text(case.data.read_text().replace(WORD, f"{WORD},{WORD}", 1))


def open_quote(case, _patch):
    case.data.write_text(case.data.read_text().replace(WORD, f'"{WORD}', 1))
    dialect(case, quote='"')


def text_after_quote(case, _patch):
    case.data.write_text(case.data.read_text().replace(WORD, f'"{WORD}"{WORD}', 1))
    dialect(case, quote='"')


def nul_byte(case, _patch):
    case.data.write_text(case.data.read_text().replace(WORD, f"{WORD}\0", 1))


def endless_line(case, _patch):
    case.data.write_text(case.data.read_text() + f"{WORD}" * 20_000)


def dialect(case, **fields):
    case.change(inputs=[{"file": "patients.csv", "dialect": fields}])


def gaps(case, _patch):
    hierarchy(case, "sex", "F;*\nM;*\n")


def hierarchy_twice(case, _patch):
    hierarchy(case, "sex", f"F;a;*\n{WORD};a;*\n{WORD};b;*\nM;b;*\n")


def hierarchy_not_nested(case, _patch):
    hierarchy(case, "sex", f"F;{WORD};a\nM;{WORD};b\n{WORD};{WORD};b\n")


def hierarchy_ragged(case, _patch):
    hierarchy(case, "sex", f"F;a;*\n{WORD};*\nM;a;*\n")


def hierarchy_flat(case, _patch):
    hierarchy(case, "sex", f"F\nM\n{WORD}\n")


def hierarchy_quote(case, _patch):
    hierarchy(case, "sex", f'F;*\n"{WORD};*\nM;*\n')


def hierarchy_not_text(case, _patch):
    hierarchy(case, "sex", "F;*\n")
    path = case.folder / "h.csv"
    path.write_bytes(path.read_bytes() + f"{WORD};\xff\xfe\0".encode("latin-1"))


def hierarchy(case, name, content):
    (case.folder / "h.csv").write_text(content)
    case.change_attribute(name, hierarchy={"csv": "h.csv"})


def rule_cannot_read(case, _patch):
    case.change_attribute("sex", hierarchy=BANDS)


def dates_of_text(case, _patch):
    rule = {"rule": {"kind": "dates", "format": "YYYY-MM-DD"}}
    case.change_attribute("name", role="quasi_identifier", treatment=None)
    case.change_attribute("name", hierarchy=rule, kind="date", format="YYYY-MM-DD")


def infeasible(case, _patch):
    case.change_attribute("sex", maximum_level=0)
    models = [{"kind": "k_anonymity", "k": 200}]
    case.change(privacy={"models": models, "suppression_limit": 0.0})


def chosen_too_fine(case, _patch):
    case.change_attribute("age", minimum_level=None)
    levels = {"age": 0, "sex": 0, "zip": 0}
    case.change(chosen={"levels": levels, "withhold_below": 1})


def columns_changed(case, _patch):
    case.data.write_text(csv_of([{**row, "new": WORD} for row in patients()]))


def changed_data(case, _patch):
    case.change(inputs=[{"file": "patients.csv", "sha256": "0" * 64}])


def disk_full(_case, patch):
    def full(_descriptor):
        raise OSError(28, "No space left on device", WORD)

    patch.setattr(os, "fsync", full)


def not_verified(_case, patch):
    from deidgui.engine.transform import released

    write = released.write_csv

    def other(released, file, **options):
        written = write(released, file, **options)
        file.write(f"{WORD},{NUMBER},{WORD},1,2\n".encode())
        return written

    patch.setattr("deidgui.app.release.writing.write_csv", other)


def out_of_memory(_case, patch):
    def fail(*_arguments, **_options):
        raise MemoryError(WORD)

    patch.setattr("deidgui.engine.data.class_table.group_keys", fail, raising=False)
    patch.setattr("deidgui.app.classes.build_class_table", fail)


def bug_at(place):
    def provoke(_case, patch):
        def fail(*_arguments, **_options):
            value = f"{WORD} {NUMBER}"
            try:
                raise KeyError(value)
            except KeyError as inner:
                error = ValueError(f"cannot convert {value}")
                error.add_note(value)
                raise error from inner

        patch.setattr(place, fail)

    provoke.__name__ = f"bug in {place.rsplit('.', 1)[-1]}"
    return provoke


READING = [
    *(wrong_delimiter, wrong_quote, no_header, wrong_encoding, utf16),
    *(unknown_encoding, too_many_cells, open_quote, text_after_quote, nul_byte),
    *(endless_line, columns_changed, changed_data),
    *(bug_at("deidgui.app.reading.reading.read_csv"),),
]
GROUPING = [
    *(gaps, hierarchy_twice, hierarchy_not_nested, hierarchy_ragged, hierarchy_flat),
    *(hierarchy_quote, hierarchy_not_text, rule_cannot_read, dates_of_text),
    *(infeasible, out_of_memory),
    bug_at("deidgui.app.classes.build_class_table"),
    bug_at("deidgui.app.policies.lattice.searching.search_lattice"),
]
WRITING = [
    # A search asks nothing that was decided; the questions before a release do.
    bug_at("deidgui.app.reading.reading.guess_type"),
    *(chosen_too_fine, disk_full, not_verified),
    bug_at("deidgui.app.release.writing.apply_policy"),
    bug_at("deidgui.app.report.report_pdf"),
    bug_at("deidgui.app.release.verifying.verify_release"),
]


ALL = [*READING, *GROUPING, *WRITING]


def named(provoke):
    return provoke.__name__


def is_bug(provoke):
    """Whether the exception is not ours, so that it may hold anything."""
    return provoke.__name__.startswith("bug") or provoke is out_of_memory


def may_be_data(case, ears, provoke):
    """Hierarchies by hand hold values by their nature; they are the user's own."""
    ears.allowed.add(case.folder / "h.csv")
    if provoke is no_header:
        # Whoever calls a record the header makes names of its values. The program
        # cannot know; it says nothing but how many columns differ.
        assert WORD in case.data.read_text()


# -- the command line ------------------------------------------------------------------


@pytest.mark.parametrize("provoke", ALL, ids=named)
@pytest.mark.parametrize("command", ["run", "search"])
def test_no_failing_command_tells_a_value(case, ears, monkeypatch, provoke, command):
    provoke(case, monkeypatch)
    may_be_data(case, ears, provoke)
    out = ["--out", str(case.out)] if command == "run" else []
    code = main([command, str(case.project), *out])
    if not (command == "search" and provoke in WRITING):
        assert code in (2, 3, 4)
        assert not case.out.exists()
    ears.check()


@pytest.mark.parametrize(
    "provoke", [each for each in ALL if not is_bug(each)], ids=named
)
def test_no_exception_holds_a_value(case, ears, monkeypatch, provoke):
    provoke(case, monkeypatch)
    may_be_data(case, ears, provoke)
    with pytest.raises(DeidError) as caught:
        headless.run(case.project, case.out, {})
    ears.errors.append(caught.value)
    ears.check()


def test_no_cancelled_run_leaves_a_value(case, ears):
    class Stop:
        def __init__(self, at):
            self.left = at

        def report(self, fraction, note=""):
            assert not holds(note)
            self.left -= 1
            if self.left < 0:
                raise Cancelled

    n_stops = 0
    for at in range(0, 400, 7):
        try:
            headless.run(case.project, case.out, {}, monitor=Stop(at))
        except Cancelled as error:
            n_stops += 1
            ears.errors.append(error)
            assert not case.out.exists()
            ears.check()
        else:
            break
    assert n_stops > 3


# -- what is written on purpose --------------------------------------------------------


def test_a_release_tells_only_what_was_decided_to_be_kept(case, ears):
    assert main(["run", str(case.project), "--out", str(case.out)]) == 0
    table = (case.out / "patients_released.csv").read_text("utf-8")
    # Two records cannot be hidden among at least three: both are suppressed.
    assert KEPT not in table
    ears.check()


def release_everybody(case):
    """Let nobody be suppressed, and nobody's own values stay as they are."""
    models = [{"kind": "k_anonymity", "k": 2}]
    case.change(privacy={"models": models, "suppression_limit": 0.0})
    case.change_attribute("sex", minimum_level=1)


def test_a_kept_column_is_released_and_told_nowhere_else(case, ears, capsys):
    release_everybody(case)
    answer_file(case.project)
    assert main(["run", str(case.project), "--out", str(case.out)]) == 0
    table = case.out / "patients_released.csv"
    assert KEPT in table.read_text("utf-8")
    assert KEPT not in "".join(capsys.readouterr())
    for path in case.out.rglob("*"):
        if path.is_file() and path != table:
            assert KEPT.encode() not in path.read_bytes(), path
    ears.check()


@pytest.mark.parametrize("treatment", ["remove", "pseudonym", "mask"])
def test_no_treatment_lets_an_identifier_through(case, ears, treatment):
    for name in ("mrn", "name"):
        case.change_attribute(name, treatment=treatment)
    release_everybody(case)
    answer_file(case.project)
    assert main(["run", str(case.project), "--out", str(case.out)]) == 0
    ears.check()
    told = b"".join(p.read_bytes() for p in case.out.rglob("*") if p.is_file())
    assert b"M00003" not in told
    assert b"Doe3" not in told


def test_inspection_and_its_project_tell_no_value(case, ears, capsys):
    made = case.folder / "made.deid.json"
    assert main(["inspect", str(case.data), "--project", str(made)]) == 0
    assert main(["inspect", str(case.data), "--json"]) == 0
    assert KEPT not in "".join(capsys.readouterr())
    ears.check()


def test_every_command_in_json_tells_no_value(case, ears):
    out = str(case.out)
    assert main(["search", str(case.project), "--json"]) == 0
    assert main(["run", str(case.project), "--out", out, "--json"]) == 0
    assert main(["verify", out, "--json"]) == 0
    path = case.out / "patients_released.csv"
    path.write_text(path.read_text("utf-8") + f"{WORD},1,2,3,4\n", encoding="utf-8")
    ears.allowed.add(path)
    assert main(["verify", out]) == 4
    assert main(["verify", out, "--json"]) == 4
    ears.check()


def test_no_repr_holds_a_value(case, ears):
    loaded = read_input(case.data)
    project = propose_project(loaded)
    for name, decided in COLUMNS.items():
        project = ops.change_attribute(name, **decided)(project)
    models = ({"kind": "k_anonymity", "k": 2},)
    project = ops.change_privacy(models=models, suppression_limit=0.1)(project)
    classes = build_classes(project, loaded.table, {})
    found = search_policies(project, classes)
    measured = measure_project(project, classes, found)
    inspection = loaded.inspection
    for each in (
        *(loaded, loaded.table, *loaded.table.columns, inspection, inspection.guess),
        *(classes, classes.class_table, *classes.hierarchies.values(), found),
        *(found.profile, found.result, measured, measured.policy),
        *(*inspection.types.values(), *inspection.findings.values()),
    ):
        assert not holds(repr(each)), type(each)
        assert not holds(f"{each}"), type(each)
    assert not holds(dump_project(project))


# -- the window's side -----------------------------------------------------------------


@pytest.fixture
def workspace(tmp_path):
    recovery = Recovery(tmp_path / "home" / "recovery")
    made = Workspace(lambda closure: closure(), recovery, InlineExecutor())
    yield made
    made.close()


FAILING_JOBS = [
    each
    for each in ALL
    # The window shows columns that are new, for a person to decide about them.
    if each not in (columns_changed, no_header)
]


def work_through(workspace, case, errors):
    """Open, search and export as the window does; collects every problem."""
    workspace.problem.connect(lambda error, _lane: errors.append(error))
    for step in (
        lambda: workspace.open_project(case.project),
        lambda: workspace.policies.start("lattice"),
        lambda: workspace.export(case.out),
        workspace.autosave,
        lambda: workspace.save(case.folder / "saved.deid.json"),
    ):
        try:
            step()
        except DeidError as error:
            errors.append(error)


@pytest.mark.qt_log_ignore("^This plugin does not support")
@pytest.mark.parametrize("provoke", FAILING_JOBS, ids=named)
def test_no_failing_job_tells_a_value(
    case, ears, monkeypatch, workspace, provoke, qapp
):
    from deidgui.qt.crash import CrashDialog, CrashHandler, report
    from deidgui.qt.theme import apply_theme

    apply_theme(qapp)
    provoke(case, monkeypatch)
    may_be_data(case, ears, provoke)
    errors: list[BaseException] = []
    work_through(workspace, case, errors)
    assert errors or provoke is changed_data  # about which the window asks
    bugs = [error for error in errors if not isinstance(error, DeidError)]
    ears.errors += [error for error in errors if isinstance(error, DeidError)]
    handler = CrashHandler(lambda closure: closure(), lambda: None)
    for bug in bugs:
        # The exception of a bug may hold anything; what is shown of it does not.
        assert holds("".join(told_by(bug)))
        assert not holds(report(bug))
        dialog = CrashDialog(bug)
        assert not holds(dialog.text)
        dialog.deleteLater()
        handler.show(bug)
        handler.dialog.accept()
    assert bool(bugs) == is_bug(provoke)
    ears.check()


def test_a_column_that_is_new_is_never_confirmed_by_itself(case, workspace):
    columns_changed(case, None)
    workspace.open_project(case.project)
    added = workspace.session.project.attribute("new")
    assert not added.confirmed


def test_recovery_and_saved_project_hold_decisions_only(case, ears, workspace):
    workspace.open_data(case.data)
    workspace.session.apply(ops.set_protection(None), "protect")
    workspace.session.apply(ops.confirm_roles(), "confirm")
    workspace.autosave()
    kept = case.folder.parent / "home" / "recovery" / "recovery.json"
    assert json.loads(kept.read_text("utf-8"))["project"]["attributes"]
    ears.check()
    workspace.save(case.folder / "saved.deid.json")
    assert not kept.exists()
    ears.check()


def test_recovery_holds_hierarchies_by_hand_for_their_owner_only(
    case, workspace, tmp_path
):
    """What a person typed into a hierarchy is a decision, and may be a value."""
    workspace.open_data(case.data)
    workspace.session.apply(ops.set_protection(None), "protect")
    workspace.session.apply(ops.confirm_roles(), "confirm")
    workspace.autosave()
    folder = tmp_path / "home" / "recovery"
    if os.name != "nt":
        assert folder.stat().st_mode & 0o077 == 0


def test_nothing_is_left_in_the_temporary_folder(case, tmp_path, workspace):
    assert main(["run", str(case.project), "--out", str(case.out)]) == 0
    shutil.rmtree(case.out)
    work_through(workspace, case, [])
    assert list((tmp_path / "temporary").iterdir()) == []


def test_saving_a_project_that_was_refused_leaves_the_old_one(case, ears, monkeypatch):
    project = headless.load_project(case.project)
    before = case.project.read_bytes()
    disk_full(case, monkeypatch)
    with pytest.raises(DeidError) as caught:
        save_project(project, case.project)
    ears.errors.append(caught.value)
    assert case.project.read_bytes() == before
    NULL_MONITOR.report(0.0)
    ears.check()
