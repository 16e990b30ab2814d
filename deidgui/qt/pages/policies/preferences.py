"""What shall be released as it is: preferences, told in words and made in one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from deidgui.app.charts.formats import number_text
from deidgui.app.policies.alternatives.space import labels_in_order
from deidgui.app.project import ElementChoice, PreferenceChoice
from deidgui.engine.discover.domain import Domain
from deidgui.engine.discover.safe_harbor import AGE, OLD
from deidgui.qt.widgets import (
    Button,
    Caption,
    Card,
    Chip,
    ComboBox,
    DecimalBox,
    FlowLayout,
    GlyphLabel,
    IconButton,
    Label,
    ReasonLabel,
    SearchField,
    ToggleSwitch,
    column,
    holder,
    refilled,
    row,
    show_if,
)
from deidgui.text import escaped, tr

FEW_VALUES = 4
"""So many values of a preference are named."""

MOST_LISTED = 3_000
"""Values that a list offers; those beyond are reached by the search field."""

HIGHEST = 1e12


def preference_words(preference: PreferenceChoice, domain: Domain | None) -> str:
    """Say which values a preference is about: "age 90 and over", "race: Asian, Other".

    Parameters
    ----------
    domain : Domain or None
        Of its attribute; None if it is not known any more.
    """
    name = preference.attribute
    if preference.low is not None and preference.high is not None:
        return tr(
            "{name} from {low} to {high}",
            name=name,
            low=_number(preference.low),
            high=_number(preference.high),
        )
    if preference.low is not None:
        return tr("{name} {low} and over", name=name, low=_number(preference.low))
    if preference.high is not None:
        return tr("{name} up to {high}", name=name, high=_number(preference.high))
    if not preference.places:
        return tr("{name} exact", name=name)
    known = labels_in_order(domain) if domain is not None else ()
    values = [known[place] for place in preference.places if place < len(known)]
    shown = ", ".join(values[:FEW_VALUES])
    if len(values) > FEW_VALUES:
        more = tr("{shown} and {n:,} more", shown=shown, n=len(values) - FEW_VALUES)
        shown = more
    return f"{name}: {shown or '–'}"


def _number(value: float) -> str:
    """Write a number of the data: a ZIP code has no thousands separator."""
    return f"{int(value)}" if value.is_integer() else number_text(value)


def suggested_preferences(
    domains: Sequence[Domain],
    elements: Mapping[str, ElementChoice],
    preferences: Sequence[PreferenceChoice],
) -> tuple[PreferenceChoice, ...]:
    """Preferences that many people have and that are not made yet.

    Parameters
    ----------
    preferences : sequence of PreferenceChoice
        Those that are made already.
    """
    found = []
    for domain in domains:
        element = elements.get(domain.attribute)
        if element is not None and element.kind == AGE and domain.spans is not None:
            found.append(PreferenceChoice(attribute=domain.attribute, low=OLD))
    found += [
        PreferenceChoice(attribute=each.attribute)
        for each in domains
        if each.n_values > 1
    ]
    known = {_matter(each) for each in preferences}
    return tuple(each for each in found if _matter(each) not in known)


def _matter(preference: PreferenceChoice) -> tuple[object, ...]:
    return preference.attribute, preference.low, preference.high, preference.places


class PreferenceRow(QWidget):
    """One preference: its words, its weight, whether it must be fulfilled."""

    changed = Signal(object)
    removed = Signal()

    def __init__(
        self, preference: PreferenceChoice, words: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._preference = preference
        self.words = Label(words, "strong", wrap=True)
        weight = tr("Weight of: {preference}", preference=words)
        self.weight = DecimalBox(0.1, 10.0, preference.weight, 0.1, name=weight)
        self.weight.setToolTip(
            tr(
                "How much this preference counts beside the others when policies are "
                "put in order."
            )
        )
        self.weight.valueChanged.connect(self._on_weight)
        must = tr("Must be fulfilled: {preference}", preference=words)
        self.must = ToggleSwitch(must)
        self.must.setToolTip(tr("Only policies that fulfil it are searched for."))
        self.must.setChecked(preference.is_demanded)
        self.must.clicked.connect(self._on_must)
        remove = tr("Remove the preference: {preference}", preference=words)
        self.remove = IconButton("trash", remove, self.removed, small=True)
        head = row(GlyphLabel("star", "accent_text"), self.words, self.remove)
        head.setStretch(1, 1)
        settings = row(
            Label(tr("weight"), "caption", "muted"),
            self.weight,
            None,
            Label(tr("must"), "caption", "muted"),
            self.must,
        )
        self.setLayout(column(head, settings, spacing=2))

    def _on_weight(self, weight: float) -> None:
        if weight != self._preference.weight:
            self.changed.emit(self._preference.but(weight=weight))

    def _on_must(self, is_on: bool) -> None:
        self.changed.emit(self._preference.but(is_demanded=is_on))


class ValueList(QWidget):
    """Values of an attribute to be ticked, with a search where they are many."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = SearchField(tr("Find a value"))
        self.search.searched.connect(self._on_searched)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Values to keep as they are"))
        self.list.setMaximumHeight(150)
        self.setLayout(column(self.search, self.list, spacing=6))

    def show_values(self, values: Sequence[str]) -> None:
        """Offer other values, none of them ticked."""
        self.list.clear()
        for place, value in enumerate(values[:MOST_LISTED]):
            item = QListWidgetItem(value, self.list)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Unchecked)
            item.setData(Qt.ItemDataRole.UserRole, place)
        self.search.clear()
        show_if(self.search, len(values) > 12)

    @property
    def places(self) -> tuple[int, ...]:
        """Places of the values that are ticked."""
        items = [self.list.item(place) for place in range(self.list.count())]
        return tuple(
            item.data(Qt.ItemDataRole.UserRole)
            for item in items
            if item.checkState() is Qt.CheckState.Checked
        )

    def _on_searched(self, text: str) -> None:
        for place in range(self.list.count()):
            item = self.list.item(place)
            item.setHidden(text.lower() not in item.text().lower())


