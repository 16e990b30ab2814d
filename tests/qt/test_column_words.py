"""What was found about a column, in words."""

from deidgui.engine.data.table import Column
from deidgui.engine.detect.columns import finding_of
from deidgui.engine.detect.profile import ColumnProfile
from deidgui.qt.column_words import finding_words


def test_a_column_without_a_topic_is_called_by_its_role():
    """A constant column was “Certain:” with nothing behind it."""
    column = Column.from_texts("examide", ["No"] * 50)
    finding = finding_of(ColumnProfile(column, "text"))
    assert finding.topic is None
    assert finding.role == "insensitive"
    assert finding_words(finding) == "Insensitive"
