"""The commands about tables of counts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deidgui.cli.options import Json
from deidgui.cli.printing import print_result
from deidgui.cli.progress import Progress
from deidgui.errors import InputError
from deidgui.lazy import LazyModule
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.counts import command
else:
    command = LazyModule("deidgui.app.counts.command")

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help=tr("Audit tables of counts, and release them with noise."),
)

Files = Annotated[list[Path], typer.Argument(metavar="FILE...", show_default=False)]
Threshold = Annotated[
    int | None,
    typer.Option(metavar="N", help=tr("Counts below it are masked with T, as 11.")),
]
MaskZero = Annotated[
    bool, typer.Option("--mask-zero", help=tr("Zeros are masked with T too."))
]
Width = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help=tr("High minus low that an interval must have to protect; 3."),
    ),
]
Marks = Annotated[
    list[str] | None,
    typer.Option(
        "--mark",
        metavar="TEXT=KIND",
        help=tr(
            "A text that stands instead of a count: KIND is masked or complement, as "
            "s=masked."
        ),
    ),
]

KINDS = ("masked", "complement")


def marks_given(given: list[str] | None) -> dict[str, str]:
    """Return the texts that were named as marks.

    Raises
    ------
    InputError
        Code ``usage``.
    """
    named: dict[str, str] = {}
    for each in given or []:
        text, equals, kind = each.rpartition("=")
        if not (text.strip() and equals and kind in KINDS):
            problem = tr(
                "--mark {each}: expected TEXT=masked or TEXT=complement.", each=each
            )
            raise InputError("usage", problem=problem)
        named[text.strip()] = kind
    return named


@app.command()
def audit(
    file: Files,
    threshold: Threshold = None,
    mask_zero: MaskZero = False,
    width: Width = None,
    mark: Marks = None,
    as_json: Json = False,
) -> None:
    """Find what can be inferred of every masked count of published tables.

    FILE is a table as CSV, or a project of tables of counts. Sums, attrition steps and
    the same count in several tables are found from labels and figures.

    Example: deidgui counts audit table1.csv table2.csv --threshold 11
    """
    with Progress() as progress:
        result = command.audit(
            file,
            threshold=threshold,
            mask_zero=mask_zero or None,
            width=width,
            marks=marks_given(mark),
            monitor=progress,
        )
    print_result(result, as_json, command.audit_words)
