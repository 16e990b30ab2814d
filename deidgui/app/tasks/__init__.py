"""Long pieces of work: functions of a snapshot, run by jobs or the command line."""

from deidgui.app.tasks.classes import (
    Classes,
    HierarchyCache,
    build_classes,
    hierarchy_of,
    typed_table,
)
from deidgui.app.tasks.deciding import (
    columns_in_need,
    decide,
    is_quick,
    propose_hierarchies,
    role_change,
)
from deidgui.app.tasks.files import (
    find_input,
    hierarchy_file_name,
    load_hierarchy_files,
    relocate_input,
    save_hierarchy_files,
)
from deidgui.app.tasks.matching import PopulationMatch, match_population
from deidgui.app.tasks.people import Matching, propose_matching
from deidgui.app.tasks.people_known import People
from deidgui.app.tasks.population import NAME as POPULATION
from deidgui.app.tasks.population import (
    find_population,
    propose_population,
    read_population,
    read_project_population,
    relocate_population,
)
from deidgui.app.tasks.reading import (
    Inspection,
    encoding_examples,
    propose_hierarchy,
    propose_project,
    read_input,
    read_project_input,
    renew_project,
)
from deidgui.app.tasks.summaries import (
    ColumnCheck,
    ColumnSummary,
    check_column,
    likely_format,
    mark_table,
    summarise_columns,
)

__all__ = [
    "POPULATION",
    "Classes",
    "ColumnCheck",
    "ColumnSummary",
    "HierarchyCache",
    "Inspection",
    "Matching",
    "People",
    "PopulationMatch",
    "build_classes",
    "check_column",
    "columns_in_need",
    "decide",
    "encoding_examples",
    "find_input",
    "find_population",
    "hierarchy_file_name",
    "hierarchy_of",
    "is_quick",
    "likely_format",
    "load_hierarchy_files",
    "mark_table",
    "match_population",
    "propose_hierarchies",
    "propose_hierarchy",
    "propose_matching",
    "propose_population",
    "propose_project",
    "read_input",
    "read_population",
    "read_project_input",
    "read_project_population",
    "relocate_input",
    "relocate_population",
    "renew_project",
    "role_change",
    "save_hierarchy_files",
    "summarise_columns",
    "typed_table",
]
