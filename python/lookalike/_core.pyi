"""Bindings of the Lookalike engine; use the package `lookalike`."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray
import pyarrow


def version() -> str:
    """
    Version, fingerprint version and instruction set, as `lookalike --version`.
    """

class Options:
    """Checked options of one command."""

    def texts(self) -> dict[str, str]:
        """Every option's name and its value as the command takes it."""

def option_rows(command: str) -> list[dict[str, Any]]:
    """The rows of the options table that a command has."""

def in_keywords(message: str) -> str:
    """The message with keywords for the marks of options."""

def preset_names() -> list[str]:
    """The names of the presets, in the order of help."""

def make_options(command: str, preset: str, config: str, given: dict[str, list[str]]) -> Options:
    """
    Defaults, changed by a preset, by a configuration file, and by `given`: a list of texts for each name. Raises OptionError.
    """

class Table:
    """A table of Arrow data that the engine can read."""

    @property
    def rows(self) -> int:
        """Number of rows."""

def import_table(data: object) -> Table:
    """
    Shares the data of an object with `__arrow_c_stream__`. Raises RunError.
    """

class Fingerprinter:
    """Texts to sketches and band keys."""

    def __init__(self, options: Options, documents: int) -> None: ...

    @property
    def coordinates(self) -> int:
        """Values of a sketch."""

    @property
    def keys(self) -> int:
        """Band keys of a text."""

    @property
    def design(self) -> str:
        """The resolved design, or "exact"."""

    def run(self, table: Table, field: str, sketches: bool, keys: bool, counts: bool, progress: object | None) -> tuple[Any, Any, Any]:
        """
        Arrays (rows, coordinates), (rows, keys) and (rows,), None for those not wanted. Raises RunError.
        """

    def features(self, text: bytes) -> NDArray[numpy.uint64]:
        """The set of features of a text, ascending."""

class CompressedSketch:
    """A few bits of each coordinate."""

    @staticmethod
    def from_bytes(bytes: bytes) -> CompressedSketch:
        """Raises RunError."""

    def to_bytes(self) -> bytes: ...

    @property
    def name(self) -> str: ...

    @property
    def shingle(self) -> str: ...

    @property
    def seed(self) -> int: ...

    @property
    def bits(self) -> int: ...

    @property
    def empty(self) -> bool: ...

    @property
    def values(self) -> NDArray[numpy.uint16]: ...

    def resemblance(self, other: CompressedSketch) -> tuple[float, float]:
        """(estimate, standard error)"""

    def __eq__(self, other: object, /) -> bool: ...

