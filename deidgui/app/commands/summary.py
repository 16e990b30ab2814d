"""What a command did, on one screen of plain text."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from deidgui.app.attacks.words import (
    about_people,
    about_registers,
    expected_words,
    interval_words,
    known_words,
    success_words,
    verdict,
)
from deidgui.app.charts.formats import of_all_text, rows_words
from deidgui.app.countries import country_name
from deidgui.app.dossier.drift_words import drift_rows, trigger_words
from deidgui.app.entered import signed_words
from deidgui.app.text.release import PUBLISHED
from deidgui.lazy import LazyModule
from deidgui.text import Text, per_cent, share_text, tr

if TYPE_CHECKING:
    from deidgui.app import stated
    from deidgui.app.attacks import results
    from deidgui.app.attacks.results import Attack
    from deidgui.app.counts import fuzzing as counts
    from deidgui.app.dossier import signing
    from deidgui.app.measuring import criteria_words
else:
    # PERF: they bring the evidence and the report along.
    results = LazyModule("deidgui.app.attacks.results")
    counts = LazyModule("deidgui.app.counts.fuzzing")
    criteria_words = LazyModule("deidgui.app.measuring.criteria_words")
    signing = LazyModule("deidgui.app.dossier.signing")
    stated = LazyModule("deidgui.app.stated")

WIDTH = 88

PEOPLE = "people"
"""Name of the table of people among the files of a project."""

SHOWN_STEPS = 20
"""Steps of a search by blocks that are printed."""

ROLE_WORDS: Mapping[str, Text] = {
    "direct_identifier": "direct identifiers (removed)",
    "quasi_identifier": "quasi-identifiers",
    "sensitive": "sensitive",
    "insensitive": "insensitive",
}

ROLE_TITLES: Mapping[str, Text] = {
    "direct_identifier": "Direct identifiers",
    "quasi_identifier": "Quasi-identifiers",
    "sensitive": "Sensitive",
    "insensitive": "Insensitive",
}

SHOWN_CANDIDATES = 10
"""Candidates of a search that are shown in words."""


def _wrapped(label: str, text: str, indent: int = 14) -> str:
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=f"{label:<{indent}}",
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
    )


def _share(value: float | None) -> str:
    return "–" if value is None else share_text(value)


def _risk_line(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterable[str]:
    for key, words in (
        ("highest", tr("highest risk")),
        ("average", tr("average risk")),
    ):
        then, now = before["prosecutor"][key], after["prosecutor"][key]
        figures = tr(
            "{before} before, {after} after, of a person known to be in the data",
            before=_share(then),
            after=_share(now),
        )
        yield _wrapped(words, figures)


def of_demo(result: Mapping[str, Any]) -> str:
    """Return the one-screen summary of the demo."""
    lines = [
        tr(
            "deidgui demo: {records:synthetic patient|synthetic patients}, "
            "{columns:column|columns}",
            records=result["records"],
            columns=result["columns"],
        ),
        "",
    ]
    for role, words in ROLE_WORDS.items():
        if names := result["roles"][role]:
            lines.append(_wrapped(f"  {tr(words)}:", " " + ", ".join(names), 4))
    if result["left_out"]:
        lines.append(
            _wrapped(f"  {tr('left out')}:", " " + ", ".join(result["left_out"]), 4)
        )
    lines.append("")
    decided = tr(
        "Every proposed role was confirmed for this example, and the recipient is: "
        "{recipient}. In your own project you decide both.",
        recipient=result["recipient"],
    )
    lines.append(_wrapped(tr("decided"), decided))
    for each in result["answers"]:
        answer = tr("{words} Answered: {because}", **_picked(each))
        lines.append(_wrapped(tr("question"), answer))
    lines += [_wrapped(tr("threshold"), words) for words in result["thresholds"]]
    lines.append(
        _wrapped(
            tr("search"),
            tr(
                "{nodes:policy|policies} examined, {solutions:meets|meet} the "
                "thresholds, the best is proven best",
                nodes=result["nodes"],
                solutions=result["solutions"],
            ),
        )
    )
    lines.append(_wrapped(tr("policy"), result["policy"]))
    lines += _risk_line(result["risk_before"], result["risk_after"])
    verdict: Text = "{release} (verified: {n:check|checks})"
    if not result["verified"]:
        verdict = "{release} (NOT VERIFIED: {n:check|checks})"
    lines += [
        _wrapped(
            tr("release"), tr(verdict, release=result["release"], n=result["checks"])
        ),
        _wrapped(tr("project"), result["project"]),
        _wrapped(tr("time"), f"{result['seconds']} s"),
    ]
    return "\n".join(lines)


def _population_lines(risk: Mapping[str, Any]) -> Iterable[str]:
    """Whose people an attacker looks among, and how likely records are found there."""
    population = risk["population"]
    if population is None:
        return
    yield _wrapped(tr("population"), population["words"])
    before, after = risk["before"], risk
    rows: tuple[tuple[Text, Text, str], ...] = (
        (
            "journalist",
            "highest risk {before} before, {after} after ({basis})",
            "highest",
        ),
        (
            "marketer",
            "average risk {before} before, {after} after ({basis})",
            "average",
        ),
    )
    for who, words, figure in rows:
        then, now = before[who][figure], after[who][figure]
        line = tr(
            words, before=_share(then), after=_share(now), basis=population["basis"]
        )
        yield _wrapped(tr(who), line)


def _overruled(evidence: Mapping[str, Any]) -> Iterable[str]:
    """Thresholds that a person has overruled, with the reason."""
    for each in evidence["overruled"]:
        yield tr("{words} Overruled by a person: {because}", **_picked(each))


def _picked(facts: Mapping[str, Any]) -> dict[str, str]:
    because = signed_words(facts["because"], facts["by"], facts["on"])
    return {"words": facts["words"], "because": because}


def _suppressed(evidence: Mapping[str, Any]) -> str:
    """How many people are suppressed, with how many rows; or how many records."""
    unit, rows = evidence["unit"], (evidence["suppressed_records"], evidence["records"])
    if unit.get("suppressed_people") is None:
        return of_all_text(*rows, of_people=False)
    people = of_all_text(unit["suppressed_people"], unit["people"], of_people=True)
    return f"{people}. {rows_words(rows)}".rstrip()


def of_run(result: Mapping[str, Any]) -> str:
    """Return what a run wrote."""
    evidence = result["evidence"]
    if evidence.get("kind") == "counts":
        return counts.counts_words(result)
    lines = [
        *(_wrapped(tr("NOT MET"), each) for each in _overruled(evidence)),
        _wrapped(tr("policy"), result["policy"]),
        _wrapped(
            tr("suppressed"),
            _suppressed(evidence),
        ),
        *_risk_line(evidence["risk"]["before"], evidence["risk"]),
        *_population_lines(evidence["risk"]),
    ]
    accepted = evidence["policy"]["acceptance"]
    if accepted:
        lines.append(_wrapped(tr("accepted"), accepted["words"]))
        compared = evidence["safe_harbor"]
        if compared and compared["scope"]:
            lines.append(_wrapped("", compared["scope"]))
    for model in evidence["models"]:
        met = tr("met") if model["satisfied"] else tr("NOT MET")
        lines.append(_wrapped(tr("threshold"), f"{met}: {model['words']}"))
    for each in evidence["questions"]:
        answer = tr("{words} Answered: {because}", **_picked(each))
        lines.append(_wrapped(tr("question"), answer))
    n_overruled = len(evidence["overruled"])
    lines += [
        _wrapped(tr("warning"), each) for each in evidence["warnings"][n_overruled:]
    ]
    lines += _not_compared(evidence)
    lines.append(
        _wrapped(tr("release"), tr("{release} (verified)", release=result["release"]))
    )
    dossier = evidence["dossier"]
    if dossier and dossier["edition"] == "public":
        lines.append(_wrapped(tr("warning"), tr(PUBLISHED)))
    return "\n".join(lines)


def _not_compared(evidence: Mapping[str, Any]) -> list[str]:
    """Say which tables a release was not compared with, and why."""
    criteria, lines = evidence["criteria"], []
    for figure, reason in (criteria["not_measured"] if criteria else {}).items():
        kind, _, name = figure.partition(":")
        if kind == "compared" or reason == "other_missing":
            name = name or tr("people who were not released")
            why = tr(criteria_words.REASONS[reason])
            line = tr("“{name}”: {why}", name=name, why=why)
            lines.append(_wrapped(tr("not compared"), line))
    return lines


def of_inspection(result: Mapping[str, Any]) -> str:
    """Return what was found out about a file, the most delicate columns first."""
    file = result["file"]
    if result["member"]:
        file = f"{file}/{result['member']}"
    columns = result["columns"]
    lines = [
        *_file_lines(result, file),
        *(_wrapped("  -", each, 4) for each in result["evidence"]),
        *_country_lines(result["country"]),
        *_missing_lines(columns),
    ]
    undecided: Text = "Undecided"
    for role, title in [(None, undecided), *ROLE_TITLES.items()]:
        chosen = [each for each in columns if each["role"] == role]
        if chosen:
            lines += ["", f"{tr(title)} ({len(chosen)})"]
            lines += [_column_lines(group) for group in _alike(chosen)]
    lines += ["", *_link_lines(result), *_key_lines(result)]
    project = result["project"]
    where = (
        tr(
            "The proposals are written to {project}: confirm or change them there "
            "or in the window.",
            project=PurePath(project).name,
        )
        if project
        else tr(
            "These are proposals: --project NAME.deid.json writes them to a "
            "project, in which they can be confirmed or changed."
        )
    )
    lines += ["", _wrapped("", where, 0)]
    if project:
        lines += ["", *_open_lines(result)]
    return "\n".join(lines)


def _country_lines(found: Mapping[str, Any]) -> list[str]:
    """Which country's rules are used, and why."""
    if found["code"] is None:
        return []
    name = f"{country_name(found['code'])} ({found['code']})"
    said = tr("The rules of {country} are used.", country=name)
    return [_wrapped("  -", " ".join([said, *found["reasons"]]), 4)]


