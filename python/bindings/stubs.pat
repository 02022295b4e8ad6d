# Types that nanobind's stubgen cannot know: python/lookalike/_core.pyi is made with these.

^lookalike\._core\.Options\.texts$:
    def texts(self) -> dict[str, str]:
        \doc

^lookalike\._core\.option_rows$:
    \from typing import Any
    def option_rows(command: str) -> list[dict[str, Any]]:
        \doc

^lookalike\._core\.make_options$:
    def make_options(command: str, preset: str, config: str, given: dict[str, list[str]]) -> Options:
        \doc

^lookalike\._core\.(dedup)$:
    \from collections.abc import Mapping, Sequence
    def \1(names: Sequence[str], tables: Mapping[str, Table], output: str, rows: str, options: Options, progress: object | None, message: object | None) -> dict[str, Any]:
        \doc

^lookalike\._core\.(pairs|nearest)$:
    \from collections.abc import Mapping, Sequence
    def \1(names: Sequence[str], tables: Mapping[str, Table], folder: str, options: Options, progress: object | None, message: object | None) -> dict[str, Any]:
        \doc

^lookalike\._core\.(sketch|merge_sketches|weights)$:
    \from collections.abc import Mapping, Sequence
    def \1(names: Sequence[str], tables: Mapping[str, Table], output: str, options: Options, progress: object | None, message: object | None) -> dict[str, Any]:
        \doc

^lookalike\._core\.filter$:
    def filter(names: Sequence[str], tables: Mapping[str, Table], output: str, state: str, options: Options, progress: object | None, message: object | None) -> dict[str, Any]:
        \doc

^lookalike\._core\.group$:
    def group(names: Sequence[str], tables: Mapping[str, Table], output: str, by: str, item: str, weight: str, options: Options, progress: object | None, message: object | None) -> dict[str, Any]:
        \doc

^lookalike\._core\.passages$:
    def passages(names: Sequence[str], tables: Mapping[str, Table], output: str, min_words: int | None, min_chars: int | None, action: str, unit: str, min_left: int, options: Options, progress: object | None, message: object | None) -> dict[str, Any]:
        \doc

^lookalike\._core\.decontaminate$:
    def decontaminate(names: Sequence[str], tables: Mapping[str, Table], output: str, action: str, min_words: int, min_words_of: Mapping[str, int], item_field: str, item_id: str, options: Options, progress: object | None, message: object | None) -> dict[str, Any]:
        \doc

^lookalike\._core\.crumbs$:
    def crumbs(names: Sequence[str], tables: Mapping[str, Table], output: str, url: str, options: Options, progress: object | None, message: object | None) -> dict[str, Any]:
        \doc

^lookalike\._core\.evaluate$:
    def evaluate(result: str, truth: str, threshold: float) -> dict[str, Any]:
        \doc

^lookalike\._core\.plan$:
    def plan(names: Sequence[str], tables: Mapping[str, Table], options: Options, progress: object | None, message: object | None) -> dict[str, Any]:
        \doc

^lookalike\._core\.compare$:
    def compare(a: bytes, b: bytes, options: Options) -> dict[str, Any]:
        \doc

^lookalike\._core\.Fingerprinter\.run$:
    def run(self, table: Table, field: str, sketches: bool, keys: bool, counts: bool, progress: object | None) -> tuple[Any, Any, Any]:
        \doc

^lookalike\._core\.Fingerprinter\.features$:
    def features(self, text: bytes) -> NDArray[numpy.uint64]:
        \doc

^lookalike\._core\.Sketch\.coordinates$:
    @property
    def coordinates(self) -> NDArray[numpy.uint32]: ...

^lookalike\._core\.SetSketch\.values$:
    @property
    def values(self) -> NDArray[numpy.uint64]: ...

^lookalike\._core\.CompressedSketch\.values$:
    @property
    def values(self) -> NDArray[numpy.uint16]: ...

^lookalike\._core\.(Sketch|SetSketch|CompressedSketch)\.__eq__$:
    def __eq__(self, other: object, /) -> bool: ...
