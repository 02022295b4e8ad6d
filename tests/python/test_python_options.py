"""Options: every keyword of the table, its types, its errors; presets and configurations."""

from __future__ import annotations

import decimal
import fractions
import inspect
import pydoc
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from python_texts import LONG, TEXTS

pa = pytest.importorskip("pyarrow")
lookalike = pytest.importorskip("lookalike", reason="the wheel is not installed: make wheel")
from lookalike import _core, _options, _settings  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
TABLE = pa.table({"text": TEXTS})
PAGES = pa.table({"text": TEXTS, "url": [f"http://a.example/{i}" for i in range(len(TEXTS))]})
FUNCTIONS = ("dedup", "pairs", "nearest", "plan", "compare", "sketch", "filter", "weights", "group",
             "crumbs", "passages")  # fmt: skip
VALUES: dict[str, list[Any]] = {
    "add": [False],
    "differ": ["numbers", ["dates", "regex:[a-z]+"]],
    "same": ["text"],
    "not_same": ["text"],
    "threshold": [0.7, "0.7", 1, decimal.Decimal("0.7"), fractions.Fraction(7, 10), 1e-7],
    "measure": ["resemblance"],  # and containment, which not all take, or with a reference
    "recall": [0.9, "0.9"],
    "shingle": ["word:3", "char:5", "winnow:9,4"],
    "normalize": ["none", "nfkc,casefold,diacritics"],
    "pages": ["visible", "off"],
    "segment": ["icu", "script"],
    "stop_words": ["de", "short"],
    "weights": ["off", str(ROOT / "tests/data/weights.tsv")],
    "weight_unit": [1],
    "bag": ["max", "off"],
    "ratings": ["off"],  # and others, of items
    "hash": ["rabin", "mixer"],
    "feature_bits": [32, "64"],
    "exact_empty": [True, False],
    "min_features": [2, "2", 2.0],
    "seed": [2**64 - 1, 0],
    "distance": ["off"],  # and others, of points
    "within": [None],
    "top": [3],
    "method": ["auto", "lsh", "exact"],
    "design": ["bands:20x5"],
    "sketch": ["permutations:64"],
    "sketch_bits": [8, "32"],
    "verify": ["exact"],  # and sketch, for pairs and compare
    "audit_documents": [0, 10],
    "keep": ["longest", "shortest", "source:data.arrow", ["longest", "field:text:desc"]],
    "fields": ["all"],
    "decisions": [None],
    "cluster": ["components"],
    "output": ["annotated", "copies"],
    "max_record": ["1K", 1 << 20],
    "max_expansion": [10, 1e6],
    "max_errors": [0, "unlimited"],
    "include": ["*.arrow", ["*.arrow", "*.jsonl"]],
    "exclude": ["*.txt", ["*.txt"]],
    "follow_links": [True, False],
    "skip_bad_inputs": [True, False],
    "threads": [1, 0, "2"],
    "memory": ["1G", 1 << 30, float(1 << 30)],
    "scratch": [None],
    "output_shard": ["4K", 1 << 20],
    "profile": [None],
    "object_endpoint": ["http://127.0.0.1:9000"],
    "object_region": ["eu-west-1"],
    "delimiter": [";", "tab"],
    "object_anonymous": [True, False],
    "overwrite": [True, False],
    "resume": [False],
    "yes": [True, False],
    "preset": ["web", ""],
    "config": [None],
}


#: Errors of functions for values that other functions take.
CANNOT = {"filter": "needs 84 coordinates", "weights": "weights are made for words"}


def call(function: str, **options: Any) -> Any:
    if function == "compare":
        return lookalike.compare(LONG, LONG, **options)
    if function == "sketch":
        with tempfile.TemporaryDirectory() as folder:
            return lookalike.sketch(TABLE, Path(folder, "some.sketches"), **options)
    if function == "group":
        return lookalike.group(PAGES, by="url", item="text", **options)
    return getattr(lookalike, function)(PAGES if function == "crumbs" else TABLE, **options)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_keyword_of_the_table_is_taken(function: str) -> None:
    keywords = {*_settings.rows(function), "preset", "config"}
    assert set(get_type_hints(getattr(_options, f"{function.capitalize()}Options"))) == keywords
    for keyword in keywords:
        for value in [None, *VALUES[keyword]]:
            try:
                call(function, **{keyword: value})
            except (lookalike.OptionError, lookalike.RunError) as error:
                assert function in CANNOT and CANNOT[function] in str(error)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_help_and_signatures_show_every_option(function: str) -> None:
    keywords = {*_settings.rows(function), "preset", "config"}
    shown = getattr(lookalike, function)
    parameters = inspect.signature(shown).parameters
    added = {name for name, p in parameters.items() if p.kind is p.KEYWORD_ONLY}
    assert keywords <= added
    assert not any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    described = pydoc.plain(pydoc.render_doc(shown)).splitlines()
    for keyword in keywords:
        assert any(line.startswith(f"        {keyword}: ") for line in described), keyword
    assert not any("--" in line for line in described), "flags of the command"


