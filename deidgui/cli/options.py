"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deidgui.errors import InputError
from deidgui.text import tr

Json = Annotated[
    bool, typer.Option("--json", help=tr("Print one JSON object and nothing else."))
]
Inputs = Annotated[
    list[str] | None,
    typer.Option(
        "--input",
        metavar="NAME=FILE",
        help=tr("Read this file as the input NAME, as table=patients.csv."),
    ),
]
ProjectFile = Annotated[Path, typer.Argument(metavar="PROJECT", show_default=False)]
Dialect = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help=tr(
            "How the text is cut into cells: delimiter, quote, header, skip_lines, "
            "skip_blanks, skip_ragged or encoding, as delimiter=semicolon."
        ),
    ),
]
Country = Annotated[
    str | None,
    typer.Option(
        metavar="LETTERS",
        help=tr("Whose rules are used, as US or DE; found lets it be found."),
    ),
]
Overrule = Annotated[
    list[str] | None,
    typer.Option(
        metavar="MODEL",
        help=tr(
            "Release although this privacy model, or suppression_limit, is not met; "
            "needs --because. "
            "Evidence and report say so first."
        ),
    ),
]
Because = Annotated[
    str,
    typer.Option(
        metavar="TEXT", help=tr("The reason; kept in project, evidence and report.")
    ),
]
AnsweredBy = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help=tr("Who answers questions, and enters texts and reasons of this call."),
    ),
]


def inputs_of(given: list[str] | None) -> dict[str, Path]:
    """Return the files that were named for inputs.

    Raises
    ------
    InputError
        Code ``usage``.
    """
    named: dict[str, Path] = {}
    for each in given or []:
        name, equals, file = each.partition("=")
        if not (name and equals and file):
            raise InputError(
                "usage", problem=tr("--input {each}: expected NAME=FILE.", each=each)
            )
        if name in named:
            raise InputError(
                "usage", problem=tr("--input {name} is given twice.", name=name)
            )
        named[name] = Path(file)
    return named