class Sketch:
    """The sketch of a set of features."""

    @staticmethod
    def of_text(text: bytes, options: Options) -> Sketch: ...

    @staticmethod
    def of_features(features: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], options: Options) -> Sketch: ...

    @staticmethod
    def of_weighted(features: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], options: Options) -> Sketch: ...

    @staticmethod
    def of_coordinates(coordinates: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], options: Options) -> Sketch: ...

    @staticmethod
    def from_bytes(bytes: bytes) -> Sketch:
        """Raises RunError."""

    def to_bytes(self) -> bytes: ...

    def copy(self) -> Sketch: ...

    @property
    def name(self) -> str: ...

    @property
    def shingle(self) -> str: ...

    @property
    def seed(self) -> int: ...

    @property
    def empty(self) -> bool: ...

    @property
    def coordinates(self) -> NDArray[numpy.uint32]: ...

    def merge(self, other: Sketch) -> None: ...

    def update(self, features: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def resemblance(self, other: Sketch) -> tuple[float, float]:
        """(estimate, standard error)"""

    def compressed(self, bits: int) -> CompressedSketch:
        """Raises OptionError."""

    def feature_count(self) -> tuple[float, float]:
        """(estimate, standard error)"""

    def __eq__(self, other: object, /) -> bool: ...

class SetSketch:
    """A sample of a set of features."""

    @staticmethod
    def of_text(text: bytes, options: Options) -> SetSketch: ...

    @staticmethod
    def of_features(features: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], options: Options) -> SetSketch: ...

    @staticmethod
    def from_bytes(bytes: bytes) -> SetSketch:
        """Raises RunError."""

    def to_bytes(self) -> bytes: ...

    def copy(self) -> SetSketch: ...

    @property
    def name(self) -> str: ...

    @property
    def shingle(self) -> str: ...

    @property
    def seed(self) -> int: ...

    @property
    def values(self) -> NDArray[numpy.uint64]: ...

    def merge(self, other: SetSketch) -> None: ...

    def update(self, features: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def resemblance(self, other: SetSketch) -> tuple[float, float]:
        """(estimate, standard error)"""

    def containment(self, other: SetSketch) -> tuple[float, float]:
        """(estimate, standard error)"""

    def feature_count(self) -> tuple[float, float]:
        """(estimate, standard error)"""

    def __eq__(self, other: object, /) -> bool: ...

class Engine:
    """The steps of the engine over arrays."""

    @property
    def keys(self) -> int:
        """Band keys of a document."""

    @property
    def code_bytes(self) -> int:
        """Bytes of a document's code."""

    @property
    def levels(self) -> int:
        """Levels of the join."""

    @property
    def design(self) -> str:
        """The resolved design, or `exact`."""

    @property
    def least_features(self) -> int:
        """Fewest distinct features of a document in a pair."""

    @property
    def words(self) -> int:
        """Words of a document that pairs are tested by."""

    @property
    def guard_fields(self) -> list[str]:
        """Fields that guards compare."""

    def extract(self, table: Table, field: str, few: bool, progress: object | None, values: Table | None, present: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))]]:
        """
        Features (of all texts, or if `few`, of small ones), offsets, hashes, searched, codes, keys, text hashes, words and masks. `values`: a table whose column `value` has the values of `guard_fields` for each text. Raises RunError.
        """

    def pair_guards(self, a: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], d: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """
        0: nothing keeps the pair apart, 1: a guard tells the two apart, 2: a field forbids it. Raises RunError.
        """

    def guard_tokens(self, table: Table, field: str, values: Table | None, present: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[bytes]:
        """What guards find in each text and its values. Raises RunError."""

    def guard_differences(self, a: Sequence[bytes], d: Sequence[bytes]) -> list[str]:
        """What tells the two of each pair apart, as JSON. Raises RunError."""

    def join(self, features: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], searched: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], documents: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))]]:
        """The candidate pairs a and d. Raises RunError."""

    def join_keys(self, level: int, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], documents: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))]]:
        """
        Pairs a and d of one level, and keys and documents of the next. Raises RunError.
        """

    def verify(self, a: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], d: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], features: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))]]:
        """Edges: a, d, common, size_a and size_d. Raises RunError."""

def make_engine(options: Options, documents: int, all_pairs: bool, reference_end: int, differ: Sequence[str] = [], same: Sequence[str] = [], not_same: Sequence[str] = []) -> Engine:
    """Raises OptionError."""

def class_hashes(hashes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
    """The hashes by which documents are copies. Raises RunError."""

class DocumentReader:
    """Documents of inputs, batch by batch."""

    def next(self) -> object:
        """
        Input, text offsets, texts, id offsets, ids, rows, nulls and guard values, or None. Raises RunError.
        """

    @property
    def rejected(self) -> int:
        """Records that were left out so far."""

    def take_messages(self) -> list[str]:
        """Messages since the last call."""

class RowReader:
    """Rows of a file, batch by batch."""

    def next(self) -> object:
        """
        Form, and name, offsets and values of each field; or None. Raises RunError.
        """

def open_reader(names: Sequence[str], tables: Mapping[str, Table], options: Options) -> DocumentReader:
    """Opens the inputs. Raises RunError."""

def open_rows(path: bytes, options: Options) -> RowReader:
    """Opens a file whose rows are text. Raises RunError."""

def find_classes(hashes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], searched: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
    """The first document with the same hash, for each. Raises RunError."""

def keep_greedy(a: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], d: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], documents: int) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))]]:
    """Removed, witness and edge of each removal. Raises RunError."""

