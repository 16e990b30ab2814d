"""The fields of ``evidence.json`` of tables of counts."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from deidgui.engine.evidence.document import (
    FORMAT,
    VERSION,
    AnsweredQuestion,
    Count,
    File,
    OpenPart,
    Sha256,
    Validity,
    schema_of,
)
from deidgui.engine.evidence.entered import Entered, Part

UNCERTAINTY = "uncertainty.csv"
"""The released count, its uncertainty and its 95 % interval for every cell."""

UNCERTAINTY_HEADER = (
    "table",
    "line",
    "column",
    "row_name",
    "column_name",
    "count",
    "sd",
    "low",
    "high",
    "effective_sd",
)

PLACES = 4
"""Digits after the decimal point of standard deviations and intervals."""

Sigma = Annotated[float, Field(ge=0.1, le=1000)]
Positive = Annotated[float, Field(gt=1e-3, le=10_000)]
Cell: TypeAlias = tuple[Count, Count, Count]
"""Table among the outputs, line and column, each counted from 0."""


class CountsInput(Part):
    """A table that was read, pasted or typed.

    PRIVACY: nothing that is computed from its cells, no hash either: of few counts that
    are known but for some noise, a hash tells which ones they are.

    Attributes
    ----------
    name : str
        As it is called in the project.
    file : str
        File name without folder; empty if it was pasted or typed.
    sheet : str
        Sheet of that file if it is a spreadsheet.
    """

    name: str
    file: str = ""
    sheet: str = ""


class CountsOutput(Part):
    """A released table of counts; `path` is relative to the release.

    Attributes
    ----------
    counts : int
        Cells with a released count.
    masked : int
        Cells whose count is hidden.
    omitted : int
        Percentages and means that are omitted.
    negative : int
        Released counts below zero, which are kept.
    excel : str
        Path of the same table as Excel, one of `files`; empty if it came from no
        spreadsheet.
    """

    name: str
    path: str = Field(min_length=1, max_length=1000)
    bytes: Count
    sha256: Sha256
    rows: Count
    columns: Count
    counts: Count
    masked: Count
    omitted: Count
    negative: Count
    excel: str = ""


class NoiseFacts(OpenPart):
    """The rule by which counts have noise, with its parameters.

    Attributes
    ----------
    words : tuple of str
    standard_deviation : float
        Of the noise of a count.
    mean : float
        Of the noise: what counts are too high on average.
    key : str or None
        Of noise that repeats: "destroyed" or "kept_apart".
    rho, epsilon : float or None
        Guarantee of differential privacy, if the rule gives one.
    """

    kind: str
    words: tuple[str, ...]
    sigma: Sigma
    threshold: Count
    standard_deviation: Positive
    mean: float
    key: Literal["destroyed", "kept_apart"] | None = None
    rho: float | None = Field(None, ge=0)
    epsilon: float | None = Field(None, ge=0)


class Redundancy(Part):
    """How much noise is left where counts tell about each other.

    Attributes
    ----------
    weakened : int
        Counts with less than 80 % of the standard deviation left.
    least : float
        Smallest standard deviation that is left.
    """

    weakened: Count
    least: Annotated[float, Field(ge=0)]


class Equation(Part):
    """How some counts hang together, which anybody may know.

    Attributes
    ----------
    form : str
        sum: the first is the sum of the others; same: all are the same count.
    cells : tuple of Cell
    """

    form: Literal["sum", "same"]
    words: str
    cells: tuple[Cell, ...] = Field(min_length=2)


class LeftOut(Part):
    """A sum or another relation that contradicts what is released, and was not used.

    Attributes
    ----------
    cells : tuple of Cell
        The whole comes first.
    """

    words: str
    cells: tuple[Cell, ...] = Field(min_length=2)


class AuditFacts(Part):
    """Masked counts by what an attacker can infer of them.

    Attributes
    ----------
    exact, tight, narrowed, protected : int
    inconsistent : tuple of Cell
        Masked counts that seem protected only because contradicting sums were left
        out: what can be inferred of them is not known.
    left_out : tuple of LeftOut
    threshold : int
        Counts below it were masked.
    width : int
        An interval that is narrower is tight.
    because, signed : str, Entered
        Why a person releases counts that can be inferred, or of which that is not
        known; who says so, and when.
    any_count : bool
        Whether readers were taken to think that a complement may hold any count, also
        one below the threshold.
    relations : int
        By which the counts hang together, of all kinds.
    confirmed : bool or None
        Whether a person has confirmed that these are all; None where that is not
        stated.
    """

    exact: Count
    tight: Count
    narrowed: Count
    protected: Count
    inconsistent: tuple[Cell, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    threshold: Count
    width: Count
    because: str = ""
    signed: Entered = Entered()
    any_count: bool = False
    relations: Count = 0
    confirmed: bool | None = None

    @property
    def is_structure_open(self) -> bool:
        """Whether counts are masked, and nobody has confirmed the relations."""
        return self.masked > 0 and self.confirmed is False

    @property
    def masked(self) -> int:
        """Masked counts of all kinds."""
        known = self.exact + self.tight + self.narrowed + self.protected
        return known + len(self.inconsistent)


class CountsEvidence(Part):
    """Everything that a release of tables of counts says about itself.

    Attributes
    ----------
    parts : tuple of str
        See `parts_of`.
    noise : NoiseFacts or None
        None where counts are masked and have no noise.
    audit : AuditFacts or None
        Of the counts that are masked in the release.
    validity : Validity or None
        How long the release may be made; None if nobody has said anything.
    questions : tuple of AnsweredQuestion
        Columns that were found to tell who people are, and earlier releases of the same
        tables, and why these are released all the same.
    """

    format: Literal["deidgui-evidence"] = FORMAT
    version: Literal[1] = VERSION
    kind: Literal["counts"] = "counts"
    deidgui: str
    created: str | None = None
    parts: tuple[str, ...] = ()
    title: str = ""
    notes: str = ""
    notes_signed: Entered = Entered()
    inputs: tuple[CountsInput, ...] = Field(min_length=1)
    outputs: tuple[CountsOutput, ...] = Field(min_length=1)
    files: tuple[File, ...] = ()
    noise: NoiseFacts | None = None
    redundancy: Redundancy | None = None
    equations: tuple[Equation, ...] = ()
    audit: AuditFacts | None = None
    validity: Validity | None = None
    questions: tuple[AnsweredQuestion, ...] = ()
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    software: dict[str, str] = {}  # noqa: RUF012 - pydantic copies it

    @property
    def known_names(self) -> tuple[str, ...]:
        """By what the release of the same project is known again."""
        return tuple(each.name for each in self.inputs)


def counts_evidence_schema() -> dict[str, Any]:
    """JSON Schema of ``evidence.json`` of tables of counts."""
    return schema_of(CountsEvidence)