def test_signatures_have_defaults_and_types() -> None:
    parameters = inspect.signature(lookalike.dedup).parameters
    for name, default, kind in (
        ("threshold", 0.8, "float | str | Mapping[str, float] | None"),
        ("shingle", "word:5", "str | None"),
        ("cluster", "leader", "Literal['leader', 'components'] | None"),
        ("feature_bits", 64, "Literal[64, 32] | None"), ("overwrite", False, "bool | None"),
        ("memory", None, "int | str | None"), ("max_record", "256M", "int | str | None"),
    ):  # fmt: skip
        assert parameters[name].default == default, name
        assert parameters[name].annotation.replace('"', "'") == kind, name
    # The defaults that are shown are those that act.
    for function in FUNCTIONS:
        texts = _settings.make_options(function, {}).texts()
        for keyword, row in _settings.rows(function).items():
            default = inspect.signature(getattr(lookalike, function)).parameters[keyword].default
            if default is not None:
                given = _settings.make_options(function, {keyword: default}).texts()
                assert given[row["name"]] == texts[row["name"]], keyword


def test_classes_show_their_options() -> None:
    described = (lookalike.Fingerprinter, lookalike.Sketch, lookalike.SetSketch,
                 lookalike.resemblance, lookalike.containment)  # fmt: skip
    for made in (*described, lookalike.Sketch.of_features, lookalike.SetSketch.of_features):
        parameters = inspect.signature(made).parameters
        assert parameters["normalize"].kind is inspect.Parameter.KEYWORD_ONLY, made
        assert made not in described or "    normalize: " in pydoc.render_doc(made)
    weighted = inspect.signature(lookalike.Sketch.of_weighted).parameters
    assert weighted["weights"].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    assert inspect.signature(lookalike.SetSketch).parameters["sketch"].default == "bottom-k:128"


def test_values_reach_the_engine() -> None:
    given = {"threshold": 0.7, "memory": 1 << 30, "max_record": "2M", "max_errors": 5, "seed": 9}
    texts = _settings.make_options("dedup", given).texts()
    names = ("threshold", "memory", "max-record", "max-errors", "seed")
    assert [texts[name] for name in names] == ["0.7", "1G", "2M", "5", "9"]
    assert (
        _settings.make_options("dedup", {"max_errors": "unlimited"}).texts()["max-errors"]
        == "unlimited"
    )
    defaults = _settings.make_options("dedup", {}).texts()
    assert _settings.make_options("dedup", dict.fromkeys(given)).texts() == defaults


