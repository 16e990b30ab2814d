"""What will be searched, by which method, and how long it should take."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from deidgui.app.classes import Classes
from deidgui.app.policies.lattice.planning import SearchPlan
from deidgui.app.project import Project
from deidgui.qt.pages.risk.importance import weight_words
from deidgui.qt.widgets import (
    Badge,
    Button,
    Callout,
    Caption,
    Card,
    Label,
    ReasonLabel,
    SpinBox,
    TextTable,
    ToggleRow,
    column,
    duration_words,
    field_row,
    holder,
    row,
    show_if,
)
from deidgui.text import tr

METHODS = ("profile", "optimum", "ola")
MOST_NODES = 100_000_000
LONG_SEARCH_S = 60
"""Beyond this a search is worth a hint on how to make it smaller."""


class MethodOption(QWidget):
    """One method: its name, one sentence, and why it cannot be used."""

    def __init__(
        self, title: str, sentence: str, is_usual: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.button = QRadioButton(title)
        self.button.setAccessibleDescription(sentence)
        self._reason = ReasonLabel()
        head = row(self.button, spacing=8)
        self._usual = Badge(tr("usual"), "plain")
        head.addWidget(self._usual)
        self._is_usual = is_usual
        show_if(self._usual, is_usual)
        head.addStretch(1)
        words = QVBoxLayout()
        words.setContentsMargins(26, 0, 0, 0)
        words.setSpacing(2)
        words.addWidget(Caption(sentence))
        words.addWidget(self._reason)
        self.setLayout(column(head, words, spacing=2))

    @property
    def reason(self) -> str:
        """Why the method cannot be used; empty if it can."""
        return self._reason.text

    def set_reason(self, reason: str) -> None:
        """Say why the method cannot be used; empty if it can."""
        self._reason.set_reason(reason, "warning")
        show_if(self._usual, self._is_usual and not reason)
        # A method that is chosen already stays visible as such.
        self.button.setEnabled(not reason or self.button.isChecked())


class PlanCard(Card):
    """The size of the search and how it is made.

    Attributes
    ----------
    decided : Signal of dict
        Fields of the project's search that the user changed.
    step_wanted : Signal of str
        Somebody wants to change levels or weights, which other steps decide.
    """

    decided = Signal(object)
    step_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(margin=12, parent=parent)
        self.set_title(tr("Search"))
        self._size = Label("", "strong", wrap=True)
        self._how = Callout()
        self._hint = Caption()
        self._duration = Caption()
        self.add(self._size)
        self.add(self._duration)
        self.add(self._how)
        self.add(self._hint)
        self._build_methods()
        heads = (tr("Column"), tr("Levels"), tr("Weight"))
        self.levels = TextTable(tr("Levels that are searched"), heads)
        self.add(self.levels)
        limits = Button(tr("Change levels"), "link", clicked=self._on_levels)
        weights = Button(tr("Change weights"), "link", clicked=self._on_weights)
        self.body.addLayout(row(limits, weights, None))

    def _build_methods(self) -> None:
        self.methods = QButtonGroup(self)
        self.options: dict[str, MethodOption] = {}
        texts = self._method_texts()
        for place, key in enumerate(METHODS):
            option = MethodOption(*texts[key], is_usual=place == 0)
            self.methods.addButton(option.button, place)
            self.options[key] = option
            self.add(option)
        self.methods.idClicked.connect(self._on_method_clicked)
        self.most_nodes = SpinBox(
            1, MOST_NODES, 100_000, tr("policies"), tr("Give up the proof")
        )
        self.most_nodes.setSingleStep(10_000)
        self.most_nodes.setGroupSeparatorShown(True)
        self.most_nodes.editingFinished.connect(self._on_most_nodes_edited)
        self._most_row = field_row(
            tr("Give up the proof after"),
            holder(row(self.most_nodes, None)),
            tr(
                "The best policy that was found by then is kept, and how much better "
                "another one can be at most is stated."
            ),
        )
        self.local_recoding = ToggleRow(
            tr("Search what is suppressed again (local recoding)"),
            tr(
                "More is kept, but the same value may stand in coarser and finer "
                "groups, which makes some analyses harder."
            ),
        )
        self.local_recoding.toggled.connect(self._on_local_toggled)
        self.add(self._most_row)
        self.add(self.local_recoding)

    def _method_texts(self) -> Mapping[str, tuple[str, str]]:
        return {
            "profile": (
                tr("Prove the best policy,\nthen examine every policy"),
                tr(
                    "The proven best policy is shown first; when all others are known, "
                    "other thresholds are answered without a search."
                ),
            ),
            "optimum": (
                tr("Prove the best policy,\nthen examine those around it"),
                tr(
                    "Leaves out what cannot be better, for any number of policies; "
                    "afterwards the policies around the best one can be compared."
                ),
            ),
            "ola": (
                tr("Least general policies (OLA)"),
                tr(
                    "A published method, for comparison: takes the best of the least "
                    "general policies, which need not be the best of all."
                ),
            ),
        }

    # -- showing -------------------------------------------------------------------

    def show_plan(
        self,
        plan: SearchPlan,
        project: Project,
        classes: Classes,
        node_seconds: float | None = None,
    ) -> None:
        """Show what a search would do under the decisions of now.

        Parameters
        ----------
        node_seconds : float, optional
            What a policy takes, measured on this table.
        """
        self._size.setText(self._size_words(plan))
        self._duration.setText(self._duration_words(plan, node_seconds))
        self._show_how(plan)
        self._show_methods(plan)
        if not self.most_nodes.hasFocus():
            self.most_nodes.set_value(project.search.most_nodes)
        show_if(self._most_row, plan.method == "optimum")
        self.local_recoding.set_on(project.search.local_recoding)
        self._fill_attributes(project, classes)

    def show_problem(self, words: str) -> None:
        """Say why nothing can be planned."""
        self._size.setText(words)
        self._duration.setText("")
        show_if(self._how, False)
        show_if(self._hint, False)

    def _size_words(self, plan: SearchPlan) -> str:
        return tr(
            "{nodes:policy|policies} over {combinations:distinct "
            "combination|distinct combinations}.",
            nodes=plan.n_policies,
            combinations=plan.n_combinations,
        )

    def _duration_words(self, plan: SearchPlan, node_seconds: float | None) -> str:
        if plan.seconds is not None:
            if plan.seconds < 1:
                return tr("This should take less than a second.")
            return tr(
                "This should take about {duration}.",
                duration=duration_words(plan.seconds),
            )
        if plan.method == "profile":
            return tr(
                "How long it takes cannot be told in advance: it depends on how many "
                "sets of values the rows of people show."
            )
        latest = self._latest_words(plan) or tr(
            "How long it takes cannot be told in advance: it depends on how soon "
            "policies can be ruled out."
        )
        parts = (latest, self._usual_words(plan, node_seconds))
        return " ".join(part for part in parts if part)

    def _latest_words(self, plan: SearchPlan) -> str:
        """Say when the proof is given up, if it may be; a duration would be far off."""
        if plan.most_nodes is None:
            return ""
        return tr(
            "The proof is given up after {most:,} policies, and ends sooner if the "
            "others can be ruled out.",
            most=plan.most_nodes,
        )

    def _usual_words(self, plan: SearchPlan, node_seconds: float | None) -> str:
        """Say how many policies are usual; only of other tables that is known."""
        if plan.usual_nodes is None:
            return ""
        low, high = plan.usual_nodes
        if node_seconds is None:
            return tr(
                "Usually {low:,} to {high:,} of so many are looked at.",
                low=low,
                high=high,
            )
        first, last = map(duration_words, (low * node_seconds, high * node_seconds))
        between = tr("{first} to {last}", first=first, last=last)
        return tr(
            "Usually {low:,} to {high:,} of so many are looked at; for this table "
            "that is {duration}.",
            low=low,
            high=high,
            duration=last if first == last else between,
        )

    def _show_how(self, plan: SearchPlan) -> None:
        is_other = plan.method != plan.wanted
        self._how.show_words(
            tr("There are too many policies to examine every one."),
            "info",
            tr(
                "The search proves the best one instead. While it runs, you see how "
                "much better another policy can be at most, and can stop at any time."
            ),
        )
        show_if(self._how, is_other)
        is_long = plan.seconds is not None and plan.seconds > LONG_SEARCH_S
        self._hint.setText(
            tr(
                "To make it smaller: leave out columns that follow from others, choose "
                "fewer levels, or set the finest and coarsest level that make sense."
            )
        )
        show_if(self._hint, is_long or plan.is_too_large)

    def _show_methods(self, plan: SearchPlan) -> None:
        # What will be done, not what was decided: the callout says why it differs.
        self.options[plan.method].button.setChecked(True)
        reasons = dict.fromkeys(METHODS, "")
        if plan.is_too_large:
            words = tr(
                "Not for {n:policy|policies}: at most 200,000.", n=plan.n_policies
            )
            reasons["profile"] = words
        if plan.not_monotone:
            words = tr(
                "Not with {models}: a more general policy need not meet the thresholds "
                "where a less general one does.",
                models=", ".join(plan.not_monotone),
            )
            reasons["ola"] = words
        elif plan.is_too_large_for_ola:
            words = tr(
                "Not for {n:policy|policies}: they cannot all be marked.",
                n=plan.n_policies,
            )
            reasons["ola"] = words
        for key, option in self.options.items():
            option.set_reason(reasons[key])

    def _fill_attributes(self, project: Project, classes: Classes) -> None:
        lines = []
        for attribute in project.quasi_identifiers:
            height = classes.hierarchies[attribute.name].height
            low = attribute.minimum_level or 0
            high = height
            if attribute.maximum_level is not None:
                high = min(height, attribute.maximum_level)
            levels = f"{low}–{high}"
            if high < height:
                levels = tr("{levels} of {height}", levels=levels, height=height)
            lines.append((attribute.name, levels, weight_words(attribute.weight)))
        self.levels.show_texts(lines)
        self.levels.fit(len(lines))

    # -- deciding ------------------------------------------------------------------

    def _on_levels(self) -> None:
        self.step_wanted.emit("hierarchies")

    def _on_weights(self) -> None:
        self.step_wanted.emit("risk")

    def _on_method_clicked(self, place: int) -> None:
        self.decided.emit({"method": METHODS[place]})

    def _on_most_nodes_edited(self) -> None:
        self.decided.emit({"most_nodes": self.most_nodes.value()})

    def _on_local_toggled(self, is_on: bool) -> None:
        self.decided.emit({"local_recoding": is_on})
