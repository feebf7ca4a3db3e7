"""Text in a code that is none of Unicode and named nowhere: which one it is, where that is sure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial

from memwiki.text import pattern, simplified

# Two thirds of a Chinese text, and a tenth of what other codes come out as in GB 2312.
_FREQUENT = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过"
    "发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前"
    "开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重"
    "并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常"
    "先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报"
    "才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼"
    "书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术"
    "领共确传师观清今切院让识候带导争运笔学校试课天买吃车站会议项目计划网络数据库文件软件语言历史音乐"
    "图片照相旅游健康饮食茶饭菜花树红绿黑每周早晚昨昔今明春夏秋冬友爱父母亲妈爸你您谢请复值支持示例需版型配置单存息错答案步骤"
)
_MIN_FREQUENT = 0.3  # of its characters
_MIN_FREQUENT_ALONE = 0.15  # of a text that is nothing else
_MIN_IN_NAMES = 3
_MAX_KANA, _MIN_HANGUL, _MIN_THAI = 0.2, 0.9, 0.2
_FREQUENT_THAI = pattern("[านรอกเ่]")
_THREE_BYTES = 0xE0  # begins what is no letter of a European script in UTF-8
_HAN = pattern("[\u3400-\u9fff]")
_KANA = pattern("[\u3041-\u30fe]")
_HANGUL = pattern("[\uac00-\ud7a3]")
_WIDE = pattern("[\u3041-\u30fe\u3400-\u9fff\uac00-\ud7a3\uf900-\uffee]")
# Japanese next to a Latin letter: an accent and the letter after it look like one of its signs.
_BORDER = pattern(r"(?<=[A-Za-z])[^\x00-\x7f]|[^\x00-\x7f](?=[A-Za-z])")
_NOT_JAPANESE = pattern("[^\x00-\x7f\u3000-\u30fe\uff01-\uff5d一-龠々]")
_NOT_RUSSIAN = pattern(
    "[^\x00-\x7fА-яЁё№]|[A-Za-z][А-яЁё]|[А-яЁё][A-Za-z]|[а-яё][А-ЯЁ]|[А-ЯЁ]{2}[а-яё]"
)
_SMALL_RUSSIAN = pattern("[а-яё]")
_ACCENTED = pattern("[çÇéâêîôûàèìòùäëïöüÿÄËÏÖÜÉáíóúñÑåÅæÆß]")
_LETTER = pattern("[A-Za-z]")
_BEYOND = pattern("[ß-öø-ÿœšž]")
_OF_WORDS = "A-Za-zÀ-öø-ÿŒœŠšŽžŸ"
# Signs between letters, at the end of a word and at its beginning, where none stands rightly.
_SIGN = pattern(
    f"(?<=[{_OF_WORDS}]{{2}})[€‰‹›“”•˜™©ª«®-³¶¸-¾×÷](?=[{_OF_WORDS}])"
    f"|(?<=[{_OF_WORDS}])[‚ƒ„†‡ˆ¡-¨¬¿]|(?<!\\S)[ª±-³¶¹º¼¾](?=[{_OF_WORDS}])"
)
_MIN_BEYOND, _MAX_ODD = 0.02, 0.05
_LETTERS = (  # of most languages, of Portuguese, of the North, of Estonia and Finland
    "àáâäåæçèéêëìíîïñòóôöùúûüœßÿ",
    "àáâãçéêíñóôõúü",
    "áäåæéíðóöøúýþ",
    "äåéõöüšž",
)


def is_chinese(text: str, min_count: int = 1, min_share: float = _MIN_FREQUENT) -> bool:
    """Whether the characters of a text are those that Chinese ones mostly have, so many of them at
    least: bytes that mean something else come out as others."""
    han = _HAN.findall(simplified(text))
    return not _is_kana(text) and sum(each in _FREQUENT for each in han) >= max(
        min_count, min_share * len(han)
    )


def is_chinese_in(data: bytes, text: str) -> bool:
    """The same of bytes that were read as Chinese; those that may be Korean, Thai or Japanese, too,
    have to look more like it."""
    is_other = any(_fits(data, code, fits) for code, fits in _RIVALS.items())
    return is_chinese(text, min_share=_MIN_FREQUENT if is_other else _MIN_FREQUENT_ALONE)


def is_western(text: str) -> bool:
    """Whether a text that was read as Western European is: other languages, and the codes of DOS
    and the Mac, come out with signs within words and with letters that no one language has."""
    letters, signs = _BEYOND.findall(text.lower()), _SIGN.findall(text)
    if len(letters) + len(signs) < _MIN_BEYOND * len(text):  # names
        return True
    odd = min(sum(each not in own for each in letters) for own in _LETTERS)
    return odd + 2 * len(signs) <= 1 + _MAX_ODD * len(letters)


def code_of_names(data: bytes) -> str:
    """The code of the names in an archive; "" where it is not certain."""
    fitting = [code for code, fits in _NAMES.items() if _fits(data, code, fits)]
    if fitting[:1] == ["utf-8"] and (len(fitting) == 1 or max(data, default=0) >= _THREE_BYTES):
        return "utf-8"
    if not fitting and _is_western(data.decode("cp437")):
        return "cp437"
    return fitting[0] if len(fitting) == 1 and fitting != ["euc_kr"] else ""


def _fits(data: bytes, code: str, fits: Callable[[str], bool]) -> bool:
    with suppress(UnicodeDecodeError):
        return fits(data.decode(code))
    return False


def _is_japanese(text: str) -> bool:
    wide = len(_WIDE.findall(text))
    return not _NOT_JAPANESE.search(text) and 4 * len(_BORDER.findall(text)) <= wide > 0


def _is_russian(text: str) -> bool:
    small = len(_SMALL_RUSSIAN.findall(text))
    return not _NOT_RUSSIAN.search(text) and 2 * small > sum(each > "\x7f" for each in text)


def _is_korean(text: str) -> bool:
    """Whether it may be: Chinese names of a few characters look so too."""
    return len(_HANGUL.findall(text)) >= _MIN_HANGUL * max(1, len(_WIDE.findall(text)))


def _is_western(text: str) -> bool:
    """Whether all are letters of Western Europe, few among others."""
    accented = len(_ACCENTED.findall(text))
    return sum(each > "\x7f" for each in text) == accented <= len(_LETTER.findall(text)) / 2


def _is_thai(text: str) -> bool:
    return len(_FREQUENT_THAI.findall(text)) > _MIN_THAI * sum(each > "\x7f" for each in text)


def _is_kana(text: str) -> bool:
    return len(_KANA.findall(text)) > _MAX_KANA * len(_WIDE.findall(text))


_RIVALS: Mapping[str, Callable[[str], bool]] = {
    "euc_kr": _is_korean,
    "euc_jp": _is_kana,
    "tis_620": _is_thai,
}
_NAMES: Mapping[str, Callable[[str], bool]] = {
    "utf-8": lambda _: True,
    "gb18030": partial(is_chinese, min_count=_MIN_IN_NAMES),
    "big5": partial(is_chinese, min_count=_MIN_IN_NAMES),
    "shift_jis": _is_japanese,
    "cp866": _is_russian,
    "euc_kr": _is_korean,
}
