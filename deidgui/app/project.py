"""Everything the user decided, and nothing of the patients' data."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

FORMAT: Literal["deidgui-project"] = "deidgui-project"
VERSION: Literal[1] = 1


class Part(BaseModel):
    """Base of all parts of a project: frozen, unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def but(self, **changes: Any) -> Self:
        """Return the same part with some fields changed, validated again."""
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self)(**{**fields, **changes})


class DialectChoice(Part):
    """How the text of an input file is cut into cells."""

    delimiter: str = Field(",", min_length=1, max_length=1)
    quote: Literal['"', "'", ""] = '"'
    skip_blanks: bool = False
    header: bool = True
    encoding: str = "utf-8"
    skip_lines: int = Field(0, ge=0)


class InputFile(Part):
    """One file the project reads.

    Attributes
    ----------
    name : str
        Role of the file: "table" or "population".
    file : str
        Path as the user chose it, relative to the project where possible.
    member : str or None
        Member of a zip archive.
    sha256 : str
        Of the file's bytes when it was last read.
    n_bytes, n_rows : int
    """

    name: str = "table"
    file: str
    member: str | None = None
    sha256: str = ""
    n_bytes: int = Field(0, ge=0)
    n_rows: int = Field(0, ge=0)
    dialect: DialectChoice = DialectChoice()


class HierarchyChoice(Part):
    """Where the hierarchy of an attribute comes from: a rule, a CSV, or both.

    With both, the CSV holds what was edited by hand and the rule covers values
    that the CSV does not know.
    """

    rule: dict[str, Any] | None = None
    csv: str | None = None


class Attribute(Part):
    """What was decided about one column.

    Attributes
    ----------
    role : str or None
        None only while a proposal has not been taken over.
    confirmed : bool
        Whether a person has set or confirmed the role.
    treatment : str or None
        Of a direct identifier: remove, pseudonym or mask.
    kind, format : str
        Value type and its date format or decimal mark.
    missing : tuple of str
        Texts that mean "no value".
    weight : float in [0, 1]
        Importance for analysis; 0 leaves the attribute out of the quality.
    minimum_level, maximum_level : int or None
        Levels of the hierarchy the search may use.
    """

    name: str
    include: bool = True
    role: (
        Literal["direct_identifier", "quasi_identifier", "sensitive", "insensitive"]
        | None
    ) = None
    confirmed: bool = False
    treatment: Literal["remove", "pseudonym", "mask"] | None = None
    kind: Literal["text", "integer", "decimal", "date", "category"] = "text"
    format: str | None = None
    topic: str | None = None
    missing: tuple[str, ...] = ("",)
    hierarchy: HierarchyChoice | None = None
    weight: float = Field(0.5, ge=0, le=1)
    minimum_level: int | None = Field(None, ge=0)
    maximum_level: int | None = Field(None, ge=0)


class Threshold(Part):
    """Who receives the release and why the thresholds are what they are.

    Attributes
    ----------
    recipient : str or None
        public, researcher, internal or own; None until somebody decided.
    justification, set_by : str
        Free text for the report.
    at_risk : float in (0, 1] or None
        Records with a higher matching probability than this count as at risk.
    """

    recipient: Literal["public", "researcher", "internal", "own"] | None = None
    justification: str = ""
    set_by: str = ""
    at_risk: float | None = Field(None, gt=0, le=1)


class PopulationChoice(Part):
    """What is known about the population the records come from.

    Attributes
    ----------
    kind : str
        none; sampling_fraction: the records are a random sample; register: a file
        with a row per person; counts: a file with a row per combination of
        quasi-identifiers and the number of people.
    sampling_fraction : float in (0, 1] or None
    file : InputFile or None
        Of a register or of counts, named "population".
    columns : dict of str to str
        Column of that file by quasi-identifier, where the names differ.
    count_column : str or None
        Column with the number of people; None until somebody decided.
    """

    kind: Literal["none", "sampling_fraction", "register", "counts"] = "none"
    sampling_fraction: float | None = Field(None, gt=0, le=1)
    file: InputFile | None = None
    columns: dict[str, str] = {}
    count_column: str | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if (self.kind == "sampling_fraction") != (self.sampling_fraction is not None):
            raise ValueError("sampling_fraction goes with its kind")
        if (self.kind in ("register", "counts")) != (self.file is not None):
            raise ValueError("a file goes with a register and with counts")
        if self.count_column is not None and self.kind != "counts":
            raise ValueError("a count column goes with counts")
        return self

    def column_of(self, attribute: str) -> str:
        """Column of the file that holds a quasi-identifier."""
        return self.columns.get(attribute, attribute)


