"""Words that tell what has one value at a time, English and Chinese: attributes, states, places,
kinds of tools, and words of other times or of several values."""

from __future__ import annotations

# "The lead is" takes one name; what "Anna is" takes tells nothing.
ATTRIBUTES = frozenset(
    "lead leader manager boss supervisor owner maintainer ceo cto cfo president "
    "director head chair chairman chairwoman chairperson captain coach mentor teacher "
    "tutor doctor gp dentist therapist lawyer accountant landlord assistant contact "
    "approver reviewer author host mayor address phone telephone number email mail "
    "password passphrase passcode code pin secret port url uri hostname domain branch "
    "version name surname nickname username login handle id birthday birthplace date "
    "deadline time day place location venue capital headquarters hq office hometown "
    "home town nationality colour color size height width length weight price cost fee "
    "rent salary wage budget limit quota maximum minimum timeout ttl interval frequency "
    "period retention threshold status state mode theme font layout style language "
    "locale format encoding license licence framework database db datastore ide shell "
    "terminal os browser provider vendor supplier bank insurer carrier operator region "
    "zone timezone currency unit role title job profession occupation position rank "
    "employer company school university college major degree partner wife husband "
    "spouse fiance fiancee boyfriend girlfriend policy convention engine runtime "
    "registry linter formatter protocol algorithm storage backend frontend server "
    "endpoint car bike laptop computer keyboard camera diet religion department room "
    "seat floor gate platform airline hotel gym key topic slogan motto logo mascot "
    "codename duration speed temperature capacity standard successor router broker "
    "indentation indent engineer developer designer type cadence rate discount tariff "
    "plan subscription tier distribution distro editor wallpaper ringtone vet breed "
    "strategy meeting standup".split()
)
OF_MANY = frozenset(  # somebody or something has several
    "friend friends colleague colleagues brother sister son daughter child children kid cousin "
    "aunt uncle grandchild neighbour neighbor pet cat dog hobby hobbies interest skill language "
    "strength weakness problem reason goal feature member example part page project task idea "
    "dream book song film movie customer client competitor student habit allergy trip visit "
    "朋友 好友 同学 同事 哥哥 弟弟 姐姐 妹妹 儿子 女儿 孩子 表妹 表弟 邻居 宠物 猫 狗 爱好 兴趣 "
    "技能 特长 优点 缺点 原因 目的 目标 好处 问题 特点 成员 例子 部分 作品 习惯 梦想 书 歌 "
    "电影 项目 任务 客户 对手 学生 经历 作用 意思 内容 功能 优势 结果 方面 需求 建议 区别 "
    "关键 重点 核心 想法 观点".split()
)
GENERAL = frozenset(  # alone these are of whatever their page is about
    "default value type name id size length width height format unit number code title level key "
    "host status state mode place time source target version topic "
    "默认值 默认 值 类型 单位 名称 名字 格式 大小 长度 宽度 高度 状态 模式 描述 版本 主题".split()
)
ONE_OF_MANY = frozenset(  # "the default browser", "my favourite tea"
    "default favourite favorite preferred primary main official".split()
)
ATTRIBUTES_ZH = (
    "负责人 组长 队长 经理 老板 主管 领导 老师 班主任 校长 院长 店长 总监 主席 主任 "
    "医生 牙医 律师 会计 房东 助理 教练 导师 联系人 审批人 对接人 维护者 作者 编辑 密码 "
    "口令 端口 地址 电话 号码 手机号 手机 邮箱 网址 域名 链接 分支 版本 名字 姓名 名称 "
    "昵称 用户名 账号 代号 生日 日期 期限 截止日 时间 时长 地点 首都 省会 总部 办公室 "
    "家 家乡 老家 籍贯 国籍 颜色 尺寸 身高 体重 长度 宽度 高度 价格 售价 单价 成本 费用 "
    "租金 房租 工资 薪水 月薪 年薪 预算 上限 下限 限额 额度 配额 超时 阈值 间隔 频率 "
    "周期 状态 模式 主题 字体 布局 风格 语言 格式 编码 许可证 框架 数据库 编辑器 系统 "
    "浏览器 供应商 服务商 运营商 银行 保险 地区 区域 机房 时区 货币 单位 职位 职业 岗位 "
    "公司 雇主 学校 大学 专业 学位 妻子 老婆 丈夫 老公 男友 女友 对象 伴侣 策略 规范 "
    "引擎 协议 算法 男朋友 女朋友 上司 上级 渠道 方式 途径 来源 标准 规则 流程 形式 架构 "
    "技术栈 入口 路径 目录 文件夹 位置 血型 星座 属相 性别 型号 品牌 年会 工位 存储 后端 "
    "前端 服务器 车 电脑 笔记本 键盘 相机 饮食 宗教 部门 房间 座位 楼层 会议室 航班 "
    "酒店 健身房 口号 容量 温度 速度 比例 税率 折扣 套餐 等级 缩进 会议 例会 周会 晨会 "
    "站会 婚礼 工具 仓库 镜像 平台 方案 品种 模型 法人 股东 代表 目标 暗号 口味".split()
)
ROLES_ZH = (  # that one has alone; others may be a manager, too
    "负责人 组长 队长 班主任 校长 院长 店长 董事长 总裁 主席 首席执行官 ceo cto cfo 对接人 联系人 "
    "班长 法人 市长 主编 主持人".split()
)

