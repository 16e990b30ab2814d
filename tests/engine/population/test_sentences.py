"""Every reason, doubt and remark of the package has a sentence, and none is unused."""

import re
from pathlib import Path

from deidgui.app.text import sentences
from deidgui.app.text.builtin_population import SENTENCES
from deidgui.engine import population


def test_codes_and_sentences_are_the_same():
    folder = Path(population.__file__).parent
    texts = [path.read_text("utf-8") for path in folder.glob("*.py")]
    codes = {code for text in texts for code in re.findall(r'"(people_[a-z_]+)"', text)}
    assert codes == set(SENTENCES)
    assert codes <= set(sentences())
