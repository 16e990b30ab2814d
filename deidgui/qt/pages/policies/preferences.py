"""What shall be released as it is: wishes, told in words and made in one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from deidgui.app.charts.formats import number_text
from deidgui.app.policies.alternatives.space import labels_in_order
from deidgui.app.project import ElementChoice, WishChoice
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
    clear,
    column,
    holder,
    row,
    show_if,
)

FEW_VALUES = 4
"""So many values of a wish are named."""

MOST_LISTED = 3_000
"""Values that a list offers; those beyond are reached by the search field."""

HIGHEST = 1e12


def wish_words(wish: WishChoice, domain: Domain | None) -> str:
    """Say which values a wish is about: "age 90 and over", "race: Asian, Other".

    Parameters
    ----------
    wish : WishChoice
    domain : Domain or None
        Of its attribute; None if it is not known any more.
    """
    translate, name = QCoreApplication.translate, wish.attribute
    if wish.low is not None and wish.high is not None:
        words = translate("wishes", "{name} from {low} to {high}")
        return words.format(name=name, low=_number(wish.low), high=_number(wish.high))
    if wish.low is not None:
        words = translate("wishes", "{name} {low} and over")
        return words.format(name=name, low=_number(wish.low))
    if wish.high is not None:
        words = translate("wishes", "{name} up to {high}")
        return words.format(name=name, high=_number(wish.high))
    if not wish.places:
        return translate("wishes", "{name} exact").format(name=name)
    known = labels_in_order(domain) if domain is not None else ()
    values = [known[place] for place in wish.places if place < len(known)]
    shown = ", ".join(values[:FEW_VALUES])
    if len(values) > FEW_VALUES:
        more = translate("wishes", "{shown} and {n:,} more")
        shown = more.format(shown=shown, n=len(values) - FEW_VALUES)
    return f"{name}: {shown or '–'}"


def _number(value: float) -> str:
    """Write a number of the data: a ZIP code has no thousands separator."""
    return f"{int(value)}" if value.is_integer() else number_text(value)


def suggested_wishes(
    domains: Sequence[Domain],
    elements: Mapping[str, ElementChoice],
    wishes: Sequence[WishChoice],
) -> tuple[WishChoice, ...]:
    """Wishes that many people have and that are not made yet.

    Parameters
    ----------
    domains : sequence of Domain
    elements : mapping of str to ElementChoice
    wishes : sequence of WishChoice
        Those that are made already.
    """
    found = []
    for domain in domains:
        element = elements.get(domain.attribute)
        if element is not None and element.kind == AGE and domain.spans is not None:
            found.append(WishChoice(attribute=domain.attribute, low=OLD))
    found += [
        WishChoice(attribute=each.attribute) for each in domains if each.n_values > 1
    ]
    known = {_matter(each) for each in wishes}
    return tuple(each for each in found if _matter(each) not in known)


def _matter(wish: WishChoice) -> tuple[object, ...]:
    return wish.attribute, wish.low, wish.high, wish.places


class WishRow(QWidget):
    """One wish: its words, its weight, whether it must be fulfilled.

    Attributes
    ----------
    changed : Signal of WishChoice
    removed : Signal
    """

    changed = Signal(object)
    removed = Signal()

    def __init__(
        self, wish: WishChoice, words: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._wish = wish
        self.words = Label(words, "strong", wrap=True)
        weight = self.tr("Weight of: {wish}").format(wish=words)
        self.weight = DecimalBox(0.1, 10.0, wish.weight, 0.1, name=weight)
        self.weight.setToolTip(
            self.tr(
                "How much this wish counts beside the others when policies are put "
                "in order."
            )
        )
        self.weight.valueChanged.connect(self._on_weight)
        must = self.tr("Must be fulfilled: {wish}").format(wish=words)
        self.must = ToggleSwitch(must)
        self.must.setToolTip(self.tr("Only policies that fulfil it are searched for."))
        self.must.setChecked(wish.is_demanded)
        self.must.clicked.connect(self._on_must)
        remove = self.tr("Remove the wish: {wish}").format(wish=words)
        self.remove = IconButton("trash", remove, self.removed, small=True)
        head = row(GlyphLabel("star", "accent_text"), self.words, self.remove)
        head.setStretch(1, 1)
        settings = row(
            Label(self.tr("weight"), "caption", "muted"),
            self.weight,
            None,
            Label(self.tr("must"), "caption", "muted"),
            self.must,
        )
        self.setLayout(column(head, settings, spacing=2))

    def _on_weight(self, weight: float) -> None:
        if weight != self._wish.weight:
            self.changed.emit(self._wish.but(weight=weight))

    def _on_must(self, is_on: bool) -> None:
        self.changed.emit(self._wish.but(is_demanded=is_on))


class ValueList(QWidget):
    """Values of an attribute to be ticked, with a search where they are many."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = SearchField(self.tr("Find a value"))
        self.search.searched.connect(self._on_searched)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Values to keep as they are"))
        self.list.setMaximumHeight(150)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(6)
        box.addWidget(self.search)
        box.addWidget(self.list)

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