def group_linked(a: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], d: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], documents: int) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
    """The cluster of each document. Raises RunError."""

def read_json_lines(engine: Engine, text: str, id: str, keep: Sequence[str], bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], bytes, Annotated[NDArray[numpy.int64], dict(shape=(None,))], bytes, Annotated[NDArray[numpy.int64], dict(shape=(None,))], bytes, Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], bytes, Annotated[NDArray[numpy.int64], dict(shape=(None,))], bytes, Annotated[NDArray[numpy.uint8], dict(shape=(None,))]]:
    """
    Kinds, text offsets, texts, id offsets, ids, keep offsets, keep keys, has_id, repaired, reason offsets, reasons, guard offsets, guard values and has_guard_value of lines. Of the fields that `keep` names, and of those of guards, each line has one after the other. Raises RunError.
    """

def report_page(engine: Engine, found: str) -> bytes:
    """report.html. Raises RunError."""

def find_copies(documents: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], hashes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], text_hashes: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))]]:
    """Representative, copy and same_text of each copy. Raises RunError."""

class SmallBuckets:
    """Joins the records of whole keys."""

    def add(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], documents: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], classes: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Raises RunError."""

    def take_large(self) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))]]:
        """Keys and documents of large buckets."""

    @property
    def may_hold_copies(self) -> bool:
        """True if the documents of large buckets may include copies."""

    def finish(self) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))]]:
        """The pairs a and d of small buckets."""

def make_small_buckets(engine: Engine, level: int, records: int) -> SmallBuckets:
    """Raises RunError."""

class LargeBuckets:
    """Joins large buckets, which pass by."""

    def add(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], documents: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], guards: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Raises RunError."""

    def finish(self) -> None:
        """Ends the last bucket. Raises RunError."""

    def take_pairs(self) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))]]:
        """Pairs a and d found so far."""

    def take_refined(self) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))]]:
        """Keys and documents of the next level."""

def make_large_buckets(engine: Engine, level: int) -> LargeBuckets:
    """Raises RunError."""

def may_be_alike(engine: Engine, a: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], d: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], searched: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))]]:
    """The pairs that codes do not rule out. Raises RunError."""

def few_features(documents: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], features: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))]]:
    """Keys, documents and sizes. Raises RunError."""

def count_few_features(keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], documents: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], sizes: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], guards: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))]]:
    """Keys, documents, sizes, counts and guards. Raises RunError."""

def count_feature_groups(engine: Engine, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], documents: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], sizes: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], counts: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))]]:
    """Keys, groups and documents. Raises RunError."""

def make_meetings(engine: Engine, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], documents: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], sizes: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], counts: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], guards: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], group_keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], groups: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], group_documents: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))]]:
    """Keys, documents, signatures and shapes. Raises RunError."""

def join_meetings(engine: Engine, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], documents: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], signatures: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], shapes: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))]]:
    """The pairs a and d. Raises RunError."""

class KeepScan:
    """Decides which documents are removed."""

    def __init__(self) -> None: ...

    def take(self, a: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], d: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """
        The edges, by position, that remove their later document. Raises RunError.
        """

