"""Folders of markdown that no public vault is large enough for, made the same at every run."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

_BESIDE = 11  # pages of a folder besides its README
_WORDS = (
    "amber basin cedar delta ember fjord grove haven inlet jetty knoll ledge marsh north ochre"
    " pier quartz ridge shoal tarn upland vale willow yard"
).split()


def make_linked(root: Path, pages: int = 48_000, links: int = 755_000) -> None:
    """A tree of folders, each with a README.md that its pages link to, and so many links in all."""
    chance = random.Random(48)
    folders = [f"{_name(i // 400)}/{_name(i // 20)}/{_name(i)}" for i in range(pages // 12)]
    each = links / pages
    for number, folder in enumerate(folders):
        place = root / folder
        place.mkdir(parents=True, exist_ok=True)
        for page in range(_BESIDE + 1):
            count = int(each * (number * 12 + page + 1)) - int(each * (number * 12 + page))
            title, name = _page(folder, page)
            lines = [f"# {title}", "", *_links(chance, folders, number, count)]
            (place / name).write_text("\n\n".join(lines) + "\n", encoding="utf-8")


def _name(number: int) -> str:
    return f"{_WORDS[number % len(_WORDS)]}-{number}"


def _page(folder: str, page: int) -> tuple[str, str]:
    name = folder.rpartition("/")[2]
    return (
        (f"About {name}", "README.md")
        if page == 0
        else (f"{name} part {page}", f"{page}-{name}.md")
    )


def _links(chance: random.Random, folders: list[str], here: int, count: int) -> Iterator[str]:
    """Sentences with a link each, of the kinds that there are: most lead near, some to no page."""
    for number in range(count):
        words = " ".join(chance.choices(_WORDS, k=6))
        there = folders[chance.randrange(len(folders)) if number % 3 == 0 else here]
        page = chance.randrange(_BESIDE + 1)
        title, name = _page(there, page)
        kind = number % 7
        if number == 0:
            yield f"See the [overview](README.md) of {words}."
        elif kind == 1:
            yield f"The [[{title}]] has {words}."
        elif kind == 2 and page:
            yield f"The [[{name.removesuffix('.md')}|{words}]] follows."
        elif kind == 3:
            yield f"As [said](/{there}/{name}) of {words}."
        elif kind == 4:
            yield f"The [[{there}/{name.removesuffix('.md')}#Part]] is {words}."
        elif kind == 5 and not page:
            yield f"Nobody wrote of [[{chance.choice(_WORDS)} {here}]] and {words}."
        elif there == folders[here]:
            yield f"Beside it is [{words}]({name})."
        else:
            yield f"In [[{there}/{name.removesuffix('.md')}]] are {words}."


_TOPICS = (
    "数据库 分布式事务 操作系统 编译原理 机器学习 神经网络 量子力学 微积分 线性代数 概率论 经济学"
    " 供需关系 货币政策 通货膨胀 股票市场 基金定投 税收制度 劳动合同 著作权 民法典 刑事诉讼"
    " 唐诗 宋词 红楼梦 论语 庄子 史记 明朝内阁 清代科举 丝绸之路 大运河 敦煌壁画 青铜器 园林"
    " 书法 篆刻 昆曲 京剧 围棋定式 茶道 普洱茶 川菜 火锅底料 面包发酵 咖啡烘焙 葡萄酒 减脂餐"
    " 马拉松训练 力量训练 瑜伽呼吸 睡眠质量 番茄工作法 时间管理 习惯养成 阅读方法 写作练习 演讲"
    " 面试准备 团队沟通 绩效考核 产品需求 用户访谈 竞品分析 交互设计 配色方案 字体排版 摄影构图"
    " 剪辑软件 播客录音 钢琴指法 吉他和弦 乐理 合唱 水彩 素描透视 陶艺 木工榫卯 园艺扦插 多肉"
    " 观鸟 登山装备 露营 骑行路线 自驾游 签证材料 租房合同 装修预算 智能家居 路由器 虚拟内存"
    " 容器编排 消息队列 缓存穿透 负载均衡 正则表达式 版本控制 单元测试 代码评审 前端框架 浏览器"
    " 加密算法 网络协议 嵌入式开发 机器人 无人机 新能源汽车 光伏发电 碳中和 气候变化 海洋生物"
    " 恐龙化石 天文观测 黑洞 火星探测 疫苗 免疫系统 高血压 儿童教育 绘本 心理咨询 认知偏差 博弈论"
).split()
_FAMILIES = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾萧田董袁潘于蒋蔡余杜"
_GIVEN = "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超霞平刚桂英华玉萍红建文志永国春梅海燕晓东雪松子涵梓轩"
_PLACES = "北京 上海 成都 西安 杭州 苏州 大理 拉萨 厦门 青岛 重庆 桂林 哈尔滨 南京 武汉".split()
_TITLES = (
    "{a}与{b}",
    "{a}入门",
    "如何理解{a}",
    "关于{a}的几点思考",
    "{a}:从{b}说起",
    "{p}{a}考察笔记",
    "{n}谈{a}",
    "为什么{a}比{b}更重要",
    "{a}常见问题",
    "《{a}史》读书笔记",
    "{n}《{a}十讲》摘录",
    "Docker 部署{a}",
    "Python 与{a}",
    "{a}(第{i}版)",
)
_SHELVES = (  # folder, how many of twenty pages
    ("卡片", 9),
    ("读书笔记", 3),
    ("工作/项目{i}", 2),
    ("技术/后端", 2),
    ("技术/前端", 1),
    ("生活/旅行/{p}", 1),
    ("人物", 1),
    ("日记", 1),
)


def make_chinese(root: Path, pages: int) -> None:
    """A vault in Chinese: half of it in one flat folder, the rest in folders of all sizes."""
    chance = random.Random(32)
    shelves = [folder for folder, share in _SHELVES for _ in range(share)]
    for number in range(pages):
        words = {
            "a": chance.choice(_TOPICS),
            "b": chance.choice(_TOPICS),
            "p": chance.choice(_PLACES),
            "n": chance.choice(_FAMILIES) + "".join(chance.choices(_GIVEN, k=2)),
            "i": chance.randrange(1, 30),
        }
        folder = shelves[number % len(shelves)].format(**words)
        title = chance.choice(_TITLES).format(**words)
        name = f"{_day(number)} {title}" if folder == "日记" else title
        said = [f"{each}和{words['b']}的联系在于{title}。" for each in chance.choices(_TOPICS, k=3)]
        place = root / folder
        place.mkdir(parents=True, exist_ok=True)
        page = place / f"{name}.md"
        if page.exists():
            page = place / f"{name} {number}.md"
        page.write_text(f"# {title}\n\n{''.join(said)}\n", encoding="utf-8")


def _day(number: int) -> str:
    return f"{2016 + number // 3600 % 10}-{number // 300 % 12 + 1:02}-{number % 28 + 1:02}"
