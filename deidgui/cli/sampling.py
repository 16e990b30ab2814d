"""The commands about samples, attributes known and covering designs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deidgui.app.commands import summary
from deidgui.cli.explaining import confirm, explaining
from deidgui.cli.options import Inputs, Json, ProjectFile, inputs_of
from deidgui.cli.printing import print_result
from deidgui.cli.progress import Progress
from deidgui.lazy import LazyModule
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.commands import attributes_known as power
    from deidgui.app.commands import blocks as block_policy
    from deidgui.app.power import risk as power_risk
    from deidgui.app.sampling import command
else:
    # PERF: numba and polars would take a second from every other command.
    command = LazyModule("deidgui.app.sampling.command")
    power = LazyModule("deidgui.app.commands.attributes_known")
    block_policy = LazyModule("deidgui.app.commands.blocks")
    power_risk = LazyModule("deidgui.app.power.risk")

Threshold = Annotated[
    float | None,
    typer.Option(
        metavar="T",
        help=tr("Highest average risk, as 0.1; else that of the project, if any."),
    ),
]
Policies = Annotated[
    int,
    typer.Option(help=tr("So many of the best policies are planned besides.")),
]
Replicates = Annotated[int, typer.Option(help=tr("Samples drawn for each fraction."))]
Points = Annotated[int, typer.Argument(metavar="V", show_default=False)]
BlockSize = Annotated[int, typer.Argument(metavar="K", show_default=False)]
Known = Annotated[int, typer.Argument(metavar="T", show_default=False)]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(sample)
    app.command()(risk)
    app.command()(blocks)
    app.command()(cover)


def sample(
    project: ProjectFile,
    threshold: Threshold = None,
    policies: Policies = 0,
    replicates: Replicates = 1000,
    input_: Inputs = None,
    as_json: Json = False,
) -> None:
    """Show how risk falls if only a random sample is released.

    Of the chosen policy, or of the data while none is chosen. People are sampled where
    rows belong to people.

    Example: deidgui sample patients.deid.json --threshold 0.1 --policies 5
    """
    inputs = inputs_of(input_)
    with explaining(project, inputs), Progress() as progress:
        result = command.sample(
            project,
            inputs,
            threshold=threshold,
            n_policies=policies,
            n_replicates=replicates,
            confirm=None if as_json else confirm,
            monitor=progress,
        )
    print_result(result, as_json, command.in_words)


def cover(v: Points, k: BlockSize, t: Known, as_json: Json = False) -> None:
    """Show few blocks of K of V points, so that every T points lie in one of them.

    Who knows any T of V attributes knows no more than one of these blocks. Points are
    numbered from 0.

    Example: deidgui cover 15 7 3
    """
    with Progress() as progress:
        result = command.cover(v, k, t, monitor=progress)
    print_result(result, as_json, command.cover_in_words)


def risk(
    project: ProjectFile,
    known: Annotated[
        int | None,
        typer.Option(help=tr("Attributes that the adversary knows.")),
    ] = None,
    always: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help=tr("Known in any case, besides.")),
    ] = None,
    together: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN,COLUMN", help=tr("Known together; they count as one.")
        ),
    ] = None,
    block: Annotated[
        int | None,
        typer.Option(help=tr("Measure blocks of this size that hold every set.")),
    ] = None,
    input_: Inputs = None,
    as_json: Json = False,
) -> None:
    """Show the risk if an adversary knows any few of the quasi-identifiers.

    Of the chosen policy, or of the data while none is chosen.

    Example: deidgui risk patients.deid.json --known 3 --always sex
    """
    inputs = inputs_of(input_)
    decided = None
    if known is not None:
        groups = [each.split(",") for each in together or ()]
        decided = power_risk.known_of(known, always or (), groups, block)
    with explaining(project, inputs), Progress() as progress:
        result = power.risk(
            project,
            inputs,
            decided,
            confirm=None if as_json else confirm,
            monitor=progress,
        )
    print_result(result, as_json, power.in_words)


def blocks(
    project: ProjectFile,
    block: Annotated[
        int | None,
        typer.Option(min=1, max=64, help=tr("Quasi-identifiers of a block.")),
    ] = None,
    estimate: Annotated[
        bool,
        typer.Option(
            "--estimate",
            help=tr(
                "Only show the sizes of blocks, how long a search usually takes with "
                "each, and by how much they over-estimate the risk."
            ),
        ),
    ] = False,
    write: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.json",
            help=tr("Write the policy, for decide PROJECT --choose FILE.json."),
        ),
    ] = None,
    input_: Inputs = None,
    as_json: Json = False,
) -> None:
    """Find a policy for an adversary who knows few of many quasi-identifiers.

    Block by block, the worst first, levels are raised, and records suppressed. The
    project has the privacy model known_attributes.

    Example: deidgui blocks patients.deid.json --write policy.json
    """
    inputs = inputs_of(input_)
    with explaining(project, inputs), Progress() as progress:
        asked = None if as_json else confirm
        if estimate:
            result = block_policy.sizes(
                project, inputs, confirm=asked, monitor=progress
            )
        else:
            result = block_policy.blocks(
                project, inputs, block, write, confirm=asked, monitor=progress
            )
    words = block_policy.in_words if estimate else summary.of_blocks
    print_result(result, as_json, words)