class PreferenceMaker(QWidget):
    """One line to make a preference: attribute, which values, numbers or words."""

    made = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._domains: tuple[Domain, ...] = ()
        self.attribute = ComboBox((), tr("Attribute of the preference"))
        self.attribute.currentIndexChanged.connect(self._on_attribute)
        self.which = ComboBox(
            [
                ("all", tr("every value")),
                ("range", tr("numbers from … to …")),
                ("some", tr("some values")),
            ],
            tr("Which values the preference is about"),
        )
        self.which.currentIndexChanged.connect(self._on_which)
        self.low = DecimalBox(0, HIGHEST, 0, 0.1, name=tr("From this number"))
        self.high = DecimalBox(0, HIGHEST, 0, 0.1, name=tr("Up to this number"))
        for field in (self.low, self.high):
            field.setGroupSeparatorShown(False)
            field.setMinimumWidth(90)
        self.values = ValueList()
        self._reason = ReasonLabel()
        self.add_button = Button(tr("Add this preference"), glyph="plus")
        self.add_button.clicked.connect(self._on_add)
        numbers = holder(
            row(
                Label(tr("from")),
                self.low,
                Label(tr("to")),
                self.high,
                None,
            )
        )
        self._fields = QStackedWidget()
        for part in (QWidget(), numbers, self.values):
            self._fields.addWidget(part)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        what = row(Label(tr("Keep")), self.attribute, spacing=8)
        what.setStretch(1, 1)
        box.addLayout(what)
        box.addWidget(self.which)
        box.addWidget(self._fields)
        box.addWidget(self._reason)
        box.addLayout(row(self.add_button, None))
        self._on_which()

    def show_domains(self, domains: tuple[Domain, ...]) -> None:
        """Offer the attributes of other domains."""
        names = [each.attribute for each in domains]
        if names == [each.attribute for each in self._domains]:
            self._domains = domains
            return
        self._domains = domains
        self.attribute.blockSignals(True)
        self.attribute.clear()
        for name in names:
            self.attribute.addItem(escaped(name), name)
        self.attribute.blockSignals(False)
        self._on_attribute()

    @property
    def _domain(self) -> Domain | None:
        place = self.attribute.currentIndex()
        return self._domains[place] if 0 <= place < len(self._domains) else None

    def _on_attribute(self) -> None:
        domain = self._domain
        if domain is None:
            return
        self.values.show_values(labels_in_order(domain))
        spans = [each for each in domain.spans or () if each is not None]
        if spans:
            self.low.setValue(float(spans[0][0]))
            self.high.setValue(float(spans[-1][1] or spans[-1][0]))
        self._on_which()

    def _on_which(self) -> None:
        domain, which = self._domain, self.which.current
        self._fields.setCurrentIndex(("all", "range", "some").index(which))
        show_if(self._fields, which != "all")
        # A stacked widget is as high as its highest page otherwise.
        self._fields.setMaximumHeight(200 if which == "some" else 44)
        is_words = domain is not None and domain.spans is None and which == "range"
        self._reason.set_reason(
            tr("The values are words: choose some of them instead.") if is_words else ""
        )
        self.add_button.setEnabled(domain is not None and not is_words)

    def _on_add(self) -> None:
        domain, which = self._domain, self.which.current
        if domain is None:
            return
        preference = PreferenceChoice(attribute=domain.attribute)
        if which == "range":
            low, high = sorted((self.low.value(), self.high.value()))
            preference = preference.but(low=low, high=high)
        elif which == "some":
            if not self.values.places:
                self._reason.set_reason(tr("Tick at least one value."), "warning")
                return
            preference = preference.but(places=self.values.places)
        self._reason.set_reason("")
        self.made.emit(preference)


