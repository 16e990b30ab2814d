"""What every registered privacy model keeps to."""

import inspect

import pytest

from deidgui.engine import privacy
from deidgui.engine.data.class_table import classes_at
from deidgui.engine.data.raising import RaisedClasses
from deidgui.engine.parameters import parameters_of
from deidgui.engine.privacy import (
    PRIVACY_MODELS,
    ClassModel,
    ReleaseModel,
    SizeModel,
)
from deidgui.engine.quality import Loss
from deidgui.engine.search.whole_lattice import search_lattice
from deidgui.errors import ConfigError
from tests.contracts.models import (
    degenerate_tables,
    invalid_values,
    modules_of,
    random_tables,
    some_of,
)
from tests.engine.search.cases import mirrored, nodes_of

KINDS = list(PRIVACY_MODELS)
MODELS = [model for kind in KINDS for model in some_of(kind)]
kinds = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
models = pytest.mark.parametrize("model", MODELS, ids=repr)


@models
def test_survives_json(model):
    assert PRIVACY_MODELS.from_json(model.to_json()) == model


@kinds
def test_refuses_what_the_declaration_forbids(kind):
    good = some_of(kind)[0].to_json()
    del good["kind"]
    for parameter in parameters_of(kind):
        for value in invalid_values(parameter):
            with pytest.raises(ConfigError):
                kind.from_params({**good, parameter.name: value})
        if parameter.required:
            with pytest.raises(ConfigError):
                kind.from_params({k: v for k, v in good.items() if k != parameter.name})
    with pytest.raises(ConfigError):
        kind.from_params({**good, "no_such_parameter": 1})


@kinds
def test_says_what_it_is(kind):
    assert kind.title
    assert kind.sources
    assert "References" in inspect.getdoc(kind)
    for parameter in parameters_of(kind):
        assert parameter.label != parameter.name.replace("_", " ")
        assert parameter.sentence.endswith(".")
    assert all(code.islower() and " " not in code for code in kind.assumptions)


@models
def test_words_are_one_sentence(model):
    assert model.words().endswith(".")
    assert "\n" not in model.words()


def test_every_file_is_registered():
    registered = {kind.__module__ for kind in KINDS}
    assert registered == {module.__name__ for module in modules_of(privacy)}


def test_kinds_are_unique_and_exported():
    assert len({kind.kind for kind in KINDS}) == len(KINDS)
    assert {kind.__name__ for kind in KINDS} <= set(privacy.__all__)


def gone_at(table, model, levels):
    classes = classes_at(table, levels)
    return int(classes.counts[~model.holds(classes)].sum())


@models
def test_declared_monotonicity_is_true(model):
    """B.2, by trying every pair of comparable nodes."""
    for table, _ in random_tables(4):
        nodes = nodes_of(table)
        gone = {levels: gone_at(table, model, levels) for levels in nodes}
        for low in nodes:
            for high in nodes:
                if all(a <= b for a, b in zip(low, high, strict=True)):
                    if model.monotone_suppression:
                        assert gone[high] <= gone[low]
                    if model.monotone_generalization and gone[low] == 0:
                        assert gone[high] == 0


@models
def test_what_it_releases_meets_it(model):
    for table, _ in random_tables(4):
        for levels in nodes_of(table):
            classes = classes_at(table, levels)
            kept = classes.counts[model.holds(classes)]
            assert (kept >= model.depth).all() or not isinstance(model, ClassModel)


@kinds
def test_it_judges_classes_or_the_release(kind):
    assert issubclass(kind, ClassModel) != issubclass(kind, ReleaseModel)


@models
def test_the_depth_is_all_that_a_model_by_size_asks_for(model):
    if not isinstance(model, SizeModel):
        pytest.skip("needs more than a smallest class size")
    for table, _ in random_tables(4):
        for levels in nodes_of(table):
            classes = classes_at(table, levels)
            assert (model.holds(classes) == (classes.counts >= model.depth)).all()


@models
def test_judging_changes_nothing(model):
    table, _ = next(random_tables(1))
    classes = classes_at(table, (0, 0))
    counts = classes.counts.copy()
    model.holds(classes)
    assert (classes.counts == counts).all()


@models
def test_order_of_classes_decides_nothing(model):
    """Nor what they were merged from."""
    for table, _ in random_tables(2):
        bottom = RaisedClasses.bottom(table)
        for levels in nodes_of(table):
            classes, raised = classes_at(table, levels), bottom.raised(levels)
            found = model.holds(raised)[raised.of_combination]
            assert (found == model.holds(classes)[classes.of_combination]).all()


@models
def test_order_of_rows_and_columns_does_not_matter(model):
    table, _ = next(random_tables(1))
    swapped = mirrored(table)
    results = [
        search_lattice(each, [model], 0.2, Loss(), n_threads=1)
        for each in (table, swapped)
    ]
    found = [
        None if each.optimum is None else each.loss[each.optimum] for each in results
    ]
    assert found[0] == pytest.approx(found[1]) if found[0] else found[0] == found[1]
    assert results[0].n_solutions == results[1].n_solutions


@models
def test_degenerate_tables(model):
    for table in degenerate_tables():
        result = search_lattice(table, [model], 1.0, Loss(), n_threads=1)
        possible = [
            levels
            for levels in nodes_of(table)
            if model.is_possible(classes_at(table, levels))
        ]
        assert result.n_solutions == len(possible)
        assert 0 <= result.loss[result.optimum] <= 1


@kinds
def test_what_is_proposed_is_declared(kind):
    proposed = kind.proposed()
    for parameter in parameters_of(kind):
        assert parameter.proposed is not None or parameter.role or parameter.optional
        if parameter.role:
            assert getattr(proposed, parameter.name) == ""
    assert PRIVACY_MODELS.from_json(proposed.to_json()) == proposed


@kinds
def test_what_is_proposed_protects(kind):
    """Some small table is refused as it is, so it asks for something."""
    model = kind.proposed(attribute="s")
    assert any(
        gone_at(table, model, levels) > 0 or not model.is_possible(classes)
        for table, _ in random_tables(8)
        for levels in nodes_of(table)
        for classes in [classes_at(table, levels)]
    )