def test_numbers_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    for value, text in (
        (numpy.float64(0.7), "0.7"), (numpy.array(0.7), "0.7"), (numpy.int64(1), "1"),
        (numpy.float32(0.5), "0.5"),
    ):  # fmt: skip
        assert _settings.make_options("dedup", {"threshold": value}).texts()["threshold"] == text
    assert _settings.make_options("dedup", {"threads": numpy.uint8(3)}).texts()["threads"] == "3"
    made = _settings.make_options("dedup", {"exact_empty": numpy.bool_(True)})
    assert made.texts()["exact-empty"] == "true"
    with pytest.raises(lookalike.OptionError, match="threshold has type ndarray"):
        call("dedup", threshold=numpy.array([0.7, 0.8]))
    assert lookalike.resemblance(numpy.str_("a b"), "a b", shingle="word:1") == 1.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": 2}, "^threshold=2 is not allowed; use a number above 0, at most 1, or"),
        ({"threshold": 0}, "^threshold=0 is not allowed"),
        ({"threshold": "x"}, "^threshold='x' is not understood"),
        ({"threshold": float("nan")}, "^threshold=nan is not allowed"),
        ({"threshold": True}, "^threshold='true' is not understood"),
        ({"threshold": [0.7]}, "^threshold has type list, expected a number or text"),
        ({"threads": 1.5}, "^threads=1.5 is not understood; use a whole number from 0"),
        ({"threads": -1}, "^threads=-1 is not understood"),
        ({"seed": 2**64}, "^seed=18446744073709551616 is not understood"),
        ({"memory": "lots"}, "^memory='lots' is not understood; use a size of 64M or more"),
        ({"memory": 1}, "^memory=1 is not allowed; use a size of 64M or more"),
        ({"exact_empty": 1}, "^exact_empty takes True or False, not 1"),
        ({"exact_empty": "yes"}, "^exact_empty takes True or False, not 'yes'"),
        ({"shingle": b"word:5"}, "^shingle has type bytes"),
        ({"shingle": "words"}, "^shingle='words' is not understood; use word:N, char:N"),
        ({"keep": "field:"}, "^keep='field:' names no field"),
        ({"design": "nope"}, "^design='nope': unknown kind of design"),
        ({"method": "exact", "design": "bands:20x5"}, "^design='bands:20x5' cannot be combined"),
        ({"verify": "guess"}, "^verify='guess' is not allowed"),
        ({"treshold": 0.5}, r"^dedup\(\) has no option treshold; did you mean threshold\?"),
        ({"Threshold": 0.5}, r"did you mean threshold\?"),
        ({"min-features": 2}, r"did you mean min_features\?"),
        ({"text_field": "a"}, r"did you mean text\?"),
        ({"save_too": "a"}, r"did you mean save_to\?"),
        ({"num_perm": 128}, r"^dedup\(\) has no option num_perm; it has text, id, against, save"),
        ({"json": True}, "has no option json"),
        ({"preset": "nope"}, "there is no preset 'nope'; use web, news"),
        ({"preset": 3}, "^preset has type int"),
        ({"config": 3}, "^config has type int"),
        ({"scratch": 3}, "^scratch has type int"),
        ({"scratch": b"x"}, "^scratch has type bytes"),
        ({"text": 3}, "^text has type int, expected the name of a column"),
        ({"id": ["id"]}, "^id has type list, expected the name of a column"),
        ({"text": "\ud800"}, "^text is .*not valid Unicode"),
        ({"config": "no such.toml"}, "check config="),
    ],
    ids=str,
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(lookalike.OptionError) as caught:
        call("dedup", **options)
    assert caught.match(message) or pytest.fail(caught.value.what)
    assert "--" not in str(caught.value)


def test_options_of_other_functions() -> None:
    with pytest.raises(lookalike.OptionError, match=r"pairs\(\) has no option cluster"):
        lookalike.pairs(TABLE, cluster="leader")
    with pytest.raises(lookalike.OptionError, match=r"plan\(\) has no option against"):
        lookalike.plan(TABLE, against=TABLE)
    with pytest.raises(lookalike.OptionError, match=r"compare\(\) has no option memory"):
        lookalike.resemblance("a", "b", memory="1G")
    for wrong in (None, b"a", 3):
        with pytest.raises(lookalike.OptionError, match="a text has type .*, expected str"):
            lookalike.compare(wrong, "b")


def test_wrong_options_are_found_before_a_stream_is_read() -> None:
    def batches() -> Any:
        raise AssertionError("was read")
        yield

    reader = pa.RecordBatchReader.from_batches(TABLE.schema, batches())
    for options in ({"threshold": 3}, {"nope": 1}, {"text": 3}):
        with pytest.raises(lookalike.OptionError):
            lookalike.dedup(reader, **options)


