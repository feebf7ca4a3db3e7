"""Numbers with fractions, lists, closed sets of words, and settings that may be empty."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.config import Config, RetentionConfig, load, settings
from memwiki.config.edit import set_value
from memwiki.config.load import check_settings, fill_tables
from memwiki.config.schema import SCHEMA
from memwiki.config.values import as_toml, plain, typed_value
from memwiki.errors import ConfigError
from tests.effort import for_each

WORDS = "memory.boost_words"
TEXT = st.text(st.characters(exclude_categories=("Cs",)))


def memory(text):
    return fill_tables(check_settings(text))["memory"]


def refusal(text):
    with pytest.raises(ConfigError) as caught:
        check_settings(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "value"), [("0.25", 0.25), ("1", 1.0), ("0", 0.0), ("5e-1", 0.5), ("0.2_5", 0.25)]
)
def test_a_number_may_have_a_fraction(tmp_path, text, value):
    found = memory(f"[memory]\nconflict_threshold = {text}\n").conflict_threshold
    given = load(tmp_path, {"MEMWIKI_MEMORY_CONFLICT_THRESHOLD": f" {text} "})
    assert (found, given.memory.conflict_threshold) == (value, value)
    assert type(found) is float


@for_each("value", ["1.01", "-0.1", "7", "9" * 400, "-1e300"])
def test_a_number_out_of_its_bounds_is_refused_with_them(value):
    error = refusal(f"[memory]\n\nnear_threshold = {value}\n")
    assert error.line == 3
    assert error.message.startswith("memwiki.toml line 3: memory.near_threshold is not a number")
    assert error.hint == "write for example near_threshold = 0.9"


@for_each("value", ["nan", "inf", "-inf", "true", "'0.5'", "[0.5]", "1979-05-27"])
def test_what_is_no_number_is_refused(value):
    assert "entities.same is not a number" in refusal(f"[entities]\nsame = {value}\n").message


@for_each("value", ["nan", "inf", "1e999", "much", "٠.٥", "0,5", "", "x" * 100_000])
def test_what_is_no_number_is_refused_on_the_command_line(value):
    with pytest.raises(ConfigError, match=r"entities\.same is not a number") as caught:
        set_value("", "entities.same", value)
    assert len(caught.value.message) < 200


def test_a_word_out_of_a_closed_set_is_refused_with_the_set(tmp_path):
    assert memory("[memory]\nconflict_mode = 'jaccard'\n").conflict_mode == "jaccard"
    error = refusal("[memory]\nconflict_mode = 'cosine'\n")
    assert (error.path, error.line) == ("memwiki.toml", 2)
    assert "memory.conflict_mode is not combined or jaccard: 'cosine'" in error.message
    assert 'conflict_mode = "combined"' in error.hint
    with pytest.raises(ConfigError, match=r"MODE: .* is not combined or jaccard: 'Jaccard'\Z"):
        load(tmp_path, {"MEMWIKI_MEMORY_CONFLICT_MODE": "Jaccard"})


def test_a_list_is_read_from_the_file_the_environment_and_the_command_line(tmp_path):
    text = '[memory]\nboost_words = [\n  "deadline",  # mine\n  " 必须 ",\n]\n'
    assert memory(text).boost_words == ("deadline", "必须")
    given = load(tmp_path, {"MEMWIKI_MEMORY_BOOST_WORDS": "deadline, 必须，due,"})
    assert given.memory.boost_words == ("deadline", "必须", "due")
    assert set_value("", WORDS, "deadline, 必须") == (
        '[memory]\nboost_words = ["deadline", "必须"]\n'
    )


@for_each("value", ["'a'", "3", "[1]", "['a', '']", "[' ']", "[['a']]", "{a = 1}"])
def test_what_is_no_list_of_texts_is_refused(value):
    error = refusal(f"[memory]\nboost_words = {value}\n")
    assert "line 2: memory.boost_words is not a list of texts in quotes" in error.message
    assert error.hint == 'write for example boost_words = ["word", "other word"]'


@for_each(
    ("before", "value", "after"),
    [
        ('boost_words = ["a"] # mine\n', "b,c", 'boost_words = ["b", "c"] # mine\n'),
        ('boost_words = [\'a # b\', "]\\""]\n', "b", 'boost_words = ["b"]\n'),
        ("# boost_words = []  # more\n", "b", 'boost_words = ["b"]  # more\n'),
        ("boost_words = ['a']\n", "", "boost_words = []\n"),
        ("boost_words=[]\nmax_tags = 3\n", " , ", "boost_words=[]\nmax_tags = 3\n"),
    ],
)
def test_a_list_on_one_line_is_changed_there(before, value, after):
    assert set_value(f"[memory]\n{before}", WORDS, value) == f"[memory]\n{after}"


def test_a_list_on_several_lines_is_left_to_its_writer():
    text = "[memory]\nboost_words = [\n  'a',\n]\n"
    with pytest.raises(ConfigError, match=r"line 2: .* a form that memwiki does not change"):
        set_value(text, WORDS, "b")
    assert set_value(text, "memory.max_tags", "3") == f"{text}max_tags = 3\n"


def test_an_empty_variable_empties_a_list_and_leaves_other_settings_as_they_are(tmp_path):
    (tmp_path / "memwiki.toml").write_text("[memory]\nboost_words = ['a']\nmax_tags = 3\n")
    names = ("MEMWIKI_MEMORY_BOOST_WORDS", "MEMWIKI_MEMORY_MAX_TAGS", "MEMWIKI_LAYERS_MEMORY")
    config = load(tmp_path, dict.fromkeys(names, ""))
    assert (config.memory.boost_words, config.memory.max_tags) == ((), 3)
    assert config.layers.memory == "memory.md"
    assert config.origins == {"memory.boost_words": "environment", "memory.max_tags": "file"}


def test_settings_are_shown_as_they_are_set():
    config = Config()._replace(memory=Config().memory._replace(boost_words=("a", "必须")))
    shown = {each.key: each for each in settings(config)}
    assert shown[WORDS].value == "a, 必须"
    assert shown["memory.negation_words"].value == ""
    assert shown["memory.conflict_threshold"].value == "0.6"
    assert shown["memory.conflict_mode"].help.endswith("(combined or jaccard)")
    assert shown["memory.near_threshold"].help.endswith("(0 to 1)")


@given(
    st.one_of(st.booleans(), st.integers(0), st.floats(0, 1), TEXT, st.lists(TEXT).map(tuple)),
)
def test_every_value_is_read_as_it_was_written(value):
    import tomllib

    read = tomllib.loads(f"a = {as_toml(value)}\n")["a"]
    assert (tuple(read) if isinstance(read, list) else read) == value


@given(st.sampled_from([*SCHEMA.keys().values()]), st.text(st.characters(exclude_categories=())))
def test_any_text_is_a_value_or_refused(key, text):
    try:
        value = typed_value(key, text)
    except ConfigError as error:
        assert str(key) in error.message
    else:
        assert typed_value(key, plain(value)) == value


@given(st.lists(TEXT.map(lambda text: text.replace(",", "").replace("，", "")), max_size=4))
def test_any_list_that_is_set_is_read_again(words):
    changed = set_value("# mine\n", WORDS, ",".join(words))
    wanted = tuple(word.strip() for word in words if word.strip())
    assert memory(changed).boost_words == wanted


def test_the_retention_of_a_collection_is_shown_and_typed(tmp_path):
    (tmp_path / "memwiki.toml").write_text("[retention.daily]\npolicy = 'ttl'\nttl_days = 7\n")
    config = load(tmp_path, {"MEMWIKI_RETENTION_DAILY_FLOOR": "3"})
    shown = {each.key: (each.value, each.origin) for each in settings(config)}
    assert shown["retention.daily.ttl_days"] == ("7", "file")
    assert shown["retention.daily.floor"] == ("3", "environment")
    assert config.retention["daily"] == RetentionConfig("ttl", ttl_days=7.0, floor=3)
