"""The sections of a report that say how it came about and what it leaves open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from deidgui.app.charts.formats import count_text
from deidgui.app.report.blocks import (
    Block,
    Bullets,
    Paragraph,
    Section,
    Signature,
    Table,
    Terms,
)
from deidgui.app.report.sections import short_name
from deidgui.engine.evidence.document import Evidence, File, Output
from deidgui.engine.evidence.folder import REPORTS
from deidgui.text import Text, tr

_MONTHS: tuple[Text, ...] = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)

LIMITS: tuple[Text, ...] = (
    "The risks are those of the quasi-identifiers named here. Whoever knows other "
    "columns of a person, or finds a name in a free text, may do better.",
    "Columns that are no quasi-identifiers are released as they are; nobody has "
    "read every cell of them.",
    "Somebody who knows in which class a person is learns what all records of the "
    "class have in common, unless a requirement above limits it.",
    "What can be learned by combining this release with other releases about the same "
    "people is not measured.",
    "Classes are counted exactly; figures about the population are estimates and "
    "rest on the assumptions above.",
    "The quality measures say how much detail is lost, not whether a certain "
    "analysis comes to the same conclusion.",
    "The hashes show that files have not changed since they were written; they do not "
    "show that the input was complete or correct.",
)


def date_text(created: str | None) -> str:
    """Time of creation in words, without regard to the computer's language."""
    if not created:
        return tr("no date stated")
    try:
        time = datetime.fromisoformat(created)
    except ValueError:
        return tr("no date stated")
    zone = " UTC" if time.utcoffset() is not None and not time.utcoffset() else ""
    clock = f"{time.hour:02}:{time.minute:02}{zone}"
    return f"{time.day} {tr(_MONTHS[time.month - 1])} {time.year}, {clock}"


def search_section(evidence: Evidence) -> Section:
    """How the policy was found, and whether it is known to be the best."""
    search = evidence.search
    if evidence.policy.acceptance is not None:
        return _discovery_section(evidence)
    rows = [(tr("Method"), search.method.replace("_", " "))]
    if search.nodes is not None:
        rows.append((tr("Policies that exist"), count_text(search.nodes)))
    if search.checked is not None:
        rows.append((tr("Policies looked at"), count_text(search.checked)))
    if search.seed is not None:
        rows.append((tr("Seed of random choices"), str(search.seed)))
    words = (
        tr(
            "The search was complete: figures of all policies are known, exactly "
            "or by proven bounds."
        )
        if search.complete
        else tr(
            "The search was not completed: a better policy may exist. This does "
            "not touch the risk figures of the policy that was released."
        )
    )
    blocks: list[Block] = [Terms(tuple(rows)), Paragraph(words)]
    if evidence.policy.rounds:
        blocks.append(
            Paragraph(
                tr(
                    "The rounds were found one after the other, each for the records "
                    "that those before it left over. That no other rounds would be "
                    "better is not proven."
                )
            )
        )
    return Section(tr("How the policy was found"), tuple(blocks))


def _discovery_section(evidence: Evidence) -> Section:
    """How alternatives to a rule were looked for."""
    search = evidence.search
    known = search.model_extra or {}
    method = search.method.removeprefix("discovery_")
    rows = [(tr("Method"), _method_words(method))]
    rows += [
        (tr(title), write(known[name]))
        for name, (title, write) in _DISCOVERY_ROWS.items()
        if known.get(name)
    ]
    if search.seed is not None:
        rows.append((tr("Seed of random choices"), str(search.seed)))
    words = tr(
        "A person chose this policy among acceptable alternatives that keep "
        "different values apart. That another one suits the purpose better is "
        "possible; this does not touch the risk figures."
    )
    if known.get("came_to_its_end") is False:
        end = tr("The policy was chosen before the search had come to its end.")
        words = f"{words} {end}"
    return Section(
        tr("How the policy was found"), (Terms(tuple(rows)), Paragraph(words))
    )


def _method_words(method: str) -> str:
    known = method in DISCOVERIES
    return tr(DISCOVERIES[method]) if known else method.replace("_", " ")


def _count(value: Any) -> str:
    return count_text(int(value))


_MODES: Mapping[str, Text] = {
    "interval": "neighbours in the order of the values",
    "subtree": "groups of the hierarchy",
}

_WEIGHTS: Mapping[str, Text] = {
    "both": "the size of groups and how often policies had joined them",
    "size": "the size of groups",
    "use": "how often policies had joined them",
    "none": "chance alone",
}

_DISCOVERY_ROWS: Mapping[str, tuple[Text, Callable[[Any], str]]] = {
    "mode": (
        "Values that may be joined",
        lambda value: tr(_MODES[value]),
    ),
    "iterations": ("Policies asked for", _count),
    "budget": ("Policies to look at, at most", _count),
    "weights": (
        "Values to join were drawn by",
        lambda value: tr(_WEIGHTS[value]),
    ),
    "completes": (
        "Then made as specific as the risk allows",
        lambda value: tr("yes") if value else tr("no"),
    ),
    "demanded": ("Demanded", lambda value: "; ".join(map(str, value))),
    "evaluated": ("Policies looked at", _count),
    "alternatives": ("Alternatives to choose from", _count),
}
"""What is stated about a discovery: title and how the value is written."""


