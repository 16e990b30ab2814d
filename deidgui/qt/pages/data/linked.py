"""The table of people beside those of their events: keys, faults, links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from deidgui.app.charts.formats import count_text
from deidgui.app.loaded import Loaded
from deidgui.app.project import LinkChoice, Project
from deidgui.app.reading.linking import LinkKey, LinkOffer
from deidgui.errors import DeidError
from deidgui.qt.messages import words_for
from deidgui.qt.widgets import (
    Button,
    Callout,
    Card,
    ComboBox,
    GlyphLabel,
    Label,
    column,
    holder,
    row,
    show_if,
)
from deidgui.text import escaped, tr


class LinkLine(QWidget):
    """Says how a table of events is linked to that of people; asks what is open.

    Attributes
    ----------
    orphans_answered : Signal of (str, bool)
        Name of the table, and whether its events that belong to nobody are left out.
    remove_wanted : Signal
    """

    orphans_answered = Signal(str, bool)
    remove_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._link: LinkChoice | None = None
        self._said = Label("", "body", wrap=True)
        self.remove = Button(tr("Remove"), "link", clicked=self.remove_wanted)
        line = row(GlyphLabel("check", "success"), self._said, self.remove)
        line.setStretch(1, 1)
        self.question = Callout()
        self.question.acted.connect(self._on_orphans_answered)
        self.setLayout(column(line, self.question, spacing=8))

    def show_link(self, link: LinkChoice, project: Project) -> None:
        """Show how one of the tables of a project is linked."""
        self._link = link
        self._said.setText(_link_words(link, project))
        # Names of columns rest on the tables before: only the last one can go alone.
        is_first, is_last = link == project.link, link == project.links[-1]
        show_if(self.remove, is_first or is_last)
        self.remove.setAccessibleName(
            tr("Remove the table of people")
            if is_first
            else tr("Remove the table {name}", name=link.table)
        )
        show_if(self.question, bool(link.n_left_out))
        counts = tr(
            "With a key that no person has: {orphans}. Without a key: {keyless}.",
            orphans=count_text(link.n_orphans),
            keyless=count_text(link.n_keyless),
        )
        n = link.n_left_out
        if link.orphans is None:
            self.question.show_words(
                tr("{n:event belongs|events belong} to nobody.", n=n),
                "warning",
                tr("{counts} Nothing is released until it is decided.", counts=counts),
                tr("Leave them out"),
            )
        else:
            self.question.show_words(
                tr("{n:event is|events are} left out, as you decided.", n=n),
                "info",
                counts,
                tr("Change"),
            )
        self.question.setMinimumHeight(self.question.heightForWidth(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut nothing off what is asked, however low the page is."""
        super().resizeEvent(event)
        self.question.setMinimumHeight(self.question.heightForWidth(self.width()))

    def _on_orphans_answered(self) -> None:
        if self._link is not None:
            is_left_out = self._link.orphans is None
            self.orphans_answered.emit(self._link.table, is_left_out)


def _link_words(link: LinkChoice, project: Project) -> str:
    """Say which events belong to whom, and who has none."""
    events, people = project.input_called(link.table), project.input_called("people")
    assert people is not None
    if link == project.link:
        events = project.inputs[0]
    assert events is not None
    keys = link.column
    if link.people_column != link.column:
        keys = f"{link.column} = {link.people_column}"
    parts = [
        tr(
            "{events:event|events} of “{file}” belong to {people:person|people} of "
            "“{other}” by {key}. These people are protected.",
            events=events.n_rows - link.n_left_out,
            file=_bare(events.file),
            people=people.n_rows,
            other=_bare(people.file),
            key=keys,
        )
        if link == project.link
        else tr(
            "{events:event|events} of “{file}” belong to the same people by {key}.",
            events=events.n_rows - link.n_left_out,
            file=_bare(events.file),
            key=keys,
        )
    ]
    if link.n_without_events:
        parts.append(
            tr(
                "{n:person has|people have} no event and are kept.",
                n=link.n_without_events,
            )
            if len(project.links) == 1
            else tr(
                "{n:person has|people have} no event in it and are kept.",
                n=link.n_without_events,
            )
        )
    return " ".join(parts)


