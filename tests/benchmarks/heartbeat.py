"""For how long does the window not answer? Prints the longest gap by action.

A gap is the processor time that the GUI thread uses between two beats of a timer of
two milliseconds. Usage: ``python -m tests.benchmarks heartbeat [CASE...] [OPTIONS]``.

======== =====================================================================
people   a file with people (``--file``, else the worked example): every page and
         every tab of it before and after a search, whatever it offers used, other
         searches, attacks, schemes
opening  start, first showings, opening and closing, and nothing else; and how much
         processor time passes before the window is there
wide     200 rows with 1,000 columns (``--columns``): every page and decision
counts   tables of counts: their pages, used
======== =====================================================================

``--pages`` walks some pages only. After ``--minutes`` (30) the walk ends, and it is
said how much was left out. ``--where`` prints beside every gap above 50 ms what the
GUI thread was doing. ``--walks`` walks several times, each time in a fresh process, and
tells the least gap of each action: where others use the same machine, the same work
takes two or three times as long a second later.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tests.benchmarks._hands import Hands
from tests.benchmarks._heart import Walk, least, table

N_ROWS, N_COLUMNS = 200, 1_000

GAPS = "longest gap of the GUI thread, ms of processor time"

COUNTS = (
    "Site\tAll\tCase\tControl\nAll\t{0}\t{1}\t{2}\nNorth\t61\t40\t21\n"
    "South\t39\tT\t35\nWest\t{3}\tT\tT\n"
)


def run(arguments: list[str]) -> dict[str, Any]:
    """Walk through the window; milliseconds of the longest gap by action."""
    parser = argparse.ArgumentParser(prog="heartbeat")
    parser.add_argument("cases", nargs="*", metavar="CASE", default=[])
    parser.add_argument("--file", type=Path)
    parser.add_argument("--columns", type=int, default=N_COLUMNS)
    parser.add_argument("--pages", nargs="*", default=[])
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--where", action="store_true")
    parser.add_argument("--walks", type=int, default=1)
    said = parser.parse_args(arguments)
    if said.walks > 1:
        return _walk_often(arguments, said.walks)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["DEIDGUI_HOME"] = tempfile.mkdtemp(prefix="deidgui-heartbeat-")
    walk = Walk(said.minutes, says_where=said.where)
    walk.start()
    from deidgui.qt.application import _warm_up

    _warm_up()
    cases = {"people": _people, "wide": _wide, "counts": _counts, "opening": _opening}
    for case in said.cases or ("people", "wide", "counts"):
        cases[case](walk, said)
    walk.close()
    print(table(walk.gaps, walk.notes), file=sys.stderr)
    return {
        GAPS: walk.gaps,
        "processor time before the window, ms": walk.before,
        "processor time of all threads for an answer to what if, ms": walk.answers,
    }


def _walk_often(arguments: list[str], n_walks: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.benchmarks", "heartbeat", *arguments]
    command += ["--walks", "1"]
    found = []
    for _ in range(n_walks):
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
        found.append(json.loads(done.stdout))
    gaps = least([each[GAPS] for each in found])
    print(f"the least of {n_walks} walks:\n{table(gaps)}", file=sys.stderr)
    return {GAPS: gaps, "walks": found}


def _keys(walk: Walk, said: argparse.Namespace) -> list[str]:
    keys = [step.key for step in walk.window._steps]
    return [key for key in keys if not said.pages or key in said.pages]


def _show_all(walk: Walk, said: argparse.Namespace, words: str) -> None:
    for key in _keys(walk, said):
        walk.do(f"{words}: {key}", partial(walk.window.lead_to, key))


def _use_all(walk: Walk, said: argparse.Namespace, hands: Hands, words: str) -> None:
    for key in _keys(walk, said):
        walk.do(f"show {key}", partial(walk.window.lead_to, key))
        hands.use(walk.window.page(key), f"{words}{key}")


# -- start, opening, closing -----------------------------------------------------------


def _opening(walk: Walk, said: argparse.Namespace) -> None:
    window = walk.window
    _show_all(walk, said, "first page without data")
    walk.do("show start", partial(window.lead_to, "start"))
    _open(walk, said)
    _show_all(walk, said, "first page with data")
    _show_all(walk, said, "page again")
    walk.do("open another project", window.files.open_example)
    _show_all(walk, said, "first page of another project")
    walk.do("close the project", window.files.close_project)


def _open(walk: Walk, said: argparse.Namespace) -> None:
    if said.file:
        walk.do("open the file", partial(walk.window.files.open_path, said.file))
    else:
        walk.do("open the example", walk.window.files.open_example)


# -- a file with people ----------------------------------------------------------------


def _people(walk: Walk, said: argparse.Namespace) -> None:
    window = walk.window
    _show_all(walk, said, "first page without data")
    _open(walk, said)
    _show_all(walk, said, "first page with data")
    _show_all(walk, said, "page again")
    _decide_roles(walk)
    _use_all(walk, said, Hands(walk), "")
    _search(walk)
    _show_all(walk, said, "page after the search")
    _use_all(walk, said, Hands(walk), "after the search: ")
    _use_tools(walk)
    _restyle(walk, said)
    walk.do("open another project", window.files.open_example)
    walk.do("close the project", window.files.close_project)


def _decide_roles(walk: Walk) -> None:
    from deidgui.app import ops

    session = walk.workspace.session
    for op, label in (
        (ops.set_protection(None), "each row is one person"),
        (ops.confirm_roles(), "confirm roles"),
    ):
        walk.do(label, partial(session.apply, op, label))


def _search(walk: Walk) -> None:
    """Search while the list is seen, and again while another page is."""
    page = walk.window.page("policies")
    walk.do("show policies", partial(walk.window.lead_to, "policies"))
    look = page.look
    walk.do("optimal", look.options["optimal"].click)
    walk.do("search and survey, list seen", look.run_button.click)
    for key in ("list", "plane", "lattice", "groups", "what_if"):
        if page.results.tabs.offers(key):
            walk.do(f"policies › {key}", partial(page.show_tab, key))
            walk.do(f"search and survey, {key} seen", look.run_button.click)
    walk.do("show data", partial(walk.window.lead_to, "data"))
    walk.do("search, data seen", look.run_button.click)


def _use_tools(walk: Walk) -> None:
    from deidgui.app import ops
    from deidgui.engine.privacy import KnownAttributes

    window, session = walk.window, walk.workspace.session
    window.show_step("policies")
    page = window.page("policies")
    best = page.policies.best
    for number in (best, 0, min(7, len(page.policies) - 1)):
        if number is not None:
            walk.do("select a policy", partial(page.results._on_selected, number))
            walk.do("choose a policy", partial(page._choose, number))
    walk.do("undo the choice", session.undo)
    _ask_what_if(walk)
    walk.do("alternatives", page.look.options["alternatives"].click)
    walk.do("find alternatives", page.look.run_button.click)
    models = (*session.project.privacy.models, KnownAttributes(2, 6))
    op = ops.change_privacy(models=models)
    walk.do("add known attributes", partial(session.apply, op, "model"))
    walk.do("blocks", page.look.options["blocks"].click)
    walk.do("search by blocks", page.look.run_button.click)
    Hands(walk).use(page, "with blocks: policies")
    walk.do("undo the model", session.undo)
    walk.do("show utility", partial(window.lead_to, "utility"))
    utility = window.page("utility")
    walk.do("utility › attacks", partial(utility.show_tab, "attacks"))
    walk.do("run attacks", utility.attacks.run_wanted.emit)
    Hands(walk).use(utility, "with attacks: utility")


def _ask_what_if(walk: Walk) -> None:
    """Move every slider; what is known is answered without a search."""
    page = walk.window.page("policies")
    pane = page.results.what_if
    walk.do("policies › what_if", partial(page.show_tab, "what_if"))
    controls = pane.controls
    parts = [controls.limit_slider, *(each.widget for each in controls._controls)]
    for slider in (each._slider for each in parts if hasattr(each, "_slider")):
        last, name = slider.maximum(), slider.accessibleName()
        for tick in (last // 3, last // 2, 1, 0):
            begun = time.process_time()
            walk.do(f"what if: {name}", partial(slider.setValue, tick))
            spent = round(1000 * (time.process_time() - begun))
            walk.answers[name] = max(spent, walk.answers.get(name, 0))
        walk.do("what if: back", pane.back_button.click)
    walk.do("policies › list", partial(page.show_tab, "list"))


def _restyle(walk: Walk, said: argparse.Namespace) -> None:
    from deidgui.qt.theme import Mode, theme

    for key in _keys(walk, said):
        walk.do(f"show {key}", partial(walk.window.lead_to, key))
        for words, action in (
            ("dark", partial(theme().set_mode, Mode.DARK)),
            ("light", partial(theme().set_mode, Mode.LIGHT)),
            ("larger", partial(theme().set_text_scale, 1.15)),
            ("smaller", partial(theme().set_text_scale, 1.0)),
        ):
            walk.do(f"{words} on {key}", action)


# -- many columns ----------------------------------------------------------------------


def write_wide(path: Path, n_columns: int, n_rows: int = N_ROWS) -> None:
    """Write a table of numbers, codes, dates and words, of nobody."""
    made = random.Random(1)
    kinds: tuple[Callable[[], str], ...] = (
        lambda: str(made.randint(0, 90)),
        lambda: made.choice("ABCDE"),
        lambda: f"{made.randint(1950, 2020)}-{made.randint(1, 12):02}-11",
        lambda: f"{made.random():.3f}",
        lambda: made.choice(("never", "sometimes", "often", "")),
    )
    names = [f"item_{place:04}" for place in range(n_columns)]
    names[:3] = ["age", "zip", "sex"]
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join(names) + "\n")
        for _row in range(n_rows):
            cells = [kinds[place % 5]() for place in range(n_columns)]
            file.write(",".join(cells) + "\n")


def _wide(walk: Walk, said: argparse.Namespace) -> None:
    from deidgui.app import ops

    window, session = walk.window, walk.workspace.session
    path = Path(tempfile.mkdtemp(prefix="deidgui-wide-")) / "wide.csv"
    write_wide(path, said.columns)
    name = f"{said.columns:,} columns: "
    do: Callable[..., None] = lambda words, action, *given: walk.do(  # noqa: E731
        name + words, partial(action, *given)
    )
    do("open", window.files.open_path, path)
    _show_all(walk, said, f"{name}first page")
    _show_all(walk, said, f"{name}page again")
    do("show attributes", window.lead_to, "attributes")
    page = window.page("attributes")
    _choose_columns(page, do)
    do("role of all", page._on_role_wanted, "insensitive")
    do("undo", session.undo)
    do("redo", session.redo)
    do("undo", session.undo)
    do("leave all out", page._on_include_toggled)
    do("undo", session.undo)
    page.table.choose("age")
    do("role of one", page._on_role_wanted, "quasi_identifier")
    do("undo", session.undo)
    do("redo", session.redo)
    do("confirm all", session.apply, ops.confirm_roles(), "confirm roles")
    names = [f"item_{place:04}" for place in range(3, min(43, said.columns))]
    do("40 quasi-identifiers", page._set_roles, tuple(names), "quasi_identifier")
    _show_all(walk, said, f"{name}page with 40 quasi-identifiers")
    do("undo", session.undo)
    do("show hierarchies", window.lead_to, "hierarchies")
    _use_all(walk, said, Hands(walk), name)
    do("all quasi-identifiers", page._set_roles, _all(session), "quasi_identifier")
    _show_all(walk, said, f"{name}page, all quasi-identifiers")
    do("undo", session.undo)
    do("close", window.files.close_project)


def _all(session: Any) -> tuple[str, ...]:
    return tuple(each.name for each in session.project.attributes)


def _choose_columns(page: Any, do: Callable[..., None]) -> None:
    do("filter", page.search.setText, "1")
    do("filter to none", page.search.setText, "zqzq")
    do("filter off", page.search.clear)
    do("filter by role", _pick, page.filter, 1)
    do("filter by role off", _pick, page.filter, 0)
    do("select all", page.table.selectAll)
    for row in (5, 600, 3):
        do("select one", page.table.selectRow, row)
    do("select all", page.table.selectAll)


def _pick(box: Any, place: int) -> None:
    box.setCurrentIndex(place)
    box.activated.emit(place)


# -- tables of counts ------------------------------------------------------------------


def _counts(walk: Walk, said: argparse.Namespace) -> None:
    from PySide6.QtGui import QGuiApplication

    window = walk.window
    walk.do("new tables of counts", window.files.new_counts)
    page = window.page("tables")
    QGuiApplication.clipboard().setText(COUNTS.format(150, 80, 70, 50))
    walk.do("paste a table", page.paste)
    walk.do("threshold of counts", partial(page._threshold.setValue, 11))
    walk.do("confirm the cells", page._confirm.click)
    for key in ("structure", "audit"):
        walk.do(f"first page of counts: {key}", partial(window.lead_to, key))
    walk.do("confirm relations", window.page("structure")._confirm.click)
    _use_all(walk, said, Hands(walk), "counts: ")
    walk.do("close the tables", window.files.close_project)