def _file_lines(result: Mapping[str, Any], file: str) -> list[str]:
    """Rows and columns of each file; the link is told after its columns."""
    columns = result["columns"]
    if result["link"] is None:
        sizes = [(file, result["rows"], len(columns))]
    else:
        # The key of each file of events is a column of people.
        of = Counter(each["input"] for each in columns)
        sizes = [
            (e["of"], e["rows"], of[e["name"]] + (e["name"] != PEOPLE))
            for e in result["inputs"]
        ]
    return [
        tr("{file}: {rows:row|rows}, {n:column|columns}", file=name, rows=rows, n=n)
        for name, rows, n in sizes
    ]


def _missing_lines(columns: Sequence[Mapping[str, Any]]) -> list[str]:
    """Which texts mean that there is no value, and which may mean it."""
    taken = list(stated.taken_as_missing(each["missing_values"] for each in columns))
    if taken:
        taken.append(
            tr("“deidgui decide PROJECT --not-missing COLUMN=TEXT” makes it a value.")
        )
    doubtful = [each for each in columns if each["doubtful_values"]]
    if not doubtful:
        return taken
    lines = [
        *taken,
        tr(
            "Texts such as “unknown”, -9 or 9999-12-31 may mean that there is none. "
            "They count as values until somebody says so: in the window, or by "
            "“deidgui decide PROJECT --missing COLUMN=TEXT”."
        ),
    ]
    lines += [
        tr(
            "{column}: {n:text|texts} in {rows:row|rows}",
            column=each["name"],
            n=each["doubtful_values"],
            rows=each["doubtful_rows"],
        )
        for each in doubtful
    ]
    return [_wrapped("  -", each, 4) for each in lines]


