"""The experiment command: what the paper measured, measured on a file."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from deidgui.app.commands.summary import WIDTH
from deidgui.cli.printing import print_result
from deidgui.cli.progress import Progress
from deidgui.errors import InputError
from deidgui.lazy import LazyModule
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.experiment import command, options
else:
    # PERF: numba and polars would take a second from every other command.
    command = LazyModule("deidgui.app.experiment.command")
    options = LazyModule("deidgui.app.experiment.options")

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help=tr("Repeat a published experiment on your data."),
)


@app.callback()
def _group() -> None:
    """Keep `bps` a command of its own, although it is the only one."""


Data = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help=tr("A table; without it the built-in sample.")),
]
Iterations = Annotated[int, typer.Option(help=tr("Policies per method."))]
Out = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help=tr("Folder for tables, figures and a page.")),
]
Seed = Annotated[int, typer.Option(help=tr("Of the random choices."))]
Weights = Annotated[
    str, typer.Option(help=tr("How BPS draws: both, size, use or none."))
]
Gamma = Annotated[
    float, typer.Option(help=tr("How strongly the size of a group protects."))
]
Population = Annotated[
    str | None,
    typer.Option(metavar="NAME", help=tr("Built-in table of people, as us_2014.")),
]
State = Annotated[
    str | None, typer.Option(metavar="NAME", help=tr("For tables of states."))
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SUBJECT=NAME",
        help=tr("Column for sex, race, age or (only if named) origin."),
    ),
]
AgeUnit = Annotated[
    str | None,
    typer.Option(metavar="NAME", help=tr("Column with years, months or days.")),
]
AgesAt = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|DAY", help=tr("When the age counts, for dates of birth.")
    ),
]
TopAge = Annotated[
    str, typer.Option(help=tr("Read a top-coded age as exact (as the paper) or open."))
]
AcceptMapping = Annotated[
    bool,
    typer.Option(
        "--accept-mapping", help=tr("Use the values matched although in doubt.")
    ),
]
LeaveOut = Annotated[
    bool,
    typer.Option(
        "--leave-out-unmatched", help=tr("Leave out records the people table lacks.")
    ),
]
Json = Annotated[
    bool, typer.Option("--json", help=tr("Print one JSON object and nothing else."))
]


@app.command()
def bps(
    data: Data = None,
    iterations: Iterations = 100,
    out: Out = None,
    seed: Seed = 0,
    weights: Weights = "both",
    gamma: Gamma = 1.0,
    population: Population = None,
    state: State = None,
    column: Columns = None,
    age_unit: AgeUnit = None,
    ages_at: AgesAt = None,
    top_age: TopAge = "exact",
    accept_mapping: AcceptMapping = False,
    leave_out_unmatched: LeaveOut = False,
    as_json: Json = False,
) -> None:
    """Search alternatives to Safe Harbor with BPS and with directed search.

    Benitez, Loukides and Malin (2010), Beyond Safe Harbor: tables 2 and 3 and figures
    6 to 9. Policies are over sex, race and age; the threshold is the risk under Safe
    Harbor in a population, by default Tennessee as in the paper (modelled).
    """
    chosen = options.ExperimentOptions(
        iterations=iterations,
        seed=seed,
        weights=weights,
        gamma=gamma,
        table=population or options.DEFAULT_TABLE,
        state=state or options.DEFAULT_STATE,
        columns=_columns(column or ()),
        age_unit=age_unit,
        ages_at=ages_at,
        top_age=top_age,
        accepts_mapping=accept_mapping,
        leaves_out=leave_out_unmatched,
    )
    with Progress() as progress:
        result = command.run(data, chosen, out, monitor=progress)
    print_result(result, as_json, _words)


def _columns(given: Sequence[str]) -> dict[str, str]:
    named: dict[str, str] = {}
    for each in given:
        subject, equals, name = each.partition("=")
        if not (subject and equals and name) or subject in named:
            problem = tr(
                "--column {given}: expected SUBJECT=NAME, each subject once.",
                given=each,
            )
            raise InputError("usage", problem=problem)
        named[subject] = name
    return named


def _words(result: Any) -> str:
    lines = str(command.in_words(result)).splitlines()
    return "\n".join(map(_wrapped, lines))


def _wrapped(line: str) -> str:
    """Break a line for a terminal, later parts below its first word."""
    indent = " " * (len(line) - len(line.lstrip(" -")))
    return textwrap.fill(line, WIDTH, subsequent_indent=indent) if line else line