class Privacy(Part):
    """Thresholds that a release must meet.

    Attributes
    ----------
    models : tuple of dict
        As written by `Declared.to_json` of the privacy models.
    suppression_limit : float in [0, 1] or None
        Share of records that may be withheld; None until somebody decided.
    missing_matches : str
        Whether a missing value is its own category or matches anything, for
        risk figures.
    """

    threshold: Threshold = Threshold()
    models: tuple[dict[str, Any], ...] = ()
    population: PopulationChoice = PopulationChoice()
    suppression_limit: float | None = Field(None, ge=0, le=1)
    missing_matches: Literal["own_category", "anything"] = "own_category"


class Quality(Part):
    """What matters for analysis: the measure that guides the search."""

    measure: dict[str, Any] = {"kind": "loss"}


class Search(Part):
    """How policies are searched.

    Attributes
    ----------
    method : str
        "profile" looks at every policy; "optimum" proves the best one and looks at
        those around it; "ola" takes the best of the least general policies. A
        lattice that is too large for a profile is searched for its optimum.
    most_nodes : int
        After so many policies "optimum" gives up the proof.
    local_recoding : bool
        Whether a run without a window searches what a policy withholds again, and
        releases it with other groups, if no policy was chosen by a person.
    """

    method: Literal["profile", "optimum", "ola"] = "profile"
    most_nodes: int = Field(100_000, ge=1)
    seed: int = Field(0, ge=0)
    local_recoding: bool = False


class ChosenRound(Part):
    """A further round of local recoding; fields as of `Chosen`."""

    levels: dict[str, int]
    withhold_below: int = Field(1, ge=1)


class Chosen(Part):
    """A policy that somebody chose.

    Attributes
    ----------
    kind : str
        "lattice" for a full-domain generalization, "local_recoding" for several
        rounds of it.
    levels : dict of str to int
        Level by quasi-identifier; of the first round.
    withhold_below : int
        Classes with fewer records are withheld.
    later : tuple of ChosenRound
        Each is applied to the records that all rounds before it withhold.
    note : str
    """

    kind: Literal["lattice", "local_recoding"] = "lattice"
    levels: dict[str, int]
    withhold_below: int = Field(1, ge=1)
    later: tuple[ChosenRound, ...] = Field((), max_length=20)
    note: str = ""

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if (self.kind == "local_recoding") != bool(self.later):
            raise ValueError("further rounds go with local recoding")
        return self


class Export(Part):
    """How the release is written.

    Attributes
    ----------
    withheld : str or None
        Whether withheld records stay as rows of ``*`` or are left out; None
        until somebody decided.
    shuffle : bool
        Whether the order of rows is random.
    shuffle_seed : int or None
        None draws the order from the operating system; a number makes the bytes
        reproducible, and lets whoever knows it restore the order.
    spreadsheet_safe : bool
        Whether texts that a spreadsheet would execute are made harmless.
    """

    withheld: Literal["stars", "left_out"] | None = None
    shuffle: bool = True
    shuffle_seed: int | None = Field(None, ge=0)
    spreadsheet_safe: bool = True


class Project(Part):
    """Every decision of one release; frozen, readable in a diff."""

    format: Literal["deidgui-project"] = FORMAT
    version: Literal[1] = VERSION
    name: str = "Untitled"
    kind: Literal["table"] = "table"
    inputs: tuple[InputFile, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    privacy: Privacy = Privacy()
    quality: Quality = Quality()
    search: Search = Search()
    chosen: Chosen | None = None
    kept: tuple[Chosen, ...] = ()
    export: Export = Export()
    notes: str = ""

    @field_validator("attributes")
    @classmethod
    def _unique(cls, attributes: tuple[Attribute, ...]) -> tuple[Attribute, ...]:
        names = [attribute.name for attribute in attributes]
        if len(set(names)) < len(names):
            raise ValueError("attribute names are not unique")
        return attributes

    def attribute(self, name: str) -> Attribute:
        """Return the attribute called `name` (KeyError if there is none)."""
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute
        raise KeyError(name)

    def with_role(self, *roles: str) -> tuple[Attribute, ...]:
        """Included attributes that have one of `roles`, in column order."""
        return tuple(
            attribute
            for attribute in self.attributes
            if attribute.include and attribute.role in roles
        )

    @property
    def quasi_identifiers(self) -> tuple[Attribute, ...]:
        """Included quasi-identifiers in column order."""
        return self.with_role("quasi_identifier")