def _link_lines(result: Mapping[str, Any]) -> list[str]:
    """How two files belong together, and which events belong to nobody."""
    link = result["link"]
    if link is None:
        return []
    first, people, *others = result["inputs"]
    words = []
    for events, found in zip(
        (first, *others), (link, *link.get("further", ())), strict=True
    ):
        words += [
            tr(
                "{people} has the people ({n:row|rows}), {events} their events "
                "({m:row|rows}).",
                people=people["of"],
                n=people["rows"],
                events=events["of"],
                m=events["rows"],
            ),
            tr(
                "{n:person has|people have} no event and are kept.",
                n=found["without_events"],
            )
            if not others
            else tr(
                "{n:person has|people have} no event in {events} and are kept.",
                n=found["without_events"],
                events=events["of"],
            ),
            tr(
                "Events with a key that no person has: {orphans}; without a key: "
                "{keyless}.",
                orphans=found["orphans"],
                keyless=found["keyless"],
            ),
        ]
    return [_wrapped("  -", each, 4) for each in words]


def _key_lines(result: Mapping[str, Any]) -> list[str]:
    """Whether rows may belong to people, and by which columns."""
    if result["key"] is not None:
        words = tr("Rows belong to people, by “{key}”.", key=result["key"])
        return [_wrapped("", words, 0)]
    if not result["keys"]:
        words = tr(
            "No column looks like a number of people. You decide who is protected."
        )
        return [_wrapped("", words, 0)]
    lines = [tr("Rows may belong to people, by one of these columns; you decide:")]
    for each in result["keys"]:
        words = " ".join(each["reasons"])
        lines.append(_wrapped(f"  {each['column']}:", f" {words}", 6))
    return lines


def of_decisions(result: Mapping[str, Any]) -> str:
    """Return what is still open in a project, or how to release it."""
    lines = list(_step_lines(result["preparation"]))
    lines += _hint_lines(result["hints"])
    lines += _proposal_lines(result["proposals"])
    lines += [_wrapped("", each, 0) for each in result["notes"]]
    lines += _context_lines(result["context"])
    lines += _validity_lines(result["validity"])
    lines += _dossier_lines(result["dossier"])
    lines += _unsigned_lines(result["unsigned"])
    if result["open"]:
        return "\n".join([*lines, *_open_lines(result)])
    lines += [tr("Nothing is open. Release it:"), f"    {result['next']}"]
    words = tr(
        "A run still asks about what only the released table shows: columns that look "
        "like identifiers, thresholds that no policy meets, and differences from an "
        "earlier release."
    )
    lines.append(_wrapped("", words, 0))
    return "\n".join(lines)


def _context_lines(context: Mapping[str, Any] | None) -> list[str]:
    """What follows from the context, and what of it is open."""
    if context is None:
        return []
    said = tr(
        "Context: {said} of {asked:answer|answers} given.",
        said=context["said"],
        asked=context["asked"],
    )
    lines = [said]
    names = ", ".join(each["name"] for each in context["open"])
    if names:
        lines.append(_wrapped("  -", tr("Open: {names}", names=names), 4))
    if context["words"]:
        lines.append(_wrapped("  -", context["words"], 4))
    if any(not each["is_asked"] for each in context["allowed"]):
        words = tr(
            "No privacy model asks for this yet: use --take-allowed, or set a stricter "
            "one. A release that exceeds it is stopped."
        )
        lines.append(_wrapped("  -", words, 4))
    return lines


