"""Charts on screen: drawing only; their numbers come from `deidgui.app.charts`."""
