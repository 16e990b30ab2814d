"""Numbers for charts: series, axes, units and one plain sentence; no drawing."""
