"""Opposite qualities and tastes, what works or is broken, and what took another place."""

from memwiki.judgement.conflicts import judge_conflict
from memwiki.judgement.similarity import Fact
from tests.effort import for_each

QUALITIES = """
The canteen soup is cheap. | The canteen soup is rather expensive.
The proxy is slow. | The proxy is now very fast.
The manual is out of date. | The manual is up to date.
The tent is too narrow. | The tent is quite wide.
公司食堂很便宜。 | 公司食堂挺贵的。
这条路很窄。 | 这条路很宽。
这部电影很有意思。 | 这部电影很无聊。
"""
TASTES = """
Dislikes voice calls. | Now loves voice calls.
Is afraid of spiders. | Isn't afraid of spiders anymore.
Prefers long reports. | Wants short reports from now on.
Prefers the manual grinder. | Changed to an automatic grinder.
讨厌开会。 | 现在很喜欢开会。
喜欢简短的邮件。 | 以后要详细的邮件。
"""
STATES = """
The heating is on. | The heating was turned off.
The beta channel is off. | The beta channel was switched on.
The intercom works. | The intercom is broken.
The mail server is down. | The mail server is up again.
The tram is out of order. | The tram is working.
The fee is unpaid. | The fee was paid on Monday.
Ken is unemployed. | Ken has a job at a garage.
Skates are forbidden in the yard. | Skates may be used in the yard.
扶梯停运了。 | 扶梯恢复了。
亭子里能抽烟。 | 亭子里不许抽烟。
导入功能免费。 | 导入功能收费。
"""
MOVED = """
The gala is in the old mill. | The gala has been relocated to the castle.
The tripod is in the hall. | The tripod was moved to the attic.
Recipes are in Evernote. | Recipes are stored in Joplin.
The toll costs 2.80. | The toll went up to 3.20.
密码存在LastPass里。 | 密码放在Bitwarden里。
展览在三楼。 | 展览挪到五楼了。
"""
FORMS = """
Search is hosted in Oslo. | Search runs in Helsinki.
Version 4 ships on Monday. | Version 4 will not ship on Monday.
Gil has no known allergies. | Gil is allergic to latex.
账单由张三负责。 | 账单由王五负责。
默认频道叫 general。 | 默认频道已改名为 lobby。
新版计划下周一发布。 | 新版推迟到下周四发布。
站会每天九点开。 | 站会时间调整为每天十点。
打印卡纸的问题还没解决。 | 打印卡纸的问题已经修复。
小妹特别喜欢香菇。 | 小妹最讨厌香菇。
"""
HOLDERS = """
Ira leads sales. | Sales are led by Tom.
Ask Lena about the boat shed. | Marek has taken over the boat shed from Lena.
Contact for the bus trip is Ruth. | Tess is the contact for the bus trip.
The server is called heron. | The server got renamed to egret.
Piet is a baker. | Piet works as a bus driver now.
"""
OTHERS = """
The old stove is slow. | The new stove is fast.
Her desk is tidy. | His desk is messy.
Likes hiking. | Hates running.
Loves cooking on Mondays. | Hates cooking on Fridays.
Mona is a singer. | Mona now has a trainer.
The court is in hall 5. | The court moved to Tuesday.
Nils owns a boat. | Ben owns a boat.
Last winter the stove was broken. | The stove works.
Version 4 will not ship on Monday. | Version 5 ships on Monday.
新版计划下周一发布。 | 旧版下周四下线。
账单由张三负责。 | 合同由王五负责。
Mia was ill last week. | Mia is healthy again.
The soup was cold yesterday. | The soup is warm.
The porch light was off. | The porch light is on.
The bread knife is sharp. | The butter knife is blunt.
The new cook is strict. | The new cook is fast.
The alarm is disabled. | The alarm is turned off.
Irene rents a room in Ghent. | Irene studied in Bruges.
小顾住在无锡。 | 小顾去扬州开会了。
The stable branch is protected. | The unstable branch is not protected.
"""


def is_named(pair: str) -> bool:
    old, new = (Fact(text) for text in pair.split(" | "))
    return bool(judge_conflict(old, new)) and bool(judge_conflict(new, old))


def lines(*texts: str) -> list[str]:
    return [line for text in texts for line in text.splitlines() if line]


@for_each("pair", lines(QUALITIES, TASTES, STATES, MOVED, FORMS, HOLDERS))
def test_opposites_and_what_took_another_place_are_named_in_either_order(pair: str) -> None:
    assert is_named(pair)


@for_each("pair", lines(OTHERS))
def test_opposites_of_two_things_are_not(pair: str) -> None:
    assert not is_named(pair)
