"""One feeder at a time, all or nothing, and nothing of it for who may not see it."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from contextlib import closing, suppress
from random import Random

import pytest

pytest.importorskip("psycopg")

import psycopg

from memwiki.catalog.store import ListingStore
from memwiki.cli.main import main
from memwiki.errors import LockedError, SharedIndexError
from memwiki.index.shared_stores import READERS, SharedStores, grants_sql, setup_sql
from memwiki.index.storage_postgres import PostgresStorage
from memwiki.share.feed import feeding, shared_stores
from memwiki.share.reader import usual_name
from memwiki.workspace import Workspace, share, shared
from tests import postgres
from tests.waiting import PATIENCE_S, until

TENANTS = 20


def paths_fed(address: str) -> set[str]:
    with closing(SharedStores.at(address)) as stores:
        stores.open("notes")
        digests = [dict(each.digests()) for each in stores.projections()]
        assert digests[0] == digests[1]
        assert len({each.tree() for each in (*stores.projections(), stores.cards)}) == 1
        return set(digests[0])


def rows_in(address: str) -> dict[str, int]:
    """How many rows each table has, of all workspaces."""
    with psycopg.connect(address) as db:
        tables = db.execute(
            "select schemaname || '.' || tablename from pg_tables where schemaname like 'memwiki%'"
        ).fetchall()
        return {
            name: db.execute(f"select count(*) from {name}").fetchone()[0] for (name,) in tables
        }


# --- one at a time -------------------------------------------------------------------------------


def test_of_four_feeders_one_wins_and_nothing_is_there_twice(put, ws, opened, address):
    for number in range(20):
        put(f"{number}.md", f"# N{number}\n\nheron {number}\n")
    ws.sync()
    ws.share.feed("notes")
    expected = rows_in(address)
    done, refused, barrier = [], [], threading.Barrier(4)

    def feed() -> None:
        space = opened()
        with shared_stores(space.environ) as stores:
            from memwiki.share.feed import Feeder

            feeder = Feeder(stores, "notes", READERS, has_texts=False)
            barrier.wait()
            try:
                done.append(feeder.feed(space.live))
            except LockedError as error:
                refused.append(error)
        space.leave()

    threads = [threading.Thread(target=feed) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(done), len(refused)) == (1, 3)
    assert "another feeder holds the lease" in str(refused[0])
    assert rows_in(address) == expected


def test_a_folder_of_the_same_name_with_other_pages_takes_nobodys_place(put, ws, address, tmp_path):
    for number in range(4):
        put(f"{number}.md", "# Heron\n")
    put("memory.md", "# Memory\n")
    ws.share.feed("notes")
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / "memory.md").write_text("# Memory\n")
    (other / "soup.md").write_text("# Soup\n")
    (other / "stew.md").write_text("# Stew\n")
    with Workspace.adopt(other) as second:
        with pytest.raises(SharedIndexError, match="holds another workspace"):
            second.share.feed("notes")
        assert "0.md" in paths_fed(address)
        second.share.feed("soups")
    put("5.md", "# Stork\n")
    ws.share.feed("notes")  # the lease was given back
    assert "5.md" in paths_fed(address)


def test_who_lost_the_lease_meanwhile_writes_nothing(put, ws, address, monkeypatch):
    put("heron.md", "A heron.\n")
    with feeding(ws.live, ws.environ, "notes") as feeder:
        feeder.feed(ws.live)
        put("stork.md", "A stork.\n")
        make = ListingStore.update

        def lose(store: ListingStore) -> None:
            make(store)
            with psycopg.connect(address, autocommit=True) as db:
                db.execute("set lock_timeout=100")
                with suppress(
                    psycopg.errors.LockNotAvailable
                ):  # its row is locked, as it should be
                    db.execute("update memwiki_3.workspace set holder='another'")
            store.db.execute("update memwiki_3.workspace set holder='another'")

        monkeypatch.setattr(ListingStore, "update", lose)
        with pytest.raises(LockedError):
            feeder.feed(ws.live)
    assert paths_fed(address) == {"heron.md"}


def test_a_feed_that_takes_longer_than_its_lease_keeps_it(put, ws, address, monkeypatch):
    put("heron.md", "A heron.\n")
    monkeypatch.setattr("memwiki.index.shared_stores.LEASE_S", -1)  # it is over as it begins
    make, refused = SharedStores.empty, []

    def meanwhile(stores: SharedStores, listings: object) -> None:
        with closing(SharedStores.at(address)) as other:
            other.db.execute("set lock_timeout=100")
            with pytest.raises(LockedError) as caught:
                other.take_lease("notes", "another")
            refused.append(caught)
        make(stores, listings)

    monkeypatch.setattr(SharedStores, "empty", meanwhile)
    assert ws.share.feed("notes").pages == 1
    assert refused


def test_a_lease_that_is_not_renewed_ends(put, ws, address):
    put("heron.md", "A heron.\n")
    with (
        closing(SharedStores.at(address)) as dead,
        feeding(ws.live, ws.environ, "notes") as feeder,
    ):
        dead.take_lease("notes", "killed")
        with pytest.raises(LockedError):
            feeder.feed(ws.live)
        dead.db.execute("update memwiki_3.workspace set lease_until=now() - interval '1 second'")
        assert feeder.feed(ws.live).pages == 1


def test_while_it_is_synced_the_lease_is_renewed(put, ws, address, monkeypatch):
    put("heron.md", "A heron.\n")
    monkeypatch.setattr("memwiki.share.feed.RENEW_S", 0.01)
    renewed, take = threading.Event(), SharedStores.take_lease
    taken = []

    def counted(stores: SharedStores, name: str, holder: str) -> None:
        take(stores, name, holder)
        taken.append(holder)
        if len(taken) > 3:
            renewed.set()

    monkeypatch.setattr(SharedStores, "take_lease", counted)
    with feeding(ws.live, ws.environ, "notes") as feeder:
        sync = ws.live.sync
        monkeypatch.setattr(ws.live, "sync", lambda **given: (renewed.wait(20), sync(**given))[1])
        assert feeder.feed(ws.live).pages == 1
    assert renewed.is_set()


def test_a_lease_that_ended_during_the_sync_is_taken_again(put, ws, address, monkeypatch):
    put("heron.md", "A heron.\n")
    with feeding(ws.live, ws.environ, "notes") as feeder:
        sync = ws.live.sync

        def late(**given: object) -> object:
            found = sync(**given)
            feeder._public._stores.db.execute(
                "update memwiki_3.workspace set lease_until='-infinity'"
            )
            return found

        monkeypatch.setattr(ws.live, "sync", late)
        assert feeder.feed(ws.live).pages == 1


def test_readers_know_of_a_feed_that_takes_longer_than_its_lease(
    put, ws, address, monkeypatch, tmp_path
):
    put("heron.md", "A heron.\n")
    told, update = [], ListingStore.update

    def slow(store: ListingStore) -> None:
        update(store)
        with closing(SharedStores.at(address)) as other:
            state = other.state("notes")
            told.append((state.is_leased, state.is_being_fed))
        try:
            with closing(shared.open_shared("notes", tmp_path)) as reader:
                told.append(reader.search("heron").reason)
        except SharedIndexError as error:
            told.append(error.message)

    monkeypatch.setattr("memwiki.index.shared_stores.LEASE_S", -1)
    monkeypatch.setattr(ListingStore, "update", slow)
    ws.share.feed("notes")
    assert told == [(False, True), "shared index: it is being fed for the first time"]
    told.clear()
    ws.share.feed("notes")
    assert told == [(False, True), "it takes long to feed the shared index now"]


def test_what_was_fed_for_long_is_fresh_when_it_is_there(put, ws, address, monkeypatch, tmp_path):
    put("heron.md", "A heron.\n")
    update = ListingStore.update

    def late(store: ListingStore) -> None:
        update(store)
        store.db.execute("update memwiki_3.workspace set lease_until='-infinity'")

    monkeypatch.setattr(ListingStore, "update", late)
    with feeding(ws.live, ws.environ, "notes") as feeder:
        feeder.feed(ws.live)
        with closing(shared.open_shared("notes", tmp_path)) as reader:
            assert reader.search("heron").fresh


# --- all or nothing ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_a_feed_that_ends_anywhere_leaves_what_was_there(put, ws, address, monkeypatch, seed):
    put("heron.md", "A [[stork]].\n")
    ws.share.feed("notes", texts=True)
    before = rows_in(address)
    put("heron.md", "A [[stork]] and an ibis.\n")
    put("stork.md", "- A stork. #bird\n")
    rng, run = Random(seed), PostgresStorage.upsert
    left = [5 * seed + rng.randrange(1, 5)]  # of 24

    def killed(db: PostgresStorage, table, schema, rows) -> None:
        run(db, table, schema, rows)
        left[0] -= 1
        if left[0] == 0:
            with psycopg.connect(address, autocommit=True) as other:
                other.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity"
                    " where application_name='memwiki'"
                )

    monkeypatch.setattr(PostgresStorage, "upsert", killed)
    with pytest.raises(SharedIndexError):
        ws.share.feed("notes", texts=True)
    monkeypatch.setattr(PostgresStorage, "upsert", run)
    assert rows_in(address) == before
    assert paths_fed(address) == {"heron.md"}
    with psycopg.connect(address, autocommit=True) as db:
        db.execute("update memwiki_3.workspace set lease_until='-infinity'")
    assert ws.share.feed("notes", texts=True).pages == 2
    assert paths_fed(address) == {"heron.md", "stork.md"}


def test_a_server_that_crashes_has_what_was_fed_and_readers_ask_it_again(
    put, ws, monkeypatch, tmp_path
):
    bin_ = postgres.programs()
    if bin_ is None:
        pytest.skip("needs programs of PostgreSQL")
    server = postgres.Server(bin_)
    try:
        monkeypatch.setenv("MEMWIKI_INDEX_SHARED", server.address())
        put("heron.md", "A heron.\n")
        ws.share.feed("notes")
        with closing(shared.open_shared("notes", tmp_path)) as reader:
            for _ in range(2):
                assert [hit.path for hit in reader.search("heron").hits] == ["heron.md"]
                server.kill()
                with pytest.raises(SharedIndexError):
                    reader.search("heron")
                with pytest.raises(SharedIndexError):
                    ws.share.feed("notes")
                server.start()
            assert [hit.path for hit in reader.search("heron").hits] == ["heron.md"]
        assert paths_fed(server.address()) == {"heron.md"}
    finally:
        server.end()


def test_dropping_a_workspace_leaves_nothing_of_it_and_all_of_another(put, ws, address):
    put("heron.md", "A heron. [[Stork]] #bird\n\n- entry\n")
    ws.share.feed("other", texts=True)
    before = rows_in(address)
    ws.share.feed("notes", texts=True)
    assert rows_in(address) != before
    share.drop("notes")
    assert rows_in(address) == before
    share.drop("other")
    assert set(rows_in(address).values()) == {0}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_whoever_is_told_to_end_gives_the_lease_back(put, ws, address, number):
    put("a.md", "# Heron\n")
    command = [sys.executable, "-m", "memwiki", "-C", str(ws.root), "share", "feed", "notes"]
    with subprocess.Popen([*command, "--watch"], stdout=subprocess.PIPE, text=True) as process:
        assert "notes" in process.stdout.readline()
        process.send_signal(number)
        assert process.wait(PATIENCE_S) == 0
    assert not share.status().workspaces[0].fresh
    ws.share.feed("notes")


def test_what_changes_is_fed_while_it_is_watched(put, ws, reader, address):
    put("heron.md", "A heron.\n")
    told, stop = [], threading.Event()
    thread = threading.Thread(
        target=share.keep_fed, args=(ws, told.append, "notes"), kwargs={"stop": stop}
    )
    thread.start()
    try:
        until(lambda: told)
        space = reader()
        put("stork.md", "A stork.\n")
        until(lambda: [hit.path for hit in space.search("stork").hits] == ["stork.md"])
        assert space.search("stork").fresh
    finally:
        stop.set()
        thread.join()


@pytest.mark.parametrize("texts", [True, False])
def test_who_goes_on_feeding_asks_for_no_list_of_what_was_fed(put, ws, address, monkeypatch, texts):
    for number in range(5):
        put(f"{number}.md", f"# N{number}\n\nheron {number}\n")
    with feeding(ws.live, ws.environ, "notes", texts=texts) as feeder:
        feeder.feed(ws.live)
        put("heron.md", "A heron.\n")
        (ws.root / "0.md").unlink()
        asked, execute = [], PostgresStorage.execute
        monkeypatch.setattr(
            PostgresStorage,
            "execute",
            lambda db, sql, values=(): asked.append(sql) or execute(db, sql, values),
        )
        feeder.feed(ws.live)
        assert "select path, digest from memwiki_3_keyword.page" not in asked
        assert "delete from memwiki_3.page_text" not in asked
        with closing(SharedStores.at(address)) as other:  # somebody else has fed meanwhile
            other.open("notes")
            for each in other.projections():
                each.apply([], ["1.md"])
        put("stork.md", "A stork.\n")
        feeder.feed(ws.live)
    monkeypatch.undo()
    monkeypatch.setenv("MEMWIKI_INDEX_SHARED", address)
    assert paths_fed(address) == {"1.md", "2.md", "3.md", "4.md", "heron.md", "stork.md"}


@pytest.mark.parametrize("texts", [True, False])
def test_an_edit_is_fed_without_reading_what_is_there_of_all_pages(
    put, ws, address, monkeypatch, texts
):
    for number in range(5):
        put(f"{number}.md", f"# N{number}\n\nheron [[{number + 1}]]\n")
    with feeding(ws.live, ws.environ, "notes", texts=texts) as feeder:
        feeder.feed(ws.live)
        asked, execute = [], PostgresStorage.execute
        monkeypatch.setattr(
            PostgresStorage,
            "execute",
            lambda db, sql, values=(): asked.append(sql) or execute(db, sql, values),
        )
        put("0.md", "# N0\n\nstork [[3]]\n")
        feeder.feed(ws.live)
    whole = [sql for sql in asked if "digest" in sql and sql.startswith("select")]
    assert [sql for sql in whole if " where " not in sql and "_vectors" not in sql] == []


def test_no_name_of_a_page_that_became_private_stays_where_it_was_fed(put, ws, address):
    for name in ("heron", "stork"):
        put(f"{name}.md", f"A {name}.\n")
    with feeding(ws.live, ws.environ, "notes") as feeder:
        feeder.feed(ws.live)
        put("heron.md", "A grey heron.\n")
        feeder.feed(ws.live)
        with closing(SharedStores.at(address)) as reader:
            reader.open("notes")
            known = reader.cards.last_written()
            put("heron.md", "---\nprivate: true\n---\nA grey heron.\n")
            feeder.feed(ws.live)
            assert not reader.cards.written_after(known).is_complete
    with psycopg.connect(address) as db:
        rows = db.execute("select path from memwiki_3.all_written").fetchall()
    assert {path for (path,) in rows} == {"stork.md", ""}


def test_who_follows_what_is_fed_hears_of_all_that_is_fed_anew(put, ws, address):
    put("heron.md", "A heron.\n")
    with feeding(ws.live, ws.environ, "notes") as feeder:
        feeder.feed(ws.live)
        with closing(SharedStores.at(address)) as reader:
            reader.open("notes")
            known = reader.cards.last_written()
            with reader.db.transaction():
                reader.start_over(ListingStore.tables)
            assert not reader.cards.written_after(known).is_complete


# --- who may -------------------------------------------------------------------------------------


@pytest.fixture
def tenants(address, ws) -> list[str]:
    """Roles that read and feed one workspace each, with a page in each."""
    with psycopg.connect(address, autocommit=True) as db:
        for statement in (*setup_sql(ListingStore.tables), *grants_sql()):
            db.execute(statement)
    names = [f"tenant_{number}" for number in range(TENANTS)]
    with psycopg.connect(address, autocommit=True) as db:
        for name in names:
            db.execute(f"drop role if exists {name}")
            db.execute(f"create role {name} login in role memwiki_feeders")
            number = db.execute(
                "insert into memwiki_3.workspace (name, reader, feeder) values (%s, %s, %s)"
                " returning id",
                (name, name, name),
            ).fetchone()[0]
            db.execute(f"set memwiki.ws = '{number}'")
            db.execute("insert into memwiki_3.all_state (name, value) values ('mine', %s)", [name])
    return names


def test_no_tenant_sees_or_changes_a_row_of_another(tenants, address):
    tables = [name for name in rows_in(address) if not name.endswith(".workspace")]
    rng = Random(1)
    with psycopg.connect(address, autocommit=True) as db:
        numbers = dict(db.execute("select name, id from memwiki_3.workspace").fetchall())
    for name in tenants:
        with psycopg.connect(address.replace("user=owner", f"user={name}"), autocommit=True) as db:
            assert db.execute("select name from memwiki_3.workspace").fetchall() == [(name,)]
            for other in rng.sample(tenants, 3):
                db.execute("select set_config('memwiki.ws', %s, false)", [str(numbers[other])])
                seen = db.execute("select value from memwiki_3.all_state").fetchall()
                assert seen == ([(name,)] if other == name else [])
                assert db.execute("select value from memwiki_3.state").fetchall() == seen
                if other == name:
                    continue
                for table in rng.sample(tables, 5):
                    assert db.execute(f"select count(*) from {table}").fetchone() == (0,)
                    assert db.execute(f"delete from {table}").rowcount == 0
                changed = db.execute("update memwiki_3.all_state set value='stolen'")
                assert changed.rowcount == 0
                changed = db.execute(
                    "update memwiki_3.workspace set name='x' where name<>%s", [name]
                )
                assert changed.rowcount == 0
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    db.execute("insert into memwiki_3.all_state (name, value) values ('a', 'b')")
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    db.execute("create table memwiki_3.mine (a int)")
    with psycopg.connect(address) as db:
        assert db.execute(
            "select array_agg(value order by value) from memwiki_3.all_state"
        ).fetchone() == (sorted(tenants),)


def test_nobody_takes_what_is_private_of_a_workspace_before_who_feeds_it(tenants, address):
    fed, other = tenants[:2]
    private = f"{fed}#private"
    take = "insert into memwiki_3.workspace (name, reader) values (%s, current_user)"
    with psycopg.connect(address, autocommit=True) as db:
        db.execute(f"set role {other}")
        rename = "update memwiki_3.workspace set name=%s where name=%s"
        for sql, values in ((take, [private]), (rename, [private, other])):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                db.execute(sql, values)
        db.execute(f"set role {fed}")
        db.execute(take, [private])
        found = db.execute("select name from memwiki_3.workspace").fetchall()
        assert set(found) == {(fed,), (private,)}


def test_a_role_that_reads_feeds_nothing(put, ws, address, monkeypatch, tmp_path):
    put("heron.md", "A heron.\n")
    with psycopg.connect(address, autocommit=True) as db:
        for statement in (*setup_sql(ListingStore.tables), *grants_sql()):
            db.execute(statement)
        db.execute("drop role if exists visitor")
        db.execute(f"create role visitor login in role {READERS}")
    ws.share.feed("notes", texts=True)
    monkeypatch.setenv("MEMWIKI_INDEX_SHARED", address.replace("user=owner", "user=visitor"))
    with closing(shared.open_shared("notes", tmp_path)) as reader:
        assert [hit.path for hit in reader.search("heron").hits] == ["heron.md"]
    for change in (lambda: ws.share.feed("notes"), lambda: share.drop("notes")):
        with suppress(LockedError), pytest.raises(SharedIndexError, match="permission denied"):
            change()
    assert paths_fed(address) == {"heron.md"}


# --- the command ---------------------------------------------------------------------------------


def test_a_workspace_is_called_by_its_folder_and_branch(root):
    assert usual_name(root) == "ws"
    (root / ".git").mkdir()
    (root / ".git" / "HEAD").write_text("ref: refs/heads/drafts/one\n")
    assert usual_name(root) == "ws@drafts/one"
    (root / ".git" / "HEAD").write_text("0123456789abcdef\n")
    assert usual_name(root) == "ws"


def test_an_address_that_cannot_be_read_is_not_repeated(monkeypatch):
    for address in ("postgresqlx://anna:secret@example.org/x", "host='secret", "secret"):
        monkeypatch.setenv("MEMWIKI_INDEX_SHARED", address)
        with pytest.raises(SharedIndexError) as error:
            share.status()
        assert "secret" not in f"{error.value} {error.value.hint} {error.value.__cause__}"


def test_who_may_read_is_said_again(put, ws, address):
    put("heron.md", "A heron.\n")
    for given, expected in (("", READERS), ("team", "team"), ("", "team"), ("others", "others")):
        ws.share.feed("notes", reader=given)
        assert [row.reader for row in share.status().workspaces] == [expected]


@pytest.mark.usefixtures("address")
def test_it_is_fed_shown_read_and_dropped_from_the_command_line(put, root, tmp_path, capsys):
    put("heron.md", "A heron in the river.\n")
    assert main(["-C", str(root), "share", "feed", "notes", "--texts"]) == 0
    assert capsys.readouterr().out.startswith("notes: 1 page with texts; 1 added, 0 modified")
    assert main(["share", "status"]) == 0
    assert "notes: not being fed, looked at " in capsys.readouterr().out
    assert main(["-C", str(tmp_path), "--shared", "notes", "search", "heron"]) == 0
    said = capsys.readouterr()
    assert "heron.md:1  Heron" in said.out
    assert "nobody feeds the shared index now" in said.err
    assert main(["--shared", "notes", "add", "Likes tea."]) == 1
    assert "it is only read" in capsys.readouterr().err
    assert main(["share", "drop", "notes"]) == 0
    assert main(["--shared", "notes", "-C", str(tmp_path), "search", "heron"]) == 1
    assert "there is no workspace notes" in capsys.readouterr().err


def test_the_script_makes_what_a_feed_needs(put, ws, capsys, address):
    assert main(["share", "sql"]) == 0
    with psycopg.connect(address, autocommit=True) as db:
        db.execute(capsys.readouterr().out)
        db.execute("drop role if exists feeding")
        db.execute("create role feeding login in role memwiki_feeders")
    put("heron.md", "A heron.\n")
    environ = {**ws.environ, "MEMWIKI_INDEX_SHARED": address.replace("user=owner", "user=feeding")}
    with closing(Workspace.open(ws.root, find=False, environ=environ)) as space:
        space.share.feed("notes", texts=True)
        space.share.feed("notes", texts=True)
    assert paths_fed(address) == {"heron.md"}


def test_a_first_feed_takes_few_statements_however_many_pages_there_are(
    put, ws, address, monkeypatch
):
    asked, ask = [], PostgresStorage._ask

    def counted(run: object) -> object:
        asked.append(run)
        return ask(run)

    monkeypatch.setattr(PostgresStorage, "_ask", staticmethod(counted))
    counts = []
    for name in ("made", "few", "many"):
        start = 250 * len(counts)
        for number in range(start, start + 250) if name != "made" else ():
            put(
                f"{number}.md", f"# N{number}\n\n[[{number // 2}]] [[wanted {number}]] #t{number}\n"
            )
        asked.clear()
        ws.share.feed(name)
        counts.append(len(asked))
    assert (counts[2] - counts[1]) / 250 < 0.25, counts


# --- four feed and eight read ---------------------------------------------------------------------


def test_four_feed_and_eight_read_and_nothing_is_torn_or_there_twice(
    put, ws, opened, address, tmp_path
):
    pages = [f"marked{number}.md" for number in range(4)]

    def write(number: int) -> None:
        for page in pages:
            put(page, f"# {page}\n\nheron round{number}round\n")

    write(0)
    ws.share.feed("notes")
    errors: list[BaseException] = []
    seen, refused, is_over = set[str](), [], threading.Event()

    def read() -> None:
        try:
            with closing(shared.open_shared("notes", tmp_path)) as space:
                while not is_over.is_set():
                    hits = space.search("heron").hits
                    rounds = {hit.excerpt.partition("round")[2] for hit in hits}
                    assert (len(hits), len(rounds)) == (len(pages), 1), rounds
                    seen.update(rounds)
        except BaseException as error:
            errors.append(error)

    def feed() -> None:
        space = opened()
        try:
            space.share.feed("notes")
        except LockedError as error:
            refused.append(error)
        except BaseException as error:
            errors.append(error)
        finally:
            space.leave()

    readers = [threading.Thread(target=read) for _ in range(8)]
    for thread in readers:
        thread.start()
    for number in range(1, 4):
        write(number)
        feeders = [threading.Thread(target=feed) for _ in range(4)]
        for thread in feeders:
            thread.start()
        for thread in feeders:
            thread.join()
    until(lambda: any(each.startswith("3") for each in seen) or errors)
    is_over.set()
    for thread in readers:
        thread.join()
    assert errors == []
    assert len(refused) < 3 * 4  # in each round at least one feeds
    assert paths_fed(address) == set(pages)
    before = rows_in(address)
    shared_rows = {name: count for name, count in before.items() if name.endswith("all_page")}
    assert set(shared_rows.values()) <= {len(pages), 0}
