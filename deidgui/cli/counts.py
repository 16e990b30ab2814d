"""The commands about tables of counts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deidgui.app.storage.files import check_readable_place
from deidgui.cli.options import Json
from deidgui.cli.printing import print_result
from deidgui.cli.progress import Progress
from deidgui.errors import InputError
from deidgui.lazy import LazyModule
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.counts import command, fuzzing, inspecting, making, planning
    from deidgui.engine.counts.noise import rules
    from deidgui.engine.counts.noise.rules import NoiseRule
else:
    command = LazyModule("deidgui.app.counts.command")
    fuzzing = LazyModule("deidgui.app.counts.fuzzing")
    inspecting = LazyModule("deidgui.app.counts.inspecting")
    making = LazyModule("deidgui.app.counts.making")
    planning = LazyModule("deidgui.app.counts.planning")
    rules = LazyModule("deidgui.engine.counts.noise.rules")

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


def _marks_of_files(given: list[str] | None, files: list[Path]) -> dict[str, str]:
    """Return the texts that were named as marks, if the tables are there at all."""
    marks = marks_given(given)
    for each in files:
        check_readable_place(each)
    return marks


@app.command()
def inspect(
    file: Files,
    project: Annotated[
        Path | None,
        typer.Option(help=tr("Also write the tables as a project to go on with.")),
    ] = None,
    mark: Marks = None,
    as_json: Json = False,
) -> None:
    """Show what tables are taken to be, and how their counts hang together.

    FILE is as of `audit`. The numbers of the relations are those that `deidgui decide
    PROJECT --set counts.relations=without:NUMBER` takes.

    Example: deidgui counts inspect table1.csv table2.csv --project counts.deid.json
    """
    marks = _marks_of_files(mark, file)
    with Progress() as progress:
        result = inspecting.inspect(file, project, marks=marks, monitor=progress)
    print_result(result, as_json, inspecting.inspected_words)


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

    FILE is a table as CSV, a spreadsheet (FILE.xlsx: all its sheets; FILE.xlsx:Sheet:
    one of them), or a project of tables of counts. Sums, attrition steps and the same
    count in several tables are found from labels and figures.

    Example: deidgui counts audit table1.csv table2.csv --threshold 11
    """
    marks = _marks_of_files(mark, file)
    with Progress() as progress:
        result = command.audit(
            file,
            threshold=threshold,
            mask_zero=mask_zero or None,
            width=width,
            marks=marks,
            monitor=progress,
        )
    print_result(result, as_json, command.audit_words)


AnyCount = Annotated[
    bool,
    typer.Option(
        "--any-count",
        help=tr(
            "Readers think that a complement may hold any count, also one below the "
            "threshold."
        ),
    ),
]


Apply = Annotated[
    str | None,
    typer.Option(
        metavar="WAY",
        help=tr(
            "Put it into the project: complements, threshold, coarser, or mask, which "
            "masks the small counts that are shown."
        ),
    ),
]


@app.command()
def repair(
    file: Files,
    threshold: Threshold = None,
    mask_zero: MaskZero = False,
    width: Width = None,
    mark: Marks = None,
    any_count: AnyCount = False,
    apply: Apply = None,
    as_json: Json = False,
) -> None:
    """Find what to hide so that no masked count can be inferred.

    Three ways, each audited again: the fewest complements, the smallest threshold, and
    coarser categories. Nothing is written without --apply.

    Example: deidgui counts repair table2.csv --threshold 11

    Example: deidgui counts repair counts.deid.json --apply complements
    """
    marks = _marks_of_files(mark, file)
    with Progress() as progress:
        result = command.repair(
            file,
            threshold=threshold,
            mask_zero=mask_zero or None,
            width=width,
            marks=marks,
            any_count=any_count,
            apply=apply,
            monitor=progress,
        )
    print_result(result, as_json, command.repair_words)


