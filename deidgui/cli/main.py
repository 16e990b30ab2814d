"""The commands: what the window computes, computed without it."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deidgui import __version__
from deidgui.app.commands import summary
from deidgui.app.stopping import CANCELLED, said_when_cancelled
from deidgui.app.storage.files import check_readable_place
from deidgui.app.text import text_of
from deidgui.cli import counts, deciding, experiment, sampling
from deidgui.cli.explaining import Explained, confirm, explaining
from deidgui.cli.options import (
    AnsweredBy,
    Because,
    Country,
    Dialect,
    Inputs,
    Json,
    Overrule,
    ProjectFile,
    inputs_of,
)
from deidgui.cli.printing import print_json, print_result
from deidgui.cli.progress import CompilingLine, Progress
from deidgui.errors import (
    Cancelled,
    DeidError,
    InfeasibleError,
    InputError,
    VerificationError,
)
from deidgui.lazy import LazyModule
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app import needed
    from deidgui.app.commands import compiling, headless, self_check
    from deidgui.app.commands import demo as demo_job
    from deidgui.app.project import Project
    from deidgui.app.reading import rereading
else:
    # PERF: they bring numba, polars and the report along, 1.5 s that neither
    # `--version` nor the window, which asks here for the commands, shall wait for.
    demo_job = LazyModule("deidgui.app.commands.demo")
    headless = LazyModule("deidgui.app.commands.headless")
    compiling = LazyModule("deidgui.app.commands.compiling")
    needed = LazyModule("deidgui.app.needed")
    rereading = LazyModule("deidgui.app.reading.rereading")
    self_check = LazyModule("deidgui.app.commands.self_check")

DONE, BAD_INPUT, INFEASIBLE, NOT_VERIFIED = 0, 2, 3, 4
"""Exit codes, beside `CANCELLED`."""

MOST_FILES = 21
"""People and their events."""

COMMANDS = (
    "demo",
    "run",
    "inspect",
    "decide",
    "search",
    "sample",
    "risk",
    "blocks",
    "cover",
    "attack",
    "drift",
    "worklist",
    "verify",
    "report",
    "sign",
    "key",
    "schema",
    "experiment",
    "counts",
)
"""Words that are commands; anything else is a project to open in the window."""

_COMMANDS = (
    ("inspect", "patients.csv", "--project", "patients.deid.json"),
    ("decide", "patients.deid.json", "--recipient", "researcher", "..."),
    ("run", "patients.deid.json", "--out", "release"),
    ("verify", "release"),
)

WAY = "\n".join(
    (
        "\b",
        tr("From a file to a release without the window:"),
        *(" ".join(("  deidgui", *each)) for each in _COMMANDS),
        "",
        tr("Each command prints what is still open, with the command that decides it."),
    )
)
"""What stands under the list of commands."""

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help=tr("De-identify health data, with evidence. Without a command: the window."),
    epilog=WAY,
)

app.add_typer(experiment.app, name="experiment")
app.add_typer(counts.app, name="counts")


@app.command()
def run(
    project: ProjectFile,
    out: Annotated[Path, typer.Option(help=tr("Folder of the release."))],
    input_: Inputs = None,
    confirm_proposals: Annotated[
        bool,
        typer.Option(
            "--confirm-proposals",
            help=tr("Take over the roles that were proposed as certain."),
        ),
    ] = False,
    overrule: Overrule = None,
    because: Because = "",
    answered_by: AnsweredBy = "",
    as_json: Json = False,
) -> None:
    """Run a project: search, apply, write, verify.

    What is open stops it: undecided or unconfirmed roles, questions about the released
    table, thresholds that are not met. Each is named with the command that decides it.

    Example: deidgui run patients.deid.json --out release
    """
    inputs = inputs_of(input_)
    check = None if confirm_proposals else _check_release
    with explaining(project, inputs, check), Progress() as progress:
        words = headless.RunWords(
            confirm_proposals, tuple(overrule or ()), because, answered_by
        )
        result = headless.run(
            project,
            out,
            inputs,
            words=words,
            confirm=None if as_json else confirm,
            monitor=progress,
        )
    print_result(result, as_json, summary.of_run)


@app.command()
def inspect(
    file: Annotated[list[Path], typer.Argument(metavar="FILE...", show_default=False)],
    as_json: Json = False,
    project: Annotated[
        Path | None,
        typer.Option(help=tr("Also write the proposals as a project to go on with.")),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            help=tr(
                "Column that says to whom a row belongs; of several files the one "
                "that links them, or PEOPLE=EVENTS if its names differ."
            )
        ),
    ] = None,
    country: Country = None,
    dialect: Dialect = None,
) -> None:
    """Show dialect, types and suggested roles of a file, with reasons.

    FILE is a CSV or another text table, also compressed; archive.zip/member names one
    file of several in an archive. With several files, one of people and the others of
    their events, all are read as one table; which has the people is found by the key.

    Example: deidgui inspect patients.csv --project patients.deid.json

    Example: deidgui inspect patients.csv visits.csv --key ID --project p.deid.json

    Example: deidgui inspect people.csv claims.csv drugs.csv labs.csv --key ID
    """
    if len(file) > MOST_FILES:
        raise InputError(
            "usage", problem=tr("inspect takes at most {n:file|files}.", n=MOST_FILES)
        )
    for each in file:
        check_readable_place(each)
    with Progress() as progress:
        result = headless.inspect(
            file[0],
            project,
            key,
            others=file[1:],
            dialect=rereading.dialect_parts(dialect or ()),
            country=rereading.country_of(country or "found"),
            monitor=progress,
        )
    print_result(result, as_json, summary.of_inspection)


deciding.register(app)


@app.command()
def search(
    project: ProjectFile,
    input_: Inputs = None,
    surveys: Annotated[
        bool,
        typer.Option(
            "--survey",
            help=tr(
                "Also look at all policies that need not be known to prove the best "
                "one: the candidates are then the best of all, and what thresholds "
                "cost is told."
            ),
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Find the best policy with its proof, and list candidates with measurements.

    Without --survey the candidates are the best policy and some around it. Their
    numbers are those of deidgui decide PROJECT --choose NUMBER, with --survey those of
    --choose survey:NUMBER.
    """
    inputs = inputs_of(input_)
    with explaining(project, inputs, _check_candidates), Progress() as progress:
        result = headless.search(
            project,
            inputs,
            surveys=surveys,
            confirm=None if as_json else confirm,
            monitor=progress,
        )
    print_result(result, as_json, summary.of_search)