class WishMaker(QWidget):
    """One line to make a wish: attribute, which values, numbers or words.

    Attributes
    ----------
    made : Signal of WishChoice
    """

    made = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._domains: tuple[Domain, ...] = ()
        self.attribute = ComboBox((), self.tr("Attribute of the wish"))
        self.attribute.currentIndexChanged.connect(self._on_attribute)
        self.which = ComboBox(
            [
                ("all", self.tr("every value")),
                ("range", self.tr("numbers from … to …")),
                ("some", self.tr("some values")),
            ],
            self.tr("Which values the wish is about"),
        )
        self.which.currentIndexChanged.connect(self._on_which)
        self.low = DecimalBox(0, HIGHEST, 0, 0.1, name=self.tr("From this number"))
        self.high = DecimalBox(0, HIGHEST, 0, 0.1, name=self.tr("Up to this number"))
        for field in (self.low, self.high):
            field.setGroupSeparatorShown(False)
            field.setMinimumWidth(90)
        self.values = ValueList()
        self._reason = ReasonLabel()
        self.add_button = Button(self.tr("Add this wish"), glyph="plus")
        self.add_button.clicked.connect(self._on_add)
        numbers = holder(
            row(
                Label(self.tr("from")),
                self.low,
                Label(self.tr("to")),
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
        what = row(Label(self.tr("Keep")), self.attribute, spacing=8)
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
            self.attribute.addItem(name, name)
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
            self.tr("The values are words: choose some of them instead.")
            if is_words
            else ""
        )
        self.add_button.setEnabled(domain is not None and not is_words)

    def _on_add(self) -> None:
        domain, which = self._domain, self.which.current
        if domain is None:
            return
        wish = WishChoice(attribute=domain.attribute)
        if which == "range":
            low, high = sorted((self.low.value(), self.high.value()))
            wish = wish.but(low=low, high=high)
        elif which == "some":
            if not self.values.places:
                self._reason.set_reason(self.tr("Tick at least one value."), "warning")
                return
            wish = wish.but(places=self.values.places)
        self._reason.set_reason("")
        self.made.emit(wish)


class WishesCard(Card):
    """All wishes, those that many people have, and a line to make others.

    Attributes
    ----------
    wished : Signal of tuple of WishChoice
        The wishes that are wanted now.
    """

    wished = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(margin=12, parent=parent)
        self.set_title(
            self.tr("Preferences"),
            self.tr(
                "Policies that keep these values come first. A required value (“must”) "
                "leaves out all other policies."
            ),
        )
        self._wishes: tuple[WishChoice, ...] = ()
        self._rows = QVBoxLayout()
        self._rows.setSpacing(6)
        self.rows: list[WishRow] = []
        self._none = Caption(
            self.tr("No wish yet: policies that lose least come first.")
        )
        self._ideas = QWidget()
        FlowLayout(self._ideas, 8)
        self.ideas: list[Chip] = []
        self.maker = WishMaker()
        self.maker.made.connect(self._on_made)
        self.open_button = Button(
            self.tr("Another wish…"), "quiet", "plus", self._on_open
        )
        show_if(self.maker, False)
        self.body.addLayout(self._rows)
        for part in (self._none, self._ideas):
            self.add(part)
        self.body.addLayout(row(self.open_button, None))
        self.add(self.maker)

    def show_wishes(
        self,
        wishes: tuple[WishChoice, ...],
        domains: tuple[Domain, ...],
        elements: Mapping[str, ElementChoice],
    ) -> None:
        """Show the wishes of a project.

        Parameters
        ----------
        wishes : tuple of WishChoice
        domains : tuple of Domain
            Of the quasi-identifiers.
        elements : mapping of str to ElementChoice
            What each is for the Safe Harbor rule.
        """
        self._wishes = wishes
        by_name = {each.attribute: each for each in domains}
        self._fill_rows(by_name)
        show_if(self._none, not wishes)
        self._fill_ideas(suggested_wishes(domains, elements, wishes), by_name)
        self.maker.show_domains(domains)

    def _fill_rows(self, by_name: Mapping[str, Domain]) -> None:
        clear(self._rows)
        self.rows = []
        for place, wish in enumerate(self._wishes):
            words = wish_words(wish, by_name.get(wish.attribute))
            each = WishRow(wish, words)
            each.changed.connect(partial(self._on_changed, place))
            each.removed.connect(partial(self._on_removed, place))
            self._rows.addWidget(each)
            self.rows.append(each)

    def _fill_ideas(
        self, ideas: Sequence[WishChoice], by_name: Mapping[str, Domain]
    ) -> None:
        layout = self._ideas.layout()
        assert layout is not None
        clear(layout)
        self.ideas = []
        for wish in ideas:
            words = wish_words(wish, by_name.get(wish.attribute))
            chip = Chip(words, "accent", "plus", is_clickable=True)
            chip.setAccessibleName(self.tr("Add the wish: {wish}").format(wish=words))
            chip.clicked.connect(partial(self._on_made, wish))
            layout.addWidget(chip)
            self.ideas.append(chip)
        show_if(self._ideas, bool(ideas))

    def _on_open(self) -> None:
        show_if(self.maker, self.maker.isHidden())

    def _on_made(self, wish: WishChoice) -> None:
        if wish not in self._wishes:
            self.wished.emit((*self._wishes, wish))

    def _on_changed(self, place: int, wish: WishChoice) -> None:
        before, after = self._wishes[:place], self._wishes[place + 1 :]
        self.wished.emit((*before, wish, *after))

    def _on_removed(self, place: int) -> None:
        self.wished.emit((*self._wishes[:place], *self._wishes[place + 1 :]))
