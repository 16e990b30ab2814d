"""What a report of a release does not claim."""

from __future__ import annotations

from deidgui.app.report.blocks import Bullets, Paragraph, Section
from deidgui.engine.evidence.document import Evidence
from deidgui.text import Text, tr

NOT_CLAIMED: tuple[Text, ...] = (
    "This report is no certificate and no approval, and states no conformity with any "
    "law. It supports a determination; a person makes it.",
    "None of its thresholds and sizes of classes is prescribed by law, and no number "
    "says what “very small” is.",
    "The probability of an attempt is a judgement. The overall risk is its product "
    "with a counted figure, not the chance that a certain patient is identified.",
    "A risk remains, and it can grow with time: nobody is said to be beyond "
    "recognition.",
    "k-anonymity alone prevents neither singling out nor linkage nor inference, and "
    "l-diversity and t-closeness leave inference possible.",
    "An average says nothing about a certain person: the highest risk stands with it.",
    "A figure of the population is a count only where it is called counted. A figure "
    "for one recipient holds for no other, the public included.",
    "A low risk does not replace Safe Harbor: these are two different routes.",
    "That agreement, training and controls exist was entered by people, with name and "
    "date, and not checked.",
    "Codes and encryption do not make data anonymous. Whether data are personal "
    "is asked of each holder: the answer for the recipient need not be the owner's.",
    "Computed figures are no motivated intruder test. A test without a match does not "
    "show that there is none.",
    "Free text, pictures, genomes and columns that are not listed were not judged.",
    "A low loss does not show that the data serve the purpose.",
    "The figures of singling out, linkability and inference are this program's own; "
    "no author of another method and no authority endorses them.",
    "No regulator has accepted the form of this report. That what is asked of clinical "
    "reports holds for tables has to be argued.",
    "ISB 1523 and the guidelines of Ontario of 2025 were not read for it: nothing is "
    "compared with their numbers.",
    "When the determination ends, data that are released do not become identifiable "
    "by that; after a trigger, its date protects nobody.",
    "An overall risk below the threshold does not mean that no one is harmed: invasion "
    "of privacy and harm to groups are judged apart.",
)
"""In the order of determination.md, part 5; each is true wherever it stands."""


def claim_section(_evidence: Evidence) -> Section:
    """What nobody shall read into the report."""
    lead = tr("Whatever the figures are, this holds of the report.")
    items = Bullets(tuple(tr(each) for each in NOT_CLAIMED))
    return Section(tr("What is not claimed"), (Paragraph(lead), items))
