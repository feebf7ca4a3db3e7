"""Sentences that say a time in words and hold longer than that: habits, rules, names and queries,
and such that only look like them. Said on Wednesday, 5 November 2025, at 10:30."""

from __future__ import annotations

# No date may stand in their place.
STANDING = [
    "Backups run every night and cover yesterday.",
    "The report always covers last month.",
    "Each morning the bot posts what was merged yesterday.",
    "User wants the weather of today at 7 am each day.",
    "In the standup everyone usually says what they did yesterday.",
    "Every Monday Anna reads the notes of last week.",
    "The invoice is normally for last month.",
    "On Fridays we plan next week.",
    "User never eats what was cooked yesterday.",
    "Whenever a build fails, look at what changed yesterday.",
    "By default the export holds last week.",
    "We watch Last Week Tonight on Mondays.",
    "The newsletter This Week in Rust is useful.",
    "This Week in Rust is useful.",
    "User listens to Last Week in AI.",
    "User likes the film Next Friday.",
    "The show Last Night is over.",
    "USA Today reported it.",
    "Query: SELECT * WHERE day = yesterday",
    "The filter is date >= yesterday AND date < today",
    "Search with since:yesterday for it.",
    "Run git log --since yesterday for the list.",
    "Run date -d yesterday for it.",
    "今天国际是一家上市公司。",
    "王芳在明天系公司上班。",
    "李雷投了今天国际的股票。",
    "每天早会说昨天做了什么、今天做什么。",
    "每周一汇总上周的销售。",
    "用户通常晚上看今天的新闻。",
    "备份每晚跑一次，覆盖昨天的数据。",
    "月报一般写上个月的数字。",
    "用户总是把今天的事拖着。",
    "每次开会先看上周的任务。",
    "他平时只看昨天的报表。",
]

# Which day is meant is not quite sure: the words stay, and the date stands beside them.
BESIDE = {
    "The report covers last month.": "The report covers last month (2025-10).",
    "The dashboard shows yesterday's orders.": (
        "The dashboard shows yesterday's (2025-11-04) orders."
    ),
    "The nightly job deletes logs created yesterday.": (
        "The nightly job deletes logs created yesterday (2025-11-04)."
    ),
    "Everybody says what they did yesterday.": (
        "Everybody says what they did yesterday (2025-11-04)."
    ),
    "From tomorrow on user will run every day.": (
        "From tomorrow (2025-11-06) on user will run every day."
    ),
    "This week the standup is at nine each day.": (
        "This week (the week of 2025-11-03) the standup is at nine each day."
    ),
    "The bus was late every day last week.": (
        "The bus was late every day last week (the week of 2025-10-27)."
    ),
    "Every seat is taken today.": "Every seat is taken today (2025-11-05).",
    "User always runs, yesterday too.": "User always runs, yesterday (2025-11-04) too.",
    "ETA = tomorrow": "ETA = tomorrow (2025-11-06)",
    "due:tomorrow": "due:tomorrow (2025-11-06)",
    "日报写明昨天的数据。": "日报写明昨天（2025-11-04）的数据。",
    "看板显示上周的订单。": "看板显示上周（2025-10-27 那一周）的订单。",
    "他每天跑步，昨天没跑。": "他每天跑步，昨天（2025-11-04）没跑。",
    "上周每天加班。": "上周（2025-10-27 那一周）每天加班。",
    "今天国际油价上涨。": "今天（2025-11-05）国际油价上涨。",
    "今天每两小时吃一次药。": "今天（2025-11-05）每两小时吃一次药。",
}

# A time of one day beside words that look like a habit's.
ONCE = {
    "User usually runs but skipped yesterday.": "User usually runs but skipped 2025-11-04.",
    "We always meet on Mondays; this week on Tuesday.": (
        "We always meet on Mondays; the week of 2025-11-03 on Tuesday."
    ),
    "User runs every day. Yesterday it rained.": "User runs every day. 2025-11-04 it rained.",
    "The report was late last month.": "The report was late in 2025-10.",
    "The report covered last month.": "The report covered 2025-10.",
    "Anna sends the report tomorrow.": "Anna sends the report 2025-11-06.",
    "The dashboard goes live next week.": ("The dashboard goes live the week of 2025-11-10."),
    "Anna said it shows since yesterday.": "Anna said it shows since 2025-11-04.",
    "Everyone came yesterday.": "Everyone came 2025-11-04.",
    "LAST WEEK WE MOVED": "the week of 2025-10-27 WE MOVED",
    "Last Friday we met Ben.": "2025-10-31 we met Ben.",
    "Tomorrow Anna comes.": "2025-11-06 Anna comes.",
    "他说昨天去了上海。": "他说 2025-11-04 去了上海。",
    "用户每天跑步。昨天下雨了。": "用户每天跑步。2025-11-04 下雨了。",
    "平时走路，但是昨天坐了地铁。": "平时走路，但是 2025-11-04 坐了地铁。",
    "明天系里开会。": "2025-11-06 系里开会。",
    "日报昨天发了。": "日报 2025-11-04 发了。",
    "每天跑步；上周停了。": "每天跑步；2025-10-27 那一周停了。",
}