Sigma = Annotated[
    float,
    typer.Option(
        metavar="SD", help=tr("Standard deviation of the noise, as in Klann et al.")
    ),
]
Rule = Annotated[
    str,
    typer.Option(
        metavar="RULE",
        help=tr("gaussian; discrete, with a guarantee; or sas, as the SAS file."),
    ),
]
Low = Annotated[
    int,
    typer.Option(
        "--threshold",
        metavar="N",
        help=tr("Percentages and means of counts below it are omitted."),
    ),
]
Zeros = Annotated[
    str, typer.Option(metavar="noise|kept", help=tr("Whether zeros have noise."))
]
Lockout = Annotated[
    str | None,
    typer.Option(
        "--fresh",
        metavar="REPEATS/DAYS",
        help=tr(
            "Fresh noise instead of keyed noise; states the lockout, as 7/30: the same "
            "question at most 7 times in 30 days."
        ),
    ),
]
NoiseKey = Annotated[
    Path | None,
    typer.Option(
        "--key",
        metavar="FILE",
        help=tr(
            "Key of the noise, made if there is none. With the same key the same "
            "question has the same noise; without one the key is destroyed."
        ),
    ),
]
ZerosFile = Annotated[
    Path | None,
    typer.Option(
        "--zeros-file",
        metavar="FILE",
        help=tr("Where the table of true zeros is kept, for --zeros kept."),
    ),
]
Refresh = Annotated[
    str, typer.Option(metavar="NAME", help=tr("State of the data, as 2024-Q1."))
]
PerPerson = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help=tr("Counts that one person is in, at most; for the rule discrete."),
    ),
]
Delta = Annotated[
    float, typer.Option(metavar="P", help=tr("δ of the guarantee of discrete."))
]
OutFolder = Annotated[Path, typer.Option(help=tr("Folder of the release."))]
Title = Annotated[str, typer.Option(help=tr("Title of the release."))]


@app.command()
def fuzz(
    file: Files,
    out: OutFolder,
    sigma: Sigma = 2.5,
    rule: Rule = "gaussian",
    threshold: Low = 11,
    zeros: Zeros = "noise",
    fresh: Lockout = None,
    key: NoiseKey = None,
    zeros_file: ZerosFile = None,
    refresh: Refresh = "",
    per_person: PerPerson = None,
    delta: Delta = 1e-6,
    title: Title = "",
    mark: Marks = None,
    as_json: Json = False,
) -> None:
    """Release tables of true counts with random noise; masked ones stay masked.

    Percentages and means of low counts are omitted, other percentages computed again.
    The uncertainty stands beside every count in uncertainty.csv.

    Example: deidgui counts fuzz table1.csv table2.csv --out release --key noise.key
    """
    made = _rule(rule, sigma, threshold, zeros, fresh, refresh, per_person, delta)
    marks = _marks_of_files(mark, file)
    with Progress() as progress:
        result = fuzzing.fuzz(
            file,
            out,
            made,
            kept=fuzzing.KeptApart(key, zeros_file, title),
            marks=marks,
            monitor=progress,
        )
    print_result(result, as_json, fuzzing.counts_words)


@app.command()
def network(
    file: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE...", show_default=False)
    ] = None,
    project: Annotated[
        Path | None,
        typer.Option(help=tr("Project of tables of counts that keeps the sites.")),
    ] = None,
    sd: Annotated[
        float,
        typer.Option(
            metavar="SD",
            help=tr("Standard deviation of the noise of tables; 0: true counts."),
        ),
    ] = 0.0,
    threshold: Low = 11,
    as_json: Json = False,
) -> None:
    """Add up the counts of several sites, against what a threshold would hide.

    FILE is the table of one site as CSV or spreadsheet; one in a release has the noise
    that its evidence states. Counts are matched by the labels of row and column. With
    --project the files are added to the sites that the project keeps.

    Example: deidgui counts network a/t_released.csv b/t_released.csv
    """
    for each in file or []:
        check_readable_place(each)
    with Progress() as progress:
        result = planning.network(
            file or [], sd=sd, threshold=threshold, project=project, monitor=progress
        )
    print_result(result, as_json, planning.sums_words)


