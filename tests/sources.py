"""Files in memory."""

import hashlib

from deidgui.engine.data.source import HEAD_BYTES, Source


def bytes_source(name, content):
    """Return bytes as a source."""
    digest = hashlib.sha256(content).hexdigest()
    size = len(content)
    return Source(name, None, None, digest, size, size, content[:HEAD_BYTES], content)
