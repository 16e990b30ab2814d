"""Decisions of the user: small functions from a project to the next one.

Every function returns a function of the current project, to be given to
`Session.apply`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from deidgui.app.determination.determination import unsigned, with_allowed
from deidgui.app.determination.principles import accepted, with_said
from deidgui.app.determination.recipients import (
    BY_KIND,
    RecipientKind,
    is_proposed,
    is_source,
)
from deidgui.app.determination.validity import enter_measured
from deidgui.app.entered import check_named, today
from deidgui.app.events_known import is_replaced, with_threshold
from deidgui.app.project import (
    MOST_COMPARED,
    Answer,
    Attribute,
    Chosen,
    Comparison,
    ContextAnswer,
    EventsKnown,
    HierarchyChoice,
    Project,
    SampleChoice,
    UnitOfProtection,
    names_of_files,
    signature,
    signatures,
)
from deidgui.engine.evidence.entered import AttackRelevance, Entry, TriggerMet
from deidgui.engine.quality import QualityMeasure
from deidgui.errors import ConfigError
from deidgui.text import Text, tr

Op = Callable[[Project], Project]

Key = TypeVar("Key")
Value = TypeVar("Value")


def set_name(name: str) -> Op:
    """Rename the project."""
    return lambda project: project.but(name=name)


def set_notes(notes: str, by: str = "", on: str = "") -> Op:
    """Replace the notes.

    Parameters
    ----------
    by, on : str
        Who writes them, and the date; what nobody signs leaves the dossier incomplete.
    """
    signed = signature(by if notes else "", on)
    return lambda project: project.but(notes=notes, notes_signed=signed)


def set_attacks(**changes: object) -> Op:
    """Change how simulated attacks are made: fields of `AttackChoice`."""
    return lambda project: project.but(attacks=project.attacks.but(**changes))


def compare_with(choice: Comparison) -> Op:
    """Match the release with another table; only people held out replace others.

    Raises
    ------
    ConfigError
        Codes ``validity_unnamed``, ``compare_name`` and ``compare_many``, and that of
        `compare_no_more`, when it is applied.
    """

    def op(project: Project) -> Project:
        check_named(choice.by)
        if choice.kind == "hold_out":
            for each in project.comparisons:
                if each.kind == "hold_out" and each.sha256 != choice.sha256:
                    project = compare_no_more(each.name, choice.by)(project)
        is_new = choice.kind != "hold_out"
        rest = tuple(e for e in project.comparisons if is_new or e.kind != "hold_out")
        if choice.name in names_of_files(project.but(comparisons=rest)):
            raise ConfigError("compare_name", name=choice.name)
        if len(rest) >= MOST_COMPARED:
            raise ConfigError("compare_many", n=MOST_COMPARED)
        return project.but(comparisons=(*rest, choice))

    return op


_GIVEN_UP: Mapping[str, Text] = {
    "release": "The release is no longer matched with the release whose evidence has "
    "the SHA-256 {digest}.",
    "register": "The release is no longer matched with the register whose file has the "
    "SHA-256 {digest}.",
    "hold_out": "The release is no longer compared with the people who were not "
    "released, whose file has the SHA-256 {digest}.",
}


def compare_no_more(name: str, by: str) -> Op:
    """Match the release with a table no more, by a person's word.

    Who gives a comparison up enters a trigger by it: nothing is released until somebody
    decides anew, and what was given up is stated beside that decision.

    Raises
    ------
    ConfigError
        Codes ``validity_unnamed``, ``not_one_of`` and ``validity_triggers``, when it
        is applied.
    """

    def op(project: Project) -> Project:
        check_named(by)
        known = {each.name: each for each in project.comparisons}
        if name not in known:
            raise ConfigError(
                "not_one_of", what=tr("comparison"), value=name, known=tuple(known)
            )
        left = known.pop(name)
        met = TriggerMet(
            kind="table",
            because=tr(_GIVEN_UP[left.kind], digest=left.sha256),
            by=by.strip(),
            on=today().isoformat(),
            digest=left.sha256,
        )
        # PRIVACY: who removes a table with which many were found does not hide it.
        return enter_measured((met,))(project.but(comparisons=tuple(known.values())))

    return op


def set_protection(key: str | None) -> Op:
    """Decide who is protected: the people of a column, or each row as a person.

    Parameters
    ----------
    key : str or None
        Column that says to whom a row belongs. It numbers people: it is proposed as
        a direct identifier that is removed, unless it is one already. What becomes
        of it a person decides with its role.

    Raises
    ------
    ConfigError
        Codes ``attribute_unknown``, and ``link_decides_unit`` if the key of linked
        tables says who is protected.
    """

    def op(project: Project) -> Project:
        if project.link is not None and key != project.link.column:
            raise ConfigError("link_decides_unit", attribute=project.link.column)
        if key is None:
            return project.but(unit=UnitOfProtection(kind="row"))
        unit = UnitOfProtection(kind="key", column=key)
        names = [each.name for each in project.attributes]
        if key not in names:
            raise ConfigError("attribute_unknown", attribute=key)
        if project.attribute(key).role != "direct_identifier":
            project = change_attribute(
                key,
                role="direct_identifier",
                treatment="remove",
                confirmed=False,
                taken_over=False,
            )(project)
        return project.but(unit=unit)

    return op


def set_attributes(attributes: Iterable[Attribute]) -> Op:
    """Replace all attributes (after reading a file anew)."""
    return lambda project: project.but(attributes=tuple(attributes))


def change_attribute(name: str, **changes: Any) -> Op:
    """Change fields of one attribute.

    Raises
    ------
    ConfigError
        Code ``attribute_unknown``.
    """

    def op(project: Project) -> Project:
        if name not in [attribute.name for attribute in project.attributes]:
            raise ConfigError("attribute_unknown", attribute=name)
        return project.but(
            attributes=tuple(
                attribute.but(**changes) if attribute.name == name else attribute
                for attribute in project.attributes
            )
        )

    return op


def set_role(name: str, role: str, treatment: str | None = None) -> Op:
    """Set the role of a column; a direct identifier is removed by default."""
    if role == "direct_identifier" and treatment is None:
        treatment = "remove"
    if role != "direct_identifier":
        treatment = None
    return change_attribute(
        name, role=role, treatment=treatment, confirmed=True, taken_over=False
    )


def take_over_roles(names: Iterable[str]) -> Op:
    """Take over the proposed roles of some columns together, as seen and right.

    Columns that are confirmed already, and those without a role, stay as they are.
    """
    meant = set(names)

    def taken(attribute: Attribute) -> Attribute:
        is_open = attribute.role is not None and not attribute.confirmed
        if attribute.name not in meant or not is_open:
            return attribute
        return attribute.but(confirmed=True, taken_over=True)

    return lambda project: project.but(attributes=tuple(map(taken, project.attributes)))


def confirm_roles() -> Op:
    """Confirm every role that is proposed, each seen and right."""

    def op(project: Project) -> Project:
        return project.but(
            attributes=tuple(
                each if each.confirmed else each.but(confirmed=each.role is not None)
                for each in project.attributes
            )
        )

    return op


def answer(question: Answer) -> Op:
    """Answer a question about the released table; an earlier answer is replaced."""

    def op(project: Project) -> Project:
        asked = (question.column, question.kind)
        others = [e for e in project.answers if (e.column, e.kind) != asked]
        return project.but(answers=(*others, question))

    return op


def take_back_answer(column: str, kind: str) -> Op:
    """Take back the answer to a question."""
    asked = (column, kind)
    return lambda project: project.but(
        answers=tuple(e for e in project.answers if (e.column, e.kind) != asked)
    )


def take_back_overruling(model: Mapping[str, Any]) -> Op:
    """Take back that a privacy model is overruled."""
    return lambda project: project.but(
        overrulings=tuple(e for e in project.overrulings if e.model != dict(model))
    )


def set_included(name: str, include: bool) -> Op:
    """Keep a column or leave it out of the release."""
    return change_attribute(name, include=include)


def set_hierarchy(
    name: str, rule: Mapping[str, Any] | None, csv: str | None = None
) -> Op:
    """Set where the hierarchy of a quasi-identifier comes from.

    The limits on its levels are given up, since the levels mean other things now.
    """
    choice = None
    if rule is not None or csv is not None:
        choice = HierarchyChoice(rule=dict(rule) if rule else None, csv=csv)
    return change_attribute(
        name, hierarchy=choice, minimum_level=None, maximum_level=None
    )


def set_sample(sample: SampleChoice | None) -> Op:
    """Release a random sample of the people; None releases everybody."""
    return lambda project: project.but(sample=sample)


def change_threshold(**changes: Any) -> Op:
    """Change who receives the release and the justification."""

    def op(project: Project) -> Project:
        privacy = project.privacy
        return project.but(
            privacy=privacy.but(threshold=privacy.threshold.but(**changes))
        )

    return op


def change_privacy(**changes: Any) -> Op:
    """Change models, population, suppression limit or the choice on missing values.

    What counts as at risk follows the models: see `Privacy.asking`.
    """

    def op(project: Project) -> Project:
        privacy = project.privacy.but(**changes)
        if "models" in changes:
            privacy = privacy.asking(privacy.models)
        return project.but(privacy=privacy)

    return op


def set_events(events: EventsKnown | None) -> Op:
    """Decide what an adversary knows of a person's events, or that they know all.

    The threshold of people at risk takes the place of the models that go by class
    sizes: these take everything that the rows of a person show to be known. Without
    it the models of the recipient are proposed again, if there are none of that kind.
    """

    def op(project: Project) -> Project:
        privacy = project.privacy
        models = privacy.models
        if events is not None:
            models = tuple(each for each in models if not is_replaced(each))
        elif privacy.events is not None and not any(map(is_replaced, models)):
            recipient = privacy.threshold.recipient
            models = (*(BY_KIND[recipient].models() if recipient else ()), *models)
        return project.but(privacy=privacy.but(events=events, models=models))

    return op


def set_quality_measure(measure: QualityMeasure) -> Op:
    """Set the measure that guides the search."""
    return lambda project: project.but(quality=project.quality.but(measure=measure))


def set_weight(name: str, weight: float) -> Op:
    """Say how much a column matters for the analysis.

    Parameters
    ----------
    weight : float in [0, 1]

    Raises
    ------
    ConfigError
        Code ``attribute_unknown``.
    """
    return change_attribute(name, weight=weight)


def confirm_importance() -> Op:
    """Say that the weights are what the analysis needs."""
    return lambda project: project.but(importance_said=True)


def set_keep_something(is_kept: bool) -> Op:
    """Set whether a policy shall keep something of every quasi-identifier."""
    return lambda project: project.but(
        quality=project.quality.but(keep_something=is_kept)
    )


def change_search(**changes: Any) -> Op:
    """Change the search method or its seed."""
    return lambda project: project.but(search=project.search.but(**changes))


def change_blocks(**changes: Any) -> Op:
    """Change how de-identification by blocks goes on."""
    return lambda project: project.but(blocks=project.blocks.but(**changes))


def choose(levels: Mapping[str, int], suppress_below: int, note: str = "") -> Op:
    """Choose a node of the lattice as the policy to release."""
    chosen = Chosen(levels=dict(levels), suppress_below=suppress_below, note=note)
    return lambda project: project.but(chosen=chosen)


def choose_policy(chosen: Chosen) -> Op:
    """Choose a policy of any kind as the one to release."""
    return lambda project: project.but(chosen=chosen)


def forget_choice() -> Op:
    """Go back to the best policy of the search."""
    return lambda project: project.but(chosen=None)


def keep(candidate: Chosen) -> Op:
    """Keep a policy for comparison (once)."""

    def op(project: Project) -> Project:
        if any(map(candidate.is_same, project.kept)):
            return project
        return project.but(kept=(*project.kept, candidate))

    return op


def drop(candidate: Chosen) -> Op:
    """Stop keeping a policy."""
    return lambda project: project.but(
        kept=tuple(each for each in project.kept if not each.is_same(candidate))
    )


def change_export(**changes: Any) -> Op:
    """Change how the release is written."""
    return lambda project: project.but(export=project.export.but(**changes))


def take_over(kind: RecipientKind) -> Op:
    """Set the recipient and take over the thresholds proposed for it.

    For "own" the thresholds stay as they are. Where an adversary knows events in part,
    the threshold of people at risk is set in place of models of class sizes. Thresholds
    of other kinds, and a reason in a person's own words, stay; who stood for other
    thresholds does not stand for these.
    """
    recipient = BY_KIND[kind]

    def op(project: Project) -> Project:
        privacy = project.privacy
        threshold = privacy.threshold.but(recipient=kind)
        if kind == "own":
            return project.but(privacy=privacy.but(threshold=threshold))
        events, highest = privacy.events, recipient.highest_risk
        largest = None if highest is None else float(highest)
        if events is not None and largest is not None:
            events = with_threshold(events, largest)
        if is_source(threshold.justification):
            threshold = threshold.but(justification=tr(recipient.source))
        proposed = recipient.models() if events is None else ()
        kept = tuple(each for each in privacy.models if not is_proposed(each))
        changed = privacy.but(
            threshold=threshold.but(at_risk=largest),
            models=(*proposed, *kept),
            events=events,
            suppression_limit=recipient.suppression_limit,
        )
        threshold = threshold.but(at_risk=largest)
        if changed != privacy and privacy.threshold.recipient is not None:
            threshold = threshold.but(set_by="", set_on="")
        return project.but(privacy=changed.but(threshold=threshold))

    return op


def accept_principles(names: Iterable[str], by: str, on: str) -> Op:
    """Accept what is proposed of some columns: what outsiders may know of them."""
    meant = frozenset(names)

    def op(project: Project) -> Project:
        return project.but(
            attributes=tuple(
                accepted(each, by, on) if each.name in meant else each
                for each in project.attributes
            )
        )

    return op


def say_principles(names: Iterable[str], by: str, on: str, **said: str | None) -> Op:
    """Say of some columns what outsiders may know: fields of `Principles`."""
    meant = frozenset(names)

    def op(project: Project) -> Project:
        return project.but(
            attributes=tuple(
                with_said(each, by, on, said) if each.name in meant else each
                for each in project.attributes
            )
        )

    return op


def change_context(**changes: Any) -> Op:
    """Change what is said about the context: fields of `ContextChoice`."""
    return lambda project: project.but(context=project.context.but(**changes))


def sign_context(by: str, on: str) -> Op:
    """Stand for everything about the context that nobody has signed.

    Raises
    ------
    ConfigError
        Code ``validity_unnamed``, when it is applied.
    """

    def op(project: Project) -> Project:
        check_named(by)
        choice = project.context
        left = set(unsigned(choice))
        entered: dict[str, dict[str, Any]] = {}
        for name in ("answers", "attacks"):
            said = getattr(choice, name)
            mine = {key: said[key].but(by=by, on=on) for key in said if key in left}
            entered[name] = {**said, **mine}
            left -= mine.keys()
        signed = signatures(choice.signed, left, by, on)
        return change_context(signed=signed, **entered)(project)

    return op


def answer_context(key: str, answer: ContextAnswer | None) -> Op:
    """Answer a question about the context; None takes the answer back."""

    def op(project: Project) -> Project:
        answers = _with(project.context.answers, key, answer)
        return change_context(answers=answers)(project)

    return op


def judge_attack(name: str, judged: AttackRelevance | None) -> Op:
    """Say whether an attack, T1 to T4, is relevant; None takes it back."""

    def op(project: Project) -> Project:
        attacks = _with(project.context.attacks, name, judged)
        return change_context(attacks=attacks)(project)

    return op


def change_dossier(**changes: Any) -> Op:
    """Change what is entered for the dossier."""
    return lambda project: project.but(dossier=project.dossier.but(**changes))


def enter(name: str, entry: Entry | None, *columns: str) -> Op:
    """Enter a text of the dossier, or one of columns; None takes it back."""

    def op(project: Project) -> Project:
        dossier = project.dossier
        if not columns:
            return change_dossier(entries=_with(dossier.entries, name, entry))(project)
        # PERF: once for all columns; each other project is looked through as a whole.
        said = dict(dossier.columns)
        for column in columns:
            if of_column := _with(said.pop(column, {}), name, entry):
                said[column] = of_column
        return change_dossier(columns=said)(project)

    return op


def call_not_applying(item: int, entry: Entry | None) -> Op:
    """Say why an item of the checklist does not apply; None takes it back."""

    def op(project: Project) -> Project:
        said = _with(project.dossier.not_applying, item, entry)
        return change_dossier(not_applying=said)(project)

    return op


def _with(
    known: Mapping[Key, Value], key: Key, value: Value | None
) -> dict[Key, Value]:
    """Return a mapping with another value; None leaves the key out."""
    found = {k: v for k, v in known.items() if k != key}
    return found if value is None else {**found, key: value}


def take_allowed() -> Op:
    """Take over what the context allows as privacy models; stricter ones stay."""
    return with_allowed
