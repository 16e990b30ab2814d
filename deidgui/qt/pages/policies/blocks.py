"""How policies are looked for block by block, and every step of it as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from deidgui.app.policies.blocks.policies import BlockPolicies
from deidgui.app.policies.blocks.source import USUAL_TIMES, model_of
from deidgui.app.power.coverings import stored_design
from deidgui.app.power.risk import LARGER_BLOCKS, BlockChoice
from deidgui.app.project import Project
from deidgui.engine.covering.blocks import BlockStep
from deidgui.errors import DeidError
from deidgui.qt.messages import words_for
from deidgui.qt.pages.block_sizes import BlockSizes, short_time
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    ComboBox,
    Label,
    TextTable,
    column,
    field_row,
    holder,
    row,
    show_if,
)
from deidgui.text import Text, share_text, tr, unit_words

ACTIONS: Mapping[str, Text] = {
    "blocks_cells_refused": "Suppress whole records",
    "blocks_size": "Take the proposed size",
}
"""What is done about a problem here, by its code; others are fixed elsewhere."""

ELSEWHERE: Text = "Take me there"

PROPOSED = "proposed"
"""Choice of the smallest size with few blocks."""


class BlocksPane(QWidget):
    """What the adversary knows, how large the blocks are, and what was found.

    Attributes
    ----------
    decided : Signal of dict
        Fields of the project's `BlocksChoice` that the user changed.
    model_wanted : Signal
        Where it is decided how many attributes are known.
    estimate_wanted : Signal
        The sizes of blocks shall be compared.
    """

    decided = Signal(object)
    model_wanted = Signal()
    estimate_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem = Callout()
        self._problem = ""
        self.problem.acted.connect(self._on_problem_acted)
        self.assumed = Card(margin=12)
        self.assumed.set_title(tr("What is assumed"))
        self._words = Label("", wrap=True)
        self.change = Button(tr("Change"), "link", clicked=self.model_wanted)
        self.assumed.add(self._words)
        self.assumed.add(holder(row(self.change, None)))
        self.how = Card(margin=12)
        self.how.set_title(tr("Search"))
        self.sizes = ComboBox([(PROPOSED, tr("proposed"))], tr("Size of the blocks"))
        self.sizes.activated.connect(self._on_size)
        self.suppressed = ComboBox(
            [("records", tr("whole records")), ("cells", tr("single cells"))],
            tr("What is suppressed"),
        )
        self.suppressed.activated.connect(self._on_suppressed)
        self.estimate = Button(
            tr("Compare sizes"), "link", clicked=self.estimate_wanted
        )
        self.estimated = BlockSizes(tr("Usually"))
        self._build_how()
        self.found = Card(margin=12)
        self.found.set_title(tr("Last search"))
        self._found = Label("", wrap=True)
        self.found.add(self._found)
        parts = (self.problem, self.assumed, self.found, self.how)
        self.setLayout(column(*parts, None, spacing=8))

    def _build_how(self) -> None:
        self.how.add(
            Caption(
                tr(
                    "The block with the most records at risk comes first: its levels "
                    "are raised, and what is still at risk is suppressed. Later blocks "
                    "find what earlier ones have changed, until no block fails. Other "
                    "policies may lose less."
                )
            )
        )
        self.how.add(
            field_row(
                tr("Quasi-identifiers of a block"),
                holder(row(self.sizes, None)),
                tr(
                    "Larger blocks are fewer, and quicker. They tell more than the "
                    "adversary knows, so that more is generalized."
                ),
            )
        )

        self.how.add(holder(row(self.estimate, None)))
        self.how.add(self.estimated)
        self.how.add(
            field_row(
                tr("What is suppressed"),
                holder(row(self.suppressed, None)),
                tr(
                    "Single cells (*) leave the rest of a record. Everybody sees which "
                    "ones they are, and they count as values of their own."
                ),
            )
        )

    def show_project(self, project: Project, problems: list[DeidError]) -> None:
        """Show what is decided, or what is missing."""
        show_if(self.problem, bool(problems))
        if problems:
            words, self._problem = words_for(problems[0]), problems[0].code
            action: Text = ACTIONS.get(self._problem, ELSEWHERE)
            self.problem.show_words(words.what, "warning", words.fix, tr(action))
        model, m = model_of(project.privacy.models), len(project.quasi_identifiers)
        show_if(self.assumed, model is not None)
        show_if(self.how, model is not None)
        if model is None:
            return
        known = min(model.known, m)
        self._words.setText(
            tr(
                "An adversary knows any {known} of {m:quasi-identifier|"
                "quasi-identifiers}. By each such set, every record must look like at "
                "least {k:other|others}.",
                known=known,
                m=m,
                k=model.k - 1,
            )
        )
        self._show_sizes(project.blocks.size, known, m)
        self.suppressed.set_current(project.blocks.suppress)

    def _show_sizes(self, size: int | None, known: int, m: int) -> None:
        sizes = list(range(known, min(m, known + LARGER_BLOCKS) + 1))
        if size is not None and size not in sizes:
            sizes.append(size)
        self.sizes.clear()
        self.sizes.addItem(tr("proposed"), PROPOSED)
        for each in sizes:
            self.sizes.addItem(_size_words(m, each, known), str(each))
        self.sizes.set_current(PROPOSED if size is None else str(size))

    def show_estimates(self, found: Sequence[BlockChoice] | None) -> None:
        """Show sizes of blocks; None while they are being measured."""
        self.estimate.setEnabled(found is not None)
        words = tr("Compare sizes") if found is not None else tr("Comparing…")
        self.estimate.setText(words)
        low, high = USUAL_TIMES
        times = [_range_words(low * e.seconds, high * e.seconds) for e in found or ()]
        self.estimated.show_sizes(found or (), times)

    def show_found(self, found: BlockPolicies | None) -> None:
        """Say what the last search did."""
        show_if(self.found, found is not None)
        if found is not None:
            self._found.setText(found_text(found))

    def _on_problem_acted(self) -> None:
        match self._problem:
            case "blocks_cells_refused":
                self.decided.emit({"suppress": "records"})
            case "blocks_size":
                self.decided.emit({"size": None})
            case _:
                self.model_wanted.emit()

    def _on_suppressed(self) -> None:
        self.decided.emit({"suppress": self.suppressed.current})

    def _on_size(self) -> None:
        chosen = self.sizes.current
        self.decided.emit({"size": None if chosen == PROPOSED else int(chosen)})


def _range_words(low: float, high: float) -> str:
    """A rough duration: of the shorter one only the number if the unit is the same."""
    if high < 1:
        return short_time(high)
    unit, name = (60, tr("min")) if high >= 90 else (1, tr("s"))
    least, most = max(low / unit, 0.1), high / unit
    return f"{least:.2g} – {most:.2g} {name}"


def _size_words(m: int, size: int, known: int) -> str:
    """The size of a block, and how many blocks there are if that is known."""
    if size == known:
        return tr("{size}: every set", size=size)
    design = stored_design(m, size, known) if known <= size <= m else None
    if design is None:
        return str(size)
    return tr("{size}: {n:block|blocks}", size=size, n=design.n_blocks)


def found_text(found: BlockPolicies) -> str:
    """Say how many blocks there are, and what was done to them."""
    parts = [
        tr(
            "{n:block|blocks} of {size} hold every set; {steps:step|steps} so far.",
            n=len(found.blocks),
            size=int(found.blocks.shape[1]),
            steps=len(found.steps),
        )
    ]
    if found.proof.is_complete:
        parts = [
            tr(
                "{n:block|blocks} of {size} hold every set. After {steps:step|steps} "
                "no block fails.",
                n=len(found.blocks),
                size=int(found.blocks.shape[1]),
                steps=len(found.steps),
            )
        ]
    (listed,) = found.policies
    n_suppressed = listed.figures.n_suppressed
    if n_suppressed is not None and n_suppressed > found.limit:
        parts.append(
            tr(
                "{suppressed:,} {unit} would be suppressed, at most {most:,} are "
                "allowed. Allow more general levels or more suppressed records, or "
                "let the adversary know fewer attributes.",
                unit=unit_words(found.by_person),
                suppressed=n_suppressed,
                most=found.limit,
            )
        )
    return " ".join(parts)


class StepTable(TextTable):
    """Every step: its block, the risk before, what was done, and what is left."""

    def __init__(self, parent: QWidget | None = None) -> None:
        heads = (
            tr("Pass"),
            tr("At risk"),
            tr("Suppressed"),
            tr("Risk left"),
            tr("Generalized"),
            tr("Worst block"),
        )
        name = tr("Steps of the search by blocks")
        super().__init__(name, heads, wide=5, numbers=range(4), parent=parent)

    def show_steps(
        self, steps: Sequence[BlockStep], names: Sequence[str], n_records: int
    ) -> None:
        """Show steps, the last one too if the last one was seen before."""
        bar = self.verticalScrollBar()
        is_at_end = bar.value() == bar.maximum()
        self.show_texts([_texts(each, names, n_records) for each in steps])
        if is_at_end:
            self.scrollToBottom()


def _texts(step: BlockStep, names: Sequence[str], n_records: int) -> tuple[str, ...]:
    return (
        f"{step.number:,}",
        "–" if step.is_again else share_text(step.n_before / n_records),
        _suppressed_text(step),
        "–" if step.is_again else share_text(step.n_left / n_records),
        raised_text(step, names),
        _block_text(step, names),
    )


def _block_text(step: BlockStep, names: Sequence[str]) -> str:
    if not step.block:
        return tr("All blocks: suppressed anew")
    if step.is_again and step.raised:
        return tr("No block fails: a level is changed again")
    if step.is_again:
        return tr("No block fails: {name} is shown again", name=names[step.block[0]])
    return ", ".join(names[each] for each in step.block)


def _suppressed_text(step: BlockStep) -> str:
    """Whole records, or single cells; with a minus those that are shown again."""
    if step.n_records:
        return tr("{n:record|records}", n=step.n_records)
    if not step.n_cells:
        return "–"
    shown = tr("{n:cell|cells}", n=abs(step.n_cells))
    return shown if step.n_cells > 0 else f"−{shown}"


def raised_text(step: BlockStep, names: Sequence[str]) -> str:
    """Which levels a step has changed."""
    changed = (f"{names[at]} {low} → {high}" for at, low, high in step.raised)
    return ", ".join(changed) or "–"


class StepsView(QWidget):
    """The steps of a search by blocks, which grow while it runs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = Label("", wrap=True)
        self.table = StepTable()
        note = Caption(
            tr(
                "At risk: share of the records in classes of the block that are too "
                "small. Risk left: the highest of the blocks that this pass has not "
                "come to yet, as measured at its begin. At the end all blocks are "
                "measured again."
            )
        )
        self.setLayout(column(self.words, (self.table, 1), note, spacing=8))

    def show_found(self, found: BlockPolicies) -> None:
        """Show what has been done."""
        self.words.setText(found_text(found))
        self.table.show_steps(found.steps, found.attributes, found.n_records)
