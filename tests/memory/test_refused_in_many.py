"""Of many memories that are added at once, the one that is refused is named."""

import pytest

from memwiki.errors import MemwikiError
from tests.effort import for_each


@for_each(
    ("asked", "says"),
    [
        ([{"text": "Ann likes tea."}, {"text": "[ ] buy tea"}], "memory 2 of 2: text: "),
        ([{"text": "a b", "importance": 7}, {"text": "c d"}], "memory 1 of 2: importance"),
        ([{"text": "a b"}, {"text": 7}, {"text": "c d"}], "memory 2 of 3: text"),
        ([{"text": "[ ] buy tea"}], "text: "),
    ],
)
def test_what_is_refused_is_named(opened, asked, says):
    with pytest.raises(MemwikiError) as raised:
        opened().entries.add_all(asked)
    assert raised.value.message.startswith(says)
    raised.value.spell(lambda name, value: name)
    assert str(raised.value).startswith(says)
