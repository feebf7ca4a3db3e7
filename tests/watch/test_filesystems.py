"""Where events can be relied on."""

from __future__ import annotations

import os

from memwiki.watch.listener import folders, why_poll
from tests.effort import for_each

TABLE = r"""
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
23 22 0:21 / /proc rw - proc proc rw
40 22 0:50 / /home/anna/shared rw - nfs4 server:/x rw
41 22 0:51 / /mnt/my\040notes rw shared:3 master:1 - fuse.sshfs anna@host: rw
42 22 0:52 / /mnt/c rw - 9p drvfs rw
43 22 0:53 / /srv/cifs rw - cifs //nas/notes rw
44 22 0:54 / /home/anna/notes/team rw - nfs server:/team rw
45 43 8:2 / /srv/cifs/local rw - ext4 /dev/sdb rw
broken line
"""


@for_each(
    ("root", "kind"),
    [
        ("/home/anna/shared", "nfs4"),
        ("/home/anna/shared/deep/vault", "nfs4"),
        ("/mnt/my notes/vault", "fuse.sshfs"),
        ("/mnt/c/Users/anna", "9p"),
        ("/srv/cifs", "cifs"),
        ("/home/anna/notes", "nfs"),
    ],
)
def test_where_others_change_files_unheard_the_folder_is_polled(root, kind):
    assert kind in why_poll(root, TABLE)


@for_each("root", ["/home/bea/notes", "/home/anna/sharedness", "/srv/cifs/local/x"])
def test_on_a_disk_of_this_machine_events_do(root):
    assert why_poll(root, TABLE) == ""


def test_without_a_table_of_mounts_events_are_tried(tmp_path):
    assert why_poll(tmp_path, "") == ""


def test_the_table_of_this_machine_can_be_read(tmp_path):
    assert why_poll(tmp_path) == "" or "/" in why_poll(tmp_path) or "is on" in why_poll(tmp_path)


def test_folders_are_counted_without_foreign_ones_and_links(tmp_path):
    for name in ("a/b", ".git/objects", "node_modules/x"):
        (tmp_path / name).mkdir(parents=True)
    os.symlink(tmp_path / "a", tmp_path / "link")
    foreign = {str(tmp_path / ".git"), str(tmp_path / "node_modules")}
    found = sorted(
        os.path.relpath(each, tmp_path) for each in folders(str(tmp_path), foreign.__contains__)
    )
    assert found == [".", "a", "a/b"]


def test_a_folder_that_is_gone_is_not_counted(tmp_path):
    assert list(folders(str(tmp_path / "gone"), lambda _: False)) == []
