"""What is said where the data file was written since it was read?"""

from __future__ import annotations

from deidgui.app.loaded import Loaded
from deidgui.app.session import Session
from deidgui.qt.widgets import Callout, show_if
from deidgui.text import tr


def outdated_words(loaded: Loaded) -> tuple[str, str]:
    """Say that a file has changed, and what that means for what is shown."""
    return (
        tr("“{file}” has changed since it was read.", file=loaded.path.name),
        tr("What is shown is of the earlier content."),
    )


def show_outdated(callout: Callout, session: Session) -> bool:
    """Show in a page that what it shows is of an older file; hide it if it is not."""
    is_shown = session.is_outdated and session.loaded is not None
    if is_shown and session.loaded is not None:
        text, detail = outdated_words(session.loaded)
        callout.show_words(text, "warning", detail, tr("Read it again"))
    show_if(callout, is_shown)
    return is_shown
