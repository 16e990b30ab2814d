"""Thresholds that hold alike for many columns are said once."""

from deidgui.engine.privacy import DistinctLDiversity, KAnonymity
from deidgui.qt.condition_words import folded_words


def test_what_differs_in_nothing_but_its_column_is_one_line():
    alike = [DistinctLDiversity(f"dx{n}", 2) for n in range(28)]
    other = DistinctLDiversity("dose", 3)
    lines, columns = folded_words([KAnonymity(5), *alike, other])
    assert lines[0] == KAnonymity(5).words()
    assert lines[1] == f"{alike[0].words()} The same holds for 27 other columns."
    assert lines[2:] == [other.words()]
    assert columns.split(", ") == [each.attribute for each in alike]


def test_few_columns_and_models_without_one_have_a_line_each():
    models = [KAnonymity(5), KAnonymity(5), DistinctLDiversity("a", 2)]
    models.append(DistinctLDiversity("b", 2))
    lines, columns = folded_words(models)
    assert lines == [each.words() for each in models]
    assert not columns
