from deidgui.app.release import write_release
from tests.release_case import make_order


def test_release_is_written_and_verifies(tmp_path):
    made = write_release(tmp_path / "out", make_order(tmp_path))
    assert made.verification.failed == ()
    assert made.verification.ok
