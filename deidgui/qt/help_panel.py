"""What a step decides and why, in plain words, beside the page; and all help pages."""

from __future__ import annotations

import math
import re
from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import (
    QFont,
    QShowEvent,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from deidgui import resources
from deidgui.qt.pages import ALL_STEPS
from deidgui.qt.theme import theme, tokens
from deidgui.qt.widgets import (
    Button,
    Caption,
    ElidedLabel,
    IconButton,
    SearchField,
    column,
    holder,
    mark,
    row,
    show_if,
)
from deidgui.text import THIN, tr

WIDTH = 304
LINE_HEIGHT_PCT = 128.0


class MarkdownView(QTextBrowser):
    """Markdown in the type and colours of the theme; opens no address."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self._markdown = ""
        self._is_rendered = True
        theme().changed.connect(self._on_theme_changed)

    def show_markdown(self, markdown: str) -> None:
        """Show a text, from its beginning if it is another one."""
        if markdown == self._markdown:
            return
        self._markdown = markdown
        self._is_rendered = False
        if self.isVisible():
            self._render_new()
        self.verticalScrollBar().setValue(0)

    def _render_new(self) -> None:
        """Render a text that was not seen yet; nobody waits for a hidden one."""
        if not self._is_rendered:
            self._is_rendered = True
            self._render()

    def showEvent(self, event: QShowEvent) -> None:
        self._render_new()
        super().showEvent(event)

    def loadResource(self, _type: int, _name: QUrl | str) -> object:
        return None  # Help has no images, and nothing is ever fetched.

    def _on_theme_changed(self) -> None:
        self._is_rendered = False
        if self.isVisible():
            self._render_new()

    def _render(self) -> None:
        document = self.document()
        document.setDefaultFont(self.font())
        # A number and its sign stand in one line, as everywhere.
        text = re.sub(r"(?<=\d) (?=%)", THIN, self._markdown)
        document.setMarkdown(text, QTextDocument.MarkdownFeature.MarkdownNoHTML)
        self._space_out(document)
        # Qt shows the cursor when a view is shown first: it is behind all of the text.
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def _space_out(self, document: QTextDocument) -> None:
        """Give headings our sizes and lines room."""
        scale = tokens().type
        sizes = {1: scale.section * 1.1, 2: scale.section, 3: scale.body}
        cursor = QTextCursor(document)
        block = document.begin()
        while block.isValid():
            level = block.blockFormat().headingLevel()
            cursor.setPosition(block.position())
            cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
            shape = QTextBlockFormat()
            shape.setLineHeight(
                LINE_HEIGHT_PCT,
                QTextBlockFormat.LineHeightTypes.ProportionalHeight.value,
            )
            shape.setBottomMargin(4 if level else 8)
            shape.setTopMargin(14 if level and block.position() else 0)
            cursor.setPosition(block.position())
            cursor.mergeBlockFormat(shape)
            if level:
                self._set_heading(cursor, block.length() - 1, sizes.get(level, 0.0))
            block = block.next()

    def _set_heading(self, cursor: QTextCursor, length: int, points: float) -> None:
        cursor.movePosition(
            QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor, length
        )
        shape = cursor.charFormat()
        shape.setFontPointSize(points or tokens().type.body)
        shape.setFontWeight(QFont.Weight.DemiBold)
        shape.setProperty(shape.Property.FontSizeAdjustment, 0)
        cursor.setCharFormat(shape)


class HelpPage:
    """One page of help: its title and its text."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text("utf-8")
        first = self.text.lstrip().splitlines()[0] if self.text.strip() else ""
        self.title = first.lstrip("# ").strip() or path.stem

    @property
    def is_guide(self) -> bool:
        """Whether it belongs to the user guide, not to a step."""
        return self.path.parent == resources.path("help")

    def score(self, words: str) -> float:
        """How well the page answers a search: 0 is not at all.

        A long page names everything: what counts is how much of it the words are.
        """
        wanted = words.lower().split()
        text, title = self.text.lower(), self.title.lower()
        if not all(word in text for word in wanted):
            return 0
        found = sum(text.count(word) for word in wanted) / math.sqrt(len(text))
        return found + sum(word in title for word in wanted)


def help_pages() -> list[HelpPage]:
    """All help pages: of the user guide, then of the steps."""
    folder = resources.path("help")
    steps = [folder / "steps" / f"{step.key}.md" for step in ALL_STEPS]
    paths = [*sorted(folder.glob("*.md")), *steps]
    return [HelpPage(path) for path in paths if path.is_file()]


def step_help(key: str) -> str:
    """Markdown of a step's help; empty if there is none."""
    path = resources.path("help", "steps", f"{key}.md")
    return path.read_text("utf-8") if path.is_file() else ""


class HelpPanel(QFrame):
    """Panel at the right: the step's help, the choices in words, all pages."""

    close_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, kind="panel")
        self.setFixedWidth(WIDTH)
        self.setAccessibleName(tr("Help"))
        self._pages: list[HelpPage] | None = None
        self._step_title, self._step_text, self._choices = "", "", ""
        self._title = ElidedLabel("", "section")
        self._index = IconButton("book", "", clicked=self._on_index_clicked)
        self._index.set_words(tr("All help pages (Ctrl+F1)"))
        close = IconButton("close", tr("Hide help"), self.close_clicked)
        self._view = MarkdownView()
        self._stack = QStackedWidget()
        self._stack.addWidget(self._view)
        box = QVBoxLayout(self)
        box.setContentsMargins(20, 8, 12, 12)
        box.setSpacing(8)
        head = row(self._title, self._index, close, spacing=2)
        head.setStretch(0, 1)
        box.addLayout(head)
        box.addWidget(self._stack, 1)

    def _build_index(self) -> QWidget:
        self._search = SearchField(tr("Search the help"))
        self._search.searched.connect(self._on_searched)
        self._list = QListWidget()
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setStyleSheet("QListWidget { border: 0; background: transparent; }")
        self._list.setAccessibleName(tr("Help pages"))
        self._list.itemActivated.connect(self._on_page_chosen)
        self._list.itemClicked.connect(self._on_page_chosen)
        self._none = Caption(tr("No page has these words."))
        back = Button(tr("Back to this step"), "link", clicked=self.show_step)
        return holder(column(self._search, self._list, self._none, row(back, None)))

    def _build_page(self) -> QWidget:
        self._page_view = MarkdownView()
        self._page_view.anchorClicked.connect(self._on_link_clicked)
        back = Button(tr("All pages"), "link", "arrow-left", self.show_index)
        return holder(column(row(back, None), self._page_view))

    @property
    def shown(self) -> str:
        """What is shown: step, index or page."""
        return ("step", "index", "page")[self._stack.currentIndex()]

    def set_step(self, key: str, title: str) -> None:
        """Show the help of another step.

        Parameters
        ----------
        title : str
            Stands above the text instead of the page's own heading.
        """
        text = step_help(key)
        self._step_title = title
        self._step_text = text.partition("\n")[2] if text.startswith("# ") else text
        self.show_step()

    def set_choices(self, markdown: str) -> None:
        """Say what the present choices mean."""
        if markdown != self._choices:
            self._choices = markdown
            self._show_texts()

    def show_step(self) -> None:
        """Return from the index to the step's help."""
        self._title.setText(self._step_title)
        self._show_texts()
        self._stack.setCurrentIndex(0)

    def show_index(self) -> None:
        """Show all pages and the search."""
        if self._pages is None:
            self._pages = help_pages()
            # PERF: nobody who starts the program waits for what few look up.
            self._stack.addWidget(self._build_index())
            self._stack.addWidget(self._build_page())
        self._title.setText(tr("Help"))
        self._on_searched(self._search.text())
        self._stack.setCurrentIndex(1)
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _show_texts(self) -> None:
        parts = []
        if self._choices:
            heading = tr("Your choices in words")
            parts.append(f"## {heading}\n\n{self._choices}")
        parts.append(self._step_text)
        self._view.show_markdown("\n\n".join(parts))

    def _on_index_clicked(self) -> None:
        if self.shown == "index":
            self.show_step()
        else:
            self.show_index()

    def _on_searched(self, words: str) -> None:
        pages = self._pages or []
        if words.strip():
            scored = [(page.score(words), page) for page in pages]
            found = [page for score, page in sorted(scored, key=_by_score) if score]
        else:
            found = pages
        self._list.clear()
        for page in found:
            item = QListWidgetItem(page.title)
            item.setData(Qt.ItemDataRole.UserRole, pages.index(page))
            self._list.addItem(item)
        show_if(self._none, not found)
        show_if(self._list, bool(found))

    def _on_page_chosen(self, item: QListWidgetItem) -> None:
        pages = self._pages or []
        self._show_page(pages[int(item.data(Qt.ItemDataRole.UserRole))])

    def _on_link_clicked(self, address: QUrl) -> None:
        """Follow a link to another page of the guide, and to nothing else."""
        for page in self._pages or []:
            if page.is_guide and page.path.name == address.path():
                self._show_page(page)

    def _show_page(self, page: HelpPage) -> None:
        self._page_view.show_markdown(page.text)
        self._stack.setCurrentIndex(2)


def _by_score(scored: tuple[float, HelpPage]) -> tuple[float, str]:
    return -scored[0], scored[1].title
