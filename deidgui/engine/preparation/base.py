"""What a step of the preparation is, what it works on, and what it reports."""

from __future__ import annotations

import secrets
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from deidgui.engine.arrays import AnyArray, BoolArray, IntArray
from deidgui.engine.parameters import Declared, Registry, Unreadable
from deidgui.errors import ConfigError
from deidgui.lazy import LazyModule
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import Text

if TYPE_CHECKING:
    from deidgui.engine.data import people as people_module
    from deidgui.engine.data.people import People
    from deidgui.engine.data.table import Column, Table
else:
    # PERF: projects name steps; they are read long before a table is.
    people_module = LazyModule("deidgui.engine.data.people")

Call = Callable[[str], str]
"""How a column is called in words: a release does not tell every name."""

SECRET_BYTES = 32
"""Length of the key of a step: 256 bits."""


class Secrets:
    """Keys of steps that draw from the operating system; live only in memory.

    The same step draws the same key again, so that what is seen is what is released.
    """

    def __init__(self) -> None:
        self._keys: dict[str, bytes] = {}

    def key(self, name: str) -> bytes:
        """Return the key of a step, drawn when it is first asked for."""
        return self._keys.setdefault(name, secrets.token_bytes(SECRET_BYTES))


@dataclass(frozen=True, repr=False, eq=False)
class Data:
    """A table on its way through the steps.

    Parameters
    ----------
    table : Table
        Missing texts marked.
    key : str or None
        Column that says to whom a row belongs; None if each row is a person.
    missing : mapping of str to tuple of str
        Texts that mean "no value", by column.
    files : mapping of str to bytes
        Lists that steps name, by relative path.
    """

    table: Table
    key: str | None = None
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    secrets: Secrets = field(default_factory=Secrets)

    def column(self, name: str) -> Column:
        """Return a column.

        Raises
        ------
        ConfigError
            Code ``step_column_missing``.
        """
        if name not in self.table.column_names:
            raise ConfigError("step_column_missing", attribute=name)
        return self.table.column(name)

    def missing_text(self, name: str) -> str:
        """Text that stands for "no value" in a column.

        Raises
        ------
        ConfigError
            Code ``step_no_missing_text`` if no text means that.
        """
        tokens = self.missing.get(name, ("",))
        if not tokens:
            raise ConfigError("step_no_missing_text", attribute=name)
        return "" if "" in tokens else tokens[0]

    def people(self) -> People:
        """To whom the rows belong; each row to a person of its own without a key.

        Raises
        ------
        InputError
            Code ``key_missing_values``.
        """
        if self.key is None:
            return people_module.one_row_each(self.table.n_rows)
        return people_module.people_of(self.column(self.key))


@dataclass(frozen=True, repr=False, eq=False)
class Change:
    """What a step makes of a table.

    Parameters
    ----------
    cells : int
        Cells with another value, in rows that stay.
    figures : mapping of str to number
        What else it did, by name.
    texts : mapping
        What it did to which values: for the window and the check of a release, never
        for a log.
    keep : ndarray of bool, shape (n_rows,), optional
        Rows that stay; all if not given.
    trace : mapping of str to ndarray
        What it did to which rows, as far as it must be done to others of the same
        people (see `Step.known`). Lives in memory only.
    """

    table: Table
    cells: int = 0
    figures: Mapping[str, float] = field(default_factory=dict)
    texts: Mapping[str, Any] = field(default_factory=dict)
    keep: BoolArray | None = None
    trace: Mapping[str, AnyArray] = field(default_factory=dict)