class LinkCard(Card):
    """Offers a file by a key, or says how several are linked and asks what is open.

    Attributes
    ----------
    link_wanted : Signal of (Loaded, str, str)
        The new file, the key's column of what there is, and that of the new one.
    given_up : Signal
        The new file is not wanted.
    orphans_answered : Signal of (str, bool)
        As of `LinkLine`.
    unlink_wanted, unlink_events_wanted : Signal
        The table of people goes, or that of events which was added last.
    """

    link_wanted = Signal(object, str, str)
    given_up = Signal()
    orphans_answered = Signal(str, bool)
    unlink_wanted = Signal()
    unlink_events_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(margin=12, parent=parent)
        # Nothing of it is cut off where the page is low.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._offered: Loaded | None = None
        self._keys: Mapping[tuple[str, str], LinkKey] = {}
        self._link: LinkChoice | None = None
        self._n_links = 0
        self._make_offer()
        self._make_answer()
        self.add(self._offer)
        self.add(self._answer)
        self.show_project(Project())

    def _make_offer(self) -> None:
        self._names = (Label("", "body"), Label("", "body"))
        self.keys = (
            ComboBox(name=tr("Key of the first file")),
            ComboBox(name=tr("Key of the second file")),
        )
        self._evidence = Label("", "caption", "muted", wrap=True)
        self.problem = Callout()
        self.link = Button(tr("Link the tables"), "primary", clicked=self._on_link)
        self.cancel = Button(tr("Cancel"), clicked=self._on_cancel)
        for combo in self.keys:
            combo.activated.connect(self._on_key_chosen)
        pairs = zip(self._names, self.keys, strict=True)
        lines = [row(name, combo, spacing=8) for name, combo in pairs]
        buttons = row(self.link, self.cancel, None)
        both = row(*lines, None, spacing=20)
        parts = (both, self._evidence, self.problem, buttons)
        self._offer = holder(column(*parts, spacing=8))

    def _make_answer(self) -> None:
        self._lines = column(spacing=8)
        self.lines: list[LinkLine] = []
        self._add_line()
        self._answer = holder(self._lines)

    def _add_line(self) -> None:
        line = LinkLine()
        line.orphans_answered.connect(self.orphans_answered)
        is_first = not self.lines
        line.remove_wanted.connect(
            self.unlink_wanted if is_first else self.unlink_events_wanted
        )
        self._lines.addWidget(line)
        self.lines.append(line)

    @property
    def question(self) -> Callout:
        """What is open of the first table of events."""
        return self.lines[0].question

    @property
    def remove(self) -> Button:
        """Removes the table of people."""
        return self.lines[0].remove

    # -- showing -------------------------------------------------------------------

    @property
    def is_offering(self) -> bool:
        """Whether a file was read and nobody has decided on it."""
        return self._offered is not None

    def offer(self, offer: LinkOffer) -> None:
        """Offer a file that was read: further events go to the people by their key."""
        self._offered, self._keys = offer.second, offer.keys
        both = (offer.first, offer.second)
        for label, combo, loaded in zip(self._names, self.keys, both, strict=True):
            label.setText(escaped(loaded.path.name))
            combo.clear()
            for name in self._columns_of(loaded):
                combo.addItem(escaped(name), name)
        fitting = (e for e in offer.keys if self.keys[0].findData(e[0]) >= 0)
        likely = next(fitting, ())
        for combo, name in zip(self.keys, likely, strict=False):
            combo.set_current(name)
        self._show_evidence()
        self.show_problem(None)
        self._show()

    def _columns_of(self, loaded: Loaded) -> Sequence[str]:
        """Columns that may be the key: of people who are linked only theirs."""
        if self._link is not None and loaded is not self._offered:
            return (self._link.people_column,)
        return loaded.table.column_names

    def show_problem(self, problem: DeidError | None) -> None:
        """Say why the two files could not be linked."""
        show_if(self.problem, problem is not None)
        if problem is not None:
            words = words_for(problem)
            self.problem.show_words(words.what, "danger", words.fix)

    def show_project(self, project: Project) -> None:
        """Show how the files are linked, if they are."""
        links = project.links
        if len(links) != self._n_links:
            self._offered = None
        self._link, self._n_links = project.link, len(links)
        while len(self.lines) < len(links):
            self._add_line()
        for place, line in enumerate(self.lines):
            show_if(line, place < len(links))
            if place < len(links):
                line.show_link(links[place], project)
        self._show()

    def forget_offer(self) -> None:
        """Offer no file any more."""
        self._offered = None
        self._show()

    def _show(self) -> None:
        is_linked = self._link is not None
        show_if(self._offer, self.is_offering)
        show_if(self._answer, is_linked and not self.is_offering)
        show_if(self, self.is_offering or is_linked)
        title = tr("By which columns do the two files belong together?")
        lead = tr(
            "One file has one row for each person, the other the events of these "
            "people."
        )
        if is_linked:
            title = tr("Which column says whose the events are?")
            lead = tr("The file has further events of the same people.")
        self.set_title(title if self.is_offering else "", lead)

    def _show_evidence(self) -> None:
        chosen = (self.keys[0].current, self.keys[1].current)
        found = self._keys.get(chosen)
        if found is None:
            text = tr(
                "Nothing speaks for these columns: neither is different in each row "
                "and holds the values of the other."
            )
        else:
            text = tr(
                "{n:value is|values are} in both files; {orphans} only in the events.",
                n=found.n_linked,
                orphans=count_text(found.n_orphans),
            )
        self._evidence.setText(text)

    # -- deciding ------------------------------------------------------------------

    def _on_key_chosen(self) -> None:
        self._show_evidence()
        self.show_problem(None)

    def _on_link(self) -> None:
        names: Sequence[str] = [each.current for each in self.keys]
        if self._offered is not None:
            self.link_wanted.emit(self._offered, *names)

    def _on_cancel(self) -> None:
        self.forget_offer()
        self.given_up.emit()


def _bare(file: str) -> str:
    return escaped(file.rsplit("/", 1)[-1])
