"""Parameters of models, measures and templates: declared once, used everywhere.

A model is a frozen dataclass whose fields are annotated with what they mean.
The same declaration validates, is written to and read from projects, describes itself
in their JSON Schema, generates invalid values for tests and builds the editor's form.
"""

from __future__ import annotations

import builtins
import dataclasses
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, Generic, Self, TypeVar

from pydantic_core import PydanticCustomError, core_schema

from deidgui.errors import ConfigError
from deidgui.text import Text


@dataclass(frozen=True)
class Range:
    """Allowed interval of a number; None is unbounded.

    Parameters
    ----------
    open_low, open_high : bool
        Whether the bound itself is excluded.
    """

    low: float | None = None
    high: float | None = None
    open_low: bool = False
    open_high: bool = False

    def contains(self, value: float) -> bool:
        """Whether `value` lies in the interval."""
        if self.low is not None and (
            value < self.low or (self.open_low and value == self.low)
        ):
            return False
        return not (
            self.high is not None
            and (value > self.high or (self.open_high and value == self.high))
        )

    def __str__(self) -> str:
        left = "(" if self.open_low or self.low is None else "["
        right = ")" if self.open_high or self.high is None else "]"
        low = "-∞" if self.low is None else f"{self.low:g}"
        high = "∞" if self.high is None else f"{self.high:g}"
        return f"{left}{low}, {high}{right}"


@dataclass(frozen=True)
class Options:
    """The words a text parameter may be."""

    words: tuple[str, ...]


@dataclass(frozen=True)
class AttributeOf:
    """The parameter names an attribute of the table that has this role."""

    role: str


@dataclass(frozen=True)
class Unit:
    """What a number counts, for the label behind the field."""

    name: Text


PER_CENT = Unit("%")
"""Of a share or probability in [0, 1] that people read and write in per cent."""


@dataclass(frozen=True)
class Help:
    """Label and one plain sentence for the person who sets the parameter."""

    label: Text
    sentence: Text = ""


@dataclass(frozen=True)
class Proposed:
    """A value in common use that a new model starts with; a person sees and edits it.

    It is no default: a stored model without the parameter is refused.
    """

    value: Any


@dataclass(frozen=True)
class Parameter:
    """One declared parameter of a model, read from its annotation.

    `element` is the type of a tuple's items, None for other types; `role` that of
    the attribute it names, empty if it names none; `proposed` what a new model starts
    with, the default if nothing else was proposed.
    """

    name: str
    type: builtins.type
    default: Any
    required: bool
    optional: bool
    element: builtins.type | None
    range: Range | None
    options: Options | None
    role: str
    unit: Text
    label: Text
    sentence: Text
    proposed: Any

    def allows(self, value: Any) -> bool:
        """Whether a number lies in the declared range."""
        return self.range is None or self.range.contains(value)

    def schema(self) -> dict[str, Any]:
        """JSON Schema of the values that are allowed."""
        found = self._type_schema()
        if self.optional:
            found = {"anyOf": [found, {"type": "null"}]}
        found["title"] = self.label
        if self.sentence:
            found["description"] = self.sentence
        if not self.required:
            found["default"] = _plain(self.default)
        elif self.proposed is not None:
            found["examples"] = [_plain(self.proposed)]
        return found

    def _type_schema(self) -> dict[str, Any]:
        if self.options is not None:
            return {"enum": list(self.options.words)}
        if self.type is not tuple:
            return {"type": _JSON_TYPES[self.type], **self._bounds()}
        items = {"type": _JSON_TYPES[self.element or str], **self._bounds()}
        return {"type": "array", "items": items}

    def _bounds(self) -> dict[str, float]:
        if self.range is None:
            return {}
        low = "exclusiveMinimum" if self.range.open_low else "minimum"
        high = "exclusiveMaximum" if self.range.open_high else "maximum"
        bounds = {low: self.range.low, high: self.range.high}
        return {name: each for name, each in bounds.items() if each is not None}


_JSON_TYPES = {int: "integer", float: "number", bool: "boolean", str: "string"}


def parameters_of(cls: type) -> tuple[Parameter, ...]:
    """Parameters of a registered frozen dataclass, in declaration order."""
    return _parameters_of(cls)


