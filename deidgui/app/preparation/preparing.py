"""From the table as it was read to the prepared one, and decisions on the steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from deidgui.app.hierarchies.deciding import columns_in_need, propose_hierarchies
from deidgui.app.hierarchies.deciding import decide as decided_columns
from deidgui.app.loaded import Loaded
from deidgui.app.preparation.marked import Files, data_of
from deidgui.app.preparation.nearly import nearly_constant_columns
from deidgui.app.project import Attribute, Project
from deidgui.engine.parameters import parameters_of
from deidgui.engine.preparation import Step
from deidgui.engine.preparation.base import Secrets
from deidgui.engine.preparation.preparing import prepare
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


def prepared(
    project: Project,
    loaded: Loaded,
    files: Files,
    secrets: Secrets,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> Loaded:
    """Return what was read with the table that the steps of a project make of it.

    Parameters
    ----------
    loaded : Loaded
        Prepared in any way, or as it was read.
    files : mapping of str to bytes
        Lists that steps name, by relative path.
    secrets : Secrets
        Keys of steps that draw.

    Raises
    ------
    DeidError
        As `prepare`.
    """
    source = loaded.as_read
    if not project.preparation:
        return loaded.unprepared()
    data = data_of(project, source, files, secrets)
    table, effects = prepare(project.preparation, data, monitor=monitor)
    return replace(loaded, table=table, source=source, effects=effects)


@dataclass(frozen=True, repr=False, eq=False)
class DecidedSteps:
    """Other steps, with the table that they make.

    Parameters
    ----------
    op : callable
        Makes the decision in a project.
    loaded : Loaded
        Prepared as it says.
    """

    op: Callable[[Project], Project]
    loaded: Loaded


def decide_steps(
    snapshot: Project,
    steps: Sequence[Step],
    loaded: Loaded,
    files: Files,
    secrets: Secrets,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> DecidedSteps:
    """Prepare the table by other steps, and propose what follows for its columns.

    Columns whose values become others have another type; a hierarchy that was made
    for the type before is proposed anew.

    Raises
    ------
    DeidError
        As `prepare`: the decision cannot be made then.
    """
    wanted = retyped(snapshot, steps)
    project = snapshot.but(preparation=tuple(steps))
    step = SubMonitor(monitor, 0.0, 0.9)
    made = prepared(project, loaded, files, secrets, monitor=step)
    in_need = columns_in_need(snapshot, wanted)
    step = SubMonitor(monitor, 0.9, 1.0)
    proposals = propose_hierarchies(made, in_need, snapshot, monitor=step)
    columns = decided_columns(wanted, proposals, snapshot)
    return DecidedSteps(
        lambda now: columns(now).but(preparation=tuple(steps)),
        made,
    )


def retyped(project: Project, steps: Sequence[Step]) -> dict[str, dict[str, Any]]:
    """Return the columns whose type is another with other steps.

    Returns
    -------
    dict of str to dict
        Fields of `Attribute` to change, by column.
    """
    known = {each.name: each for each in project.attributes}
    types: dict[str, tuple[str, str | None]] = {}
    for before in reversed(project.preparation):
        types.update(before.types_before)
    for after in steps:
        types.update(after.retyped)
    return {
        name: {"kind": kind, "format": form, "open_formats": ()}
        for name, (kind, form) in types.items()
        if name in known and (known[name].kind, known[name].format) != (kind, form)
    }


def attributes_as_read(project: Project) -> tuple[Attribute, ...]:
    """Return the columns with the types that they have without any step."""
    wanted = retyped(project, ())
    return tuple(
        each.but(**wanted[each.name]) if each.name in wanted else each
        for each in project.attributes
    )


def proposed_params(
    kind: type[Step],
    project: Project,
    loaded: Loaded | None,
    typed: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return what a new step may start with in this project; a person sees it.

    Parameters
    ----------
    typed : mapping, optional
        Parameters that a person has decided.

    Returns
    -------
    dict of str to object
        Values of parameters that the kind declares and nobody has decided.
    """
    typed = typed or {}
    included = [each for each in project.attributes if each.include]
    dates = [each for each in included if each.kind == "date"]
    quasi = [e.name for e in project.quasi_identifiers if e.name != project.key]
    constant = _constant(project, loaded)
    varying = _of_one_table(
        project, tuple(name for name in quasi if name not in constant)
    )
    known: dict[str, Any] = {"columns": varying or tuple(quasi)}
    if kind.kind == "one_value":
        nearly = nearly_constant_columns(project, loaded.table) if loaded else ()
        known["columns"] = tuple(each.attribute for each in nearly)
    elif kind.kind == "truncate_events":
        columns = typed.get("columns", known["columns"])
        known |= _period(_of_table_of(project, columns, included), loaded, constant)
    elif kind.kind == "remove_people":
        known |= {"dates": _event_date(included)}
    elif dates:
        alike = [each.name for each in dates if each.format == dates[0].format]
        known["attributes"] = tuple(alike)
        known["attribute"] = dates[0].name
        known |= _dates_of_events(project, kind, alike)
    known |= typed
    formats = {each.name: each.format or "" for each in dates}
    of = known.get("attribute") or known.get("period") or known.get("dates") or ""
    of = of or next(iter(known.get("attributes", ())), "")
    known.setdefault("date_format", formats.get(of, ""))
    declared = {each.name for each in parameters_of(kind)}
    return {n: v for n, v in known.items() if n in declared and n not in typed}


