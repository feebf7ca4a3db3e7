"""Whoever deletes a memory is told which links lead nowhere from then on."""


def test_the_links_to_a_deleted_entry_are_named(opened, put):
    put(
        "memory.md",
        "- Ann likes tea, see [[memory#^m-000002]]. ^m-000002\n"
        "- Bo [because:: m-000002] ^m-000003\n"
        "- see [[#^m-000002]] ^m-000004\n",
    )
    put("a.md", "[[memory#^m-000002]], not [[memory#^m-000003]]\n")
    space = opened()
    shown = space.entries.delete("m-000002", dry_run=True)
    edited = space.entries.delete("m-000002")
    assert edited.notes == shown.notes
    assert edited.notes == (
        "3 links no longer reach their page",
        "a.md:1: ^m-000002 is a broken link now",
        "memory.md:2: ^m-000002 is a broken link now",
        "memory.md:3: ^m-000002 is a broken link now",
    )
    assert space.entries.delete("m-000004").notes == ()
