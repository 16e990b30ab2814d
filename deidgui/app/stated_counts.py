"""Sentences that a release of tables of counts states, from its facts."""

from __future__ import annotations

from collections.abc import Iterator

from deidgui.engine.counts.noise.rules import NOISE_RULES, NoiseRule
from deidgui.engine.evidence.counts_document import CountsEvidence, NoiseFacts
from deidgui.errors import DeidError
from deidgui.text import tr


def rule_of(noise: NoiseFacts) -> NoiseRule | None:
    """Return the rule with the stated parameters; None for one that nobody knows."""
    extra = noise.model_extra or {}
    stored = {
        "kind": noise.kind,
        "sigma": noise.sigma,
        "threshold": noise.threshold,
        **extra,
    }
    try:
        return NOISE_RULES.from_json(stored)
    except (DeidError, TypeError):
        return None


def noise_words(noise: NoiseFacts) -> tuple[str, ...]:
    """Say what was done to the counts."""
    rule = rule_of(noise)
    return () if rule is None else rule.words()


def structure_words(n_relations: int) -> tuple[str, str]:
    """Say what is not known while nobody has confirmed how counts hang together.

    Returns
    -------
    tuple of str
        What is not known, and what to do.
    """
    if not n_relations:
        return (
            tr(
                "No relations between these counts are known: none can be computed "
                "from the others here."
            ),
            tr(
                "If totals are published elsewhere, enter them on the step Structure. "
                "If there are none, confirm that."
            ),
        )
    return (
        tr(
            "Nobody has confirmed how these counts hang together ({n:relation|"
            "relations}).",
            n=n_relations,
        ),
        tr(
            "Whoever knows other relations can infer more. Check them on the step "
            "Structure and confirm them."
        ),
    )


def assumptions_of(evidence: CountsEvidence) -> tuple[str, ...]:
    """Say what the figures rest on."""
    return tuple(_assumptions(evidence))


def _assumptions(evidence: CountsEvidence) -> Iterator[str]:
    if evidence.noise is not None:
        yield tr(
            "The noise of each count is independent of that of all others; the same "
            "count in several tables may share its noise."
        )
        yield tr(
            "Add up counts by adding their variances: the sum of x counts has √x times "
            "the standard deviation of one."
        )
        yield tr(
            "What is left of the noise was computed from the sums and repeated counts "
            "listed here. An attacker who knows others can learn more; so does one "
            "who knows that counts are not negative."
        )
    if evidence.audit is not None:
        yield tr(
            "What can be inferred of masked counts was computed from the sums and "
            "repeated counts that are known here. An attacker who knows others can "
            "learn more."
        )
        if evidence.audit.confirmed and not evidence.audit.relations:
            yield tr(
                "No relations between these counts are known. A person confirmed that "
                "there are no totals of them, neither here nor elsewhere."
            )


def warnings_of(evidence: CountsEvidence) -> tuple[str, ...]:
    """Say what whoever releases or receives the tables should know."""
    return tuple(_warnings(evidence))


def _warnings(evidence: CountsEvidence) -> Iterator[str]:
    noise, left = evidence.noise, evidence.redundancy
    if left is not None and left.weakened:
        yield tr(
            "{n:count has|counts have} less than 80\u202f% of the noise left for "
            "somebody who adds up totals and parts: the least standard deviation is "
            "{least}, of {sd}.",
            n=left.weakened,
            least=f"{left.least:.2f}",
            sd=f"{noise.standard_deviation:.2f}" if noise else "",
        )
    for each in evidence.questions:
        yield tr(
            "{words} A person releases it all the same. Reason: {because}",
            words=each.words,
            because=each.because,
        )
    yield from _about_cells(evidence)
    if noise is not None and noise.key == "destroyed":
        yield tr(
            "The key of the noise was destroyed: another release of the same data has "
            "other noise, and several of them can be averaged."
        )
    if noise is not None and noise.mean:
        yield tr(
            "Counts are {bias} too high on average; sums are biased by that for each "
            "count.",
            bias=f"{noise.mean:g}",
        )
    audit = evidence.audit
    if audit is not None and audit.is_structure_open:
        what, _fix = structure_words(audit.relations)
        yield tr(
            "{what} Nobody has confirmed that nothing else is published that tells "
            "masked counts, as a total does.",
            what=what,
        )
    if audit is not None and audit.inconsistent:
        yield tr(
            "{n:masked count is|masked counts are} in sums that do not agree. The sums "
            "were left out, so what can be inferred of these counts is not known, and "
            "a person releases the tables all the same. Reason: {because}",
            n=len(audit.inconsistent),
            because=audit.because,
        )
    if audit is not None and audit.exact + audit.tight:
        yield tr(
            "{n:masked count|masked counts} can be inferred exactly or nearly, and a "
            "person releases the tables all the same. Reason: {because}",
            n=audit.exact + audit.tight,
            because=audit.because,
        )


def _about_cells(evidence: CountsEvidence) -> Iterator[str]:
    n_masked = sum(each.masked for each in evidence.outputs)
    n_omitted = sum(each.omitted for each in evidence.outputs)
    n_negative = sum(each.negative for each in evidence.outputs)
    if n_masked and evidence.noise is not None and evidence.audit is None:
        yield tr(
            "{n:count is|counts are} masked. This was not audited: with noise on the "
            "others nothing is exact, but intervals can be inferred.",
            n=n_masked,
        )
    if n_omitted:
        yield tr(
            "{n:percentage or mean was|percentages and means were} omitted (T).",
            n=n_omitted,
        )
    if n_negative:
        yield tr(
            "{n:count is|counts are} negative. Do not set them to zero before adding "
            "up.",
            n=n_negative,
        )