def test_errors_of_runs_speak_of_keywords(tmp_path: Path) -> None:
    for options, message in (
        ({"text": "nope"}, '"nope" that text= names; their fields are: text'),
        ({"id": "nope"}, '"nope" that id= names'),
        ({"keep": "source:a"}, "keep='source': no input is named 'a'"),
        ({"recall": 0.9999999, "threshold": 0.1, "method": "lsh"},
         "recall=0.9999999 at threshold=0.1 cannot be reached.*a sketch= with.*method='exact'"),
        ({"scratch": str(tmp_path / "none")}, "choose another with scratch="),
    ):  # fmt: skip
        with pytest.raises(lookalike.LookalikeError, match=message) as caught:
            call("dedup", **options)
        assert "--" not in str(caught.value)
        is_option = isinstance(caught.value, lookalike.OptionError)
        assert is_option == (caught.value.code == "option")
        assert caught.value.option in ("", *options)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("pass $<overwrite> to replace it", "pass overwrite=True to replace it"),
        ("name one with $<text-field>; the", "name one with text=; the"),
        ("give $<memory=8G> or use $<method=lsh>", "give memory='8G' or use method='lsh'"),
        ("($<max-record>); only", "(max_record=); only"),
        ("that $<by> names; see $<url-field>", "that by= names; see url="),
        ("$<shingle=''> is", "shingle='' is"),
        ("$<shingle='a>b'> is", "shingle='a>b' is"),
        ("$<shingle='it's'> is", 'shingle="it\'s" is'),
        ("$<threshold=1.5> is", "threshold=1.5 is"),
        ("use $(dedup), which", "use `lookalike.dedup`, which"),
        ("what $(filter state) wrote", "what `lookalike.filter(state=)` wrote"),
        ("see $(plan memory=8G seed=1)", "see `lookalike.plan(memory='8G', seed=1)`"),
        ("run $(options presets)", "run `lookalike options --presets`"),
        ("a field named --text-field stays", "a field named --text-field stays"),
        ("$ and $< and $(, $<A>, $<b stay", "$ and $< and $(, $<A>, $<b stay"),
    ],
)
def test_words_of_python(message: str, expected: str) -> None:
    assert _core.in_keywords(message) == expected
    assert _core.in_keywords(expected) == expected


# Presets and configurations.


def test_configurations_and_presets(tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text("threshold = 0.5\n")
    options = lookalike.dedup(TABLE, config=config).manifest["options"]
    assert options["threshold"] == "0.5"
    options = lookalike.dedup(TABLE, config=str(config), threshold=0.6).manifest["options"]
    assert options["threshold"] == "0.6"
    assert lookalike.dedup(TABLE, preset="web").manifest["options"]["keep"] == "longest"
    config.write_text("treshold = 0.5\n")
    with pytest.raises(lookalike.OptionError, match="no option 'treshold'") as caught:
        lookalike.dedup(TABLE, config=config)
    assert caught.value.where == f"{config}:1"


def test_a_configuration_may_name_the_column(tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text("text-field = 'body'\n")
    table = pa.table({"body": [LONG, LONG], "title": ["a", "b"]})
    for text in ("text", None, "body"):
        assert lookalike.dedup(table, text=text, config=config).kept.num_rows == 1
    assert lookalike.dedup(table, text="title", config=config).kept.num_rows == 2


# The tests below check what is generated from the table.


def extension() -> Path:
    return Path(_core.__file__)


def check_options(script: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(script), str(extension()), "--check"], capture_output=True, text=True
    )


def test_keywords_are_those_of_the_table(tmp_path: Path) -> None:
    tool = ROOT / "tools" / "generate_python_options.py"
    done = check_options(tool)
    assert done.returncode == 0, done.stderr
    copy = tmp_path / "tools" / tool.name
    copy.parent.mkdir()
    for file in (tool, tool.with_name("generated_file.py")):
        shutil.copy(file, copy.parent)
    target = tmp_path / "python" / "lookalike" / "_options.py"
    target.parent.mkdir(parents=True)
    generated = (ROOT / "python" / "lookalike" / "_options.py").read_text()
    target.write_text(generated)
    assert check_options(copy).returncode == 0
    target.write_text(generated.replace("threshold: float", "threshold: int", 1))
    assert check_options(copy).returncode == 1


def test_the_stub_is_that_of_the_module() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "generate_python_stub.py"), "--check"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_flags_of_the_command_and_keywords_are_the_same(command: Any) -> None:
    for function in FUNCTIONS:
        flags = {
            word.rstrip(",")[2:]
            for line in command(function, "--help", "all").stdout.splitlines()
            for word in line.split()[:2] if line.startswith("  --") and word.startswith("--")
        }  # fmt: skip
        talk = {
            "text-field",
            "id-field",
            "json",
            "quiet",
            "against",
            "help",
            "config",
            "preset",
            "rows",
        }
        known = {name.replace("_", "-") for name in _settings.rows(function)}
        assert known <= flags, function
        own = {"ask-only", "checkpoint", "at", "html", "overwrite", "found", "simulate",
               "features", "documents", "optimize", "edits", "words", "state", "url-field", "by",
               "item", "weight", "unit", "action", "min-left", "min-words",
               "min-chars"}  # fmt: skip
        assert known >= flags - talk - own, function
