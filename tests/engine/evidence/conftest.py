"""The engine's part of a verification alone: words and reports are the app's."""

import pytest

from deidgui.app.release import writing
from deidgui.engine.evidence.verify import verify_release


def _figures_only(folder, *, staged=None, reports=None, monitor):
    del reports
    return verify_release(folder, staged=staged, monitor=monitor)


@pytest.fixture(scope="module", autouse=True)
def figures_only():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing, "verify", _figures_only)
        yield