@dataclass(frozen=True, repr=False, eq=False)
class Effect:
    """What a step did, in numbers.

    Parameters
    ----------
    rows_before, rows_after : int
        Of linked tables events: who has none has no row.
    people_before, people_after : int or None
        None if each row is a person.
    figures, texts, trace : mapping
        As of `Change`.
    keep : ndarray of bool, shape (rows_before,), optional
        As of `Change`.
    """

    step: Step
    rows_before: int
    rows_after: int
    people_before: int | None
    people_after: int | None
    cells: int
    figures: Mapping[str, float]
    texts: Mapping[str, Any]
    keep: BoolArray | None = None
    trace: Mapping[str, AnyArray] = field(default_factory=dict)

    @property
    def rows_removed(self) -> int:
        """Rows that are gone."""
        return self.rows_before - self.rows_after

    def words(self, call: Call = str) -> tuple[str, ...]:
        """Say in sentences what was done."""
        return self.step.words(self, call)

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as JSON values; no cell's value."""
        return {
            **self.step.to_json(),
            "rows_before": self.rows_before,
            "rows_after": self.rows_after,
            "people_before": self.people_before,
            "people_after": self.people_after,
            "cells_changed": self.cells,
            "figures": dict(self.figures),
            "words": list(self.words()),
        }


class Step(Declared):
    """A change of the table that a person decided before policies are searched.

    Attributes
    ----------
    summary : str
        One sentence for the person who chooses among steps.
    needs_key : bool
        Whether it works on the rows of people only.
    file_parameter : str
        Parameter that names a list; empty if there is none.
    """

    summary: ClassVar[Text]
    needs_key: ClassVar[bool] = False
    file_parameter: ClassVar[str] = ""

    @property
    @abstractmethod
    def columns_read(self) -> tuple[str, ...]:
        """Columns that decide what the step does, besides the key."""

    @property
    def retyped(self) -> Mapping[str, tuple[str, str | None]]:
        """Type and format of the columns whose values become others."""
        return {}

    @property
    def types_before(self) -> Mapping[str, tuple[str, str | None]]:
        """Type and format of these columns without the step."""
        return {}

    @property
    def files(self) -> tuple[str, ...]:
        """Relative paths of the lists that it needs."""
        name = getattr(self, self.file_parameter, "") if self.file_parameter else ""
        return (name,) if name else ()

    @abstractmethod
    def apply(self, data: Data, *, monitor: Monitor = NULL_MONITOR) -> Change:
        """Change the table.

        Raises
        ------
        DeidError
            If it does not fit the table.
        """

    def known(self, data: Data, effect: Effect, rows: IntArray) -> Table:
        """Tell of everybody what an attacker compares with the prepared table.

        Values become what the step makes of them; nobody and nothing is removed.

        Parameters
        ----------
        data : Data
            All rows, after `known` of the steps before.
        effect : Effect
            What the step did to the rows that it was applied to.
        rows : ndarray of int64, ascending
            These rows among all.
        """
        return self.apply(data).table

    @abstractmethod
    def words(self, effect: Effect, call: Call = str) -> tuple[str, ...]:
        """Say in sentences what the step did.

        Parameters
        ----------
        call : callable
            Gives the name under which a column may be told.
        """

    def checked(self, effect: Effect) -> dict[str, Any]:
        """What whoever has only the released files can compare with them.

        PRIVACY: it stands in the evidence; only what the release shows anyway.
        """
        return {}

    @property
    def key(self) -> Literal["destroyed", "seeded"] | None:
        """What becomes of the key with which it drew; None without one."""
        return None


@dataclass(frozen=True)
class UnreadableStep(Unreadable, Step):
    """A step that cannot be read; nothing runs while it is there."""

    title = "Unknown step"
    summary = ""

    @property
    def columns_read(self) -> tuple[str, ...]:
        """None are known."""
        return ()

    def apply(self, data: Data, *, monitor: Monitor = NULL_MONITOR) -> Change:
        """Refuse: what the step does is not known.

        Raises
        ------
        ConfigError
            Why it cannot be read.
        """
        raise self.problem

    def words(self, effect: Effect, call: Call = str) -> tuple[str, ...]:
        """Nothing was done."""
        return ()


STEPS: Registry[Step] = Registry("preparation step", UnreadableStep)