class SampleComparison:
    """Compares documents with a sample."""

    def add(self, documents: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], features: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], searched: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Compares documents. Raises RunError."""

    def take(self) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))]]:
        """Sample, document and draw; and how many, by sample."""

def make_sample_comparison(engine: Engine, documents: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], features: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> SampleComparison:
    """Raises RunError."""

def may_reach_sample(engine: Engine, sampled: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
    """
    For each code, whether it may be of a document like a sampled one. Raises RunError.
    """

def estimate_recall(pairs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], found: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], asked: float) -> tuple[float | None, float | None, float | None, bool]:
    """
    Estimate, low, high, and whether what was asked is met. Raises RunError.
    """

def dedup(names: Sequence[str], tables: Mapping[str, Table], output: str, rows: str, options: Options, progress: object | None, message: object | None) -> dict[str, Any]:
    """
    Runs `dedup` into the folder `output`, and its rows into tables in the folder `rows` unless that is empty. Returns the summary. Raises RunError.
    """

def pairs(names: Sequence[str], tables: Mapping[str, Table], folder: str, options: Options, progress: object | None, message: object | None) -> dict[str, Any]:
    """Finds pairs, in pairs.arrow in `folder`. Raises RunError."""

def nearest(names: Sequence[str], tables: Mapping[str, Table], folder: str, options: Options, progress: object | None, message: object | None) -> dict[str, Any]:
    """Finds neighbours, in neighbours.arrow in `folder`. Raises RunError."""

def sketch(names: Sequence[str], tables: Mapping[str, Table], output: str, options: Options, progress: object | None, message: object | None) -> dict[str, Any]:
    """Runs `sketch` into the file `output`. Raises RunError."""

def merge_sketches(names: Sequence[str], tables: Mapping[str, Table], output: str, options: Options, progress: object | None, message: object | None) -> dict[str, Any]:
    """Runs `merge-sketches` into the file `output`. Raises RunError."""

def plan(names: Sequence[str], tables: Mapping[str, Table], options: Options, progress: object | None, message: object | None) -> dict[str, Any]:
    """Predicts a run from a sample of the data. Raises RunError."""

def copy_to_store(path: str, output: str, options: Options) -> None:
    """Copies a result to the URI of an object store. Raises RunError."""

def compare(a: bytes, b: bytes, options: Options) -> dict[str, Any]:
    """Compares two texts in UTF-8. Raises RunError."""

def discard_interrupted(output: str) -> None:
    """
    Removes what an interrupted run of `dedup` left, under its lock. Raises RunError.
    """

def check_overwrite(folder: str) -> None:
    """Raises RunError if a folder holds more than a result."""

def filter(names: Sequence[str], tables: Mapping[str, Table], output: str, state: str, options: Options, progress: object | None, message: object | None) -> dict[str, Any]:
    """
    Runs `filter` into the file `output`; `state` may be empty. Raises RunError.
    """

def weights(names: Sequence[str], tables: Mapping[str, Table], output: str, options: Options, progress: object | None, message: object | None) -> dict[str, Any]:
    """Runs `weights` into the file `output`. Raises RunError."""

def group(names: Sequence[str], tables: Mapping[str, Table], output: str, by: str, item: str, weight: str, options: Options, progress: object | None, message: object | None) -> dict[str, Any]:
    """
    Runs `group` into the file `output`; `weight` may be empty. Raises RunError.
    """

def passages(names: Sequence[str], tables: Mapping[str, Table], output: str, min_words: int | None, min_chars: int | None, action: str, unit: str, min_left: int, options: Options, progress: object | None, message: object | None) -> dict[str, Any]:
    """Runs `passages` into the folder `output`. Raises RunError."""

def decontaminate(names: Sequence[str], tables: Mapping[str, Table], output: str, action: str, min_words: int, min_words_of: Mapping[str, int], item_field: str, item_id: str, options: Options, progress: object | None, message: object | None) -> dict[str, Any]:
    """Runs `decontaminate` into the folder `output`. Raises RunError."""

def crumbs(names: Sequence[str], tables: Mapping[str, Table], output: str, url: str, options: Options, progress: object | None, message: object | None) -> dict[str, Any]:
    """Runs `crumbs` into the file `output`. Raises RunError."""

def evaluate(result: str, truth: str, threshold: float) -> dict[str, Any]:
    """Scores a file of pairs against one of true pairs. Raises RunError."""

def synthesize(output: str, documents: int, seed: int, duplicates: float, truth: str) -> None:
    """
    Writes a corpus, and the truth about it unless `truth` is empty. Raises RunError.
    """

class Index:
    """An open index."""

    @property
    def closed(self) -> bool:
        """True after close()."""

    def close(self) -> None:
        """Closes the index once other calls have ended."""

    def settings(self) -> tuple[str, dict[str, str | list[str]]]:
        """What is kept, and the options as texts. Raises RunError."""

    def add(self, documents: list[tuple[bytes, bytes, bytes, list[str | None] | None]], unless_similar: float | None) -> list[tuple[str, tuple[str, float, float, float, bool, float, str] | None]]:
        """
        Adds documents (id, text, metadata, values of the fields that guards compare) in one step. Raises RunError.
        """

    def guard_values(self, object: str) -> list[str | None]:
        """
        The values of the fields that guards compare, in an object of JSON. Raises RunError.
        """

    def guard_fields(self) -> list[str]:
        """The fields that guards compare. Raises RunError."""

    def snapshot(self) -> Index:
        """The index as it is now. Raises RunError."""

    def load(self, names: list[str], tables: dict[str, pyarrow.Table], options: Options, unless_similar: float | None, progress: object | None, message: object | None) -> tuple[int, int, int, int, int]:
        """
        Adds the documents of inputs: how many were added, replaced, unchanged, similar and rejected. Raises RunError.
        """

    def remove(self, ids: list[bytes]) -> int:
        """Removes documents in one step. Raises RunError."""

    def query_text(self, text: bytes, asked: tuple[float, int, int, bool, str], values: list[str | None] | None) -> tuple[list[tuple[str, float, float, float, bool, float, str]], bool, int]:
        """Matches, truncated and candidates. Raises RunError."""

    def query_id(self, id: bytes, asked: tuple[float, int, int, bool, str]) -> tuple[list[tuple[str, float, float, float, bool, float, str]], bool, int]:
        """The same for a stored document. Raises RunError."""

    def query_texts(self, texts: list[bytes], asked: tuple[float, int, int, bool, str], threads: int, values: list[list[str | None] | None]) -> list[tuple[list[tuple[str, float, float, float, bool, float, str]], bool, int]]:
        """The same for many texts. Raises RunError."""

    def get(self, id: bytes) -> tuple[str, str, bytes | None, int] | None:
        """Id, metadata, text and number of features, or None. Raises RunError."""

    def stats(self) -> dict[str, Any]:
        """Documents, bytes, keep, keys and threshold. Raises RunError."""

    def clusters(self, threshold: float) -> list[tuple[str, list[str]]]:
        """
        Clusters by name, with the ids of their documents. Raises RunError, OptionError.
        """

    def changes(self, since: int, most: int) -> list[str]:
        """Some changes of clusters after a number, in JSON. Raises RunError."""

    def audit(self, documents: int) -> dict[str, Any]:
        """The recall of queries for some documents. Raises RunError."""

    def check(self) -> None:
        """Raises RunError if anything is wrong."""

    def compact(self) -> None:
        """Rewrites all files. Raises RunError."""

    def backup(self, folder: str) -> None:
        """Copies the index. Raises RunError."""

    def merge(self, other: Index) -> None:
        """Adds all documents of another. Raises RunError."""

class IndexListing:
    """The documents of an index, some at a time."""

    def __init__(self, index: Index) -> None: ...

    def next(self) -> list[tuple[str, str, bytes | None, int]]:
        """
        The next documents, as `get` returns them; none at the end. Raises RunError.
        """

def create_index(folder: str, options: Options, keep: str, clusters: bool) -> None:
    """Makes an empty index. Raises RunError, OptionError."""

def open_index(folder: str, writes: bool, options: Options) -> Index:
    """Opens an index. Of the options `memory` counts. Raises RunError."""
