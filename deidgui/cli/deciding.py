"""The command decide: every decision of a project, set without the window."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import typer

from deidgui.app.commands import summary
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
    from deidgui.app.deciding import asked
    from deidgui.app.deciding import deciding as job
    from deidgui.app.project import Project
else:
    # PERF: numba and polars would take a second from every other command.
    job = LazyModule("deidgui.app.deciding.deciding")
    asked = LazyModule("deidgui.app.deciding.asked")


def _asked(field: str, kind: Any, *names: str, **options: Any) -> inspect.Parameter:
    """Return the option for a field, called like it if it has no `names`."""
    default = False if kind is bool else None
    option = typer.Option(default, *names, **options)
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(field, keyword, default=option, annotation=kind)


def _text(field: str, *names: str, **options: Any) -> inspect.Parameter:
    return _asked(field, str | None, *names, **options)


def _texts(field: str, *names: str, **options: Any) -> inspect.Parameter:
    return _asked(field, list[str] | None, *names, **options)


def _flag(field: str, *names: str, **options: Any) -> inspect.Parameter:
    alone = names or (f"--{field.replace('_', '-')}",)  # without its negation
    return _asked(field, bool, *alone, **options)


def _shared(field: str, kind: Any, default: object = None) -> inspect.Parameter:
    """Return an option that other commands have, too."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(field, keyword, default=default, annotation=kind)


