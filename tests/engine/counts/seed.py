"""Tables 1 and 2 of the paper, as a spreadsheet puts them on the clipboard."""

from deidgui.engine.counts.tables.reading import pasted_grid
from deidgui.engine.counts.tables.table import CountTable

TABLE_1 = """\
Prevalent Event of Interest\tOrder of Exclusions\tCriteria\tRemaining Patient Counts\t\
Excluded Patient Counts
Sample1\t1\tInitial Patient Count\t100,100\t
Sample1\t2\tSome inclusion/exclusion criteria\t100\t100,000
Sample1\t3\tSome inclusion/exclusion criteria\tT\t98
"""

TABLE_2 = """\
Patient Counts by Characteristics\tSample1\tSample2
Overall (N)\t100\t100,000
By Age Group:
18-24\t99\t50,000
25-35\tT\t49,000
36-50\t0\tT
50+\t0\t999
By Sex:
Ambiguous\tT\t0
Male\t50\t99,999
Female\t49\tT
Other/Missing\t0\t0
"""


def pasted(text: str, name: str = "pasted") -> CountTable:
    """The table that a text is read as."""
    return CountTable.of(name, pasted_grid(text, name).grid)
