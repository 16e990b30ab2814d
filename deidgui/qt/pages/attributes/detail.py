"""All that is known of one column, and what is decided about it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from deidgui.app.charts.formats import count_text
from deidgui.app.project import Attribute
from deidgui.app.reading.columns import ColumnSummary
from deidgui.engine.detect.roles import Finding
from deidgui.qt.charts.spark import Sparkline
from deidgui.qt.charts.texts import shortened
from deidgui.qt.column_words import (
    BAND_COLOUR,
    BAND_GLYPH,
    ROLES,
    TREATMENTS,
    band_words,
    finding_words,
    meaning,
    reason_words,
    removed_words,
    type_words,
    words,
)
from deidgui.qt.models.attributes import unique_words
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    ComboBox,
    ElidedLabel,
    GlyphLabel,
    KeyValueList,
    Label,
    Refill,
    ScrolledColumn,
    ToggleRow,
    column,
    field_row,
    line,
    row,
    show_if,
)
from deidgui.text import share_text, tr

WIDTH = 336


class DetailPanel(ScrolledColumn):
    """One column in full; every control is a decision about it."""

    role_wanted = Signal(str)
    treatment_wanted = Signal(str)
    include_wanted = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, is_beside=True)
        self.setMinimumWidth(264)
        self._shown: tuple[object, ...] = ()
        self._name = ElidedLabel("", "section")
        self._type = Caption()
        self._hint = Label(
            tr("Choose a column to see why its role is proposed."),
            tone="muted",
            wrap=True,
        )
        self._parts = QWidget()
        parts = QVBoxLayout(self._parts)
        parts.setContentsMargins(0, 0, 0, 0)
        parts.setSpacing(12)
        for part in (
            column(self._name, self._type, spacing=2),
            self._make_roles(),
            self._make_treatment(),
            line(),
            self._make_reasons(),
            line(),
            self._make_figures(),
            line(),
            self._make_include(),
        ):
            if isinstance(part, QWidget):
                parts.addWidget(part)
            else:
                parts.addLayout(part)
        content = QWidget()
        content.setObjectName("scrolled")
        box = QVBoxLayout(content)
        box.setContentsMargins(16, 4, 0, 8)
        box.addWidget(self._hint)
        box.addWidget(self._parts)
        box.addStretch(1)
        self.setWidget(content)
        self._parts.hide()

    # -- making --------------------------------------------------------------------

    def _make_roles(self) -> QVBoxLayout:
        self.roles = QButtonGroup(self)
        made = column(spacing=4)
        for place, role in enumerate(ROLES):
            button = QRadioButton(words(role))
            button.setToolTip(
                tr(
                    "{meaning} Key {key} in the list.",
                    meaning=meaning(role),
                    key=place + 1,
                )
            )
            self.roles.addButton(button, place)
            made.addWidget(button)
        self.roles.idClicked.connect(self._on_role_clicked)
        self._meaning = Caption()
        made.addWidget(self._meaning)
        self._proposal = Button("", "link", clicked=self._on_proposal_clicked)
        made.addWidget(self._proposal, 0, Qt.AlignmentFlag.AlignLeft)
        return made

    def _make_treatment(self) -> QWidget:
        options = [(key, words(key)) for key in TREATMENTS]
        self.treatment = ComboBox(options, tr("Treatment"))
        self.treatment.activated.connect(self._on_treatment_chosen)
        self._treatment_meaning = Caption()
        self._treatment_row = field_row(tr("Treatment"), self.treatment)
        box = self._treatment_row.layout()
        assert box is not None
        box.addWidget(self._treatment_meaning)
        return self._treatment_row

    def _make_reasons(self) -> QVBoxLayout:
        self._band_glyph = GlyphLabel("minus", "subtle", 16)
        self._band = Label("", "strong", wrap=True)
        head = row(self._band_glyph, self._band)
        head.setStretch(1, 1)
        self._reasons = QVBoxLayout()
        self._reasons.setSpacing(6)
        self._reason_labels = Refill(self._reasons)
        self._alternatives = Caption()
        made = column(Label(tr("Why"), "overline"), head, spacing=6)
        made.addLayout(self._reasons)
        made.addWidget(self._alternatives)
        return made

    def _make_figures(self) -> QVBoxLayout:
        self.unique = Callout()
        self._spark = Sparkline()
        self._spark.setFixedHeight(40)
        self._spark_words = Caption()
        self._facts = KeyValueList()
        self._telling = Caption()
        self._top_title = Label(tr("Most frequent values"), "overline")
        self._top = KeyValueList()
        return column(
            Label(tr("How telling it is alone"), "overline"),
            self.unique,
            self._telling,
            self._facts,
            self._spark,
            self._spark_words,
            self._top_title,
            self._top,
        )

    def _make_include(self) -> QWidget:
        self.include = ToggleRow(
            tr("Part of the release"),
            tr("Off leaves the column out, whatever its role."),
        )
        self.include.toggled.connect(self.include_wanted)
        return self.include

    # -- showing -------------------------------------------------------------------

    def show_column(
        self,
        attribute: Attribute | None,
        finding: Finding | None = None,
        summary: ColumnSummary | None = None,
    ) -> None:
        """Show a column; nothing is redrawn if it is as before."""
        shown = (attribute, id(finding), id(summary))
        if shown == self._shown:
            return
        name = attribute.name if attribute else ""
        is_other = name != self._name.text()
        self._shown = shown
        show_if(self._parts, attribute is not None)
        show_if(self._hint, attribute is None)
        if attribute is None:
            return
        self._show_decisions(attribute, finding)
        self._show_reasons(finding)
        self._show_figures(finding, summary)
        is_kept = attribute.include and attribute.role in ("sensitive", "insensitive")
        is_named = is_kept and summary is not None and summary.is_nearly_unique
        show_if(self.unique, is_named)
        if summary is not None and is_named:
            self.unique.show_words(unique_words(summary), "warning")
        if is_other:
            self.verticalScrollBar().setValue(0)

    def _show_decisions(self, attribute: Attribute, finding: Finding | None) -> None:
        self._name.setText(attribute.name)
        state = "" if attribute.confirmed else tr("role proposed, not confirmed")
        if attribute.role is None:
            state = tr("not decided")
        self._type.setText(" · ".join(filter(None, [type_words(attribute), state])))
        role = attribute.role
        self.roles.setExclusive(False)
        for place, each in enumerate(ROLES):
            self.roles.button(place).setChecked(each == role)
        self.roles.setExclusive(True)
        self._meaning.setText(f"{words(role)}: {meaning(role)}" if role else "")
        proposed = finding.role.value if finding and finding.role else None
        is_other = proposed is not None and proposed != role
        show_if(self._proposal, is_other)
        if proposed is not None and is_other:
            self._proposal.setText(
                tr("Back to the proposal: {role}", role=words(proposed))
            )
        show_if(self._treatment_row, role == "direct_identifier")
        treatment = attribute.treatment or "remove"
        self.treatment.set_current(treatment)
        self._treatment_meaning.setText(meaning(treatment))
        removed = removed_words(attribute)
        self.include.set_on(attribute.include, off_because=removed)

    def _show_reasons(self, finding: Finding | None) -> None:
        band = finding.band if finding else None
        self._band_glyph.set_glyph(BAND_GLYPH[band], BAND_COLOUR[band])
        self._band.setText(self._band_sentence(finding))
        reasons = finding.reasons if finding else ()
        with self._reason_labels:
            for reason in reasons:
                label = self._reason_labels.label(reason_words(reason), wrap=True)
                self._reasons.addWidget(label)
        others = finding.alternatives if finding else ()
        titles = ", ".join(other.title for other, _score in others[:3])
        self._alternatives.setText(tr("It may also be: {others}.", others=titles))
        show_if(self._alternatives, bool(others))

    def _band_sentence(self, finding: Finding | None) -> str:
        if finding is None or finding.band is None:
            return tr("No identifier detected. Check the column yourself")
        found = finding_words(finding)
        text = tr("{band}: {found}", band=band_words(finding.band), found=found)
        if finding.identifier is None:
            return text
        return tr(
            "{finding} (Safe Harbor identifier {number})",
            finding=text,
            number=finding.identifier.number,
        )

    def _show_figures(
        self, finding: Finding | None, summary: ColumnSummary | None
    ) -> None:
        pairs = []
        if finding is not None:
            self._telling.setText(
                tr(
                    "This column alone distinguishes about {pairs} of 100 pairs of "
                    "rows.",
                    pairs=_of_hundred(finding.separation),
                )
            )
            pairs += [
                (tr("Separation"), share_text(finding.separation)),
                (tr("Distinction"), share_text(finding.distinction)),
            ]
        show_if(self._telling, finding is not None)
        if summary is not None:
            pairs += [
                (tr("Different values"), count_text(summary.n_values)),
                (tr("Values of one row"), count_text(summary.n_unique)),
                (tr("Without a value"), self._missing_words(summary)),
            ]
        self._facts.set_pairs(pairs)
        has_frequent = summary is not None and summary.n_unique < summary.n_values
        top = summary.top if summary and has_frequent else ()
        self._spark.set_spark(summary.spark if summary else None)
        self._spark_words.setText(summary.spark.sentence.text() if summary else "")
        show_if(self._top_title, bool(top))
        n_rows = summary.n_rows if summary else 1
        self._top.set_pairs(
            (_shown(text), _records_words(count, count / n_rows)) for text, count in top
        )

    def _missing_words(self, summary: ColumnSummary) -> str:
        if not summary.n_missing:
            return tr("none")
        return _records_words(summary.n_missing, summary.missing_share)

    # -- deciding ------------------------------------------------------------------

    def _on_role_clicked(self, place: int) -> None:
        self.role_wanted.emit(ROLES[place])

    def _on_proposal_clicked(self) -> None:
        self.role_wanted.emit("")

    def _on_treatment_chosen(self) -> None:
        self.treatment_wanted.emit(self.treatment.current)


def _records_words(n_records: int, share: float) -> str:
    """A number of records, and which share of all that is."""
    return tr(
        "{n:row|rows} ({share})", n=count_text(n_records), share=share_text(share)
    )


def _of_hundred(share: float) -> str:
    """Number of a hundred; only none is 0, only all is 100."""
    if 0 < share < 0.01:
        return "< 1"
    if 0.99 < share < 1:
        return "> 99"
    return str(round(100 * share))


def _shown(text: str) -> str:
    return shortened(" ".join(text.split()), 22) or "∅"
