#!/usr/bin/env python3
"""Runs another program's way to near-duplicates over a JSON Lines file, in one thread.

    peers.py NAME IN OUT --started FILE

Run by the interpreter of an environment that has the package (bench/compare.py makes them). OUT
gets pairs, two ids a line, or is a folder with what is kept. Packages that take words get the
ones of the truth, as near as Python has them: \\w+ of the text in lower case, runs of five as a
set. Bands are 16 of 8 everywhere, except where a package knows only its own.

FILE gets the CPU seconds that the interpreter and the imports took: they are not counted.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

BANDS, ROWS = 16, 8
THRESHOLD = 0.8
CHUNK = 2000
words_of = re.compile(r"\w+").findall
Run = Callable[[Path, Path], None]


def documents(path: Path) -> Iterator[tuple[str, str]]:
    from orjson import loads

    with open(path, "rb") as file:
        for line in file:
            row = loads(line)
            yield str(row["id"]), row["text"]


def shingles(text: str) -> set[str]:
    words = words_of(text.lower())
    return {" ".join(words[i : i + 5]) for i in range(max(1, len(words) - 4))}


def chunks_of_shingles(path: Path) -> Iterator[tuple[list[str], list[list[str]]]]:
    ids: list[str] = []
    sets: list[list[str]] = []
    for identity, text in documents(path):
        ids.append(identity)
        sets.append(list(shingles(text)))
        if len(ids) == CHUNK:
            yield ids, sets
            ids, sets = [], []
    if ids:
        yield ids, sets


def prepare_datasketch() -> Run:
    from datasketch import MinHash, MinHashLSH

    def run(source: Path, target: Path) -> None:
        index = MinHashLSH(num_perm=BANDS * ROWS, params=(BANDS, ROWS))
        permutations = MinHash(num_perm=BANDS * ROWS).permutations
        with open(target, "w", encoding="utf-8") as out:
            for identity, text in documents(source):
                sketch = MinHash(num_perm=BANDS * ROWS, permutations=permutations)
                sketch.update_batch([shingle.encode() for shingle in shingles(text)])
                out.writelines(f"{other}\t{identity}\n" for other in index.query(sketch))
                index.insert(identity, sketch, check_duplication=False)

    return run


def prepare_rensa(verify: bool) -> Run:
    from rensa import RMinHash, RMinHashLSH

    def run(source: Path, target: Path) -> None:
        index = RMinHashLSH(threshold=THRESHOLD, num_perm=BANDS * ROWS, num_bands=BANDS)
        ids: list[str] = []
        sketches: list[Any] = []
        with open(target, "w", encoding="utf-8") as out:
            for more_ids, sets in chunks_of_shingles(source):
                for sketch in RMinHash.from_token_sets(sets, BANDS * ROWS, 42):
                    identity = more_ids[len(ids) % CHUNK]
                    for other in index.query(sketch):
                        if not verify or sketches[other].jaccard(sketch) >= THRESHOLD:
                            out.write(f"{ids[other]}\t{identity}\n")
                    index.insert(len(ids), sketch)
                    ids.append(identity)
                    if verify:
                        sketches.append(sketch)

    return run


def prepare_fastsketchlsh() -> Run:
    import numpy
    from FastSketchLSH import LSH, FastSimilaritySketch

    def run(source: Path, target: Path) -> None:
        sketcher = FastSimilaritySketch(size=BANDS * ROWS, seed=42)
        ids: list[str] = []
        parts = []
        for more_ids, sets in chunks_of_shingles(source):
            ids += more_ids
            parts.append(numpy.asarray(sketcher.batch(sets, num_threads=1)).copy())
        sketches = numpy.concatenate(parts)
        index = LSH(num_perm=BANDS * ROWS, num_bands=BANDS, num_threads=1)
        index.insert(sketches)
        others, begins = index.query(sketches, format="csr")
        with open(target, "w", encoding="utf-8") as out:
            for number, identity in enumerate(ids):
                for other in others[begins[number] : begins[number + 1]]:
                    if other < number:
                        out.write(f"{ids[other]}\t{identity}\n")

    return run


def prepare_gaoya() -> Run:
    from gaoya.minhash import MinHashStringIndex

    def run(source: Path, target: Path) -> None:
        """Its own words and five-grams; pairs are those whose sketches agree at the threshold."""
        index = MinHashStringIndex(
            hash_size=32, jaccard_threshold=THRESHOLD, num_bands=BANDS, band_size=ROWS,
            analyzer="word", lowercase=True, ngram_range=(5, 5),
        )  # fmt: skip
        ids, texts = map(list, zip(*documents(source), strict=True))
        index.par_bulk_insert_docs(list(range(len(texts))), texts)
        with open(target, "w", encoding="utf-8") as out:
            for begin in range(0, len(texts), CHUNK):
                found = index.par_bulk_query(texts[begin : begin + CHUNK])
                for number, others in enumerate(found, begin):
                    out.writelines(f"{ids[i]}\t{ids[number]}\n" for i in others if i < number)

    return run


def prepare_daft() -> Run:
    import daft
    import numpy
    from daft import col
    from daft.functions import normalize

    def run(source: Path, target: Path) -> None:
        """Its normalisation and MinHash; a pair is two documents of one band, unchecked."""
        text = normalize(col("text"), remove_punct=True, lowercase=True, white_space=True)
        sketch = text.minhash(num_hashes=BANDS * ROWS, ngram_size=5, seed=42)
        frame = daft.read_json(str(source)).select(col("id"), sketch.alias("sketch")).collect()
        table = frame.to_arrow()
        ids = table.column("id").to_pylist()
        flat = table.column("sketch").combine_chunks().values.to_numpy(zero_copy_only=False)
        sketches = flat.reshape(len(ids), BANDS * ROWS)
        pairs: set[tuple[int, int]] = set()
        for band in range(BANDS):
            rows = numpy.ascontiguousarray(sketches[:, band * ROWS : (band + 1) * ROWS])
            buckets = defaultdict(list)
            for number, key in enumerate(rows.view(f"V{rows.itemsize * ROWS}").ravel().tolist()):
                buckets[key].append(number)
            for bucket in buckets.values():
                pairs |= {(a, b) for i, b in enumerate(bucket) for a in bucket[:i]}
        with open(target, "w", encoding="utf-8") as out:
            out.writelines(f"{ids[a]}\t{ids[b]}\n" for a, b in pairs)

    return run


def prepare_datatrove() -> Run:
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.dedup import (
        MinhashDedupBuckets,
        MinhashDedupCluster,
        MinhashDedupFilter,
        MinhashDedupSignature,
    )
    from datatrove.pipeline.dedup.minhash import MinhashConfig
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers.jsonl import JsonlWriter
    from datatrove.utils.word_tokenizers import WordTokenizer

    class PlainWords(WordTokenizer):
        """The words of the others: its English tokenizer takes several times as long."""

        def word_tokenize(self, text: str) -> list[str]:
            return words_of(text)

        def sent_tokenize(self, text: str) -> list[str]:
            return [text]

        def span_tokenize(self, text: str) -> list[tuple[int, int]]:
            return [(0, len(text))]

    def run(source: Path, target: Path) -> None:
        """The four steps of its local MinHash pipeline, 14 bands of 8, with one worker."""
        config, place = MinhashConfig(), str(target.parent / (target.name + ".work"))

        def document(_reader: Any, row: dict[str, Any], *_place: object) -> dict[str, Any]:
            return {"text": row["text"], "id": str(row["id"])}  # it would lose an id of 0

        def read() -> JsonlReader:
            return JsonlReader(
                str(source.parent), glob_pattern=source.name, compression=None, adapter=document
            )

        steps = [
            [read(), MinhashDedupSignature(f"{place}/sketches", config, PlainWords())],
            [MinhashDedupBuckets(f"{place}/sketches", f"{place}/buckets", config=config)],
            [MinhashDedupCluster(f"{place}/buckets", f"{place}/removed", config=config)],
            [read(), MinhashDedupFilter(f"{place}/removed"),
             JsonlWriter(str(target), compression=None)],
        ]  # fmt: skip
        for number, pipeline in enumerate(steps):
            tasks = config.num_buckets if number == 1 else 1
            LocalPipelineExecutor(
                pipeline=pipeline, tasks=tasks, workers=1, logging_dir=f"{place}/log{number}"
            ).run()

    return run


def prepare_duckdb() -> Run:
    import duckdb

    def run(source: Path, target: Path) -> None:
        """COPY of the whole file to the same format and codec; nothing is looked for."""
        connection = duckdb.connect(config={"threads": 1})
        if source.suffix == ".parquet":
            table, form = f"read_parquet('{source}')", "FORMAT parquet, COMPRESSION zstd"
        else:
            # Without a named type it would look at the front of the file first.
            columns = "columns={'id': 'BIGINT', 'text': 'VARCHAR'}, format='newline_delimited'"
            table, form = f"read_json('{source}', {columns})", "FORMAT json"
            form += ", COMPRESSION zstd" if source.suffix == ".zst" else ""
        connection.execute(f"COPY (SELECT * FROM {table}) TO '{target}' ({form})")

    return run


PEERS: dict[str, Callable[[], Run]] = {
    "datasketch": prepare_datasketch,
    "rensa": lambda: prepare_rensa(verify=False),
    "rensa-verify": lambda: prepare_rensa(verify=True),
    "fastsketchlsh": prepare_fastsketchlsh,
    "gaoya": prepare_gaoya,
    "daft": prepare_daft,
    "datatrove": prepare_datatrove,
    "duckdb": prepare_duckdb,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", choices=PEERS)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--started", type=Path, required=True)
    arguments = parser.parse_args()
    run = PEERS[arguments.name]()
    arguments.started.write_text(f"{time.process_time()}\n", encoding="ascii")
    run(arguments.source, arguments.target)


if __name__ == "__main__":
    main()