sampling.register(app)


@app.command()
def attack(
    project: ProjectFile,
    runs: Annotated[
        int | None,
        typer.Option(help=tr("Attacks that are drawn for each figure; 10,000.")),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help=tr("Decides what is drawn; 0."))
    ] = None,
    order_by: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN", help=tr("Column that tells the order of a person's rows.")
        ),
    ] = None,
    input_: Inputs = None,
    as_json: Json = False,
) -> None:
    """Simulate attacks on what a project would release.

    An attacker knows people, or has a register; how often is the right person found?

    Example: deidgui attack patients.deid.json --runs 10000 --seed 1
    """
    inputs = inputs_of(input_)
    with explaining(project, inputs, _check_attackable), Progress() as progress:
        result = headless.attack(
            project,
            inputs,
            runs=runs,
            seed=seed,
            order_by=order_by,
            confirm=None if as_json else confirm,
            monitor=progress,
        )
    print_result(result, as_json, summary.of_attacks)


@app.command()
def drift(
    project: ProjectFile,
    enter: Annotated[
        bool,
        typer.Option(
            "--enter",
            help=tr("Enter what has changed: nothing is released until decided anew."),
        ),
    ] = False,
    input_: Inputs = None,
    as_json: Json = False,
) -> None:
    """Measure what has changed since the earlier release that a project names.

    The earlier release is named with decide --earlier FOLDER. After a change nothing
    is released until somebody decides anew: decide --valid.
    """
    inputs = inputs_of(input_)
    with explaining(project, inputs), Progress() as progress:
        result = headless.drift(
            project,
            inputs,
            enters=enter,
            confirm=None if as_json else confirm,
            monitor=progress,
        )
    print_result(result, as_json, summary.of_drift)