@cache
def _parameters_of(cls: type) -> tuple[Parameter, ...]:
    hints = typing.get_type_hints(cls, include_extras=True)
    assert dataclasses.is_dataclass(cls)
    return tuple(
        _parameter(field, hints[field.name])
        for field in dataclasses.fields(cls)
        if field.init
    )


def _parameter(field: dataclasses.Field[Any], hint: Any) -> Parameter:
    marks: tuple[Any, ...] = ()
    if typing.get_origin(hint) is typing.Annotated:
        hint, *rest = typing.get_args(hint)
        marks = tuple(rest)
    optional = False
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        arms = [arm for arm in typing.get_args(hint) if arm is not type(None)]
        optional = len(arms) < len(typing.get_args(hint))
        hint = arms[0]
    base = typing.get_origin(hint) or hint
    element = typing.get_args(hint)[0] if base is tuple else None
    required = (
        field.default is dataclasses.MISSING
        and field.default_factory is dataclasses.MISSING
    )
    if field.default_factory is not dataclasses.MISSING:
        default = field.default_factory()
    else:
        default = None if required else field.default
    found: dict[type, Any] = {type(mark): mark for mark in marks}
    text = found.get(Help, Help(field.name.replace("_", " ")))
    return Parameter(
        name=field.name,
        type=base,
        default=default,
        required=required,
        optional=optional,
        element=element,
        range=found.get(Range),
        options=found.get(Options),
        role=found.get(AttributeOf, AttributeOf("")).role,
        unit=found.get(Unit, Unit("")).name,
        label=text.label,
        sentence=text.sentence,
        proposed=found.get(Proposed, Proposed(default)).value,
    )


def check(instance: Any) -> None:
    """Validate every declared parameter of `instance`.

    Raises
    ------
    ConfigError
        Code ``parameter_type``, ``parameter_range`` or ``parameter_option``.
    """
    for parameter in parameters_of(type(instance)):
        _check_one(type(instance), parameter, getattr(instance, parameter.name))


def _check_one(cls: type, parameter: Parameter, value: Any) -> None:
    where = {"model": getattr(cls, "kind", cls.__name__), "parameter": parameter.name}
    if value is None and parameter.optional:
        return
    if not _has_type(value, parameter.type):
        raise ConfigError("parameter_type", **where, expected=parameter.type.__name__)
    items = value if isinstance(value, tuple) else (value,)
    kind = parameter.element or parameter.type
    if not all(_has_type(item, kind) for item in items):
        raise ConfigError("parameter_type", **where, expected=kind.__name__)
    allowed = parameter.range
    if allowed is not None and not all(allowed.contains(number) for number in items):
        raise ConfigError("parameter_range", **where, allowed=str(allowed))
    if parameter.options is not None and value not in parameter.options.words:
        raise ConfigError("parameter_option", **where, allowed=parameter.options.words)


def _has_type(value: Any, expected: type) -> bool:
    if expected is float:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number and value == value
    if expected is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, expected)


class Declared:
    """Base of everything that is declared by parameters and registered by kind.

    Attributes
    ----------
    kind : str
        Stable identifier in projects and evidence.
    title : str
        Name for people.
    problem : ConfigError or None
        Why what was stored cannot be used; None for all that is declared.
    """

    kind: ClassVar[str]
    title: ClassVar[Text]
    problem: ConfigError | None = None

    def __post_init__(self) -> None:
        check(self)

    @property
    def params(self) -> dict[str, Any]:
        """Parameters as JSON values."""
        return {
            parameter.name: _plain(getattr(self, parameter.name))
            for parameter in parameters_of(type(self))
        }

    def to_json(self) -> dict[str, Any]:
        """Kind and parameters as JSON values."""
        return {"kind": self.kind, **self.params}

    @classmethod
    def from_params(cls, params: Mapping[str, Any]) -> Self:
        """Build from JSON values.

        Raises
        ------
        ConfigError
            Code ``parameter_unknown``, ``parameter_missing`` or one of `check`.
        """
        declared = {parameter.name: parameter for parameter in parameters_of(cls)}
        for name in params:
            if name not in declared:
                raise ConfigError(
                    "parameter_unknown",
                    model=cls.kind,
                    parameter=name,
                    known=tuple(declared),
                )
        for name, parameter in declared.items():
            if parameter.required and name not in params:
                raise ConfigError("parameter_missing", model=cls.kind, parameter=name)
        return cls(**{name: _frozen(value) for name, value in params.items()})

    @classmethod
    def proposed(cls, **known: Any) -> Self:
        """Return an instance with usual values, for a person to edit.

        Parameters
        ----------
        **known
            Values that fit this table better, by parameter; names that are not
            declared and numbers that are out of range are left aside.
        """
        declared = parameters_of(cls)
        params = {each.name: "" if each.role else each.proposed for each in declared}
        for each in declared:
            if each.name in known and each.allows(known[each.name]):
                params[each.name] = known[each.name]
        return cls(**params)

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """JSON Schema of what `to_json` writes, and of what may be left out of it."""
        declared = parameters_of(cls)
        return {
            "title": cls.title,
            "description": (cls.__doc__ or "").partition("\n")[0],
            "type": "object",
            "properties": {
                "kind": {"const": cls.kind},
                **{each.name: each.schema() for each in declared},
            },
            "required": ["kind", *(each.name for each in declared if each.required)],
            "additionalProperties": False,
        }


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