# Of each line a thing has one; the sides of a line are parted by a bar.
STATES = tuple(
    tuple(tuple(word.replace("_", " ") for word in side.split()) for side in line.split("|"))
    for line in (
        "enabled activated 开启 启用 打开 开着 激活 | disabled deactivated 关闭 禁用 停用 关着 "
        "关掉",
        "open opened | closed shut",
        "allowed permitted allow allows 允许 准许 | forbidden prohibited banned disallowed "
        "forbid forbids prohibit prohibits 禁止",
        "public 公开 | private 私有 保密",
        "required mandatory compulsory 必填 必须 必需 必选 强制 | optional voluntary 选填 可选 "
        "自愿",
        "tabs tab 制表符 | spaces 空格",
        "dark 深色 暗色 | light 浅色 亮色",
        "manual manually 手动 人工 | automatic automatically automated 自动",
        "online 在线 | offline 离线",
        "synchronous synchronously 同步 | asynchronous asynchronously 异步",
        "full_time 全职 | part_time 兼职",
        "free 免费 | paid 收费 付费",
        "single 单身 未婚 | married 已婚 | divorced 离婚 离异",
        "encrypted 加密 | unencrypted 明文",
        "active | inactive",
        "opt-in | opt-out",
        "approved 批准 通过 | rejected 驳回 拒绝",
        "alive | dead",
        "remote remotely 远程 | onsite on_site 现场",
        "vertical 纵向 竖排 | horizontal 横向 横排",
        "ascending 升序 | descending 降序",
        "metric 公制 | imperial 英制",
        "windowed | fullscreen",
        "vegetarian 素食 吃素 | vegan 纯素 | pescatarian",
        "weekly 每周 | monthly 每月 | daily nightly 每天 每日 | hourly 每小时 "
        "| yearly annually 每年 | quarterly 每季度",
    )
)
# "Lives in France" and "lives in Paris" are both true.
WIDE_PLACES = frozenset(
    line.replace("_", " ")
    for line in (
        "europe asia africa america north_america south_america oceania australia "
        "germany france spain italy portugal austria switzerland belgium netherlands "
        "holland denmark sweden norway finland iceland ireland england scotland wales "
        "uk united_kingdom britain poland czechia hungary romania bulgaria greece "
        "turkey ukraine russia usa us united_states canada mexico brazil argentina "
        "chile peru colombia china japan korea south_korea taiwan india pakistan "
        "thailand vietnam malaysia indonesia philippines new_zealand egypt morocco "
        "kenya nigeria south_africa israel iran saudi_arabia croatia serbia slovenia "
        "slovakia estonia latvia lithuania bavaria saxony hesse tyrol california texas "
        "florida washington_state oregon massachusetts illinois ontario quebec 中国 "
        "美国 日本 韩国 英国 法国 德国 意大利 西班牙 葡萄牙 荷兰 瑞士 瑞典 挪威 芬兰 "
        "丹麦 加拿大 澳大利亚 澳洲 新西兰 印度 泰国 越南 俄罗斯 巴西 欧洲 亚洲 非洲 "
        "美洲 国外 国内 海外 河北 山西 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建 江西 山东 "
        "河南 湖北 湖南 广东 海南 四川 贵州 云南 陕西 甘肃 青海 台湾 内蒙古 广西 西藏 "
        "宁夏 新疆 东北 华北 华东 华南 西南 西北 南方 北方"
    ).split()
)
# "Uses Python" and "uses Docker" are both true: tools of two kinds, one kind a line.
TOOLS = {
    name: kind
    for kind, line in enumerate(
        (
            "python rust go golang java kotlin swift c c++ c# ruby php typescript javascript "
            "scala elixir haskell perl lua dart zig julia",
            "postgres postgresql mysql mariadb sqlite mongodb oracle redis cassandra dynamodb "
            "cockroachdb tidb",
            "vim neovim emacs vscode sublime zed helix intellij pycharm webstorm nano",
            "react vue svelte angular solid preact ember",
            "django flask fastapi rails laravel spring express",
            "docker podman kubernetes nomad",
            "aws azure gcp heroku vercel netlify",
            "git mercurial svn subversion",
            "slack teams discord mattermost 飞书 钉钉 微信 企业微信",
            "jira linear asana trello",
            "npm pnpm yarn bun",
            "pip poetry uv conda pipenv",
            "webpack vite rollup esbuild parcel",
            "jest vitest mocha",
            "linux ubuntu debian fedora arch macos windows",
            "firefox chrome safari edge brave",
            "bash zsh fish powershell",
            "jenkins circleci travis github_actions gitlab_ci",
            "tailwind bootstrap",
            "figma sketch",
            "obsidian notion logseq evernote",
            "kafka rabbitmq nats",
            "terraform pulumi ansible",
            "prometheus datadog grafana",
            "iphone android",
            "red blue green yellow black white grey gray orange purple brown pink silver gold",
            "round square oval rectangular triangular",
        )
    )
    for name in line.replace("_", " ").split()
}
# What only describes stands beside anything else.
DESCRIBING = frozenset(
    "nice strict busy sick ill tired happy sad good bad great fine slow fast new old young big "
    "small large high low long short important easy hard difficult clear unclear strong weak safe "
    "unsafe cheap expensive ready late early tall friendly angry full empty broken wrong right "
    "correct famous popular simple complex complicated unknown known available unavailable "
    "responsible away here there home quiet loud wet warm cold hot tight loose missing best worst "
    "better worse different same similar hungry nervous stable unstable outdated absent present "
    "reachable unreachable invalid valid secret confidential".split()
)
DEGREES_ZH = "很 非常 比较 挺 太 最 更 十分 特别 有点 相当 不错 极".split()
DESCRIBING_ZH = (
    "忙 累 病 好 坏 新 旧 满 空 严格 友好 复杂 简单 正常 异常 稳定 未知 重要 必要 一样 相同 "
    "不同".split()
)

