"""What a claim on a file tells otherwise than its line: roles, order, numbers, conditions."""

from __future__ import annotations

from memwiki.proposals.evidence import judge_support
from memwiki.proposals.numbering import NumberedSource, SourceLine
from tests.effort import for_each


def why(line: str, text: str, *, speaker: str = "") -> str:
    lines = [SourceLine(each, speaker) for each in line.split("\n")]
    cited = [number for number, each in enumerate(lines, 1) if each.text.strip()]
    return judge_support(text, "", cited, NumberedSource(lines)).why


@for_each(
    ("line", "text", "reason"),
    [
        ("Ann taught Ben to sail.", "Ben taught Ann to sail.", "it has ann and ben in"),
        (
            "The server sends the token to the client.",
            "The client sends the token to the server.",
            "it has client and server in",
        ),
        ("会将主机的配置发布到远端。", "会将远端的配置发布到主机。", "it has 主机 and 远端 in"),
        (
            "The small plan has 5 seats and the large plan has 50 seats.",
            "The small plan has 50 seats and the large plan has 5 seats.",
            "it has 5 and 50 in",
        ),
        ("The parser is faster than the lexer.", "The lexer is faster than the parser.", "it has"),
        (
            "候选版本是测试用的版本，在公开版本之后发布。",
            "公开版本在候选版本之后发布。",
            "it says the other way round",
        ),
        ("先停止服务，再删除数据。", "先删除数据，再停止服务。", "it says the other way round"),
        (
            "If set, an engine in memory is used instead of connecting to a server.",
            "If set, the tool connects to a server instead of an engine in memory.",
            "it says the other way round",
        ),
        (
            "Regions split where they are over 384 pages.\nSmall ones below 54 merge with others.",
            "With 54 pages regions split.",
            "it says of one number what the lines say of another",
        ),
        ("The update may delete old files.", "The update deletes old files.", "it leaves out may"),
        ("升级可能会删除旧文件。", "升级会删除旧文件。", "it leaves out 可"),
        ("Deleting a branch is usually safe.", "Deleting a branch is safe.", "it leaves out us"),
        ("服务性能可能会抖动。", "服务性能一定会抖动。", "it says 一定, and no cited line"),
        (
            "You can name nodes as you like.",
            "You must name nodes as you like.",
            "it says must, and",
        ),
        (
            "Revenue counts when an order is delivered and closed.",
            "Revenue counts when an order is delivered or closed.",
            "it says or, where the cited lines say and",
        ),
        ("Guests can allow posts.", "Guests can deny posts.", "it says deny, where the cited"),
        ("Names are case-insensitive.", "Names are case-sensitive.", "it says sensitive, where"),
        ("It evolves in a decentralized way.", "It evolves in a centralized way.", "it says centr"),
        (
            "If the disk is full and the cache is off, writes fail.",
            "Writes fail if the disk is full.",
            "it leaves out a condition",
        ),
        (
            "磁盘已满且缓存关闭时，写入会失败。",
            "磁盘已满时写入会失败。",
            "it leaves out a condition",
        ),
        (
            "Old rows are removed from the list when the option is set.",
            "Old rows are removed from the list.",
            "it leaves out a condition",
        ),
        ("除非指定路径，否则使用默认目录。", "使用默认目录。", "it leaves out a condition"),
        ("仅管理员可以删除页面。", "用户可以删除页面。", "it leaves out 仅"),
        (
            "The tool renames a page without breaking links.",
            "Renaming a page breaks links.",
            "it says what the cited lines deny",
        ),
        (
            "Types are typed not only by name but also by place.",
            "Types are typed only by name but also by place.",
            "it says only, and no cited line",
        ),
        ("最长存活时间为三个月。", "最短存活时间为三个月。", "it says 最短, where the cited"),
        (
            "在不停止服务的情况下刷新配置。",
            "会停止服务并刷新配置。",
            "it says what the cited lines",
        ),
        (
            "The fix is only available via the plugin.",
            "The fix is not available via the plugin.",
            "it denies what the cited lines say",
        ),
    ],
)
def test_what_is_told_otherwise_than_its_line_is_set_aside(line, text, reason):
    assert why(line, text).startswith(reason)
    assert why(line, line) == ""


