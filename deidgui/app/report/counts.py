"""The report of a release of tables of counts, made from its evidence alone."""

from __future__ import annotations

from collections.abc import Iterator

from deidgui.app.charts.formats import count_text
from deidgui.app.entered import signed_words
from deidgui.app.report.blocks import (
    Block,
    Bullets,
    KeyFigure,
    KeyFigures,
    Paragraph,
    Report,
    ReportTable,
    Section,
    Terms,
)
from deidgui.app.report.contents import (
    date_text,
    made_words,
    notes_of,
    question_section,
    released_files,
    signature_section,
)
from deidgui.app.report.html import page_of
from deidgui.app.report.pdf import pages_of
from deidgui.app.report.public_edition import for_public, summed_up
from deidgui.app.report.validity import validity_section
from deidgui.app.stated_counts import rule_of
from deidgui.engine.evidence.counts_document import (
    UNCERTAINTY,
    AuditFacts,
    CountsEvidence,
    NoiseFacts,
    Redundancy,
)
from deidgui.engine.evidence.document import digest_of
from deidgui.text import Text, tr

MOST_EQUATIONS = 200
"""More are only in the evidence."""


def report_html(evidence: CountsEvidence, edition: str | None = None) -> bytes:
    """Report of a release of tables of counts as HTML (see `page_of`)."""
    return page_of(report_of(evidence, edition))


def report_pdf(evidence: CountsEvidence, edition: str | None = None) -> bytes:
    """Report of a release of tables of counts as PDF (see `pages_of`)."""
    return pages_of(report_of(evidence, edition), digest_of(evidence))


def report_of(evidence: CountsEvidence, edition: str | None = None) -> Report:
    """Write the report of a release of tables of counts.

    Parameters
    ----------
    edition : str, optional
        public or confidential; without it confidential.

    Returns
    -------
    Report
        PRIVACY: no count, neither the true one nor the released one.
    """
    created = date_text(evidence.created)
    title = evidence.title or tr("Untitled")
    shown, digest = evidence, digest_of(evidence)
    in_public = edition == "public"
    if in_public:
        shown = for_public(evidence)
    sections = list(_sections(shown, digest, in_public=in_public))
    if in_public:
        sections = [e for each in sections for e in summed_up([each])]
        sections.insert(0, Section(tr("Edition"), (Paragraph(tr(_PUBLIC)),)))
    return Report(
        title=tr("De-identification report: tables of counts"),
        subtitle=title,
        made=made_words(evidence, edition),
        lead=lead(evidence),
        figures=key_figures(evidence),
        sections=sections,
        footer=f"{title} · {created}",
    )


_PUBLIC: Text = (
    "This is the public edition of the report: names of people, and what they typed, "
    "stand in the confidential one, which is made from the same evidence. Shown as "
    "typed are the title, the names of the tables, who watches over the validity, and "
    "whom to call. evidence.json says all: it belongs to the confidential edition."
)


def lead(evidence: CountsEvidence) -> str:
    """Return the release in one paragraph."""
    n_tables, n_counts = len(evidence.outputs), sum(e.counts for e in evidence.outputs)
    released = tr(
        "{tables:table is|tables are} released, with {counts:count|counts}.",
        tables=n_tables,
        counts=n_counts,
    )
    noise = evidence.noise
    if noise is None:
        return tr("{released} Small counts are masked.", released=released)
    return tr(
        "{released} Each of these counts has random noise with a standard deviation of "
        "{sd}: with a chance of 95\u202f% the true count lies within ±{reach} of it.",
        released=released,
        sd=f"{noise.standard_deviation:.2f}",
        reach=f"{1.96 * noise.standard_deviation:.1f}",
    )


def key_figures(evidence: CountsEvidence) -> KeyFigures:
    """The numbers to read first."""
    n_counts = sum(each.counts for each in evidence.outputs)
    n_masked = sum(each.masked for each in evidence.outputs)
    tables = tr("in {n:table|tables}", n=len(evidence.outputs))
    figures = [KeyFigure(count_text(n_counts), tr("counts released"), tables)]
    noise, left = evidence.noise, evidence.redundancy
    if noise is not None and left is not None:
        sd = f"{noise.standard_deviation:.2f}"
        figures.append(KeyFigure(sd, tr("standard deviation of the noise")))
        remark = tr("of somebody who adds up totals and parts")
        figures.append(KeyFigure(f"{left.least:.2f}", tr("least that is left"), remark))
    figures.append(KeyFigure(count_text(n_masked), tr("counts masked")))
    audit = evidence.audit
    if audit is not None:
        inferred = count_text(audit.exact)
        figures.append(KeyFigure(inferred, tr("masked counts that can be inferred")))
    return KeyFigures(tuple(figures))


def _sections(
    evidence: CountsEvidence, digest: str, *, in_public: bool
) -> Iterator[Section]:
    yield _tables(evidence)
    if evidence.noise is not None:
        yield _noise(evidence.noise)
    if evidence.redundancy is not None:
        yield _left(evidence.redundancy)
    if evidence.audit is not None:
        n_masked = sum(each.masked for each in evidence.outputs)
        yield _audit(evidence.audit, n_masked)
    if evidence.equations:
        yield _structure(evidence)
    if asked := question_section(evidence):
        yield asked
    if held := validity_section(evidence):
        yield held
    yield _caveats(evidence)
    released = released_files(evidence, digest, in_public=in_public)
    yield Section(tr("Files"), released)
    yield signature_section(evidence, digest)