def _validity_lines(validity: Mapping[str, Any] | None) -> list[str]:
    """Until when the determination holds, and what of it is open."""
    if validity is None:
        return []
    lines = [validity["words"] or tr("Nobody has decided how long it holds.")]
    names = ", ".join(each["name"] for each in validity["open"])
    if names:
        lines.append(_wrapped("  -", tr("Open: {names}", names=names), 4))
    return lines


def _dossier_lines(dossier: Mapping[str, Any] | None) -> list[str]:
    """How much of the dossier is entered, and what is missing first."""
    if dossier is None:
        return []
    lines = [
        tr(
            "Dossier: {complete} of {asked:item|items} complete.",
            complete=dossier["complete"],
            asked=dossier["asked"],
        )
    ]
    for each in dossier["missing"]:
        names = ", ".join(
            tr("{name} (not signed)", name=lack["name"])
            if lack["name"] in each["unsigned"]
            else lack["name"]
            for lack in each["lacks"]
        )
        sections = ", ".join(each["sections"])
        words = f"{sections} {each['item']}. {each['title']}: {names}"
        lines.append(_wrapped("  -", words, 4))
    names = ", ".join(f"{e['item']}. {e['title']}" for e in dossier["not_known"])
    if names:
        words = tr("Not known before a release: {items}", items=names)
        lines.append(_wrapped("  -", words, 4))
    return lines


def _unsigned_lines(unsigned: Mapping[str, int]) -> list[str]:
    """What nobody has signed, and how somebody does."""
    if not unsigned:
        return []
    words = tr(
        "{words} Use --sign-open with --answered-by NAME to stand for all of it.",
        words=signing.unsigned_words(unsigned),
    )
    return [_wrapped("", words, 0)]