def _of_one_table(project: Project, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of some columns that are from the first table of events of any."""
    if len(project.links) < 2:
        return names
    table = {name: project.attribute(name).table for name in names}
    of_events = [name for name in names if table[name] != "people"]
    return tuple(name for name in of_events if table[name] == table[of_events[0]])


def _of_table_of(
    project: Project, names: Sequence[str], among: Sequence[Attribute]
) -> list[Attribute]:
    """Return those of some columns that are of people, or of the table of others."""
    table = {each.name: each.table for each in project.attributes}
    shown = {"people", *(table.get(name, "") for name in names)}
    return [e for e in among if len(project.links) < 2 or e.table in shown]


def _dates_of_events(
    project: Project, kind: type[Step], alike: Sequence[str]
) -> dict[str, Any]:
    """Return all dates of several tables of events, to be counted from one day."""
    names = [n for n in alike if project.attribute(n).table != "people"]
    if kind.kind != "days_since_first" or len(project.links) < 2 or not names:
        return {}
    return {"attribute": names[0], "others": tuple(names[1:])}


def _constant(project: Project, loaded: Loaded | None) -> tuple[str, ...]:
    """Return the columns that are the same in all rows of each person, if known."""
    keys = loaded.keys if loaded else ()
    found = next((each for each in keys if each.column == project.key), None)
    return tuple(found.constant_columns) if found is not None else ()


_BIRTH = "birth date"
"""Topic of a date that is the same in all rows of a person."""

MOST_YEARS = 30
"""With more different values a column holds no years."""


def _period(
    included: Sequence[Attribute], loaded: Loaded | None, constant: Sequence[str]
) -> dict[str, Any]:
    """Return a column of years, or of dates: each year has then a cut of its own."""
    for each in included:
        is_year = "year" in each.name.casefold() and each.kind == "integer"
        if not is_year or each.name in constant or loaded is None:
            continue
        if 1 < loaded.table.column(each.name).n_values <= MOST_YEARS:
            return {"period": each.name}
    name = _event_date(included)
    return {"period": name} if name else {}


def _event_date(included: Sequence[Attribute]) -> str | None:
    """Return the first column of dates that are not those of birth."""
    for each in included:
        if each.kind == "date" and each.format and each.topic != _BIRTH:
            return each.name
    return None