class PreferencesCard(Card):
    """All preferences, those that many people have, and a line to make others.

    Attributes
    ----------
    preferred : Signal of tuple of PreferenceChoice
        The preferences that are wanted now.
    """

    preferred = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(margin=12, parent=parent)
        self.set_title(
            tr("Preferences"),
            tr(
                "Policies that keep these values come first. A required value (“must”) "
                "leaves out all other policies."
            ),
        )
        self._preferences: tuple[PreferenceChoice, ...] = ()
        self._shown_ideas: list[tuple[PreferenceChoice, str]] | None = None
        self._shown_rows: list[tuple[PreferenceChoice, str]] = []
        self._rows = QVBoxLayout()
        self._rows.setSpacing(6)
        self.rows: list[PreferenceRow] = []
        self._none = Caption(
            tr("No preference yet: policies that lose least come first.")
        )
        self._ideas = QWidget()
        FlowLayout(self._ideas, 8)
        self.ideas: list[Chip] = []
        self.maker = PreferenceMaker()
        self.maker.made.connect(self._on_made)
        self.open_button = Button(
            tr("Another preference…"), "quiet", "plus", self._on_open
        )
        show_if(self.maker, False)
        self.body.addLayout(self._rows)
        for part in (self._none, self._ideas):
            self.add(part)
        self.body.addLayout(row(self.open_button, None))
        self.add(self.maker)

    def show_preferences(
        self,
        preferences: tuple[PreferenceChoice, ...],
        domains: tuple[Domain, ...],
        elements: Mapping[str, ElementChoice],
    ) -> None:
        """Show the preferences of a project.

        Parameters
        ----------
        domains : tuple of Domain
            Of the quasi-identifiers.
        elements : mapping of str to ElementChoice
            What each is for the Safe Harbor rule.
        """
        self._preferences = preferences
        by_name = {each.attribute: each for each in domains}
        self._fill_rows(by_name)
        show_if(self._none, not preferences)
        self._fill_ideas(suggested_preferences(domains, elements, preferences), by_name)
        self.maker.show_domains(domains)

    def _fill_rows(self, by_name: Mapping[str, Domain]) -> None:
        shown = [
            (each, preference_words(each, by_name.get(each.attribute)))
            for each in self._preferences
        ]
        if shown == self._shown_rows:
            return
        self._shown_rows = shown
        with refilled(self._rows):
            self.rows = []
            for place, (preference, words) in enumerate(shown):
                each = PreferenceRow(preference, words)
                each.changed.connect(partial(self._on_changed, place))
                each.removed.connect(partial(self._on_removed, place))
                self._rows.addWidget(each)
                self.rows.append(each)

    def _fill_ideas(
        self, ideas: Sequence[PreferenceChoice], by_name: Mapping[str, Domain]
    ) -> None:
        shown = [
            (each, preference_words(each, by_name.get(each.attribute)))
            for each in ideas
        ]
        show_if(self._ideas, bool(ideas))
        if shown == self._shown_ideas or not by_name:
            # While the values are not known, there is nothing to propose.
            return
        self._shown_ideas = shown
        layout = self._ideas.layout()
        assert layout is not None
        with refilled(layout):
            self.ideas = []
            for preference, words in shown:
                chip = Chip(words, "accent", "plus", is_clickable=True)
                chip.setAccessibleName(
                    tr("Add the preference: {preference}", preference=words)
                )
                chip.clicked.connect(partial(self._on_made, preference))
                layout.addWidget(chip)
                self.ideas.append(chip)

    def _on_open(self) -> None:
        show_if(self.maker, self.maker.isHidden())

    def _on_made(self, preference: PreferenceChoice) -> None:
        if preference not in self._preferences:
            self.preferred.emit((*self._preferences, preference))

    def _on_changed(self, place: int, preference: PreferenceChoice) -> None:
        before, after = self._preferences[:place], self._preferences[place + 1 :]
        self.preferred.emit((*before, preference, *after))

    def _on_removed(self, place: int) -> None:
        self.preferred.emit(
            (*self._preferences[:place], *self._preferences[place + 1 :])
        )