def _step_lines(steps: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    """What each step of the preparation did, by its number."""
    for number, each in enumerate(steps, start=1):
        title = tr("Step {number}", number=number)
        yield _wrapped(f"{title}:", " " + " ".join(each["words"]), 8)


def _hint_lines(hints: Sequence[Mapping[str, Any]]) -> list[str]:
    """What may be a mistake in the data, and one command for all of it."""
    if not hints:
        return []
    lines = [_wrapped("  -", each["what"], 4) for each in hints]
    words = tr("To make these columns the same in all rows of each person:")
    return [*lines, words, f"    {hints[0]['fix']}", ""]


def _proposal_lines(proposals: Sequence[Mapping[str, Any]]) -> list[str]:
    """Thresholds for sensitive columns that have none, each with its reason."""
    if not proposals:
        return []
    words = tr(
        "{n:threshold is|thresholds are} proposed for sensitive columns that have "
        "none and more than one value; --model proposed adds them all:",
        n=len(proposals),
    )
    said = (f"{each['what']}. {each['why']}" for each in proposals)
    return [words, *(_wrapped("  -", each, 4) for each in said), ""]


CERTAIN: Text = "Roles that were proposed as certain can be taken over at once:"


def _open_lines(result: Mapping[str, Any]) -> list[str]:
    """Each open point, and under it the command that decides it, on a line to copy."""
    every = result["open"]
    lines = [tr("Still open: {n:decision|decisions}", n=len(every))]
    for each in every:
        lines += [_wrapped("  -", each["what"], 4), f"    {each['fix']}"]
    if result["certain"]:
        lines += ["", tr(CERTAIN), f"    {result['certain']}"]
    return lines


def _alike(columns: Iterable[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Gather columns about which the same is to be said (dx01, dx02, ...)."""
    groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for each in columns:
        reason = each["reasons"][0] if each["reasons"] else ""
        doubts = tuple(_doubts(each))
        key = (reason, each["band"], each["type"], each["format"], doubts)
        groups.setdefault(key, []).append(each)
    return list(groups.values())


def _column_lines(group: list[Mapping[str, Any]]) -> str:
    """Describe columns of which the same is to be said in one paragraph."""
    first, *others = group
    facts = [first["type"] + (f" {first['format']}" if first["format"] else "")]
    most = max(each["values"] for each in group)
    facts.append(
        tr("up to {n:different value|different values}", n=most)
        if others
        else tr("{n:different value|different values}", n=most)
    )
    if missing := max(each["missing"] for each in group):
        up_to = tr("up to {n} missing", n=missing)
        facts.append(up_to if others else tr("{n} missing", n=missing))
    if first["band"]:
        facts.append(first["band"])
    remarks = [
        *_doubts(first),
        *(
            reason
            for reason in first["reasons"]
            if all(reason in each["reasons"] for each in others)
        ),
    ]
    names = ", ".join(each["name"] for each in group)
    head = _wrapped("", f"{names}: {'; '.join(facts)}", 4)
    return "\n".join(["  " + head.lstrip(), _wrapped("", " ".join(remarks), 6)])


def _doubts(column: Mapping[str, Any]) -> Iterable[str]:
    """What a person must decide or look at before the type can be relied on."""
    if column["ambiguous"]:
        yield column["type_evidence"]
    if column["failing_rows"]:
        yield (
            tr(
                "Not of this type: {values:different value|different values} in "
                "{rows:record|records}.",
                values=column["failing_values"],
                rows=column["failing_rows"],
            )
        )


def of_search(result: Mapping[str, Any]) -> str:
    """Return the best policies of a search, and alternatives to a rule."""
    alternatives, population = result["alternatives"], result["population"]
    lines = []
    if population is not None:
        lines = [_wrapped(tr("population"), population["words"])]
        lines += [_wrapped(tr("warning"), each) for each in population["warnings"]]
    if "candidates" in result:
        lines += ["", *_candidates(result)] if lines else _candidates(result)
    if "longitudinal" in result:
        lines += ["", *_longitudinal(result)] if lines else _longitudinal(result)
    if "blocks" in result:
        lines += [*([""] if lines else []), of_blocks(result["blocks"])]
    if alternatives is not None:
        lines += ["", ""] if lines else []
        for line in _alternatives(alternatives):
            text = line.lstrip()
            before = " " * (len(line) - len(text))
            lines.append(
                textwrap.fill(
                    text, WIDTH, initial_indent=before, subsequent_indent=before + "  "
                )
            )
    return "\n".join(lines)


def _candidates(result: Mapping[str, Any]) -> list[str]:
    """Lines about the best policies of the lattice."""
    candidates = result["candidates"][:SHOWN_CANDIDATES]
    lines = [
        _wrapped(
            "",
            tr(
                "{nodes:policy|policies} for {records}. {proof} Of "
                "{compared:policy that was|policies that were} compared "
                "{solutions:meets|meet} the thresholds with at most {limit} "
                "suppressed.",
                nodes=result["nodes"],
                records=_counted(result["records"], result["unit"]),
                proof=_proof(result),
                compared=result["compared"],
                solutions=result["compared_solutions"],
                limit=_counted(result["limit_records"], result["unit"]),
            ),
            0,
        )
    ]
    if result["unit"] == "people":
        words = tr(
            "Risk, suppression and loss count each person once, whatever the number of "
            "rows. The evidence states the quality of the released rows."
        )
        lines.append(_wrapped("", words, 0))
    names = ("skipped_because", "kept", "proven_for", "preference")
    remarks = [result[name] for name in names]
    said = [_wrapped("", each, 0) for each in remarks]
    lines += [each for each in said if each]
    for place, each in enumerate(candidates, start=1):
        loss = tr("unknown") if each["loss"] is None else f"{each['loss']:.6g}"
        risk = _share(each["average_prosecutor_risk"])
        lines += [
            "",
            tr(
                "{place:>3}. {measure} {loss}, average risk {risk}",
                place=place,
                measure=result["measure_title"],
                loss=loss,
                risk=risk,
            ),
            _wrapped("", each["words"], 5),
            _wrapped("", _measures(each["measures"]), 5),
        ]
    left = len(result["candidates"]) - len(candidates)
    if left:
        lines += ["", "     " + tr("… and {n} more with --json.", n=left)]
    return lines


def of_blocks(found: Mapping[str, Any]) -> str:
    """Return what a search by blocks has found, with its first steps."""
    words = tr(
        "An adversary knows any {known} of {m:attribute|attributes}. "
        "{n:block|blocks} of {size} hold every set; each was raised and suppressed "
        "until every class has {k:record|records} or more.",
        known=found["known"],
        m=len(found["attributes"]),
        n=found["blocks"],
        size=found["block_size"],
        k=found["k"],
    )
    head = (tr("pass"), tr("at risk"), tr("suppressed"), tr("block: levels raised"))
    lines = [_wrapped("", words, 0), ""]
    lines += [f"{head[0]:>5}{head[1]:>10}{head[2]:>12}  {head[3]}"]
    lines += [_block_step(each) for each in found["steps"][:SHOWN_STEPS]]
    left = len(found["steps"]) - SHOWN_STEPS
    if left > 0:
        lines += ["     " + tr("… and {n} more with --json.", n=left)]
    lines += ["", _wrapped("", found["words"], 0)]
    return "\n".join(lines)


def _block_step(step: Mapping[str, Any]) -> str:
    raised = [f"{name} {low} → {high}" for name, (low, high) in step["raised"].items()]
    text = ", ".join(step["attributes"])
    if raised:
        text = f"{text}: {', '.join(raised)}"
    n_suppressed = step["suppressed"] or step["suppressed_cells"]
    return f"{step['pass']:>5}{step['at_risk_before']:>10,}{n_suppressed:>12,}  {text}"


def _longitudinal(result: Mapping[str, Any]) -> list[str]:
    """Lines about the best policies by known events."""
    found = result["longitudinal"]
    asked, candidates = found["asked"], found["candidates"]
    meeting = [each for each in candidates if each["meets"]]
    proof = ""
    if not found["complete"]:
        proof = " " + tr(
            "The best policy so far is not proven to be the best: another one can lose "
            "at most {gap} less.",
            gap=_share(1.0 if found["gap"] is None else found["gap"]),
        )
    words = tr(
        "{nodes:policy|policies} for {people:person|people}. {checked} were looked "
        "at, {n} of these meet the limit: at most {limit} of the people are matched by "
        "fewer than {size}, if an adversary knows at most {power:value|values} of each "
        "column of their events ({columns}). By the truncated Poisson rule the size "
        "would be {poisson}, by the large-sample rule {large}.",
        nodes=found["nodes"],
        people=result["records"],
        checked=found["checked"],
        n=found["meeting"],
        limit=per_cent(asked["limit"]),
        size=asked["size"],
        power=asked["power"],
        columns=", ".join(found["event_attributes"]),
        poisson=asked["size_poisson"],
        large=asked["size_large_sample"],
    )
    cut = asked["power_words"]
    lines = [_wrapped("", f"{words} {cut}".rstrip() + proof, 0)]
    for place, each in enumerate(meeting[:SHOWN_CANDIDATES], start=1):
        lines += [
            "",
            tr(
                "{place:>3}. loss {loss:.6g}, people at risk {share}",
                place=place,
                loss=each["loss"],
                share=share_words(each),
            ),
            _wrapped("", each["words"], 5),
        ]
    return lines


def share_words(share: Mapping[str, Any]) -> str:
    """Return a share of people at risk as JSON values, with what is known of it."""
    low, high = (per_cent(share[name], 3) for name in ("low", "high"))
    if share["how"] == "not_more":
        return tr("at most {high}", high=high)
    if share["how"] == "not_less":
        return tr("at least {low}", low=low)
    mean = per_cent(share["share_at_risk"], 3)
    if share["how"] in ("exact", "every_way"):
        return mean
    return tr("estimated {mean} ({low} to {high})", mean=mean, low=low, high=high)


def _counted(number: int, unit: str) -> str:
    """A number with what is counted: records, or people where rows belong to people."""
    words: Text = "{n:person|people}" if unit == "people" else "{n:record|records}"
    return tr(words, n=number)


METHODS: Mapping[str, Text] = {
    "profile": "Every policy was examined",
    "optimum": "The search looked at {checked:,} of them",
    "ola": "OLA examined {checked:,} and found {n_minimal:least general one|least "
    "general ones}",
}


def _proof(result: Mapping[str, Any]) -> str:
    """Say how policies were searched and how good the best one is."""
    n_minimal = len(result["minimal"])
    words = METHODS[result["method"]]
    how = tr(words, checked=result["checked"], n_minimal=n_minimal)
    gap = result["gap"]
    if result["complete"]:
        return tr("{how}: the first is proven best.", how=how)
    if result["method"] == "ola":
        return tr("{how}; the best of them need not be the best of all.", how=how)
    if gap is None or gap >= 1:
        return tr("{how}; a better one may exist.", how=how)
    return tr(
        "{how}; the best possible one is at most {share} better.",
        how=how,
        share=_share(gap),
    )


def _measures(measures: Iterable[Mapping[str, Any]]) -> str:
    """Losses under the measures that do not guide, on one line."""
    parts = [
        f"{each['kind'].replace('_', ' ')} {each['loss']:.4g}" for each in measures
    ]
    return f"({'; '.join(parts[1:])})"


BASELINES: Mapping[str, Text] = {
    "safe_harbor": "the Safe Harbor rule",
    "policy": "the policy of the project",
    "typed": "the risk that was typed",
    "models": "the privacy models",
}
"""What alternatives are measured by, in words."""

NOTHING = "∅"
"""Stands in a description where a rule joins nothing."""


def _alternatives(result: Mapping[str, Any], shown: int = 10) -> list[str]:
    """Say what `deidgui.app.describe_alternatives` returns, in lines.

    Parameters
    ----------
    shown : int, optional
        Alternatives at most.
    """
    lines = [
        *_allowed(result),
        *(f"  {tr('note')}: {each}" for each in result["remarks"]),
    ]
    lines += [f"  {tr('warning')}: {each}" for each in result["warnings"]]
    lines += ["", _alternatives_counted(result), *_meeting(result)]
    for place, kind in enumerate(result["clusters"], start=1):
        lines += [
            f"  {place}. {kind['alternatives']:,}: {kind['words']}",
            "     " + tr("for example {words}", words=kind["example_words"]),
        ]
    for place, each in enumerate(result["listed"][:shown], start=1):
        lines += [
            "",
            f"{place:>3}. {_alternative_figures(each, bool(result['wishes']))}",
        ]
        lines += [f"     {each['words']}"]
    left = result["alternatives"] - min(shown, len(result["listed"]))
    if left > 0:
        lines += ["", "     " + tr("… and {n} more with --json.", n=left)]
    return lines


def _allowed(result: Mapping[str, Any]) -> list[str]:
    name = tr(BASELINES[result["baseline"]])
    population = result["population"]
    who = tr("the data alone")
    if population["people"] is not None:
        titles = ", ".join(population["titles"]) or tr("the population")
        basis = f" ({population['basis']})" if population["basis"] else ""
        who = tr(
            "{population:person|people} of {titles}{basis}",
            population=population["people"],
            titles=titles,
            basis=basis,
        )
    risk = tr("risk of the data as they are {risk:.4g}", risk=result["raw_risk"])
    if result["threshold"] is None:
        return [
            tr(
                "Alternatives under {name}: {risk}, among {who}.",
                name=name,
                risk=risk,
                who=who,
            )
        ]
    lines = [
        tr(
            "Alternatives no riskier than {name}: {threshold:.4g} expected correct "
            "links of {records:record|records} are allowed ({risk}), among {who}.",
            name=name,
            threshold=result["threshold"],
            records=result["records"],
            risk=risk,
            who=who,
        )
    ]
    if result["rule"] is not None:
        joined = result["rule"]["joined"]
        parts = [f"{name} {text}" for name, text in joined.items() if text != NOTHING]
        kept = [name for name, text in joined.items() if text == NOTHING]
        names = ", ".join(parts) or tr("nothing")
        lines.append("  " + tr("the rule joins: {names}", names=names))
        if kept:
            names = ", ".join(kept)
            lines.append("  " + tr("the rule keeps in full: {names}", names=names))
    return lines


def _alternatives_counted(result: Mapping[str, Any]) -> str:
    end = "" if result["complete"] else tr(", stopped before the end")
    better = result["better_in_both"]
    both = (
        ""
        if better is None
        else tr("; {better} of them also lose no more", better=better)
    )
    return tr(
        "{alternatives:alternative|alternatives} by {method} (seed {seed:d}, "
        "{evaluated:policy|policies} evaluated{end}){both}. Kinds: {n}",
        alternatives=result["alternatives"],
        method=result["method"],
        seed=result["seed"],
        evaluated=result["evaluated"],
        end=end,
        both=both,
        n=len(result["clusters"]),
    )


def _meeting(result: Mapping[str, Any]) -> Iterable[str]:
    """How many alternatives meet what is asked of every release."""
    if result["thresholds"]:
        yield tr(
            "Of these {meeting} meet the privacy models of the project. The others are "
            "not released unless a person overrules a model.",
            meeting=result["meeting"],
        )
    elif result["alternatives"] and not result["meeting"]:
        yield tr(
            "Without a population of the region the comparison does not justify a "
            "release: set a privacy model or add the population."
        )


def _alternative_figures(each: Mapping[str, Any], has_preferences: bool) -> str:
    share = each["share_of_threshold"]
    allowed = (
        ""
        if share is None
        else tr(" ({share} of what is allowed)", share=share_text(share))
    )
    preferences = (
        tr(", preferences met {score}", score=share_text(each["score"]))
        if has_preferences
        else ""
    )
    unmet = tr(", a privacy model is NOT MET") if each["meets"] is False else ""
    return tr(
        "risk {risk:.4g}{allowed}, loss {loss}, {n:value|values} joined"
        "{preferences}{unmet}",
        unmet=unmet,
        risk=each["risk"],
        allowed=allowed,
        loss=share_text(each["loss_share"]),
        n=each["values_joined"],
        preferences=preferences,
    )


def of_drift(result: Mapping[str, Any]) -> str:
    """Return what has changed since an earlier release."""
    if result["drift"] is None:
        return tr(
            "The project names no earlier release. Name one with “deidgui decide "
            "PROJECT --earlier FOLDER --answered-by NAME”."
        )
    from deidgui.engine.evidence.document import Drift

    found = Drift.model_validate(result["drift"])
    lines = [f"  {name}: {index}, {words}" for name, index, words in drift_rows(found)]
    lines += [f"  - {trigger_words(found, kind)}" for kind in found.met]
    if not found.met:
        lines.append(tr("No trigger that the program measures is met."))
    elif result["undecided"]:
        lines.append(tr("Nothing is released until somebody decides anew."))
    else:
        lines.append(tr("Somebody has decided anew after this."))
    return "\n".join(lines)


def of_work_list(result: Mapping[str, Any]) -> str:
    """Return what was written for an intruder test, and what must become of it."""
    words = tr(
        "{classes} of {of:equivalence class|equivalence classes} written to {file}.",
        classes=result["classes"],
        of=result["of"],
        file=result["file"],
    )
    return "\n".join((words, _wrapped("", result["words"], 0)))


def of_attacks(result: Mapping[str, Any]) -> str:
    """Return how often each attack finds the right person."""
    attacks = [results.Attack(**each) for each in result["attacks"]]
    people = [each for each in attacks if each.kind == "known_person"]
    registers = [each for each in attacks if each.kind == "register"]
    lines = [_wrapped(tr("policy"), result["policy"])]
    if people:
        about = about_people(
            runs=people[0].runs or 0,
            fraction=result["fraction"],
            of_events=result["known_of_events"],
            unit=result["unit"],
            assumptions=result["assumptions"],
        )
        lines += ["", tr("Attacks on people of whom something is known"), about]
        lines[-1] = _wrapped("", lines[-1], 0)
        lines += [_attack_line(each) for each in people]
    if registers:
        lines += ["", tr("Attacks with a register"), _wrapped("", about_registers(), 0)]
        lines += [
            f"  {expected_words(each):>9}  {known_words(each)}" for each in registers
        ]
        lines += _column_attacks(attacks)
    lines += ["", _wrapped("", verdict(people + registers, result["threshold"]), 0)]
    lines += [_wrapped("  -", each, 4) for each in result["not_done"]]
    return "\n".join(lines)


def _attack_line(each: Attack) -> str:
    known = known_words(each)
    if each.power is not None:
        known = tr("{known}; power {power}", known=known, power=each.power)
    figures = f"  {success_words(each):>9}  ({interval_words(each)})"
    if each.expected is not None:
        exact = tr("exact: {expected}", expected=expected_words(each))
        figures = f"{figures}, {exact}"
    return f"{figures}  {known}"


def _column_attacks(attacks: Sequence[Attack], shown: int = 10) -> list[str]:
    """Combinations of columns of a register that tell most."""
    found = [each for each in attacks if each.kind == "register_columns"]
    if not found:
        return []
    found.sort(key=lambda each: -(each.expected or 0))
    title = tr("The same, if only these columns are known")
    if len(found) > shown:
        title = tr(
            "The same, if only these columns are known: {shown} of {n}, most first",
            shown=shown,
            n=len(found),
        )
    return [
        f"  {title}",
        *(
            f"  {expected_words(each):>9}  {each.variant.replace('+', ', ')}"
            for each in found[:shown]
        ),
    ]


def of_verification(result: Mapping[str, Any]) -> str:
    """Return what was checked, every failed check, and the verdict."""
    failed = [each for each in result["checks"] if not each["ok"]]
    passed = len(result["checks"]) - len(failed)
    words: Text = "{passed:check|checks} passed, {n} failed."
    if failed:
        words = (
            "{passed:check|checks} passed, {n} failed. These should hold and do not:"
        )
    lines = [tr(words, passed=passed, n=len(failed))]
    lines += [_wrapped("  -", each["words"], 4) for each in failed]
    if result["not_measured"]:
        lines.append(tr("Not determined by the files alone:"))
        lines += _unmeasured(result["not_measured_because"])
    lines.append(tr("Not checked, since the released files cannot prove it:"))
    lines += [_wrapped("  -", each["because"], 4) for each in result["not_checked"]]
    lines.append(
        tr("SHA-256 of the evidence: {digest}", digest=result["evidence_sha256"])
    )
    lines.append(_wrapped("", signature_words(result["signature"]), 0))
    lines.append(
        tr("Verified: the release matches its evidence.")
        if result["ok"]
        else tr("The release does NOT match its evidence. Do not share it.")
    )
    return "\n".join(lines)


def signature_words(signature: Mapping[str, Any] | None) -> str:
    """Say who has signed a release, and what a reader can conclude from it."""
    if signature is None:
        return tr(
            "Not signed: whoever can write to the folder and has this program can "
            "change all files so that they agree. Compare the SHA-256 above with the "
            "one on the signed report."
        )
    return tr(
        "Signed on {signed} with the key {fingerprint}. Compare this number with the "
        "sender's, or verify with --key FILE.",
        signed=signature["signed"],
        fingerprint=signature["fingerprint"],
    )


def _unmeasured(because: Mapping[str, str]) -> list[str]:
    """One line for each reason, with all that it stands for."""
    figures: dict[str, list[str]] = {}
    for figure, reason in because.items():
        figures.setdefault(reason, []).append(figure.replace("_", " "))
    return [
        _wrapped("  -", f"{', '.join(names)}: {reason}.", 4)
        for reason, names in figures.items()
    ]


def of_signature(result: Mapping[str, Any]) -> str:
    """Return what was signed, and with which key."""
    return tr(
        "Verified and signed with the key {fingerprint}.",
        fingerprint=result["fingerprint"],
    )


def of_report(result: Mapping[str, Any]) -> str:
    """Return where the report of a verified release is, and what not to publish."""
    words = tr("Verified. The report is in {file}.", file=result["report"])
    return f"{words} {tr(PUBLISHED)}" if result["edition"] == "public" else words


def of_key(result: Mapping[str, Any]) -> str:
    """Return where a new key is, and what to do with it."""
    return tr(
        "The key of the site is in {key}: keep it, and give it to nobody. Give "
        "{public_file} to those who receive releases, and tell them its number in "
        "another way: {fingerprint}",
        key=result["key"],
        public_file=result["public_file"],
        fingerprint=result["fingerprint"],
    )


def of_self_check(report: Mapping[str, Any]) -> str:
    """Return the checks of the installation, one line each."""
    lines = [f"deidgui {report['version']}"]
    for each in report["checks"]:
        mark = "ok" if each["ok"] else f"FAILED ({each['error']})"
        lines.append(f"  {each['check']}: {mark}, {each['seconds']} s")
    return "\n".join(lines)