@dataclass(frozen=True)
class Unreadable(Declared):
    """What is stored and cannot be read, so that a person can see and remove it.

    Parameters
    ----------
    stored : mapping
        As it stands in the project, to be written again as it is.
    problem : ConfigError
        Why it cannot be read.
    """

    kind = ""

    stored: Mapping[str, Any] = field(hash=False)
    problem: ConfigError = field(compare=False)

    def __post_init__(self) -> None:
        """Nothing is declared that could be checked."""

    def to_json(self) -> dict[str, Any]:
        """Return what is stored."""
        return dict(self.stored)


D = TypeVar("D", bound=Declared)


class Registry(Generic[D]):
    """The known kinds of one family of models.

    ``Annotated[D, registry]`` is the type of a field that holds any of them: pydantic
    reads it from JSON, writes it and describes every kind in the JSON Schema.

    Parameters
    ----------
    family : str
        What the kinds are, for error messages: "privacy model".
    unreadable : callable, optional
        The family's `Unreadable`; without one what cannot be read is refused.
    """

    def __init__(
        self,
        family: str,
        unreadable: Callable[[Mapping[str, Any], ConfigError], D] | None = None,
    ) -> None:
        self.family = family
        self._unreadable = unreadable
        self._kinds: dict[str, type[D]] = {}

    def register(self, cls: type[D]) -> type[D]:
        """Class decorator: make `cls` known under its ``kind``."""
        assert cls.kind not in self._kinds, cls.kind
        self._kinds[cls.kind] = cls
        return cls

    def __iter__(self) -> Iterator[type[D]]:
        return iter(self._kinds.values())

    def __getitem__(self, kind: str) -> type[D]:
        if kind not in self._kinds:
            known = tuple(sorted(self._kinds))
            raise ConfigError(
                "unknown_kind", family=self.family, name=str(kind), known=known
            )
        return self._kinds[kind]

    def from_json(self, stored: Mapping[str, Any]) -> D:
        """Build the model that `Declared.to_json` wrote.

        Raises
        ------
        ConfigError
            If the kind or a parameter is unknown, missing or out of range.
        """
        params = {name: value for name, value in stored.items() if name != "kind"}
        return self[str(stored.get("kind", ""))].from_params(params)

    def _read(self, value: Any) -> D:
        """Read a field: a model as it is, or what is stored of one."""
        if isinstance(value, Declared):
            return typing.cast("D", value)
        if not isinstance(value, Mapping):
            raise PydanticCustomError("dict_type", "Input should be an object")
        try:
            return self.from_json(value)
        except ConfigError as problem:
            if self._unreadable is None:
                raise PydanticCustomError(problem.code, str(problem)) from None
            return self._unreadable(value, problem)

    def __get_pydantic_core_schema__(
        self, source: Any, handler: Any
    ) -> core_schema.CoreSchema:
        """Read and write a field of this family (called by pydantic)."""
        return core_schema.no_info_plain_validator_function(
            self._read,
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda model: model.to_json()
            ),
        )

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: Any
    ) -> dict[str, Any]:
        """Describe every kind (called by pydantic)."""
        return {
            "title": self.family,
            "type": "object",
            "discriminator": {"propertyName": "kind"},
            "oneOf": [self._kinds[kind].schema() for kind in sorted(self._kinds)],
        }