@app.command()
def advise(
    sigma: Sigma = 2.5,
    threshold: Low = 11,
    per_site: Annotated[
        float | None,
        typer.Option(metavar="A", help=tr("Average count of a site of the network.")),
    ] = None,
    sites: Annotated[int, typer.Option(metavar="N", help=tr("Sites."))] = 1,
    repeats: Annotated[
        int | None, typer.Option(metavar="N", help=tr("Repeats that are allowed."))
    ] = None,
    runs: Annotated[
        int, typer.Option(metavar="N", help=tr("Attacks that are simulated."))
    ] = 10_000,
    as_json: Json = False,
) -> None:
    """Say how long averaging takes, which σ is enough, and when a threshold is better.

    Example: deidgui counts advise --sigma 1.33 --repeats 10 --per-site 1 --sites 6
    """
    rule = rules.RoundedGaussian(sigma, threshold, "noise", "keyed")
    with Progress() as progress:
        result = planning.advise(
            rule,
            per_site=per_site,
            sites=sites,
            repeats=repeats,
            runs=runs,
            monitor=progress,
        )
    print_result(result, as_json, planning.advice_words)


def _rule(
    rule: str,
    sigma: float,
    threshold: int,
    zeros: str,
    fresh: str | None,
    refresh: str,
    per_person: int | None,
    delta: float,
) -> NoiseRule:
    """Return the rule that options name.

    Raises
    ------
    InputError
        Code ``usage``.
    ConfigError
        As of the rule.
    """
    lockout = _lockout(fresh)
    if rule == "discrete":
        if per_person is None:
            problem = tr(
                "--rule discrete takes --per-person N: in how many of the counts one "
                "person is, at most."
            )
            raise InputError("usage", problem=problem)
        return rules.DiscreteGaussian(sigma, threshold, per_person, delta, *lockout)
    if rule == "sas":
        return rules.SasCompatible(sigma, threshold, *lockout)
    if rule != "gaussian":
        problem = tr("--rule {rule}: expected gaussian, discrete or sas.", rule=rule)
        raise InputError("usage", problem=problem)
    repeats = "keyed" if fresh is None else "fresh"
    return rules.RoundedGaussian(sigma, threshold, zeros, repeats, refresh, *lockout)


def _lockout(fresh: str | None) -> tuple[int | None, int | None]:
    if fresh is None:
        return None, None
    repeats, slash, days = fresh.partition("/")
    if not (slash and repeats.isdecimal() and days.isdecimal()):
        problem = tr("--fresh {fresh}: expected REPEATS/DAYS, as 7/30.", fresh=fresh)
        raise InputError("usage", problem=problem)
    return int(repeats), int(days)


KeyColumn = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help=tr("Column that says to whom a row belongs.")),
]
Describe = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help=tr("Count its values, below the total.")),
]
Keep = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN=VALUE|VALUE",
        help=tr("A step of an attrition table: the values that are kept."),
    ),
]
RowsColumn = Annotated[
    str | None, typer.Option("--rows", metavar="COLUMN", help=tr("Rows of a table."))
]
AcrossColumn = Annotated[
    str | None,
    typer.Option("--columns", metavar="COLUMN", help=tr("Columns of a table.")),
]
OutTable = Annotated[Path, typer.Option(help=tr("CSV that is written."))]
Patients = Annotated[Path, typer.Argument(metavar="FILE", show_default=False)]


@app.command()
def make(
    file: Patients,
    out: OutTable,
    rows: RowsColumn = None,
    columns: AcrossColumn = None,
    describe: Describe = None,
    keep: Keep = None,
    key: KeyColumn = None,
    as_json: Json = False,
) -> None:
    """Make a table of counts from a table of patients: true counts, as CSV.

    Example: deidgui counts make patients.csv --rows diagnosis --columns sex --out t.csv
    """
    steps = []
    for each in keep or []:
        name, equals, values = each.partition("=")
        if not (name and equals):
            problem = tr("--keep {each}: expected COLUMN=VALUE.", each=each)
            raise InputError("usage", problem=problem)
        steps.append((name, values.split("|")))
    check_readable_place(file)
    with Progress() as progress:
        result = making.make(
            file,
            out,
            rows=rows,
            columns=columns,
            describe=describe or (),
            keep=steps,
            key=key,
            monitor=progress,
        )
    print_result(result, as_json, making.made_words)