OPTIONS = (
    _text(
        "first_record",
        metavar="WHICH",
        help=tr("names or data: whether the first record holds the column names."),
    ),
    _shared("country", Country),
    _shared("dialect", Dialect),
    _text(
        "recipient",
        help=tr("public, researcher, internal or own; sets the usual thresholds."),
    ),
    _text("set_by", help=tr("Who set the thresholds.")),
    _text("justification", help=tr("Why the thresholds are what they are.")),
    _text("name", help=tr("Title of project and report.")),
    _text("notes", help=tr("Notes for the report.")),
    _texts(
        "roles",
        "--role",
        metavar="COLUMN=ROLE",
        help=tr(
            "direct_identifier (also direct_identifier:pseudonym or :mask), "
            "quasi_identifier, sensitive or insensitive."
        ),
    ),
    _texts("leave_out", metavar="COLUMN", help=tr("Do not release this column.")),
    _texts("keep", metavar="COLUMN", help=tr("Take a column in that was left out.")),
    _texts(
        "formats",
        "--format",
        metavar="COLUMN=FORMAT",
        help=tr("How dates or numbers are written, as D.M.YYYY or 1.234,5."),
    ),
    _texts(
        "missing",
        metavar="COLUMN=TEXT",
        help=tr(
            "A text of a column that means no value, as age=-9; with nothing behind = "
            "the empty cell."
        ),
    ),
    _texts(
        "not_missing",
        metavar="COLUMN=TEXT",
        help=tr("A text that counted as no value is a value."),
    ),
    _flag(
        "confirms",
        "--confirm-proposals",
        help=tr("Take over the roles that were proposed as certain."),
    ),
    _text("key", metavar="COLUMN", help=tr("Rows belong to people by this column.")),
    _flag("rows_are_people", help=tr("Each row is one person.")),
    _text(
        "orphans",
        metavar="ANSWER",
        help=tr(
            "left_out or open: what becomes of events that belong to nobody in the "
            "table of people."
        ),
    ),
    _texts(
        "models",
        "--model",
        metavar="KIND:PARAM=VALUE",
        help=tr(
            "Add or replace a privacy model, as k_anonymity:k=5; proposed: one for "
            "each sensitive column without one."
        ),
    ),
    _texts(
        "drop_models",
        "--drop-model",
        metavar="KIND[:COLUMN]",
        help=tr("Remove a privacy model."),
    ),
    _asked(
        "limit",
        float | None,
        metavar="SHARE",
        help=tr("Largest share of records to suppress, as 0.05."),
    ),
    _text("measure", metavar="KIND", help=tr("Quality measure, as loss.")),
    _texts(
        "weights",
        "--weight",
        metavar="COLUMN=WEIGHT",
        help=tr("Importance for the analysis: low, medium, high, or from 0 to 1."),
    ),
    _asked(
        "keep_something",
        bool | None,
        "--keep-something/--no-keep-something",
        help=tr("Remove a quasi-identifier only if no other policy is possible."),
    ),
    _texts(
        "prepare",
        metavar="KIND:PARAM=VALUE",
        help=tr("Add a step that changes the table first, as truncate_events."),
    ),
    _asked(
        "unprepare",
        list[int] | None,
        metavar="NUMBER",
        help=tr("Remove a step of the preparation."),
    ),
    _texts(
        "hierarchies",
        "--hierarchy",
        metavar="COLUMN=HIERARCHY",
        help=tr("proposed, a CSV file, or a template as intervals:width=10."),
    ),
    _texts(
        "levels",
        metavar="COLUMN=LOW..HIGH",
        help=tr("Levels of the hierarchy to be used."),
    ),
    _text(
        "population",
        help=tr(
            "none, fraction=SHARE, register=FILE, counts=FILE or "
            "built_in=TABLE,state=NAME."
        ),
    ),
    _texts(
        "matches",
        "--match",
        metavar="COLUMN=HOW",
        help=tr(
            "How the population knows a column: one of its columns, proposed, a CSV "
            "file, accept_unmatched, independent or left_aside."
        ),
    ),
    _text(
        "unknown_columns",
        metavar="HOW",
        help=tr(
            "independent or left_aside: all columns that the population does not know "
            "and that nobody has decided on, at once."
        ),
    ),
    _text(
        "baseline",
        help=tr(
            "What alternatives may be no riskier than: safe_harbor, models, "
            "typed=NUMBER, policy or none."
        ),
    ),
    _texts(
        "elements",
        "--element",
        metavar="COLUMN=KIND",
        help=tr(
            "What a column is for Safe Harbor: proposed, age, zip, date, date:FORMAT, "
            "date:FORMAT:YEAR or other."
        ),
    ),
    _texts(
        "quotas",
        "--quota",
        metavar="COLUMN=SHARE",
        help=tr(
            "Share of the searches for alternatives that join values of this column "
            "alone, as age=0.4; 0 takes it back."
        ),
    ),
    _texts(
        "preferences",
        "--prefer",
        metavar="COLUMN=VALUES",
        help=tr(
            "Values that alternatives keep as they are: all, LOW..HIGH or none; with "
            ":must other policies are left out, with :2 it counts twice."
        ),
    ),
    _text(
        "events",
        metavar="WHAT",
        help=tr(
            "What an adversary knows of a person's events: proposed, none, or as "
            "proposed,power=10,threshold=0.05,limit=0.008,diversity=entropy,"
            "rule=large_sample."
        ),
    ),
    _texts(
        "settings",
        "--set",
        metavar="NAME=VALUE",
        help=tr("Another setting, as search.method=optimum or discover.iterations=50."),
    ),
    _text(
        "choose",
        metavar="POLICY",
        help=tr(
            "best, a number of deidgui search, survey:NUMBER of deidgui search "
            "--survey, or a JSON file with a policy."
        ),
    ),
    _text(
        "suppressed", help=tr("stars or left_out: what becomes of suppressed records.")
    ),
    _text(
        "sample",
        metavar="FRACTION",
        help=tr("Release a random sample of the people, as 0.3; or none."),
    ),
    _asked(
        "sample_seed",
        int | None,
        min=0,
        metavar="NUMBER",
        help=tr("Draws the same sample each time; who knows it knows the sample."),
    ),
    _flag("accept_small_sample", help=tr("Release a sample of fewer than 3,000.")),
    _text(
        "attributes_known",
        metavar="P[,...]",
        help=tr(
            "State the risk of who knows any P attributes, as "
            "3,always=sex+age,together=zip+county,block=5; or none."
        ),
    ),
    _text("order", help=tr("Order of rows: random, input, or a number to repeat it.")),
    _texts(
        "context",
        metavar="NAME=VALUE",
        help=tr(
            "What is said about recipient and release, as release=non_public, "
            "agreement.reference=DUA-7, prevalence=0.002; or none."
        ),
    ),
    _texts(
        "context_answers",
        "--context-answer",
        metavar="KEY=ANSWER[:PROOF]",
        help=tr("Answer a question about the context, as C1=yes:DUA-7 or P1=2."),
    ),
    _texts(
        "attacks",
        "--context-attack",
        metavar="T1..T4=HOW[:REASON]",
        help=tr(
            "Whether an attack is relevant, as T3=excluded:REASON or T3=relevant; "
            "excluded only with a reason."
        ),
    ),
    _texts(
        "principles",
        "--principle",
        metavar="COLUMN=FIELD:VALUE",
        help=tr(
            "What outsiders may know of a column: replicability and availability "
            "(low, medium, high), knowable_by (nobody, recipient, acquaintances, "
            "anybody), sources, because; or COLUMN=proposed."
        ),
    ),
    _flag(
        "accepts_principles",
        "--accept-principles",
        help=tr("Accept all proposals of what outsiders may know of columns."),
    ),
    _texts(
        "dossier",
        metavar="NAME[:COLUMN]=TEXT",
        help=tr(
            "Enter a text of the dossier, as legal_basis=..., rule:age=..., "
            "not_applying:9=REASON, regime=hipaa, edition=public, "
            "intruder_test=targets=20; hours=16; ...; or none."
        ),
    ),
    _shared("answered_by", AnsweredBy, ""),
    _flag(
        "signs_open",
        "--sign-open",
        help=tr(
            "Put --answered-by and the day to every text, answer and reason that "
            "nobody has signed."
        ),
    ),
    _texts(
        "compare",
        metavar="KIND=PATH",
        help=tr(
            "release=FOLDER or register=FILE: how many released people are found "
            "there. hold_out=FILE: people who were not released, of whom the same is "
            "guessed. With “,coverage=SHARE” for who has a part of the register, "
            "“,name=NAME”, “,QUASI-IDENTIFIER=COLUMN”. none=NAME takes it back."
        ),
    ),
    _flag(
        "takes_allowed",
        "--take-allowed",
        help=tr("Ask by privacy models for what the context allows."),
    ),
    _texts(
        "validity",
        metavar="NAME=VALUE",
        help=tr(
            "Who watches over the determination, as in_charge=NAME, conditions=TEXT, "
            "review_months=6, contact=TEXT."
        ),
    ),
    _text(
        "valid",
        metavar="FROM..UNTIL[:WHY]",
        help=tr(
            "Decide anew until when the determination holds, as "
            "2026-11-23..2028-11-23 or proposed; needs --answered-by."
        ),
    ),
    _text(
        "earlier",
        metavar="FOLDER",
        help=tr(
            "Release that the next one is compared with, for what has changed; or "
            "none. Of tables of counts: release of the same tables, with --because."
        ),
    ),
    _texts(
        "triggers",
        "--trigger",
        metavar="KIND:WORDS",
        help=tr(
            "Something happened after which the determination does not hold, as "
            "incident:WORDS; needs --answered-by."
        ),
    ),
    _texts(
        "accept",
        "--accept-finding",
        metavar="COLUMN:KIND",
        help=tr("Answer a question about a released column; needs --because."),
    ),
    _shared("overrule", Overrule),
    _shared("because", Because, ""),
)
"""What can be decided, in the order of the help: the fields of `AskedDecisions`."""


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(decide)


def decide(
    project: ProjectFile, input_: Inputs = None, as_json: Json = False, **given: Any
) -> None:
    """Set decisions in a project and print what is still open.

    Example: deidgui decide p.deid.json --recipient researcher --role
    age=quasi_identifier --suppressed left_out
    """
    check_there(project)
    said: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in given.items()
        if value is not None
    }
    decisions = asked.AskedDecisions(**said)
    inputs = inputs_of(input_)

    def check(found: Project) -> None:
        asked.check_asked(found, decisions)

    with explaining(project, inputs, check), Progress() as progress:
        result = job.decide(
            project,
            decisions,
            inputs,
            confirm=None if as_json else confirm,
            monitor=progress,
        )
    print_result(result, as_json, summary.of_decisions)


def _signature() -> inspect.Signature:
    """Return the command line as typer reads it: each option in its place."""
    project, inputs, as_json, _ = inspect.signature(
        decide, eval_str=True
    ).parameters.values()
    last = (each.replace(kind=each.KEYWORD_ONLY) for each in (inputs, as_json))
    return inspect.Signature([project, *OPTIONS, *last])


decide.__signature__ = _signature()  # type: ignore[attr-defined]