DISCOVERIES: Mapping[str, Text] = {
    "discovery": "discovered; with which settings was not noted",
    "bps": "bisecting search for the most specific acceptable policies",
    "directed": "directed search for the most specific acceptable policies",
    "exhaustive": "every policy was looked at",
    "frontier": "search for the frontier of risk and detail",
}
"""How alternatives were looked for, by method."""


def assumption_section(evidence: Evidence) -> Section:
    """Assumptions and warnings."""
    blocks: list[Block] = []
    if evidence.assumptions:
        blocks.append(Bullets(evidence.assumptions))
    else:
        blocks.append(Paragraph(tr("No assumption is stated.")))
    blocks += [Paragraph(warning, "caution") for warning in evidence.warnings]
    if evidence.notes:
        blocks.append(
            Paragraph(tr("Notes of the sender: {notes}", notes=evidence.notes))
        )
    return Section(tr("Assumptions and warnings"), tuple(blocks))


def limit_section(_evidence: Evidence) -> Section:
    """What the report does not show."""
    return Section(
        tr("What this report does not show"),
        (Bullets(tuple(tr(each) for each in LIMITS)),),
    )


def safe_harbor_section(evidence: Evidence) -> Section:
    """How the release stands to the HIPAA rules, and what is left to the expert."""
    blocks: list[Block] = [
        Paragraph(
            tr(
                "This report supports a determination by an expert (45 CFR "
                "164.514(b)(1)): the risk is measured. It does not certify that the "
                "release meets Safe Harbor (45 CFR 164.514(b)(2)), which asks for the "
                "removal of eighteen kinds of identifiers whatever the risk, and that "
                "the sender knows of no way to identify a person."
            )
        ),
        Paragraph(tr("What the expert has to judge beyond these figures:")),
        Bullets(tuple(tr(each) for each in EXPERT)),
    ]
    known = evidence.safe_harbor
    if known is not None and known.words:
        blocks.append(Paragraph(known.words))
        if known.scope:
            blocks.append(Paragraph(known.scope, "caution"))
    return Section(tr("Safe Harbor and expert determination"), tuple(blocks))


EXPERT: tuple[Text, ...] = (
    "Whether the risk is very small. No figure here is a limit set by law.",
    "Whether the quasi-identifiers are all that the recipient could use, alone or with "
    "other information that is reasonably available to the recipient.",
    "Whether every column that is released as it is may be: no names, numbers, places "
    "or dates in it that identify.",
    "Whether the population is the one to look in, and whether its figures are good "
    "enough for this purpose.",
    "What the recipient has agreed to and is able to do, and for how long the "
    "determination holds.",
)
"""What 45 CFR 164.514(b)(1) leaves to a person."""


def file_section(evidence: Evidence) -> Section:
    """Files with their hashes, and the software."""
    inputs = tuple(
        (each.file, _size_text(each.bytes), each.sha256) for each in evidence.inputs
    )
    vouched: tuple[Output | File, ...] = (*evidence.outputs, *evidence.files)
    written = tuple(
        (short_name(each.path), _size_text(each.bytes), each.sha256)
        for each in vouched
        if each.path not in REPORTS
    )
    widths = (0.3, 0.18, 0.52)
    versions = {"deidgui": evidence.deidgui, **evidence.software}
    software = ", ".join(f"{name} {version}" for name, version in versions.items())
    return Section(
        tr("Files"),
        (
            Table((tr("Input"), tr("Size"), "SHA-256"), inputs, widths, right=(1,)),
            Table(
                (tr("Released file"), tr("Size"), "SHA-256"),
                written,
                widths,
                right=(1,),
            ),
            Paragraph(
                tr(
                    "The hashes were taken from the bytes as they were written; then "
                    "the files were read again, the hashes compared and the figures "
                    "measured once more, by other code, from the released files alone. "
                    "evidence.json also holds the hashes of this report. “deidgui "
                    "verify FOLDER” repeats the comparison at any time."
                )
            ),
            Paragraph(tr("Computed with {software}.", software=software)),
        ),
    )


def _size_text(n_bytes: int) -> str:
    return tr("{n}\u00a0bytes", n=n_bytes)


def signature_section(_evidence: Evidence) -> Section:
    """Where those who answer for the release sign."""
    return Section(
        tr("Signatures"),
        (
            Paragraph(
                tr(
                    "The expert: I have knowledge of and experience with generally "
                    "accepted statistical and scientific principles and methods for "
                    "rendering information not individually identifiable. Applying "
                    "them, I determine that the risk is very small that the "
                    "information could be used, alone or in combination with other "
                    "reasonably available information, by the recipient stated above "
                    "to identify an individual who is a subject of the information. "
                    "The methods and results that justify this are documented in this "
                    "report and in what I attach to it."
                )
            ),
            Signature(
                (
                    tr("Name"),
                    tr("Qualification"),
                    tr("Valid until"),
                    tr("Date, signature"),
                )
            ),
            Paragraph(
                tr(
                    "For the sender: I have read this report. The release goes to the "
                    "recipient and for the purpose stated above."
                )
            ),
            Signature((tr("Name"), tr("Function"), tr("Date"), tr("Signature"))),
        ),
    )
