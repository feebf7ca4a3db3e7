"""An entry goes below the heading that says its type, in the language of the page."""

from hypothesis import given
from hypothesis import strategies as st

from memwiki.markdown.entries import type_of_heading
from memwiki.memory.placement import heading_for
from tests.effort import for_each

HEADINGS = (
    "Preferences Facts Patterns Skills Context Lessons Decisions Events Opinions Relations"
).split()
TYPES = "preference fact pattern skill context lesson decision event opinion relation".split()


@for_each(
    ("type_", "titles", "heading"),
    [
        ("preference", ["Memory", "🔥 Preference", "Facts"], "🔥 Preference"),
        ("preference", ["Memory", "喜好"], "喜好"),
        ("fact", ["Facts", "事实"], "Facts"),
        ("事实", ["Memory", "Facts"], "Facts"),
        ("Facts", [], "Facts"),
        ("recipe", ["Memory", "Recipes"], "Recipes"),
        ("recipes", ["Memory", "Recipe"], "Recipe"),
    ],
)
def test_an_existing_heading_is_used_as_it_is_written(type_, titles, heading):
    assert heading_for(type_, titles) == heading


@for_each(
    ("type_", "heading"),
    [*zip(TYPES, HEADINGS, strict=True)],
)
def test_a_new_heading_is_the_english_plural(type_, heading):
    assert heading_for(type_, []) == heading
    assert heading_for(type_, ["Memory", "Other things", "其他", "2026"]) == heading


@for_each(
    ("type_", "heading"),
    [*zip(TYPES, "偏好 事实 模式 技能 背景 经验 决定 事件 观点 关系".split(), strict=True)],
)
def test_a_new_heading_of_a_chinese_page_is_chinese(type_, heading):
    assert heading_for(type_, ["Memory", "其他 2026 TODO", "1"]) == heading


def test_a_type_of_its_own_is_its_own_heading():
    assert heading_for("recipe", ["Memory", "Facts"]) == "Recipe"
    assert heading_for("user-story", []) == "User-story"
    assert heading_for("食谱", ["Memory"]) == "食谱"


@for_each("titles", [[], ["记忆"]])
@for_each("type_", TYPES)
def test_a_new_heading_is_read_as_its_type(type_, titles):
    assert type_of_heading(heading_for(type_, titles)) == type_


@given(st.text(), st.lists(st.text()))
def test_a_heading_that_was_written_is_found_again(type_, titles):
    heading = heading_for(type_, titles)
    assert heading_for(type_, [*titles, heading]) == heading


def test_the_fields_of_a_heading_are_no_part_of_its_name(opened, put):
    put(
        "memory.md",
        "# Memory\n\n## Preferences [private:: true]\n\n- Ann likes tea. ^m-000001\n\n"
        "## Plan [private:: true]\n\n- Go home.\n",
    )
    space = opened()
    assert space.entries.get("m-000001").type == "preference"
    space.pages.append("memory", "- Sleep.", section="Plan")
    space.pages.append("memory", "- Wake.", section="Memory#plan")
    space.entries.add("Bo likes rice.", type="preference")
    plan = space.pages.get("memory", section="Plan [private:: true]").text
    assert plan.rstrip().endswith("- Go home.\n- Sleep.\n- Wake.")
    rest = space.pages.get("memory").text.partition("- Wake.")[2]
    assert rest.startswith("\n\n## Preferences\n\n- Bo likes rice. ")