def _tables(evidence: CountsEvidence) -> Section:
    header = (
        tr("Table"),
        tr("Counts"),
        tr("Masked"),
        tr("Omitted"),
        tr("Negative"),
    )
    rows = tuple(
        (
            each.name,
            *map(count_text, (each.counts, each.masked, each.omitted, each.negative)),
        )
        for each in evidence.outputs
    )
    widths = (0.44, 0.14, 0.14, 0.14, 0.14)
    note = tr(
        "Labels, order and layout are those of the tables that were read. Omitted are "
        "percentages and means of low counts, and those of which it is not known what "
        "they are of."
    )
    table = ReportTable(header, rows, widths, right=(1, 2, 3, 4))
    return Section(tr("What is released"), (table, Paragraph(note)))


def _noise(noise: NoiseFacts) -> Section:
    rule = rule_of(noise)
    terms = [
        (tr("Rule"), tr(rule.title) if rule else noise.kind),
        (tr("σ"), f"{noise.sigma:g}"),
        (
            tr("Standard deviation of a count"),
            tr("{sd} (rounding included)", sd=f"{noise.standard_deviation:.4g}"),
        ),
        (tr("Low counts are below"), f"{noise.threshold}"),
    ]
    if noise.rho is not None and noise.epsilon is not None:
        terms.append((tr("Guarantee"), f"ρ = {noise.rho:.4g}, ε = {noise.epsilon:.4g}"))
    if noise.key is not None:
        words = tr("kept apart") if noise.key == "kept_apart" else tr("destroyed")
        terms.append((tr("Key of the noise"), words))
    return Section(tr("Noise"), (Bullets(noise.words), Terms(tuple(terms))))


def _left(left: Redundancy) -> Section:
    found = tr(
        "Where a total and its parts, or the same count in several tables, have their "
        "own noise, the best estimate of a count from all of them has less. The least "
        "standard deviation that is left is {least}; {n:count has|counts have} less "
        "than 80\u202f% of the nominal one.",
        least=f"{left.least:.2f}",
        n=left.weakened,
    )
    file = tr(
        "{file} states for every released count its standard deviation, its 95\u202f% "
        "interval and what is left of the noise.",
        file=UNCERTAINTY,
    )
    return Section(tr("Uncertainty"), (Paragraph(found), Paragraph(file)))


def _audit(audit: AuditFacts, n_masked: int) -> Section:
    text = tr(
        "Counts below {threshold} were masked. What can be inferred of {n:masked count|"
        "masked counts} from all that is published:",
        threshold=audit.threshold,
        n=audit.masked,
    )
    rows = (
        (tr("exactly"), count_text(audit.exact)),
        (tr("an interval narrower than {width}", width=audit.width), f"{audit.tight}"),
        (
            tr("not known: in sums that do not agree"),
            count_text(len(audit.inconsistent)),
        ),
        (tr("a narrowed interval, wide enough"), count_text(audit.narrowed)),
        (tr("no more than the threshold says"), count_text(audit.protected)),
    )
    table = ReportTable(
        (tr("What can be inferred"), tr("Masked counts")), rows, (0.7, 0.3), right=(1,)
    )
    blocks: list[Block] = [Paragraph(text), table]
    if n_masked > audit.masked:
        words = tr(
            "{n:cell is|cells are} masked in all: the same count can stand in several, "
            "and complements are masked, too, which are not small but would tell small "
            "counts by the sums.",
            n=n_masked,
        )
        blocks.append(Paragraph(words))
    if audit.any_count:
        blocks.append(
            Paragraph(
                tr("Readers were taken to think that a complement may be any count.")
            )
        )
    if audit.because:
        by = audit.signed
        reason = signed_words(audit.because, by.by, by.on)
        blocks.append(Terms(((tr("Reason for the release"), reason),)))
    if audit.left_out:
        blocks.append(Paragraph(tr("Left out, since they do not agree:"), "caution"))
        left = tuple(each.words for each in audit.left_out[:MOST_EQUATIONS])
        blocks.append(Bullets(left))
    return Section(tr("Masked counts"), tuple(blocks))


def _structure(evidence: CountsEvidence) -> Section:
    words = [each.words for each in evidence.equations]
    blocks: list[Block] = [Bullets(tuple(words[:MOST_EQUATIONS]))]
    if len(words) > MOST_EQUATIONS:
        n = len(words) - MOST_EQUATIONS
        blocks.append(Paragraph(tr("… and {n} more, in evidence.json.", n=n)))
    return Section(tr("How the counts hang together"), tuple(blocks))


def _caveats(evidence: CountsEvidence) -> Section:
    blocks: list[Block] = [Bullets(evidence.assumptions)]
    if evidence.warnings:
        blocks.append(Paragraph(tr("Warnings:"), "caution"))
        blocks.append(Bullets(evidence.warnings))
    blocks += notes_of(evidence)
    return Section(tr("Assumptions and warnings"), tuple(blocks))
