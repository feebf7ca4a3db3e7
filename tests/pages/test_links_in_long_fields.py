"""Links in a text of several lines of the front matter follow a page that moves."""

FRONT = """---
text: |
  #a [[Tea time]]
  x # [[Tea time]]
notes:
  - >-  # of tea
    # [[Tea time]]

    see [[Tea time]]
plain: "[[Tea time]]" # [[Tea time]]
# [[Tea time]]
---
x
"""


def test_behind_a_number_sign_is_no_comment_in_a_text_of_several_lines(opened, put, root):
    put("a.md", FRONT)
    put("Tea time.md", "# Tea time\n")
    edited = opened().pages.move("Tea time", "Coffee")
    assert "links rewritten: 5 in 1 page" in edited.details
    moved = FRONT.replace("[[Tea time]]", "[[Coffee]]", 5)
    assert (root / "a.md").read_text() == moved
    opened().undo()
    assert (root / "a.md").read_text() == FRONT
