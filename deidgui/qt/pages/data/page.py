"""The page Data: the file as it was read, and what is to be corrected about it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from deidgui.app import ops
from deidgui.app.activity import Activity
from deidgui.app.charts.formats import count_text
from deidgui.app.countries import NAMES, OTHER, country_name
from deidgui.app.decides import Changes
from deidgui.app.jobs import Job, Lane
from deidgui.app.loaded import Loaded
from deidgui.app.preparation.preparing import attributes_as_read
from deidgui.app.project import DialectChoice
from deidgui.app.reading.columns import likely_format
from deidgui.app.reading.linking import LinkOffer, leave_out_orphans
from deidgui.app.reading.reading import Inspection, encoding_examples
from deidgui.app.stated import doubt_of_rows, taken_as_missing
from deidgui.engine.data.encoding import EncodingEvidence
from deidgui.engine.detect.countries import CountryFinding
from deidgui.errors import DeidError
from deidgui.qt.column_words import evidence_words, reason_words
from deidgui.qt.file_dialogs import ask_open
from deidgui.qt.messages import words_for
from deidgui.qt.models.summaries import Summaries
from deidgui.qt.pages.base import Page, PageStatus, StepState
from deidgui.qt.pages.data.columns import ColumnsView
from deidgui.qt.pages.data.detail import ColumnPanel
from deidgui.qt.pages.data.dialect import DialectForm
from deidgui.qt.pages.data.header import HeaderCard
from deidgui.qt.pages.data.linked import LinkCard
from deidgui.qt.pages.data.preparation import PreparationView
from deidgui.qt.pages.data.preview import PreviewView
from deidgui.qt.pages.data.protected import ProtectedCard
from deidgui.qt.settings import Settings
from deidgui.qt.widgets import (
    Button,
    Callout,
    Card,
    Columns,
    ComboBox,
    ElidedLabel,
    EmptyState,
    GlyphLabel,
    IconButton,
    Label,
    ProgressCard,
    ReasonLabel,
    Segmented,
    ShownStack,
    column,
    holder,
    row,
    scrolling,
    show_if,
)
from deidgui.text import Text, tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace


HINT_LETTERS = 26
"""So much of the file's name and of a line of hints has room, or they stand below."""


