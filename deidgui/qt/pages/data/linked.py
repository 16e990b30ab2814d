"""The table of people beside that of their events: its key, its faults, the link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from deidgui.app.charts.formats import count_text
from deidgui.app.loaded import Loaded
from deidgui.app.project import LinkChoice, Project
from deidgui.app.reading.linking import Key, LinkOffer
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


class LinkCard(Card):
    """Offers a second file by a key, or says how two are linked and asks what is open.

    Attributes
    ----------
    link_wanted : Signal of (Loaded, str, str)
        The second file, the key's column of the first, and that of the second.
    given_up : Signal
        The second file is not wanted.
    orphans_answered : Signal of bool
        Whether events that belong to nobody are left out.
    unlink_wanted : Signal
    """

    link_wanted = Signal(object, str, str)
    given_up = Signal()
    orphans_answered = Signal(bool)
    unlink_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(margin=12, parent=parent)
        # Nothing of it is cut off where the page is low.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._offered: Loaded | None = None
        self._keys: Mapping[tuple[str, str], Key] = {}
        self._link: LinkChoice | None = None
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
        self._said = Label("", "body", wrap=True)
        self.remove = Button(tr("Remove"), "link", clicked=self.unlink_wanted)
        line = row(GlyphLabel("check", "success"), self._said, self.remove)
        line.setStretch(1, 1)
        self.question = Callout()
        self.question.acted.connect(self._on_orphans_answered)
        self._answer = holder(column(line, self.question, spacing=8))

    # -- showing -------------------------------------------------------------------

    @property
    def is_offering(self) -> bool:
        """Whether a second file was read and nobody has decided on it."""
        return self._offered is not None

    def offer(self, offer: LinkOffer) -> None:
        """Offer a second file that was read."""
        self._offered, self._keys = offer.second, offer.keys
        both = (offer.first, offer.second)
        for label, combo, loaded in zip(self._names, self.keys, both, strict=True):
            label.setText(escaped(loaded.path.name))
            combo.clear()
            for name in loaded.table.column_names:
                combo.addItem(escaped(name), name)
        likely = next(iter(offer.keys), ())
        for combo, name in zip(self.keys, likely, strict=False):
            combo.set_current(name)
        self._show_evidence()
        self.show_problem(None)
        self._show()

    def show_problem(self, problem: DeidError | None) -> None:
        """Say why the two files could not be linked."""
        show_if(self.problem, problem is not None)
        if problem is not None:
            words = words_for(problem)
            self.problem.show_words(words.what, "danger", words.fix)

    def show_project(self, project: Project) -> None:
        """Show how the files are linked, if they are."""
        link = project.link
        if link is not None and link != self._link:
            self._offered = None
        self._link = link
        if link is not None:
            self._show_link(link, project)
        self._show()

    def forget_offer(self) -> None:
        """Show no second file any more."""
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

    def _show_link(self, link: LinkChoice, project: Project) -> None:
        events, people = project.inputs[0], project.input_called("people")
        assert people is not None
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
        ]
        if link.n_without_events:
            parts.append(
                tr(
                    "{n:person has|people have} no event and are kept.",
                    n=link.n_without_events,
                )
            )
        self._said.setText(" ".join(parts))
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

    def _on_orphans_answered(self) -> None:
        if self._link is not None:
            self.orphans_answered.emit(self._link.orphans is None)


def _bare(file: str) -> str:
    return escaped(file.rsplit("/", 1)[-1])