@for_each(
    ("line", "text"),
    [
        ("Ann taught Ben to sail.", "Ben was taught to sail by Ann."),
        ("You can type /query to create a simple query.", "A simple query is created by /query."),
        ("服务器将令牌发送给客户端。", "令牌由服务器发送给客户端。"),
        ("After the index is written, the cache is cleared.", "The index is written before that."),
        ("先停止服务，再删除数据。", "停止服务之后删除数据。"),
        ("The update may delete old files.", "Old files are possibly deleted by the update."),
        ("You may include a picture by uploading it.", "A picture is uploaded."),
        ("Deleting a branch is usually safe.", "A branch can normally be deleted safely."),
        (
            "Large regions, over 384 pages, split; small ones, below 54, merge.",
            "Over 384 it splits.",
        ),
        ("Mind the platform or PLATFORM.", "Mind the platform and PLATFORM."),
        (
            "If the disk is full and the cache is off, writes fail.",
            "Writes fail when the disk is full and the cache off.",
        ),
        ("Backing up prevents loss of words.", "No words are lost by backing up."),
        ("The detail avoids extra heartbeats.", "It does not send extra heartbeats."),
        ("避免在收到快照之后发送心跳。", "收到快照之后不再发送心跳。"),
        ("`no_index` excludes it from the list.", "With no_index it is not in the list."),
        ("It obtains ownership of the lock.\nWho may own it?", "It owns the lock."),
        ("代表全表扫描，可能是小表。", "是全表扫描，扫的可能只是小表。"),
        ("Rows are in one store, logs in another store.", "Rows and logs are in two stores."),
        ("The fix is only available via the plugin.", "The fix is not available without plugin."),
        (
            "After the old pot is emptied but before the new pot is filled, a cook might come.",
            "Before the new pot is filled, a cook might come.",
        ),
        ("Sessions end after thirty minutes of rest.", "Sessions end after 30 minutes of rest."),
        ("The two servers share a disk.", "The 2 servers share a disk."),
        ("It keeps twenty-five days of logs.", "It keeps 25 days of logs."),
        ("It keeps two hundred logs of a day.", "It keeps 200 logs of a day."),
    ],
)
def test_what_is_told_in_other_words_is_supported(line, text):
    assert why(line, text) == ""


def test_what_an_item_stands_below_is_said_of_it():
    item = SourceLine("- Radio", indent=0)
    below = SourceLine("- No setup is required", line=1, indent=2)
    told = judge_support("Radio requires no setup.", "", (2,), NumberedSource([item, below]))
    assert told.why == ""


def test_a_conversation_is_not_told_the_other_way_round():
    line = "My sister taught Ben to sail after the storm."
    assert why(line, "Ben taught a sister to sail.", speaker="Ann").startswith("it has ben and")
    assert why(line, "Her sister taught Ben to sail.", speaker="Ann") == ""
    scores = "Ben threw 12 points, and Omar threw 30 points."
    assert why(scores, "Omar threw 12 points.", speaker="Ann").startswith("it says of one number")


@for_each(
    ("line", "text"),
    [
        ("I prefer short answers.", "Ann prefers long answers."),
        ("The queue is empty.", "The queue is full."),
        ("Paul joined the team.", "Paul left the team."),
        ("The rate went up.", "The rate went down."),
        ("I love green tea.", "Ann hates green tea."),
        ("The backup runs at night.", "The restore runs at night."),
        ("Prices will rise.", "Prices will fall."),
        ("The old API is supported.", "The old API is deprecated."),
        ("我喜欢短的回答。", "用户喜欢长的回答。"),
        ("价格涨了。", "价格跌了。"),
    ],
)
def test_the_opposite_of_a_common_word_is_none_of_its_line(line, text):
    assert ", where the cited lines say " in why(line, text, speaker="Ann")
    assert not why(line, line, speaker="Ann")