class FileFacts(QWidget):
    """Facts about the file, the remarks of reading it, and its country.

    Attributes
    ----------
    country_chosen : Signal of (str or None)
        Two letters; None lets the country be found.
    people_wanted : Signal
        A second file is to be linked to this one.
    counts_wanted : Signal
        The file is to be opened as a table of counts.
    """

    country_chosen = Signal(object)
    people_wanted = Signal()
    counts_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sha256 = ""
        self._offered: str | None = None
        self._name = ElidedLabel("", "strong", mode=Qt.TextElideMode.ElideMiddle)
        self._facts = Label("", tone="muted")
        self._hash = ElidedLabel("", "mono", "muted")
        self._hash.setMinimumWidth(110)
        self._copy = IconButton(
            "copy", tr("Copy the SHA-256"), self._on_copy, small=True
        )
        self._remarks = ReasonLabel("", "info")
        self.as_counts = Button(
            tr("Open as a table of counts"), clicked=self.counts_wanted, small=True
        )
        self.as_counts.hide()
        about = row(GlyphLabel("file", "muted"), self._name, self._facts, spacing=10)
        digits = row((self._hash, 1), self._copy, spacing=10)
        line = Columns([(holder(about), 0), (holder(digits), 1)], 0, 10)
        self.country = ComboBox(name=tr("Country of the file"))
        self.country.setMinimumContentsLength(22)
        self.country.activated.connect(self._on_country_chosen)
        self._why = Label("", "caption", "muted", wrap=True)
        self.add_people = Button(
            tr("Add a table of people…"), "link", clicked=self.people_wanted
        )
        where = Columns(
            [
                (holder(row(Label(tr("Country")), self.country)), 0),
                (holder(row((self._why, 1), self.add_people)), 1),
            ],
            0,
            8,
        )
        said = row((self._remarks, 1), self.as_counts)
        self.setLayout(column(line, where, said, spacing=6))

    @property
    def remarks(self) -> str:
        """What was noticed while the file was read."""
        return self._remarks.text

    def show_file(
        self,
        loaded: Loaded,
        said: str | None,
        missing: Iterable[Iterable[str]] = (),
    ) -> None:
        """Show another file.

        Parameters
        ----------
        said : str or None
            Country that a person has said.
        missing : iterable of iterable of str
            Texts that mean "no value", of each column.
        """
        inspection, table = loaded.inspection, loaded.as_read
        name = loaded.path.name
        records = tr("{number:row|rows}", number=count_text(table.n_rows))
        if (people := loaded.people) is not None:
            further = [each.alone.path.name for each in people.further]
            name = " + ".join([name, people.path.name, *further])
            records = tr(
                "{events:event|events} and {people:person|people}",
                events=sum(each.alone.table.n_rows for each in people.tables),
                people=people.alone.table.n_rows,
            )
        facts = [
            records,
            tr("{number:column|columns}", number=count_text(len(table.columns))),
        ]
        remarks = ""
        if inspection is not None:
            self._show_country(inspection.country, said)
            if inspection.member:
                name = f"{name} / {inspection.member}"
            facts.insert(0, size_words(inspection.n_bytes))
            found = (
                *preamble_of(inspection),
                *loaded.shape_doubts,
                *inspection.report.notes,
                *loaded.totals,
            )
            remarks = " ".join(map(evidence_words, found))
        if taken := taken_as_missing(missing):
            where = tr("Columns shows where, and changes it.")
            remarks = " ".join(filter(None, (remarks, *taken, where)))
        self._name.setText(name)
        self._fit_texts()
        self._facts.setText(" · ".join(facts))
        self._sha256 = loaded.sha256
        self._hash.setText(f"SHA-256 {loaded.sha256}")
        self._hash.setAccessibleName(
            tr("Fingerprint of the file, SHA-256: {digits}", digits=loaded.sha256)
        )
        self._remarks.set_reason(remarks, "warning" if loaded.shape_doubts else "info")
        show_if(self.as_counts, bool(loaded.totals) and loaded.people is None)

    def _show_country(self, found: CountryFinding, said: str | None) -> None:
        """Show which country's rules are used, and why."""
        as_found = tr("As found")
        if said is None and found.country is not None:
            as_found = tr("As found: {country}", country=country_name(found.country))
        elif said is None:
            as_found = tr("None was found")
        known = None if said in NAMES else said
        if known != self._offered or not self.country.count():
            self._offered = known
            self.country.clear()
            self.country.addItem("", None)
            codes = sorted(NAMES.keys() - {OTHER}, key=country_name)
            for code in (*codes, *({known} - {None}), OTHER):
                self.country.addItem(country_name(code or ""), code)
        self.country.setItemText(0, as_found)
        self.country.setCurrentIndex(max(0, self.country.findData(said)))
        self._why.setText(" ".join(country_words(found, said)))

    def _fit_texts(self) -> None:
        """Let the name be read, and the hint be no column of single words."""
        wide = self.fontMetrics().averageCharWidth() * HINT_LETTERS
        self._name.setMinimumWidth(min(self._name.sizeHint().width(), wide))
        self._why.setMinimumWidth(wide if self._why.text() else 0)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit_texts()

    def _on_country_chosen(self) -> None:
        self.country_chosen.emit(self.country.currentData())

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._sha256)


def country_words(found: CountryFinding, said: str | None) -> list[str]:
    """Say which country's rules a file was read by, and why."""
    if said is not None:
        return [tr("Chosen by you.")]
    if found.country is None:
        return [tr("Choose it if you know it: the rules for postal codes follow it.")]
    return list(map(reason_words, found.reasons))


def preamble_of(inspection: Inspection) -> tuple[EncodingEvidence, ...]:
    """Return what was found above the header, if it is left out."""
    if not inspection.dialect.skip_lines:
        return ()
    return tuple(e for e in inspection.guess.evidence if e.code == "preamble")


def size_words(n_bytes: int) -> str:
    """Size of a file: "6.6 MB"."""
    for limit, unit in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if n_bytes >= limit:
            return f"{n_bytes / limit:,.1f} {unit}"
    return f"{n_bytes} B"