# Of other times, of what may be, or beside other values: no slot.
RESERVED = frozenset(
    "used_to formerly previously before once ago will would might may could should wants_to "
    "want_to wanted hopes hope considering consider considers plans plan_to going_to if when "
    "whenever unless whether until till during while also too another both either or besides "
    "sometimes occasionally often perhaps maybe probably possibly except e.g etc such_as "
    "including like "
    "thinking_about would_like as_well originally initially temporarily ex former part_of".split()
)
RESERVED = frozenset(word.replace("_", " ") for word in RESERVED)
RESERVED_ZH = (
    "以前 之前 过去 曾 原来 原先 原本 本来 当时 那时 上一任 前任 如果 假如 要是 若是 "
    "若有 倘若 除非 是否 也 还 又 另 或 可能 也许 大概 打算 计划 准备  考虑 将 想 "
    "有时 偶尔 经常 常常 通常 期间 兼 以及 及其 等等 不 没 未 无 小时候 年轻时 临时 "
    "暂时 时候 之一 哪 谁 什么 吗 怎么 多少 几点 比如 例如 为止 之后 以后 分别 去年 "
    "前年 明年 每次"
).split()
# What holds the characters of one of these and is none.
HARMLESS_ZH = "还原 还款 也门 不锈钢 不动产 未来 无线 无锡 无人 将军 想象 没关系 将来".split()
PURPOSES_ZH = (
    "做 来 写 开会 聊天 沟通 画 记 管理 办公 看 听 查 拍 付款 存 部署 测试 开发 协作 "
    "设计 编辑 搜索 登录 连接 监控 处理 发送 备份 剪辑 支付 打车 导航 学习 上课 买 订 "
    "点".split()
)