@app.command()
def worklist(
    project: ProjectFile,
    file: Annotated[Path, typer.Argument(metavar="FILE", show_default=False)],
    contains_values: Annotated[
        bool,
        typer.Option(
            "--contains-values",
            help=tr("Those who try may see the released values in the list."),
        ),
    ] = False,
    input_: Inputs = None,
    as_json: Json = False,
) -> None:
    """Write the riskiest classes of a release for a motivated intruder test.

    The list has no names, but it contains released values. What was tried is recorded
    with decide --dossier intruder_test=... No file is replaced, and nothing is added to
    a release.

    Example: deidgui worklist patients.deid.json list.csv --contains-values
    """
    inputs = inputs_of(input_)
    with explaining(project, inputs, _check_release), Progress() as progress:
        result = headless.work_list(
            project,
            file,
            inputs,
            contains_values=contains_values,
            confirm=None if as_json else confirm,
            monitor=progress,
        )
    print_result(result, as_json, summary.of_work_list)


@app.command()
def verify(
    folder: Annotated[Path, typer.Argument(metavar="DIR", show_default=False)],
    as_json: Json = False,
    key: Annotated[
        Path | None,
        typer.Option(help=tr("Public key with which the release must be signed.")),
    ] = None,
    against: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FOLDER|FILE",
            help=tr(
                "Another release, or a register, that this one was compared with: "
                "matched again. Can be given several times."
            ),
        ),
    ] = None,
) -> None:
    """Read a release back and measure it again from the files alone.

    Says what it found, what the files do not determine, and who has signed.
    """
    if not folder.is_dir():
        raise InputError("not_a_release", folder=folder.resolve().name)
    with Progress() as progress:
        result = headless.verify(folder, key, against or (), monitor=progress)
    print_result(result, as_json, summary.of_verification)
    if not result["ok"]:
        raise typer.Exit(NOT_VERIFIED)


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", show_default=False)],
    out: Annotated[
        Path, typer.Option(metavar="FILE", help=tr("Ends with .html or .pdf."))
    ],
    regime: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=tr("Front sheet: hipaa, ema, gdpr, ontario or australia."),
        ),
    ] = None,
    edition: Annotated[
        str | None, typer.Option(metavar="NAME", help=tr("public or confidential."))
    ] = None,
    as_json: Json = False,
) -> None:
    """Write the dossier of a release once more, for a regime and in an edition.

    The release is verified before, and stays as it is; one that does not verify has
    no report. Without options front sheet and edition are those of the release.

    Example: deidgui report release --regime gdpr --edition public --out dossier.pdf
    """
    with Progress() as progress:
        result = headless.report(
            folder, out, regime=regime, edition=edition, monitor=progress
        )
    print_result(result, as_json, summary.of_report)


@app.command()
def sign(
    folder: Annotated[Path, typer.Argument(metavar="DIR", show_default=False)],
    key: Annotated[
        Path | None, typer.Option(help=tr("Key of the site (see deidgui key)."))
    ] = None,
    as_json: Json = False,
) -> None:
    """Verify a release and sign its evidence, so that every later change shows."""
    with Progress() as progress:
        result = headless.sign(folder, key, monitor=progress)
    print_result(result, as_json, summary.of_signature)


