"""The experiment as one function: a file in, JSON values and a folder out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deidgui.app.experiment.case import Choice, run_case
from deidgui.app.experiment.columns import Wanted
from deidgui.app.experiment.describe import describe
from deidgui.app.experiment.folder import check_folder, write_folder
from deidgui.app.experiment.people import (
    DEFAULT_STATE,
    DEFAULT_TABLE,
    PeopleChoice,
)
from deidgui.app.experiment.prepare import Setup, case_of_file, case_of_sample
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


@dataclass(frozen=True)
class Options:
    """What the command line said (see `Setup` and `Choice`)."""

    iterations: int = 100
    seed: int = 0
    weights: str = "both"
    gamma: float = 1.0
    table: str | None = None
    state: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    age_unit: str | None = None
    ages_at: str | None = None
    top_age: str = "exact"
    accepts_mapping: bool = False
    leaves_out: bool = False

    @property
    def setup(self) -> Setup:
        """What was chosen about data and people."""
        return Setup(
            Wanted(self.columns, self.age_unit, self.ages_at),
            PeopleChoice(
                self.table or DEFAULT_TABLE,
                self.state or DEFAULT_STATE,
                self.accepts_mapping,
                self.leaves_out,
                self.top_age,
            ),
            self.gamma,
        )


def run(
    data: Path | None,
    options: Options,
    out: Path | None = None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Run the experiment on a file, or on the program's own sample.

    Parameters
    ----------
    out : Path, optional
        Folder for tables, figures and a page.

    Returns
    -------
    dict
        JSON values (see `describe`).

    Raises
    ------
    DeidError
        As `case_of_file`, `run_case` and `write_folder`.
    """
    # Mistakes in what was typed are told before anything is read.
    choice = Choice(options.iterations, options.seed, options.weights)
    setup = options.setup
    if out is not None:
        check_folder(out)
    step = SubMonitor(monitor, 0.0, 0.5)
    if data is None:
        case = case_of_sample(setup, monitor=step)
    else:
        case = case_of_file(data, setup, monitor=step)
    outcome = run_case(case, choice, monitor=SubMonitor(monitor, 0.5, 1.0))
    if out is None:
        return describe(outcome)
    write_folder(outcome, out)
    return describe(outcome) | {"folder": str(out)}


def in_words(result: Mapping[str, Any]) -> str:
    """One screen about a result, for people.

    Parameters
    ----------
    result : mapping
        Of `run`.
    """
    lines = [
        f"{result['file']}: {result['rows']:,} records",
        f"Threshold (Safe Harbor): {result['threshold']:.6g} expected "
        f"re-identifications; without any generalization {result['raw_risk']:.6g}.",
        "",
        f"{'':<10}{'iterations':>12}{'evaluations':>13}{'ms':>10}{'policies':>10}"
        f"{'non-dominated':>15}",
    ]
    for name, title in (("bps", "BPS"), ("directed", "Directed")):
        each = result[name]
        lines.append(
            f"{title:<10}{each['iterations']:>12,}{each['evaluations']:>13,}"
            f"{each['seconds'] * 1000:>10.1f}{each['policies']:>10,}"
            f"{each['non_dominated']:>15,}"
        )
    lines += ["", "Policies, with their expected re-identifications:"]
    lines += [
        f"  {each['risk']:<10.6g}{_KINDS[each['kind']]}: {each['words']}"
        for each in result["examples"]
    ]
    if result["notes"]:
        lines += ["", "What this rests on:"]
        lines += [f"  - {note}" for note in result["notes"]]
    if result.get("folder"):
        lines += ["", f"Tables and figures: {result['folder']}"]
    return "\n".join(lines)


_KINDS = {
    "safe_harbor": "Safe Harbor",
    "one_join": "one join",
    "found": "found",
}
