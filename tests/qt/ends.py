"""How windows end in tests."""

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication


def delete_now() -> None:
    """Destroy what is to be deleted, and what is to be deleted with it."""
    before = -1
    while (n_left := len(QApplication.topLevelWidgets())) != before:
        before = n_left
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
