"""What the cards know of an entry: its id, its key and its status."""

from memwiki.index.cards.filters import Filters

MEMORY = "- Likes tea. [key:: user/drink] ^m-aaa111\n- ~~Likes milk.~~ ^m-bbb222\n"


def units(ws, name, value):
    with ws.live.opened() as stores:
        return Filters(stores.cards.db).units_having(name, value)


def test_an_entry_is_found_by_its_id_and_key(ws, put):
    put("memory.md", MEMORY)
    ws.sync()
    assert len(units(ws, "^", "m-aaa111")) == 1
    assert units(ws, "^", "m-aaa111") == units(ws, "key", "user/drink")


def test_striking_an_entry_out_changes_what_is_known_of_it(ws, put):
    put("memory.md", MEMORY)
    ws.sync()
    assert units(ws, "status", "superseded") == units(ws, "^", "m-bbb222")
    put("memory.md", MEMORY.replace("~~", ""))
    ws.sync()
    assert units(ws, "status", "superseded") == frozenset()