@app.command()
def key(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Make a key of the site to sign releases with, and its public key beside it."""
    print_result(headless.new_key(file), as_json, summary.of_key)


@app.command()
def schema() -> None:
    """Print the JSON Schema of project files."""
    print_json(headless.schema(), indent=2)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help=tr("Folder for the release."))] = Path(
        "deidgui-demo"
    ),
    no_window: Annotated[
        bool, typer.Option("--no-window", help=tr("Do not open the window afterwards."))
    ] = False,
) -> None:
    """Do the whole job on the built-in sample, then open the window on it."""
    del no_window  # read by `deidgui.__main__`, which may open the window
    with Progress() as progress:
        result = demo_job.run(out, monitor=progress)
    print_result(result, False, summary.of_demo)


@app.callback(invoke_without_command=True)
def _options(
    version: Annotated[bool, typer.Option("--version")] = False,
    check: Annotated[
        bool, typer.Option("--self-check", help=tr("A 10-second check."))
    ] = False,
    compiles: Annotated[
        bool,
        typer.Option(
            "--compile",
            help=tr("Compile what the first job would have to wait for, once."),
        ),
    ] = False,
) -> None:
    if version:
        print(f"deidgui {__version__}")
        raise typer.Exit(DONE)
    if check:
        report = self_check.run()
        print(summary.of_self_check(report))
        raise typer.Exit(DONE if report["ok"] else NOT_VERIFIED)
    if compiles:
        raise typer.Exit(DONE if _compile() else NOT_VERIFIED)


def _compile() -> bool:
    """Compile with a line on stderr that says how far it is."""
    line = CompilingLine()
    done = compiling.compile_all(line.draw)
    sys.stderr.write("\n" if line.is_drawn else "")
    print(tr("Compiled for this machine.") if done else tr("It could not be compiled."))
    return done


def main(arguments: list[str]) -> int:
    """Run one command line.

    Parameters
    ----------
    arguments : list of str
        Without the program's name.

    Returns
    -------
    int
        Exit code: 0 done, 2 bad input or usage, 3 no policy meets the
        thresholds, 4 verification failed, 130 cancelled.
    """
    _be_readable_everywhere()
    try:
        status = app(arguments, prog_name="deidgui", standalone_mode=False)
        sys.stdout.flush()
    except Explained as error:
        return _fail(error.text, _code_of(error.error))
    except DeidError as error:
        return _fail(text_of(error), _code_of(error))
    except (Cancelled, KeyboardInterrupt):
        return _fail(said_when_cancelled(), CANCELLED)
    except typer.Abort:
        return _fail(tr("Stopped; nothing was written."), CANCELLED)
    except BrokenPipeError:
        return _cut_off()
    except MemoryError:
        return _fail(
            tr(
                "There is not enough memory for this file. Close other programs or use "
                "a machine with more."
            ),
            BAD_INPUT,
        )
    except Exception as error:  # noqa: BLE001 - never a traceback, never a value
        if hasattr(error, "format_message"):
            context = getattr(error, "ctx", None)
            command = context.command_path if context else "deidgui"
            said = error.format_message().rstrip(".")
            return _fail(f"{said}. See {command} --help.", BAD_INPUT)
        return _fail(_bug(error), BAD_INPUT)
    return int(status or DONE)


def _check_release(project: Project) -> None:
    """PERF: these three import what they need when they are called, not before."""
    needed.check_release(project)


def _check_candidates(project: Project) -> None:
    needed.check_candidates(project)


def _check_attackable(project: Project) -> None:
    needed.check_attackable(project)


def _code_of(error: DeidError) -> int:
    """Exit code of an expected failure."""
    if isinstance(error, InfeasibleError):
        return INFEASIBLE
    return NOT_VERIFIED if isinstance(error, VerificationError) else BAD_INPUT


def refuse(problem: str) -> int:
    """Say what is wrong with a command line; returns the exit code for it."""
    return _fail(text_of(InputError("usage", problem=problem)), BAD_INPUT)


def _be_readable_everywhere() -> None:
    """Let terminals of few letters show a question mark instead of an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _cut_off() -> int:
    """End without a word: whoever read our output (`| head`) has gone."""
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123 - a device
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    return CANCELLED


def _bug(error: Exception) -> str:
    """Say that the program is wrong and where, without the error's own text."""
    trace, place = error.__traceback__, ""
    while trace is not None:
        code = trace.tb_frame.f_code
        place = f"{Path(code.co_filename).name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return tr(
        "The program failed in a way it should not ({__name__} at {place}). "
        "Please report this line; no release was written.",
        __name__=type(error).__name__,
        place=place,
    )


def _fail(text: str, code: int) -> int:
    print(text, file=sys.stderr)
    return code