class MemberChooser(QWidget):
    """List of the files in an archive.

    Attributes
    ----------
    chosen : Signal of str
        Member to open.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._card = Card()
        self.members = QListWidget()
        self.members.setAccessibleName(tr("Files in the archive"))
        self.members.itemActivated.connect(self._on_activated)
        self.open = Button(tr("Open"), "primary", clicked=self._on_open)
        self._card.add(self.members, 1)
        self._card.body.addLayout(row(self.open, None))
        box = row(self._card)
        self.setLayout(box)

    def show_members(self, name: str, members: tuple[object, ...]) -> None:
        """Show the files of another archive."""
        self._card.set_title(
            tr("Which file of “{archive}” is the table?", archive=name),
            tr("The archive contains several files. One of them is opened."),
        )
        self.members.clear()
        self.members.addItems([str(member) for member in members])
        self.members.setCurrentRow(0)

    def _on_activated(self, item: QListWidgetItem) -> None:
        self.chosen.emit(item.text())

    def _on_open(self) -> None:
        if (item := self.members.currentItem()) is not None:
            self.chosen.emit(item.text())


class DataPage(Page):
    """Preview, columns with their types, and how the text is cut into cells."""

    key = "data"
    shown_lanes = (Lane.READ,)
    parts = Changes.DATA | Changes.ROLES | Changes.FILE
    scrolls = False

    first = (
        DialectForm,
        LinkCard,
        ColumnPanel,
        FileFacts,
        ProtectedCard,
        HeaderCard,
        MemberChooser,
    )

    def __init__(
        self,
        workspace: Workspace,
        settings: Settings,
        parent: QWidget | None = None,
        made: Sequence[QWidget] = (),
    ) -> None:
        super().__init__(workspace, settings, parent, made)
        self.set_header(
            tr("Data"),
            tr("Check that the file was read correctly."),
        )
        self.summaries = Summaries(workspace, Lane.DATA_FIGURES, self)
        self._problem: DeidError | None = None
        self._reading: Activity | None = None
        self._people_path: Path | None = None
        self._examples_of: Loaded | None = None
        self.facts = self.part(FileFacts)
        self.preview = PreviewView(workspace, self.summaries)
        self.columns = ColumnsView(workspace, self.summaries, self.part(ColumnPanel))
        self.dialect = self.part(DialectForm)
        self.preparation = PreparationView(workspace)
        self.version = Segmented(
            [("prepared", tr("Prepared")), ("read", tr("As read"))],
            name=tr("Which table is shown"),
        )
        show_if(self.version, False)
        self.view = Segmented(
            [
                ("preview", tr("Preview"), "table-rows"),
                ("columns", tr("Columns"), "attributes"),
                ("reading", tr("How it is read"), "settings"),
                ("preparation", tr("Preparation"), "edit"),
            ],
            name=tr("What is shown"),
        )
        self.add_header_action(self.view)
        self._make_body()
        self._connect()

    def _make_body(self) -> None:
        self.progress = ProgressCard(tr("Reading the file"), can_pause=False)
        self.look = Callout()
        views, body = QWidget(), QWidget()
        self._views = ShownStack(views)
        self.preview.tools.add_left(self.version)
        self._views.addWidget(self.preview)
        self._sections: dict[str, QWidget] = {
            "preview": self.preview,
            "columns": self.columns,
            "reading": scrolling(holder(column(self.dialect, None))),
            "preparation": scrolling(holder(column(self.preparation, None))),
        }
        for key, part in self._sections.items():
            if key != "preview":
                self.place_later(part, self._views.addWidget)
        self.header = self.part(HeaderCard)
        self.protected = self.part(ProtectedCard)
        self.linked = self.part(LinkCard)
        cards = (self.header, self.linked, self.protected, self.look)
        content = column(self.facts, *cards, views, spacing=12)
        content.setStretch(5, 1)
        self._content = holder(content)
        self.empty = EmptyState("data", "")
        self.skip = Button("", clicked=self._on_skip_wanted)
        self.empty.add_action(self.skip)
        self.members = self.part(MemberChooser)
        self._stack = ShownStack(body)
        for each in (self.empty, self.members, self._content):
            self._stack.addWidget(each)
        self.body.addWidget(self.progress)
        self.body.addWidget(body, 1)

    def _connect(self) -> None:
        self.view.chosen.connect(self._on_view_chosen)
        self.version.chosen.connect(self._show_preview)
        self.progress.cancel_clicked.connect(self._on_cancel_clicked)
        self.look.acted.connect(self._on_look_wanted)
        self.protected.answered.connect(self._on_protection_answered)
        self.facts.people_wanted.connect(self._on_people_wanted)
        self.facts.counts_wanted.connect(self._on_counts_wanted)
        self.linked.link_wanted.connect(self._on_link_wanted)
        self.linked.given_up.connect(self._on_link_given_up)
        self.linked.orphans_answered.connect(self._on_orphans_answered)
        self.linked.unlink_wanted.connect(self._on_unlink_wanted)
        self.linked.unlink_events_wanted.connect(self.workspace.unlink_events)
        self.workspace.people_read.connect(self._on_people_read)
        self.header.answered.connect(self.workspace.say_header)
        self.facts.country_chosen.connect(self.workspace.set_country)
        self.empty.acted.connect(self._on_empty_acted)
        self.members.chosen.connect(self._on_member_chosen)
        self.dialect.reading_wanted.connect(self._on_reading_wanted)
        self.columns.type_wanted.connect(self._on_type_wanted)
        self.columns.format_answered.connect(self._on_format_answered)
        self.columns.tokens_wanted.connect(self._on_tokens_wanted)
        self.columns.include_wanted.connect(self._on_include_wanted)
        self.columns.cell_wanted.connect(self._on_cell_wanted)
        self.columns.failed.connect(self._on_bug)
        self.summaries.found.connect(self._on_figures_found)
        self.workspace.activity.connect(self._on_activity)
        self.workspace.compiling.connect(self._on_compiling)
        self.workspace.problem.connect(self._on_problem)

    # -- showing -------------------------------------------------------------------

    def refresh(self, changes: Changes) -> None:
        """Show the file and its columns as they are now."""
        loaded, project = self.session.loaded, self.session.project
        self._show_state()
        if loaded is None:
            self.preview.show_table(None, ())
            self.summaries.follow(())
            return
        if changes & Changes.DATA:
            file = project.inputs[0] if project.inputs else None
            missing = [each.missing for each in project.attributes if each.include]
            self.facts.show_file(loaded, file.country if file else None, missing)
            is_open = file is not None and file.header_in_doubt
            show_if(self.header, is_open and loaded.inspection is not None)
            if loaded.inspection is not None:
                self.header.show_file(loaded)
                self.dialect.show_inspection(loaded.inspection)
                self._show_examples(loaded)
        self.dialect.show_outdated(self.session.is_outdated)
        # One question at a time: without its header a file has other columns.
        first = project.inputs[0] if project.inputs else None
        is_next = first is None or not first.header_in_doubt
        if project.link is not None:
            # First, so that the page is never as high as both.
            show_if(self.protected, False)
        self.linked.show_project(project)
        self._show_link_state(is_next)
        self.protected.show_project(project, loaded)
        self.summaries.follow(project.attributes)
        self.preparation.show_project(project, loaded)
        self._show_preview()
        self.columns.show_attributes(project.attributes)
        self._show_look()

    def _show_link_state(self, is_next: bool = True) -> None:
        """Show what says who is protected: the question, or the link of two files."""
        is_linked = self.session.project.link is not None
        is_offering = self.linked.is_offering
        show_if(self.protected, is_next and not is_linked and not is_offering)
        show_if(self.facts.add_people, is_next and not is_offering)
        self.facts.add_people.setText(
            tr("Add a table of events…") if is_linked else tr("Add a table of people…")
        )

    def _show_preview(self) -> None:
        """Show the table before or after the steps of the preparation."""
        loaded, project = self.session.loaded, self.session.project
        if loaded is None:
            return
        is_prepared = loaded.source is not None
        show_if(self.version, is_prepared)
        if is_prepared and self.version.current == "read":
            self.preview.show_table(loaded.as_read, attributes_as_read(project))
        else:
            self.preview.show_table(loaded.table, project.attributes)

    def _show_examples(self, loaded: Loaded) -> None:
        """Read example lines in a worker, once for each reading of a file."""
        if loaded is self._examples_of:
            return
        self._examples_of = loaded
        self.dialect.show_examples({})
        if not loaded.inspection.guess.encodings:
            return

        def done(lines: dict[str, list[str]]) -> None:
            if self.session.loaded is loaded:
                self.dialect.show_examples(lines)

        self.workspace.runner.start(
            Lane.EXAMPLES,
            lambda monitor: encoding_examples(loaded, monitor=monitor),
            Job(on_done=done, on_failed=self._on_examples_failed),
        )

    def _on_examples_failed(self, error: BaseException) -> None:
        if not isinstance(error, DeidError):  # without examples the rest still holds
            self._on_bug(error)

    def _show_state(self) -> None:
        """Content, the choice of a member, or why there is nothing."""
        is_reading = self.workspace.is_running(Lane.READ)
        show_if(self.progress, is_reading)
        loaded, problem = self.session.loaded, self._problem
        if problem is not None and problem.code == "archive_members" and not is_reading:
            self._stack.setCurrentWidget(self.members)
        elif loaded is not None and not (is_reading and self.workspace.is_replacing):
            # Nobody decides about a file that is about to go.
            self._stack.setCurrentWidget(self._content)
        else:
            self._stack.setCurrentWidget(self.empty)
            self._show_empty(is_reading)
        show_if(self.view, self._stack.currentWidget() is self._content)

    def _show_empty(self, is_reading: bool) -> None:
        problem = None if is_reading else self._problem
        n_ragged = n_wrong_length(problem)
        show_if(self.skip, bool(n_ragged))
        self.skip.setText(
            tr("Leave out {n:record|records} of the wrong length", n=n_ragged)
        )
        if is_reading:
            sentence = tr("The columns appear here as soon as they are known.")
            self.empty.show_words(tr("No data yet"), sentence, "", "clock")
        elif self._problem is not None:
            words = words_for(self._problem)
            action = tr("Choose another file")
            self.empty.show_words(words.what, words.fix, action, "warning")
        else:
            self.empty.show_words(
                tr("No data yet"),
                tr("Open a data file to see its content."),
                tr("Go to Start"),
                "data",
            )

    def _open_questions(self) -> list[str]:
        """Included columns of which a person must choose the reading."""
        attributes = self.session.project.attributes
        return [each.name for each in attributes if each.include and each.open_formats]

    def _failing_columns(self) -> list[str]:
        found = []
        for attribute in self.session.project.attributes:
            summary = self.summaries.get(attribute)
            if attribute.include and summary and summary.n_failing:
                found.append(attribute.name)
        return found

    def _doubtful_columns(self) -> list[str]:
        """Included columns that want a look; those not counted yet may do."""
        wants = self.columns.model.wants_a_look
        included = (each for each in self.session.project.attributes if each.include)
        known = self.summaries.get
        return [e.name for e in included if known(e) is None or wants(e)]

    def _show_look(self) -> None:
        """Say above everything what a person must look at."""
        asked, failing = self._open_questions(), self._failing_columns()
        # One question at a time: the page has no room for more where it is low.
        is_next = self.session.project.unit is not None
        is_elsewhere = self.view.current != "columns"
        show_if(self.look, is_next and is_elsewhere and bool(asked or failing))
        action = tr("Look at them")
        if asked:
            text = tr("Can be read in two ways: {columns}.", columns=_listed(asked))
            detail = tr("Choose the correct one.")
            self.look.show_words(text, "warning", detail, action)
        else:
            text = tr(
                "Some cells are not of their column's type: {columns}.",
                columns=_listed(failing),
            )
            self.look.show_words(text, "info", "", action)

    def status(self) -> PageStatus:
        """Done when the file was read, a unit is decided and nothing is in doubt."""
        loaded, project = self.session.loaded, self.session.project
        if self.workspace.is_running(Lane.READ):
            return PageStatus(StepState.NOT_YET, tr("reading…"))
        if loaded is None:
            missing = tr("Open a data file first.")
            if project.inputs:
                missing = tr("The data file of this project has not been read yet.")
                return PageStatus(StepState.ATTENTION, tr("no file"), missing)
            return PageStatus(StepState.NOT_YET, "", missing)
        if self.session.is_outdated:
            return PageStatus(StepState.ATTENTION, tr("file has changed"))
        n_asked = len(self._open_questions()) + (project.unit is None)
        n_asked += sum(each.header_in_doubt for each in project.inputs)
        n_asked += sum(e.n_left_out > 0 and e.orphans is None for e in project.links)
        if n_asked:
            caption = tr("{number} to decide", number=n_asked)
            return PageStatus(StepState.ATTENTION, caption)
        if doubt_of_rows(project.unit, loaded.keys):
            return PageStatus(StepState.ATTENTION, tr("people in doubt"))
        if loaded.shape_doubts:
            is_stacked = loaded.shape_doubts[0].code == "stacked_tables"
            caption = tr("several tables?") if is_stacked else tr("no table?")
            return PageStatus(StepState.ATTENTION, caption)
        table = loaded.table
        caption = tr("{number:row|rows}", number=count_text(table.n_rows))
        if doubtful := self._doubtful_columns():
            return self.once_seen(caption, *doubtful)
        return PageStatus(StepState.DONE, caption)

    def help_words(self) -> str:
        """Say what was noticed and what is left out."""
        lines = []
        n_out = sum(not each.include for each in self.session.project.attributes)
        if self.facts.remarks and self.session.loaded is not None:
            lines.append(f"- {self.facts.remarks}")
        if n_out:
            lines.append(tr("- Columns that are left out: {number}.", number=n_out))
        return "\n".join(lines)

    # -- following -----------------------------------------------------------------

    def _on_view_chosen(self, key: str) -> None:
        self.place_all()
        self._views.setCurrentWidget(self._sections[key])
        self._show_look()

    def show_view(self, key: str) -> None:
        """Show preview, columns or how the file is read."""
        self.view.set_current(key)
        self._on_view_chosen(key)

    def _on_look_wanted(self) -> None:
        self.show_view("columns")
        names = self._open_questions() or self._failing_columns()
        if names:
            self.columns.choose(names[0])

    def _on_figures_found(self, _names: tuple[str, ...]) -> None:
        self._show_look()
        self.status_changed.emit()

    def _on_activity(self, activity: Activity) -> None:
        if activity.lane != Lane.READ:
            return
        self._reading = activity
        if activity.fraction is not None:
            if activity.fraction == 0.0:
                self._problem = None
            self.progress.set_progress(
                activity.fraction, self._stage_words(activity.note), activity.elapsed_s
            )
        self._show_state()
        self.status_changed.emit()

    def _on_compiling(self) -> None:
        """Say why a first file takes longer than the next."""
        reading = self._reading
        if reading is not None and reading.fraction is not None:
            words = self._stage_words("compiling")
            self.progress.set_progress(reading.fraction, words, reading.elapsed_s)

    def _stage_words(self, note: str) -> str:
        stages = {
            "compiling": tr("Preparing the program for this computer, only once"),
            "opening": tr("Reading the file once for its fingerprint"),
            "dialect": tr("Detecting the separation into cells"),
            "missing": tr("Looking for missing values"),
            "types": tr("Detecting the types of the columns"),
            "columns": tr("Looking for identifiers"),
        }
        return stages.get(note, tr("Reading the records"))

    @property
    def reported_lanes(self) -> tuple[str, ...]:
        is_shown = self.session.loaded is None or self.linked.is_offering
        return (Lane.READ,) if is_shown else ()

    def _on_problem(self, error: BaseException, lane: str) -> None:
        if lane == Lane.READ and isinstance(error, DeidError):
            self._problem = error
            if self.linked.is_offering:
                self.linked.show_problem(error)
            if error.code == "archive_members":
                members = error.params.get("members", ())
                path = self._people_path or self.workspace.opening
                self.members.show_members(
                    path.name if path else "",
                    members if isinstance(members, tuple) else (),
                )
            self._show_state()

    def _on_empty_acted(self) -> None:
        if self._problem is not None:
            self.data_wanted.emit()
        else:
            self.step_wanted.emit("start")

    def _on_bug(self, error: BaseException) -> None:
        self.workspace.problem(error, "data")

    def _on_cancel_clicked(self) -> None:
        self.workspace.cancel(Lane.READ)

    # -- deciding ------------------------------------------------------------------

    def _on_member_chosen(self, member: str) -> None:
        if self._people_path is not None:
            self.workspace.open_people(self._people_path, member)
            return
        path: Path | None = self.workspace.opening
        if path is not None:
            self.workspace.open_data(path, member)

    def _on_counts_wanted(self) -> None:
        if (loaded := self.session.loaded) is not None:
            self.tables_given.emit(loaded.path)

    def _on_people_wanted(self) -> None:
        chosen = ask_open(
            self,
            "data",
            tr("Choose the table of people, or one of their events"),
            tr("Tables (*.csv *.tsv *.txt *.dat *.psv *.zip *.gz);;All files (*)"),
        )
        if chosen is not None:
            self.add_people(chosen)

    def add_people(self, path: Path) -> None:
        """Read a second file and offer to link it."""
        self._people_path = path
        self.workspace.open_people(path)

    def _on_people_read(self, offer: LinkOffer) -> None:
        self._people_path, self._problem = None, None
        show_if(self.protected, False)
        self.linked.offer(offer)
        self._show_state()
        self._show_link_state()

    def _on_link_wanted(self, other: Loaded, column: str, other_column: str) -> None:
        self.linked.show_problem(None)
        self.workspace.link_people(other, column, other_column)

    def _on_link_given_up(self) -> None:
        self._show_link_state()

    def _on_orphans_answered(self, table: str, is_left_out: bool) -> None:
        label = tr("decide on events that belong to nobody")
        self.session.apply(leave_out_orphans(is_left_out, table), label)

    def _on_unlink_wanted(self) -> None:
        self.workspace.unlink_people()

    def _on_skip_wanted(self) -> None:
        path, member = self.workspace.opening, self.workspace.opening_member
        if path is not None:
            self.workspace.open_data(path, member, skip_ragged=True)

    def _on_reading_wanted(self, choice: DialectChoice) -> None:
        if choice == self.dialect.current:
            self.workspace.reload_data()
        else:
            self.workspace.read_again(choice)

    def _change(self, changes: dict[str, dict[str, object]], label: str) -> None:
        try:
            self.workspace.change_columns(changes, label)
        except DeidError as error:
            self.show_error(error)

    def _on_type_wanted(self, name: str, kind: str, value_format: str) -> None:
        loaded = self.session.loaded
        if loaded is None:
            return
        attribute = self.session.project.attribute(name)
        guess = loaded.inspection.types.get(name) if loaded.inspection else None
        chosen: str | None = value_format or None
        if not value_format and attribute.kind != kind:
            if guess is not None and guess.kind == kind and guess.format:
                chosen = guess.format
            else:
                column_now = loaded.table.column(name)
                chosen = likely_format(column_now, kind)
        asked = guess.candidates if guess and guess.format == chosen else ()
        changes: dict[str, object] = {
            "kind": kind,
            "format": chosen,
            "open_formats": () if value_format else asked,
        }
        self._change({name: changes}, tr("set type of {column}", column=name))

    def _on_protection_answered(self, key: str | None) -> None:
        label = tr("decide who is protected")
        try:
            self.session.apply(ops.set_protection(key), label)
        except DeidError as error:
            self.show_error(error)

    def _on_format_answered(self, name: str, value_format: str) -> None:
        label = tr("choose reading of {column}", column=name)
        changes: dict[str, object] = {"format": value_format, "open_formats": ()}
        self._change({name: changes}, label)
        self.refresh(Changes.ROLES)
        self.status_changed.emit()

    def _on_tokens_wanted(self, wanted: dict[str, tuple[str, ...]]) -> None:
        label = tr("set missing values of {column}", column=_one_or_number(wanted))
        self._change({n: {"missing": tokens} for n, tokens in wanted.items()}, label)

    def _on_include_wanted(self, names: tuple[str, ...], is_on: bool) -> None:
        label: Text = "take in {column}" if is_on else "leave out {column}"
        changes: dict[str, object] = {"include": is_on}
        self._change(
            dict.fromkeys(names, changes), tr(label, column=_one_or_number(names))
        )

    def _on_cell_wanted(self, row: int, name: str) -> None:
        self.show_view("preview")
        self.preview.show_cell(row, name)


def n_wrong_length(problem: DeidError | None) -> int:
    """Records whose length kept a file from being read; 0 for another reason."""
    if problem is None or problem.code != "ragged_record":
        return 0
    return int(str(problem.params.get("n_records", 0)))


def _one_or_number(names: Collection[str]) -> str:
    """Name of a column, or how many they are."""
    if len(names) > 1:
        return tr("{number:column|columns}", number=len(names))
    return "".join(names)


def _listed(names: list[str]) -> str:
    """Up to three names, and how many more there are."""
    shown = ", ".join(names[:3])
    return f"{shown}, … ({len(names):,})" if len(names) > 3 else shown
