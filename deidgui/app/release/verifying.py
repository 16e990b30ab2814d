"""A release read back: its files measured again, its words and report made again."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from deidgui import __version__
from deidgui.app import report
from deidgui.app.determination.context_words import answers_fit, stated_words
from deidgui.app.determination.determination import AllowedRisk, read_allowed
from deidgui.app.determination.validity_words import validity_words
from deidgui.app.drawn import sample_words
from deidgui.app.events_known import PeopleAtRisk, read_condition
from deidgui.app.power.words import expected_words
from deidgui.app.project import SampleChoice
from deidgui.app.release.overruling import SuppressionLimit
from deidgui.app.release.wording import (
    MISSING_WORDS,
    TREATMENT_WORDS,
    expected_assumptions,
    expected_warnings,
)
from deidgui.app.report import counts as counts_report
from deidgui.app.stated import events_words, tie_words
from deidgui.app.stated_counts import assumptions_of, noise_words, warnings_of
from deidgui.engine.evidence.checks import Check
from deidgui.engine.evidence.counts_document import CountsEvidence
from deidgui.engine.evidence.document import Attribute, Evidence, digest_of
from deidgui.engine.evidence.evidence import software
from deidgui.engine.evidence.folder import REPORTS, ReleaseFolder, is_of_counts
from deidgui.engine.evidence.signature import check_signature, read_signature
from deidgui.engine.evidence.verify import Verification, verify_release
from deidgui.engine.evidence.verify_counts import verify_counts_release
from deidgui.engine.policy.words import (
    are_coarser,
    cells_words,
    later_words,
    reason_for_cells,
    reasons_to_suppress,
    suppressed_words,
)
from deidgui.engine.privacy import PRIVACY_MODELS, PrivacyModel
from deidgui.engine.privacy.suppression import conditions_of
from deidgui.engine.quality import QUALITY_MEASURES
from deidgui.errors import DeidError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import in_english, tr

MAX_REPORT_BYTES = 64_000_000


def verify(
    folder: Path,
    *,
    staged: Mapping[str, Path] | None = None,
    reports: Mapping[str, bytes] | None = None,
    key: str | None = None,
    signed: bool = True,
    against: Sequence[Path] = (),
    monitor: Monitor = NULL_MONITOR,
) -> Verification:
    """Read a release back: measure it again and write its words and report again.

    Parameters
    ----------
    staged : mapping of str to Path, optional
        See `ReleaseFolder`.
    reports : mapping of str to bytes, optional
        The reports, if they have just been made from this evidence.
    key : str, optional
        Public key with which the release must be signed.
    against : sequence of Path
        See `verify_release`.
    signed : bool
        Whether to look at the signature, if there is one.

    Raises
    ------
    DeidError
        As `verify_release` and `read_signature`.

    Notes
    -----
    Figures are compared by code that shares nothing with the search; only sentences
    and reports are made again by the code that made them.
    """
    step = SubMonitor(monitor, 0.0, 0.9)
    files = ReleaseFolder(folder, staged)
    if is_of_counts(files):
        found = verify_counts_release(folder, staged=staged, monitor=step)
    else:
        found = verify_release(folder, staged=staged, against=against, monitor=step)
    if signed:
        signature = read_signature(files)
        checks = [*check_signature(files, signature, key)]
        found = found.with_checks(checks, {}, signature)
    if any(not each.ok and each.code.startswith("file_") for each in found.checks):
        return found
    reasons: dict[str, str] = {}
    with in_english():
        if isinstance(found.evidence, CountsEvidence):
            checks = [*check_counts_words(found.evidence)]
        else:
            checks = [*check_words(found.evidence)]
        checks += _check_reports(files, found.evidence, reports, reasons)
    monitor.report(1.0, "verify")
    return found.with_checks(checks, reasons, found.signature)


# -- words -----------------------------------------------------------------------------


def check_words(evidence: Evidence) -> Iterator[Check]:
    """Compare sentences with those that the stated facts make."""
    models = _models(evidence)
    for stated, model in zip(evidence.models, models, strict=True):
        about = {"model": stated.kind}
        fits = model is not None and stated.words == model.words()
        yield Check("model_words", fits, about)
    by_words = {(each.kind, each.words) for each in evidence.models}
    limit = evidence.thresholds.suppression_limit
    if limit is not None:
        asked = SuppressionLimit(limit, of_people=evidence.unit.people is not None)
        by_words.add((asked.kind, asked.words()))
    yield Check(
        "overruled_words",
        all((each.kind, each.words) in by_words for each in evidence.overruled),
    )
    yield Check("conditions_complete", _conditions_are_complete(evidence, models))
    yield from _check_measures(evidence)
    yield Check("policy_sentence", evidence.policy.sentence == _sentence(evidence))
    reasons = _reasons(evidence)
    yield Check("policy_reasons", evidence.policy.suppressed_because == reasons)
    yield Check(
        "proven_for", evidence.search.proven_for == _proven_for(evidence, models)
    )
    for each in evidence.attributes:
        yield Check("words", _words_fit(each), {"attribute": each.name})
    words = tr(MISSING_WORDS[evidence.missing.matches])
    yield Check("missing_words", evidence.missing.words == words)
    context = evidence.context
    if context is not None:
        fits = context.words == stated_words(context) and answers_fit(context)
        yield Check("context_words", fits)
    yield from _validity_words(evidence)
    known_stated = evidence.attributes_known
    if known_stated is not None:
        is_right = known_stated.words == expected_words(known_stated)
        yield Check("known_words", is_right)
    if evidence.sample is not None:
        yield Check("sample_words", evidence.sample.words == _sample_words(evidence))
    known = [model for model in models if model is not None]
    events = evidence.unit.events
    at_risk = [each for each in known if isinstance(each, PeopleAtRisk)]
    if events is not None and at_risk:
        yield Check("events_words", events.words == events_words(events, at_risk[0]))
    yield Check(
        "assumptions", _has(evidence.assumptions, expected_assumptions(evidence, known))
    )
    yield Check("warnings", _has(evidence.warnings, expected_warnings(evidence, known)))


def _validity_words(evidence: Evidence | CountsEvidence) -> Iterator[Check]:
    held = evidence.validity
    if held is not None:
        fits = held.words == validity_words(held.ends, held.ends_with)
        yield Check("validity_words", fits)


def check_counts_words(evidence: CountsEvidence) -> Iterator[Check]:
    """Compare the sentences about tables of counts with those that their facts make."""
    if evidence.noise is not None:
        yield Check("noise_words", evidence.noise.words == noise_words(evidence.noise))
    yield from _validity_words(evidence)
    yield Check("assumptions", evidence.assumptions == assumptions_of(evidence))
    yield Check("warnings", evidence.warnings == warnings_of(evidence))


def _sample_words(evidence: Evidence) -> str:
    sample, unit = evidence.sample, evidence.unit
    assert sample is not None
    sizes = (sample.sampled, sample.people, unit.kind == "key")
    return sample_words(SampleChoice(fraction=sample.fraction), sizes)


def _proven_for(
    evidence: Evidence,
    models: Sequence[PrivacyModel | PeopleAtRisk | AllowedRisk | None],
) -> str:
    """For which choice among equal classes the stated proof holds.

    The search under people at risk suppresses people, not the smallest classes.
    """
    if not evidence.search.is_optimum or evidence.search.method == "lola":
        return ""
    return tie_words([each for each in models if isinstance(each, PrivacyModel)])


def _models(
    evidence: Evidence,
) -> list[PrivacyModel | PeopleAtRisk | AllowedRisk | None]:
    """Stated models as such; None for one that cannot be read."""
    found: list[PrivacyModel | PeopleAtRisk | AllowedRisk | None] = []
    for each in evidence.models:
        stored = {"kind": each.kind, **(each.model_extra or {})}
        if each.kind == PeopleAtRisk.kind:
            found.append(read_condition(stored))
            continue
        if each.kind.startswith("context_"):
            found.append(read_allowed(stored))
            continue
        try:
            model = PRIVACY_MODELS.from_json(stored)
        except (DeidError, TypeError):
            found.append(None)
            continue
        found.append(model if model.to_json() == stored else None)
    return found


def _conditions_are_complete(
    evidence: Evidence,
    models: Sequence[PrivacyModel | PeopleAtRisk | AllowedRisk | None],
) -> bool:
    """Whether the policy suppresses for exactly the models that are stated."""
    if evidence.policy.bits or evidence.policy.cells is not None:
        return not evidence.policy.conditions
    known = [model for model in models if isinstance(model, PrivacyModel)]
    asked = [model.to_json() for model in conditions_of(known)]
    rounds = evidence.policy.rounds
    # Those of the policy are those of its first round.
    stated = [evidence.policy.conditions, *(each.conditions for each in rounds)]
    return all([each.model_dump() for each in some] == asked for some in stated)


def _check_measures(evidence: Evidence) -> Iterator[Check]:
    kinds = {kind.kind for kind in QUALITY_MEASURES}
    names = [each.name for each in evidence.attributes if each.mapping]
    yield Check("measures_complete", set(evidence.quality) == kinds)
    for place, (kind, stated) in enumerate(evidence.quality.items()):
        fits = False
        if kind in kinds:
            stored = {"kind": kind, **(stated.model_extra or {})}
            try:
                measure = QUALITY_MEASURES.from_json(stored)
                words = f"{tr(measure.title)}: {measure.words()}"
                fits = stated.words == words and measure.to_json() == stored
                # Only the measure that guided the search, the first, was chosen.
                fits = fits and (not place or measure == type(measure)())
            except (DeidError, TypeError):
                fits = False
        shown = list(stated.by_attribute)
        fits = fits and shown == [name for name in names if name in shown]
        yield Check("measure_words", fits, {"measure": kind})


def _sentence(evidence: Evidence) -> str:
    """Return the policy in one sentence, from the words of its attributes."""
    rounds, unit = evidence.policy.rounds, evidence.unit
    quasi = [each for each in evidence.attributes if each.mapping]
    parts = [f"{each.name}: {_first(each.words, bool(rounds))}" for each in quasi]
    of_people = unit.people is not None
    n = unit.people if unit.people is not None else evidence.records
    suppressed = unit.suppressed_people if of_people else evidence.suppressed_records
    n_later = sum(each.records for each in rounds[1:])
    if n_later:
        coarser = are_coarser([each.levels for each in rounds])
        parts.append(later_words(n_later, n, coarser, of_people))
    cells = evidence.policy.cells
    if cells is not None:
        n_cells = sum(cells.by_attribute.values())
        parts.append(cells_words(n_cells, cells.records, n, of_people))
    return "; ".join([*parts, suppressed_words(suppressed or 0, n, of_people)])


def _first(words: str, has_rounds: bool) -> str:
    return words.split("; else ")[0] if has_rounds else words


def _reasons(evidence: Evidence) -> tuple[str, ...]:
    rounds = evidence.policy.rounds or (evidence.policy,)
    cells = evidence.policy.cells
    more = (reason_for_cells(cells.known, cells.k),) if cells is not None else ()
    try:
        reasons = reasons_to_suppress(
            [
                (
                    each.suppress_below,
                    [PRIVACY_MODELS.from_json(c.model_dump()) for c in each.conditions],
                )
                for each in rounds
            ]
        )
    except (DeidError, TypeError):
        return ()
    return (*reasons, *more)


def _words_fit(each: Attribute) -> bool:
    if each.treatment == "generalized":
        return bool(each.words)
    return each.words == tr(TREATMENT_WORDS[each.treatment])


def _has(stated: Sequence[str], expected: tuple[tuple[str, ...], bool]) -> bool:
    """Whether the expected sentences are stated in order, and no others if exact."""
    sentences, is_exact = expected
    if len(set(stated)) != len(stated):
        return False
    if is_exact:
        return tuple(stated) == sentences
    left = iter(stated)
    return all(any(each == other for other in left) for each in sentences)


# -- reports ---------------------------------------------------------------------------


def _check_reports(
    folder: ReleaseFolder,
    evidence: Evidence | CountsEvidence,
    made: Mapping[str, bytes] | None,
    reasons: dict[str, str],
) -> Iterator[Check]:
    """Compare the reports with those that this evidence makes."""
    digest = digest_of(evidence).encode()
    html = folder.read(REPORTS[0], MAX_REPORT_BYTES)
    yield Check("report_digest", digest in html)
    if evidence.deidgui != __version__:
        reasons.update(dict.fromkeys(REPORTS, "other_version"))
        return
    if made is None:
        of_kind: Any = report
        if isinstance(evidence, CountsEvidence):
            of_kind = counts_report
        made = {REPORTS[0]: of_kind.report_html(evidence)}
        library = "reportlab"
        if evidence.software.get(library) == software().get(library):
            made[REPORTS[1]] = of_kind.report_pdf(evidence)
        else:
            reasons[REPORTS[1]] = "other_library"
    for name, content in made.items():
        stated = folder.read(name, MAX_REPORT_BYTES)
        fits = stated == content or _is_same_pdf(stated, content)
        yield Check("report_rendered", fits, {"file": name})


def _is_same_pdf(stated: bytes, made: bytes) -> bool:
    plain = _plain(stated)
    return plain is not None and plain == _plain(made)


_STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.DOTALL)
_PLACES = re.compile(rb"/Length \d+|/(Creation|Mod)Date \(D:[^)]*\)|(?s:\nxref\n.*)")
"""Lengths of packed parts, the date of the file (not of the report: reportlab takes
it from the environment), and the table of places with the print of the whole."""


def _plain(pdf: bytes) -> bytes | None:
    """Return the content of a PDF, however its parts were packed."""
    if not pdf.startswith(b"%PDF"):
        return None
    return _PLACES.sub(b"", _STREAM.sub(lambda part: _unpacked(part[1]), pdf))


def _unpacked(part: bytes) -> bytes:
    try:
        packed = base64.a85decode(part.strip(), adobe=False)
    except ValueError:
        try:
            packed = base64.a85decode(b"<~" + part.strip(), adobe=True)
        except ValueError:
            return part
    try:
        return zlib.decompressobj().decompress(packed, MAX_REPORT_BYTES)
    except zlib.error:
        return part
