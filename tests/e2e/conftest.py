"""The whole program for journeys: real window, real jobs, offscreen."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest

from deidgui.app.storage.places import HOME_VARIABLE
from tests.e2e.driver import WizardDriver


def pytest_configure(config):
    config.addinivalue_line("qt_log_ignore", "^This plugin does not support")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    folder = tmp_path / "home"
    monkeypatch.setenv(HOME_VARIABLE, str(folder))
    return folder


@pytest.fixture
def driver(qtbot):
    """The program as a user starts it; closed at the end."""
    driver = WizardDriver(qtbot)
    yield driver
    driver.quit()
