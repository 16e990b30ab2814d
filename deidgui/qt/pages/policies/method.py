"""How alternatives are looked for: the usual way at once, every setting on request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QWidget

from deidgui.app.project import Discover
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.discover.domain import Domain
from deidgui.engine.discover.safe_harbor import OTHER
from deidgui.qt.pages.policies.plan import MethodOption
from deidgui.qt.pages.policies.quotas import QuotaFields
from deidgui.qt.pages.policies.words import power_text
from deidgui.qt.widgets import (
    Button,
    Caption,
    Card,
    Collapsible,
    ComboBox,
    Label,
    SpinBox,
    ToggleRow,
    column,
    field_row,
    holder,
    refilled,
    row,
    show_if,
)
from deidgui.text import share_text, tr

METHODS = ("bps", "directed", "exhaustive", "frontier")

MOST_EXHAUSTIVE_BITS = 20
"""Beyond 2^20 policies looking at each is refused."""

MOST_NAMED = 6
"""So many values are named to show their order."""


class MethodCard(Card):
    """Method, its settings, and which values may be joined.

    Attributes
    ----------
    decided : Signal of dict
        Fields of the project's `Discover` that the user changed.
    order_wanted : Signal of str
        Attribute whose values the user wants in another order.
    """

    decided = Signal(object)
    order_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(margin=12, parent=parent)
        self.set_title(tr("Search"))
        self._discover = Discover()
        self._nominal = ""
        self.summary = Label("", "strong", wrap=True)
        self.more = Collapsible(tr("Method and settings"))
        self.add(self.summary)
        self.add(self.more)
        self._build_methods()
        self._build_settings()
        self._build_joins()

    # -- building ------------------------------------------------------------------

    def _build_methods(self) -> None:
        self.methods = QButtonGroup(self)
        self.options: dict[str, MethodOption] = {}
        texts = self._method_texts()
        for place, key in enumerate(METHODS):
            option = MethodOption(*texts[key], is_usual=place == 0)
            self.methods.addButton(option.button, place)
            self.options[key] = option
            self.more.body.addWidget(option)
        self.methods.idClicked.connect(self._on_method)

    def _method_texts(self) -> dict[str, tuple[str, str]]:
        return {
            "bps": (
                tr("Bisecting search"),
                tr(
                    "Bisects between an acceptable and an unacceptable policy; a few "
                    "evaluations per result."
                ),
            ),
            "directed": (
                tr("One step at a time"),
                tr(
                    "Walks from a random policy until the risk crosses the limit. "
                    "Slower; for comparison with the published experiment."
                ),
            ),
            "exhaustive": (
                tr("Examine every policy"),
                tr(
                    "Finds all policies that cannot be more specific. Only for few "
                    "values."
                ),
            ),
            "frontier": (
                tr("Risk-utility frontier"),
                tr(
                    "Policies that no other one beats in both risk and information "
                    "loss, over the whole range of risk."
                ),
            ),
        }

    def _build_settings(self) -> None:
        self.iterations = SpinBox(1, 100_000, 100, tr("policies"))
        self.budget = SpinBox(2, 1_000_000, 20_000, tr("policies"))
        self.seed = SpinBox(0, 2_000_000_000, 0)
        self.iterations.setAccessibleName(tr("How many policies to look for"))
        self.budget.setAccessibleName(tr("How many policies to evaluate"))
        self.seed.setAccessibleName(tr("Seed of chance"))
        for field, name in (
            (self.iterations, "iterations"),
            (self.budget, "budget"),
            (self.seed, "seed"),
        ):
            field.editingFinished.connect(partial(self._on_number, field, name))
        self.weights = ComboBox(
            [
                ("both", tr("by size and by use (usual)")),
                ("size", tr("by size of the attribute")),
                ("use", tr("by use in policies found before")),
                ("none", tr("all alike")),
            ],
            tr("How the values to join are drawn"),
        )
        self.weights.activated.connect(self._on_weights)
        self._iterations_row = field_row(
            tr("How many policies to look for"),
            holder(row(self.iterations, None)),
            tr("Each search ends at one policy; some are found twice."),
        )
        self._budget_row = field_row(
            tr("How many policies to evaluate"), holder(row(self.budget, None))
        )
        self._weights_row = field_row(
            tr("How the values to join are drawn"),
            holder(row(self.weights, None)),
            tr(
                "By size: attributes with few values, such as sex, are rarely joined. "
                "By use: what was often kept is joined now, so that policies differ."
            ),
        )
        self._seed_row = field_row(
            tr("Seed"),
            holder(row(self.seed, None)),
            tr("The same seed finds the same policies again."),
        )
        self._build_settings_of_walks()
        for part in (
            self._iterations_row,
            self._budget_row,
            self._weights_row,
            self.quotas,
            self.completes,
            self._seed_row,
        ):
            self.more.body.addWidget(part)

    def _build_settings_of_walks(self) -> None:
        """Settings of the methods that look for one policy after the other."""
        self.completes = ToggleRow(
            tr("Make each policy as specific as its risk allows"),
            tr(
                "Refine each result: split values again until no further split is "
                "allowed."
            ),
        )
        self.completes.toggled.connect(self._on_completes)
        self.quotas = QuotaFields()
        self.quotas.decided.connect(self._on_quotas)

    def _build_joins(self) -> None:
        self.mode = ComboBox(
            [
                ("interval", tr("any neighbours")),
                ("subtree", tr("groups of the hierarchy")),
            ],
            tr("What may be joined"),
        )
        self.mode.activated.connect(self._on_mode)
        self._levels = QGridLayout()
        self._levels.setHorizontalSpacing(16)
        self._levels.setVerticalSpacing(6)
        self.level_boxes: dict[str, ComboBox] = {}
        self._offered: dict[str, list[tuple[str, str]]] = {}
        words = Caption(
            tr(
                "Neighbours are values next to each other: ages 52 and 53. Groups are "
                "those of the hierarchy, such as 50 to 54, whole or not at all."
            )
        )
        self.more.body.addWidget(Label(tr("What may be joined"), "strong"))
        self.more.body.addLayout(column(row(self.mode, None), words, spacing=4))
        self.order = Caption()
        self.order_button = Button(
            tr("Choose other neighbours"),
            "link",
            clicked=self._on_order_clicked,
        )
        self.more.body.addLayout(
            column(self.order, row(self.order_button, None), spacing=2)
        )
        self.more.body.addWidget(Label(tr("Most specific values"), "strong"))
        self.more.body.addWidget(
            Caption(
                tr(
                    "A ZIP code of three digits or a year instead of a date makes a "
                    "search with many values quick."
                )
            )
        )
        self._levels.setContentsMargins(0, 0, 0, 0)
        self._levels_part = holder(self._levels)
        self.more.body.addWidget(self._levels_part)

    # -- showing -------------------------------------------------------------------

    def show_discover(
        self,
        discover: Discover,
        hierarchies: Mapping[str, Hierarchy],
        n_bits: int,
        domains: Sequence[Domain] = (),
    ) -> None:
        """Show the settings of a project.

        Parameters
        ----------
        hierarchies : mapping of str to Hierarchy
            Of the quasi-identifiers; empty while they are not known.
        n_bits : int
            Length of a policy; 0 if it is not known.
        domains : sequence of Domain
            Their values in the order in which they are neighbours.
        """
        self._discover = discover
        self.options[discover.method].button.setChecked(True)
        words = tr("Not for {n:policy|policies}.", n=power_text(n_bits))
        is_too_many = n_bits > MOST_EXHAUSTIVE_BITS
        self.options["exhaustive"].set_reason(words if is_too_many else "")
        for field, value in (
            (self.iterations, discover.iterations),
            (self.budget, discover.budget),
            (self.seed, discover.seed),
        ):
            if not field.hasFocus():
                field.set_value(value)
        self.weights.set_current(discover.weights)
        self.completes.set_on(discover.completes)
        self.mode.set_current(discover.mode)
        show_if(self._iterations_row, discover.method in ("bps", "directed"))
        show_if(self._budget_row, discover.method == "frontier")
        show_if(self._weights_row, discover.method == "bps")
        show_if(self.completes, discover.method in ("bps", "directed"))
        # While the values are being counted, the fields of the last ones wait.
        is_known = bool(domains or hierarchies)
        show_if(self.quotas, is_known and discover.method in ("bps", "directed"))
        show_if(self._levels_part, is_known)
        if is_known:
            names = [each.attribute for each in domains if each.n_values > 1]
            self.quotas.show_quotas(discover.quotas, names)
            self._fill_levels(discover, hierarchies)
        show_if(self._seed_row, discover.method != "exhaustive")
        self.summary.setText(self._summary_words(discover, n_bits))
        self._show_order(discover, domains)

    def _show_order(self, discover: Discover, domains: Sequence[Domain]) -> None:
        """Say in which order words stand, and that somebody may want another one."""
        nominal = [each for each in domains if _is_nominal(each, discover)]
        is_wanted = bool(nominal) and discover.mode == "interval"
        self._nominal = nominal[0].attribute if nominal else ""
        show_if(self.order, is_wanted)
        show_if(self.order_button, is_wanted)
        lines = [
            tr("Words have no order of their own. Which ones are neighbours?"),
            *(f"–  {each.attribute}: {self._order_words(each)}" for each in nominal),
        ]
        self.order.setText("\n".join(lines))

    def _order_words(self, domain: Domain) -> str:
        values = [value.strip() or "–" for value in domain.values[:MOST_NAMED]]
        shown = ", ".join(values)
        if domain.n_values > MOST_NAMED:
            shown = f"{shown} …"
        if domain.level is None:
            return tr("{values} (most frequent first)", values=shown)
        return tr("{values} (as in the hierarchy)", values=shown)

    def _on_order_clicked(self) -> None:
        self.order_wanted.emit(self._nominal)

    def _summary_words(self, discover: Discover, n_bits: int) -> str:
        n, most = discover.iterations, discover.budget
        text = {
            "bps": tr("Bisecting search for {n:policy|policies}.", n=n),
            "directed": tr("One step at a time, for {n:policy|policies}.", n=n),
            "exhaustive": tr("Every policy is examined."),
            "frontier": tr(
                "{n:policy is|policies are} weighed, risk against loss.", n=most
            ),
        }[discover.method]
        if discover.quotas and discover.method in ("bps", "directed"):
            shares = discover.quotas.items()
            every = ", ".join(f"{name} {share_text(q)}" for name, q in shares)
            alone = tr("One column alone is joined in: {shares}.", shares=every)
            text = f"{text} {alone}"
        if n_bits:
            size = tr("The file allows {n:policy|policies}.", n=power_text(n_bits))
            text = f"{text} {size}"
        return text

    def _fill_levels(
        self, discover: Discover, hierarchies: Mapping[str, Hierarchy]
    ) -> None:
        every = {name: _level_options(each) for name, each in hierarchies.items()}
        offered = {name: found for name, found in every.items() if len(found) > 1}
        if offered != self._offered:
            self._offer_levels(offered)
        for name, box in self.level_boxes.items():
            box.set_current(str(discover.levels.get(name, 0)))

    def _offer_levels(self, offered: dict[str, list[tuple[str, str]]]) -> None:
        """Make a list of levels for each column that has more than one."""
        self._offered = offered
        with refilled(self._levels):
            self.level_boxes = {}
            for line, (name, options) in enumerate(offered.items()):
                box = ComboBox(options, tr("Values of {name}", name=name))
                box.activated.connect(partial(self._on_level, name))
                self._levels.addWidget(Label(name), line, 0)
                self._levels.addWidget(box, line, 1)
                self.level_boxes[name] = box
        self._levels.setColumnStretch(2, 1)

    # -- deciding ------------------------------------------------------------------

    def _on_method(self, place: int) -> None:
        self._decide(method=METHODS[place])

    def _on_number(self, field: SpinBox, name: str) -> None:
        self._decide(**{name: field.value()})

    def _on_weights(self) -> None:
        self._decide(weights=self.weights.current)

    def _on_completes(self, is_on: bool) -> None:
        self._decide(completes=is_on)

    def _on_quotas(self, quotas: dict[str, float]) -> None:
        self._decide(quotas=quotas)

    def _on_mode(self) -> None:
        self._decide(mode=self.mode.current)

    def _on_level(self, name: str, _place: int) -> None:
        levels = {**self._discover.levels, name: int(self.level_boxes[name].current)}
        self._decide(levels={key: level for key, level in levels.items() if level})

    def _decide(self, **changes: Any) -> None:
        known = self._discover
        if any(getattr(known, name) != value for name, value in changes.items()):
            self.decided.emit(changes)


def _is_nominal(domain: Domain, discover: Discover) -> bool:
    """Whether which values are neighbours is no fact but a decision."""
    element = discover.elements.get(domain.attribute)
    if element is not None and element.kind != OTHER:
        return False
    return domain.n_values > 2 and domain.spans is None


def _level_options(hierarchy: Hierarchy) -> list[tuple[str, str]]:
    """Levels that leave something to choose, with an example of each."""
    found = []
    for place, level in enumerate(hierarchy.levels):
        n_groups = len(level.labels)
        if n_groups < 2:
            break
        found.append(
            (str(place), f"{level.labels[0]}, {level.labels[1]} … ({n_groups:,})")
        )
    return found
