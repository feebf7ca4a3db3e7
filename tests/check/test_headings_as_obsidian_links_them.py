"""Links to headings and blocks as Obsidian writes them itself are no broken ones, and follow."""

import pytest

HEADINGS = """
--- H.md ---
# H

## See [[B|label]]

x

## **Bold** and `code`

x

## <b>html</b>

text ^Cap-ID

## Plan: step #1

x
"""
LINKS = ("See B label", "**Bold** and `code`", "<b>html</b>", "^cap-id", "Plan step 1")


@pytest.fixture
def vault(write_blocks, opened):
    def vault(*links):
        lines = "\n".join(f"[[H#{link}]] and [[H#{link}|label]]" for link in links)
        write_blocks(f"{HEADINGS}--- .obsidian/app.json ---\n{{}}\n--- B.md ---\n{lines}\n")
        return opened()

    return vault


def test_what_obsidian_writes_is_there(vault, root):
    space = vault(*LINKS)
    assert space.check.run(only=["heading-missing", "block-missing"]).problems == ()
    before = (root / "B.md").read_text("utf-8")
    space.pages.move("H", "Hub")
    assert (root / "B.md").read_text("utf-8") == before.replace("[[H#", "[[Hub#")
    assert space.check.run(only=["heading-missing", "block-missing"]).problems == ()


def test_a_heading_is_offered_as_a_link_can_say_it(vault):
    space = vault("Plan: step #1", "Plan: step", "See #x")
    messages = [each.message for each in space.check.run(only=["heading-missing"]).problems]
    assert "did you mean #Plan step 1?" in messages[0]
    assert all("did you mean #Plan: step #1?" not in each for each in messages[:2])
