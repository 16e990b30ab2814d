"""The command decide: every decision of a project, set without the window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from deidgui.app import summary
from deidgui.cli.explaining import check_there, confirm, explaining
from deidgui.cli.options import (
    AnsweredBy,
    Because,
    Country,
    Dialect,
    Inputs,
    Json,
    Overrule,
    ProjectFile,
    inputs_of,
)
from deidgui.cli.printing import print_result
from deidgui.cli.progress import Progress
from deidgui.lazy import LazyModule
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app import deciding as job
    from deidgui.app import deciding_asked as asked
    from deidgui.app.project import Project
else:
    # PERF: numba and polars would take a second from every other command.
    job = LazyModule("deidgui.app.deciding")
    asked = LazyModule("deidgui.app.deciding_asked")

FirstRecord = Annotated[
    str | None,
    typer.Option(
        metavar="WHICH",
        help=tr("names or data: whether the first record holds the column names."),
    ),
]
Recipient = Annotated[
    str | None,
    typer.Option(
        help=tr("public, researcher, internal or own; sets the usual thresholds.")
    ),
]
SetBy = Annotated[str | None, typer.Option(help=tr("Who set the thresholds."))]
Justification = Annotated[
    str | None, typer.Option(help=tr("Why the thresholds are what they are."))
]
Name = Annotated[str | None, typer.Option(help=tr("Title of project and report."))]
Notes = Annotated[str | None, typer.Option(help=tr("Notes for the report."))]
Roles = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN=ROLE",
        help=tr(
            "direct_identifier (also direct_identifier:pseudonym or :mask), "
            "quasi_identifier, sensitive or insensitive."
        ),
    ),
]
LeaveOut = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help=tr("Do not release this column.")),
]
Keep = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help=tr("Take a column in that was left out.")),
]
Formats = Annotated[
    list[str] | None,
    typer.Option(
        "--format",
        metavar="COLUMN=FORMAT",
        help=tr("How dates or numbers are written, as D.M.YYYY or 1.234,5."),
    ),
]
Confirms = Annotated[
    bool,
    typer.Option(
        "--confirm-proposals",
        help=tr("Take over the roles that were proposed as certain."),
    ),
]
Key = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help=tr("Rows belong to people by this column.")),
]
RowsArePeople = Annotated[
    bool, typer.Option("--rows-are-people", help=tr("Each row is one person."))
]
Orphans = Annotated[
    str | None,
    typer.Option(
        metavar="ANSWER",
        help=tr(
            "left_out or open: what becomes of events that belong to nobody in the "
            "table of people."
        ),
    ),
]
Models = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KIND:PARAM=VALUE",
        help=tr(
            "Add or replace a privacy model, as k_anonymity:k=5; proposed: one for "
            "each sensitive column without one."
        ),
    ),
]
DropModels = Annotated[
    list[str] | None,
    typer.Option(metavar="KIND[:COLUMN]", help=tr("Remove a privacy model.")),
]
Limit = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE", help=tr("Largest share of records to suppress, as 0.05.")
    ),
]
Measure = Annotated[
    str | None, typer.Option(metavar="KIND", help=tr("Quality measure, as loss."))
]
Weights = Annotated[
    list[str] | None,
    typer.Option(
        "--weight",
        metavar="COLUMN=WEIGHT",
        help=tr("Importance for the analysis: low, medium, high, or from 0 to 1."),
    ),
]
KeepSomething = Annotated[
    bool | None,
    typer.Option(
        "--keep-something/--no-keep-something",
        help=tr("Remove a quasi-identifier only if no other policy is possible."),
    ),
]
Prepare = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KIND:PARAM=VALUE",
        help=tr("Add a step that changes the table first, as truncate_events."),
    ),
]
Unprepare = Annotated[
    list[int] | None,
    typer.Option(metavar="NUMBER", help=tr("Remove a step of the preparation.")),
]
Hierarchies = Annotated[
    list[str] | None,
    typer.Option(
        "--hierarchy",
        metavar="COLUMN=HIERARCHY",
        help=tr("proposed, a CSV file, or a template as intervals:width=10."),
    ),
]
Levels = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN=LOW..HIGH", help=tr("Levels of the hierarchy to be used.")
    ),
]
Population = Annotated[
    str | None,
    typer.Option(
        help=tr(
            "none, fraction=SHARE, register=FILE, counts=FILE or "
            "built_in=TABLE,state=NAME."
        )
    ),
]
Matches = Annotated[
    list[str] | None,
    typer.Option(
        "--match",
        metavar="COLUMN=HOW",
        help=tr(
            "How the population knows a column: one of its columns, proposed, a CSV "
            "file, accept_unmatched, independent or left_aside."
        ),
    ),
]
UnknownColumns = Annotated[
    str | None,
    typer.Option(
        metavar="HOW",
        help=tr(
            "independent or left_aside: all columns that the population does not know "
            "and that nobody has decided on, at once."
        ),
    ),
]
Quotas = Annotated[
    list[str] | None,
    typer.Option(
        "--quota",
        metavar="COLUMN=SHARE",
        help=tr(
            "Share of the searches for alternatives that join values of this column "
            "alone, as age=0.4; 0 takes it back."
        ),
    ),
]
Preferences = Annotated[
    list[str] | None,
    typer.Option(
        "--prefer",
        metavar="COLUMN=VALUES",
        help=tr(
            "Values that alternatives keep as they are: all, LOW..HIGH or none; with "
            ":must other policies are left out, with :2 it counts twice."
        ),
    ),
]
Baseline = Annotated[
    str | None,
    typer.Option(
        help=tr(
            "What alternatives may be no riskier than: safe_harbor, models, "
            "typed=NUMBER, policy or none."
        )
    ),
]
Elements = Annotated[
    list[str] | None,
    typer.Option(
        "--element",
        metavar="COLUMN=KIND",
        help=tr(
            "What a column is for Safe Harbor: proposed, age, zip, date, date:FORMAT, "
            "date:FORMAT:YEAR or other."
        ),
    ),
]
Events = Annotated[
    str | None,
    typer.Option(
        metavar="WHAT",
        help=tr(
            "What an adversary knows of a person's events: proposed, none, or as "
            "proposed,power=10,threshold=0.05,limit=0.008,diversity=entropy,"
            "rule=large_sample."
        ),
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help=tr("Another setting, as search.method=optimum or discover.iterations=50."),
    ),
]
Choose = Annotated[
    str | None,
    typer.Option(
        metavar="POLICY",
        help=tr(
            "best, a number of deidgui search, survey:NUMBER of deidgui search "
            "--survey, or a JSON file with a policy."
        ),
    ),
]
Suppressed = Annotated[
    str | None,
    typer.Option(help=tr("stars or left_out: what becomes of suppressed records.")),
]
Sample = Annotated[
    str | None,
    typer.Option(
        metavar="FRACTION",
        help=tr("Release a random sample of the people, as 0.3; or none."),
    ),
]
SampleSeed = Annotated[
    int | None,
    typer.Option(
        min=0,
        metavar="NUMBER",
        help=tr("Draws the same sample each time; who knows it knows the sample."),
    ),
]
AttributesKnown = Annotated[
    str | None,
    typer.Option(
        metavar="P[,...]",
        help=tr(
            "State the risk of who knows any P attributes, as "
            "3,always=sex+age,together=zip+county,block=5; or none."
        ),
    ),
]
AcceptSmall = Annotated[
    bool,
    typer.Option(
        "--accept-small-sample", help=tr("Release a sample of fewer than 3,000.")
    ),
]
Context = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help=tr(
            "What is said about recipient and release, as release=non_public, "
            "agreement.reference=DUA-7, prevalence=0.002; or none."
        ),
    ),
]
ContextAnswers = Annotated[
    list[str] | None,
    typer.Option(
        "--context-answer",
        metavar="KEY=ANSWER[:PROOF]",
        help=tr("Answer a question about the context, as C1=yes:DUA-7 or P1=2."),
    ),
]
ContextAttacks = Annotated[
    list[str] | None,
    typer.Option(
        "--context-attack",
        metavar="T1..T4=HOW[:REASON]",
        help=tr(
            "Whether an attack is relevant, as T3=excluded:REASON or T3=relevant; "
            "excluded only with a reason."
        ),
    ),
]
PrincipleOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--principle",
        metavar="COLUMN=FIELD:VALUE",
        help=tr(
            "What outsiders may know of a column: replicability and availability "
            "(low, medium, high), knowable_by (nobody, recipient, acquaintances, "
            "anybody), sources, because; or COLUMN=proposed."
        ),
    ),
]
AcceptPrinciples = Annotated[
    bool,
    typer.Option(
        "--accept-principles",
        help=tr("Accept all proposals of what outsiders may know of columns."),
    ),
]
DossierTexts = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME[:COLUMN]=TEXT",
        help=tr(
            "Enter a text of the dossier, as legal_basis=..., rule:age=..., "
            "not_applying:9=REASON, regime=hipaa, edition=public, "
            "intruder_test=targets=20; hours=16; ...; or none."
        ),
    ),
]
SignOpen = Annotated[
    bool,
    typer.Option(
        "--sign-open",
        help=tr(
            "Put --answered-by and the day to every text, answer and reason that "
            "nobody has signed."
        ),
    ),
]
Compare = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KIND=PATH",
        help=tr(
            "release=FOLDER or register=FILE: how many released people are found "
            "there. hold_out=FILE: people who were not released, of whom the same is "
            "guessed. With “,coverage=SHARE” for who has a part of the register, "
            "“,name=NAME”, “,QUASI-IDENTIFIER=COLUMN”. none=NAME takes it back."
        ),
    ),
]
TakeAllowed = Annotated[
    bool,
    typer.Option(
        "--take-allowed",
        help=tr("Ask by privacy models for what the context allows."),
    ),
]
Earlier = Annotated[
    str | None,
    typer.Option(
        metavar="FOLDER",
        help=tr(
            "Release that the next one is compared with, for what has changed; or none."
        ),
    ),
]
Validity = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help=tr(
            "Who watches over the determination, as in_charge=NAME, conditions=TEXT, "
            "review_months=6, contact=TEXT."
        ),
    ),
]
Valid = Annotated[
    str | None,
    typer.Option(
        metavar="FROM..UNTIL[:WHY]",
        help=tr(
            "Decide anew until when the determination holds, as "
            "2026-11-23..2028-11-23 or proposed; needs --answered-by."
        ),
    ),
]
Triggers = Annotated[
    list[str] | None,
    typer.Option(
        "--trigger",
        metavar="KIND:WORDS",
        help=tr(
            "Something happened after which the determination does not hold, as "
            "incident:WORDS; needs --answered-by."
        ),
    ),
]
Order = Annotated[
    str | None,
    typer.Option(help=tr("Order of rows: random, input, or a number to repeat it.")),
]
Accept = Annotated[
    list[str] | None,
    typer.Option(
        "--accept-finding",
        metavar="COLUMN:KIND",
        help=tr("Answer a question about a released column; needs --because."),
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(decide)


def decide(  # the whole command line in one signature, as typer reads it
    project: ProjectFile,
    first_record: FirstRecord = None,
    country: Country = None,
    dialect: Dialect = None,
    recipient: Recipient = None,
    set_by: SetBy = None,
    justification: Justification = None,
    name: Name = None,
    notes: Notes = None,
    role: Roles = None,
    leave_out: LeaveOut = None,
    keep: Keep = None,
    format_: Formats = None,
    confirm_proposals: Confirms = False,
    key: Key = None,
    rows_are_people: RowsArePeople = False,
    orphans: Orphans = None,
    model: Models = None,
    drop_model: DropModels = None,
    limit: Limit = None,
    measure: Measure = None,
    weight: Weights = None,
    keep_something: KeepSomething = None,
    prepare: Prepare = None,
    unprepare: Unprepare = None,
    hierarchy: Hierarchies = None,
    levels: Levels = None,
    population: Population = None,
    match: Matches = None,
    unknown_columns: UnknownColumns = None,
    baseline: Baseline = None,
    element: Elements = None,
    quota: Quotas = None,
    prefer: Preferences = None,
    events: Events = None,
    set_: Settings = None,
    choose: Choose = None,
    suppressed: Suppressed = None,
    sample: Sample = None,
    sample_seed: SampleSeed = None,
    accept_small_sample: AcceptSmall = False,
    attributes_known: AttributesKnown = None,
    order: Order = None,
    context: Context = None,
    context_answer: ContextAnswers = None,
    context_attack: ContextAttacks = None,
    principle: PrincipleOptions = None,
    accept_principles: AcceptPrinciples = False,
    dossier: DossierTexts = None,
    answered_by: AnsweredBy = "",
    sign_open: SignOpen = False,
    compare: Compare = None,
    take_allowed: TakeAllowed = False,
    validity: Validity = None,
    valid: Valid = None,
    earlier: Earlier = None,
    trigger: Triggers = None,
    accept_finding: Accept = None,
    overrule: Overrule = None,
    because: Because = "",
    input_: Inputs = None,
    as_json: Json = False,
) -> None:
    """Set decisions in a project and print what is still open.

    Example: deidgui decide p.deid.json --recipient researcher --role
    age=quasi_identifier --suppressed left_out
    """
    check_there(project)
    given = asked.Decisions(
        dialect=tuple(dialect or ()),
        country=country,
        first_record=first_record,
        recipient=recipient,
        set_by=set_by,
        justification=justification,
        name=name,
        notes=notes,
        roles=tuple(role or ()),
        leave_out=tuple(leave_out or ()),
        keep=tuple(keep or ()),
        formats=tuple(format_ or ()),
        confirms=confirm_proposals,
        key=key,
        rows_are_people=rows_are_people,
        orphans=orphans,
        models=tuple(model or ()),
        drop_models=tuple(drop_model or ()),
        limit=limit,
        measure=measure,
        weights=tuple(weight or ()),
        keep_something=keep_something,
        prepare=tuple(prepare or ()),
        unprepare=tuple(unprepare or ()),
        hierarchies=tuple(hierarchy or ()),
        levels=tuple(levels or ()),
        population=population,
        matches=tuple(match or ()),
        unknown_columns=unknown_columns,
        baseline=baseline,
        elements=tuple(element or ()),
        quotas=tuple(quota or ()),
        preferences=tuple(prefer or ()),
        events=events,
        settings=tuple(set_ or ()),
        choose=choose,
        suppressed=suppressed,
        sample=sample,
        sample_seed=sample_seed,
        accept_small_sample=accept_small_sample,
        attributes_known=attributes_known,
        order=order,
        compare=tuple(compare or ()),
        context=tuple(context or ()),
        context_answers=tuple(context_answer or ()),
        attacks=tuple(context_attack or ()),
        principles=tuple(principle or ()),
        accepts_principles=accept_principles,
        dossier=tuple(dossier or ()),
        answered_by=answered_by,
        signs_open=sign_open,
        takes_allowed=take_allowed,
        validity=tuple(validity or ()),
        valid=valid,
        earlier=earlier,
        triggers=tuple(trigger or ()),
        accept=tuple(accept_finding or ()),
        overrule=tuple(overrule or ()),
        because=because,
    )
    inputs = inputs_of(input_)

    def check(found: Project) -> None:
        asked.check_asked(found, given)

    with explaining(project, inputs, check), Progress() as progress:
        result = job.decide(
            project,
            given,
            inputs,
            confirm=None if as_json else confirm,
            monitor=progress,
        )
    print_result(result, as_json, summary.of_decisions)
