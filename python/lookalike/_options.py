"""Keywords of the functions; made by tools/generate_python_options.py."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final, Literal, TypedDict


class DedupOptions(TypedDict, total=False):
    """Keywords of :func:`lookalike.dedup`; None is the default."""

    threshold: float | str | Mapping[str, float] | None
    fields: Literal["all", "any"] | None
    measure: Literal["resemblance", "containment"] | None
    recall: float | None
    shingle: str | None
    normalize: str | None
    pages: Literal["auto", "off", "visible", "altavista"] | None
    segment: Literal["script", "icu"] | None
    stop_words: str | os.PathLike[str] | None
    weights: str | os.PathLike[str] | None
    weight_unit: float | None
    bag: Literal["off", "max"] | None
    ratings: str | None
    hash: Literal["mixer", "rabin"] | None
    feature_bits: Literal[64, 32] | None
    exact_empty: bool | None
    min_features: int | None
    differ: str | list[str] | None
    same: str | list[str] | None
    not_same: str | list[str] | None
    seed: int | None
    method: str | None
    design: str | None
    sketch: str | None
    verify: Literal["exact", "sketch+exact"] | None
    audit_documents: int | None
    keep: str | list[str] | None
    decisions: str | os.PathLike[str] | None
    cluster: Literal["leader", "components"] | None
    output: Literal["copies", "annotated"] | None
    output_shard: int | str | None
    delimiter: str | None
    max_record: int | str | None
    max_expansion: float | None
    max_errors: int | str | None
    include: str | list[str] | None
    exclude: str | list[str] | None
    follow_links: bool | None
    skip_bad_inputs: bool | None
    add: bool | None
    threads: int | None
    memory: int | str | None
    scratch: str | os.PathLike[str] | None
    object_endpoint: str | None
    object_region: str | None
    object_anonymous: bool | None
    overwrite: bool | None
    resume: bool | None
    yes: bool | None
    profile: str | None
    preset: Literal[
        "web", "news", "corpus", "plagiarism", "mirrors", "code", "baskets", "urls", "crumbs",
        "pixels", "questions", "records", "altavista97", "altavista98", "bing", "bytes8",
        "bytes8large", "mmds20x5"
    ] | None
    config: str | os.PathLike[str] | None


class PairsOptions(TypedDict, total=False):
    """Keywords of :func:`lookalike.pairs`; None is the default."""

    threshold: float | str | Mapping[str, float] | None
    fields: Literal["all", "any"] | None
    measure: Literal["resemblance", "containment"] | None
    recall: float | None
    shingle: str | None
    normalize: str | None
    pages: Literal["auto", "off", "visible", "altavista"] | None
    segment: Literal["script", "icu"] | None
    stop_words: str | os.PathLike[str] | None
    weights: str | os.PathLike[str] | None
    weight_unit: float | None
    bag: Literal["off", "max"] | None
    ratings: str | None
    hash: Literal["mixer", "rabin"] | None
    feature_bits: Literal[64, 32] | None
    min_features: int | None
    differ: str | list[str] | None
    same: str | list[str] | None
    not_same: str | list[str] | None
    seed: int | None
    distance: Literal["off", "l1", "l2", "cosine", "angular", "hamming", "edit", "indel"] | None
    within: float | None
    method: str | None
    design: str | None
    sketch: str | None
    sketch_bits: Literal[1, 2, 4, 8, 16, 32] | None
    verify: Literal["exact", "sketch+exact", "sketch", "none"] | None
    audit_documents: int | None
    delimiter: str | None
    max_record: int | str | None
    max_expansion: float | None
    max_errors: int | str | None
    include: str | list[str] | None
    exclude: str | list[str] | None
    follow_links: bool | None
    skip_bad_inputs: bool | None
    threads: int | None
    memory: int | str | None
    scratch: str | os.PathLike[str] | None
    object_endpoint: str | None
    object_region: str | None
    object_anonymous: bool | None
    yes: bool | None
    preset: Literal[
        "web", "news", "corpus", "plagiarism", "mirrors", "code", "baskets", "urls", "crumbs",
        "pixels", "questions", "records", "altavista97", "altavista98", "bing", "bytes8",
        "bytes8large", "mmds20x5"
    ] | None
    config: str | os.PathLike[str] | None


class NearestOptions(TypedDict, total=False):
    """Keywords of :func:`lookalike.nearest`; None is the default."""

    threshold: float | str | Mapping[str, float] | None
    fields: Literal["all", "any"] | None
    recall: float | None
    shingle: str | None
    normalize: str | None
    pages: Literal["auto", "off", "visible", "altavista"] | None
    segment: Literal["script", "icu"] | None
    stop_words: str | os.PathLike[str] | None
    weights: str | os.PathLike[str] | None
    weight_unit: float | None
    bag: Literal["off", "max"] | None
    ratings: str | None
    hash: Literal["mixer", "rabin"] | None
    feature_bits: Literal[64, 32] | None
    min_features: int | None
    seed: int | None
    distance: Literal["off", "l1", "l2", "cosine", "angular", "hamming", "edit", "indel"] | None
    within: float | None
    top: int | None
    method: str | None
    design: str | None
    sketch: str | None
    sketch_bits: Literal[1, 2, 4, 8, 16, 32] | None
    verify: Literal["exact", "sketch+exact"] | None
    audit_documents: int | None
    delimiter: str | None
    max_record: int | str | None
    max_expansion: float | None
    max_errors: int | str | None
    include: str | list[str] | None
    exclude: str | list[str] | None
    follow_links: bool | None
    skip_bad_inputs: bool | None
    threads: int | None
    memory: int | str | None
    scratch: str | os.PathLike[str] | None
    object_endpoint: str | None
    object_region: str | None
    object_anonymous: bool | None
    preset: Literal[
        "web", "news", "corpus", "plagiarism", "mirrors", "code", "baskets", "urls", "crumbs",
        "pixels", "questions", "records", "altavista97", "altavista98", "bing", "bytes8",
        "bytes8large", "mmds20x5"
    ] | None
    config: str | os.PathLike[str] | None


class PlanOptionsWithoutWeights(TypedDict, total=False):
    """The keywords of PlanOptions, except `weights`."""

    threshold: float | str | Mapping[str, float] | None
    measure: Literal["resemblance", "containment"] | None
    recall: float | None
    shingle: str | None
    normalize: str | None
    pages: Literal["auto", "off", "visible", "altavista"] | None
    segment: Literal["script", "icu"] | None
    stop_words: str | os.PathLike[str] | None
    weight_unit: float | None
    bag: Literal["off", "max"] | None
    ratings: str | None
    hash: Literal["mixer", "rabin"] | None
    feature_bits: Literal[64, 32] | None
    min_features: int | None
    seed: int | None
    method: str | None
    design: str | None
    sketch: str | None
    delimiter: str | None
    max_record: int | str | None
    max_expansion: float | None
    include: str | list[str] | None
    exclude: str | list[str] | None
    follow_links: bool | None
    skip_bad_inputs: bool | None
    threads: int | None
    memory: int | str | None
    object_endpoint: str | None
    object_region: str | None
    object_anonymous: bool | None
    preset: Literal[
        "web", "news", "corpus", "plagiarism", "mirrors", "code", "baskets", "urls", "crumbs",
        "pixels", "questions", "records", "altavista97", "altavista98", "bing", "bytes8",
        "bytes8large", "mmds20x5"
    ] | None
    config: str | os.PathLike[str] | None


class PlanOptions(PlanOptionsWithoutWeights, total=False):
    """Keywords of :func:`lookalike.plan`; None is the default."""

    weights: str | os.PathLike[str] | None


class CompareOptionsWithoutShingle(TypedDict, total=False):
    """The keywords of CompareOptions, except `shingle`."""

    threshold: float | str | Mapping[str, float] | None
    normalize: str | None
    pages: Literal["auto", "off", "visible", "altavista"] | None
    segment: Literal["script", "icu"] | None
    stop_words: str | os.PathLike[str] | None
    weights: str | os.PathLike[str] | None
    weight_unit: float | None
    bag: Literal["off", "max", "sum"] | None
    ratings: str | None
    hash: Literal["mixer", "rabin"] | None
    feature_bits: Literal[64, 32] | None
    distance: Literal["off", "l1", "l2", "cosine", "angular", "hamming", "edit", "indel"] | None
    within: float | None
    sketch: str | None
    sketch_bits: Literal[1, 2, 4, 8, 16, 32] | None
    verify: Literal["exact", "sketch+exact", "sketch"] | None
    delimiter: str | None
    max_record: int | str | None
    max_expansion: float | None
    preset: Literal[
        "web", "news", "corpus", "plagiarism", "mirrors", "code", "baskets", "urls", "crumbs",
        "pixels", "questions", "records", "altavista97", "altavista98", "bing", "bytes8",
        "bytes8large", "mmds20x5"
    ] | None
    config: str | os.PathLike[str] | None


class CompareOptions(CompareOptionsWithoutShingle, total=False):
    """Keywords of :func:`lookalike.compare`; None is the default."""

    shingle: str | None


class SketchOptions(TypedDict, total=False):
    """Keywords of :func:`lookalike.sketch`; None is the default."""

    shingle: str | None
    normalize: str | None
    pages: Literal["auto", "off", "visible", "altavista"] | None
    segment: Literal["script", "icu"] | None
    stop_words: str | os.PathLike[str] | None
    weights: str | os.PathLike[str] | None
    weight_unit: float | None
    bag: Literal["off", "max"] | None
    ratings: str | None
    hash: Literal["mixer", "rabin"] | None
    feature_bits: Literal[64, 32] | None
    seed: int | None
    sketch: str | None
    sketch_bits: Literal[1, 2, 4, 8, 16, 32] | None
    delimiter: str | None
    max_record: int | str | None
    max_expansion: float | None
    max_errors: int | str | None
    include: str | list[str] | None
    exclude: str | list[str] | None
    follow_links: bool | None
    threads: int | None
    memory: int | str | None
    object_endpoint: str | None
    object_region: str | None
    object_anonymous: bool | None
    preset: Literal[
        "web", "news", "corpus", "plagiarism", "mirrors", "code", "baskets", "urls", "crumbs",
        "pixels", "questions", "records", "altavista97", "altavista98", "bing", "bytes8",
        "bytes8large", "mmds20x5"
    ] | None
    config: str | os.PathLike[str] | None


class FilterOptions(TypedDict, total=False):
    """Keywords of :func:`lookalike.filter`; None is the default."""

    shingle: str | None
    normalize: str | None
    pages: Literal["auto", "off", "visible", "altavista"] | None
    segment: Literal["script", "icu"] | None
    stop_words: str | os.PathLike[str] | None
    weights: str | os.PathLike[str] | None
    weight_unit: float | None
    bag: Literal["off", "max"] | None
    ratings: str | None
    hash: Literal["mixer", "rabin"] | None
    feature_bits: Literal[64, 32] | None
    min_features: int | None
    seed: int | None
    design: str | None
    sketch: str | None
    delimiter: str | None
    max_record: int | str | None
    max_expansion: float | None
    max_errors: int | str | None
    include: str | list[str] | None
    exclude: str | list[str] | None
    follow_links: bool | None
    threads: int | None
    memory: int | str | None
    object_endpoint: str | None
    object_region: str | None
    object_anonymous: bool | None
    preset: Literal[
        "web", "news", "corpus", "plagiarism", "mirrors", "code", "baskets", "urls", "crumbs",
        "pixels", "questions", "records", "altavista97", "altavista98", "bing", "bytes8",
        "bytes8large", "mmds20x5"
    ] | None
    config: str | os.PathLike[str] | None


class WeightsOptions(TypedDict, total=False):
    """Keywords of :func:`lookalike.weights`; None is the default."""

    shingle: str | None
    normalize: str | None
    pages: Literal["auto", "off", "visible", "altavista"] | None
    segment: Literal["script", "icu"] | None
    delimiter: str | None
    max_record: int | str | None
    max_expansion: float | None
    include: str | list[str] | None
    exclude: str | list[str] | None
    follow_links: bool | None
    threads: int | None
    memory: int | str | None
    object_endpoint: str | None
    object_region: str | None
    object_anonymous: bool | None
    preset: Literal[
        "web", "news", "corpus", "plagiarism", "mirrors", "code", "baskets", "urls", "crumbs",
        "pixels", "questions", "records", "altavista97", "altavista98", "bing", "bytes8",
        "bytes8large", "mmds20x5"
    ] | None
    config: str | os.PathLike[str] | None


class GroupOptions(TypedDict, total=False):
    """Keywords of :func:`lookalike.group`; None is the default."""

    delimiter: str | None
    max_record: int | str | None
    max_expansion: float | None
    max_errors: int | str | None
    include: str | list[str] | None
    exclude: str | list[str] | None
    follow_links: bool | None
    skip_bad_inputs: bool | None
    threads: int | None
    memory: int | str | None
    scratch: str | os.PathLike[str] | None
    object_endpoint: str | None
    object_region: str | None
    object_anonymous: bool | None
    preset: Literal[
        "web", "news", "corpus", "plagiarism", "mirrors", "code", "baskets", "urls", "crumbs",
        "pixels", "questions", "records", "altavista97", "altavista98", "bing", "bytes8",
        "bytes8large", "mmds20x5"
    ] | None
    config: str | os.PathLike[str] | None


class CrumbsOptions(TypedDict, total=False):
    """Keywords of :func:`lookalike.crumbs`; None is the default."""

    threshold: float | str | Mapping[str, float] | None
    recall: float | None
    shingle: str | None
    normalize: str | None
    pages: Literal["auto", "off", "visible", "altavista"] | None
    segment: Literal["script", "icu"] | None
    stop_words: str | os.PathLike[str] | None
    weights: str | os.PathLike[str] | None
    weight_unit: float | None
    bag: Literal["off", "max"] | None
    ratings: str | None
    hash: Literal["mixer", "rabin"] | None
    feature_bits: Literal[64, 32] | None
    min_features: int | None
    seed: int | None
    method: str | None
    design: str | None
    sketch: str | None
    delimiter: str | None
    max_record: int | str | None
    max_expansion: float | None
    max_errors: int | str | None
    include: str | list[str] | None
    exclude: str | list[str] | None
    follow_links: bool | None
    skip_bad_inputs: bool | None
    threads: int | None
    memory: int | str | None
    scratch: str | os.PathLike[str] | None
    object_endpoint: str | None
    object_region: str | None
    object_anonymous: bool | None
    preset: Literal[
        "web", "news", "corpus", "plagiarism", "mirrors", "code", "baskets", "urls", "crumbs",
        "pixels", "questions", "records", "altavista97", "altavista98", "bing", "bytes8",
        "bytes8large", "mmds20x5"
    ] | None
    config: str | os.PathLike[str] | None


class PassagesOptions(TypedDict, total=False):
    """Keywords of :func:`lookalike.passages`; None is the default."""

    normalize: str | None
    pages: Literal["auto", "off", "visible", "altavista"] | None
    segment: Literal["script", "icu"] | None
    keep: str | list[str] | None
    delimiter: str | None
    max_record: int | str | None
    max_expansion: float | None
    max_errors: int | str | None
    include: str | list[str] | None
    exclude: str | list[str] | None
    follow_links: bool | None
    skip_bad_inputs: bool | None
    threads: int | None
    memory: int | str | None
    scratch: str | os.PathLike[str] | None
    object_endpoint: str | None
    object_region: str | None
    object_anonymous: bool | None
    overwrite: bool | None
    preset: Literal[
        "web", "news", "corpus", "plagiarism", "mirrors", "code", "baskets", "urls", "crumbs",
        "pixels", "questions", "records", "altavista97", "altavista98", "bing", "bytes8",
        "bytes8large", "mmds20x5"
    ] | None
    config: str | os.PathLike[str] | None


class DecontaminateOptions(TypedDict, total=False):
    """Keywords of :func:`lookalike.decontaminate`; None is the default."""

    threshold: float | str | Mapping[str, float] | None
    shingle: str | None
    normalize: str | None
    pages: Literal["auto", "off", "visible", "altavista"] | None
    segment: Literal["script", "icu"] | None
    delimiter: str | None
    max_record: int | str | None
    max_expansion: float | None
    max_errors: int | str | None
    include: str | list[str] | None
    exclude: str | list[str] | None
    follow_links: bool | None
    skip_bad_inputs: bool | None
    threads: int | None
    memory: int | str | None
    scratch: str | os.PathLike[str] | None
    object_endpoint: str | None
    object_region: str | None
    object_anonymous: bool | None
    overwrite: bool | None
    preset: Literal[
        "web", "news", "corpus", "plagiarism", "mirrors", "code", "baskets", "urls", "crumbs",
        "pixels", "questions", "records", "altavista97", "altavista98", "bing", "bytes8",
        "bytes8large", "mmds20x5"
    ] | None
    config: str | os.PathLike[str] | None


class IndexOptions(TypedDict, total=False):
    """Keywords of :meth:`lookalike.Index.create`; None is the default."""

    threshold: float | str | Mapping[str, float] | None
    measure: Literal["resemblance", "containment"] | None
    recall: float | None
    shingle: str | None
    normalize: str | None
    pages: Literal["auto", "off", "visible", "altavista"] | None
    segment: Literal["script", "icu"] | None
    stop_words: str | os.PathLike[str] | None
    weights: str | os.PathLike[str] | None
    weight_unit: float | None
    bag: Literal["off", "max"] | None
    ratings: str | None
    hash: Literal["mixer", "rabin"] | None
    feature_bits: Literal[64, 32] | None
    min_features: int | None
    differ: str | list[str] | None
    same: str | list[str] | None
    preset: Literal[
        "web", "news", "corpus", "plagiarism", "mirrors", "code", "baskets", "urls", "crumbs",
        "pixels", "questions", "records", "altavista97", "altavista98", "bing", "bytes8",
        "bytes8large", "mmds20x5"
    ] | None
    config: str | os.PathLike[str] | None

#: Defaults of the keywords that nothing else decides.
DEFAULTS: Final[dict[str, Any]] = {
    "preset": None,
    "config": None,
    "threshold": 0.8,
    "fields": "all",
    "measure": "resemblance",
    "recall": 0.99,
    "shingle": "word:5",
    "normalize": "nfkc,casefold",
    "pages": "auto",
    "segment": "script",
    "stop_words": "en",
    "weights": "off",
    "weight_unit": 1,
    "bag": "off",
    "ratings": "off",
    "hash": "mixer",
    "feature_bits": 64,
    "exact_empty": False,
    "min_features": None,
    "differ": None,
    "same": None,
    "not_same": None,
    "seed": 0,
    "method": "auto",
    "design": None,
    "sketch": "fss:128",
    "verify": "exact",
    "audit_documents": 1000,
    "keep": None,
    "decisions": None,
    "cluster": "leader",
    "output": "copies",
    "output_shard": None,
    "delimiter": None,
    "max_record": "256M",
    "max_expansion": 1000,
    "max_errors": "unlimited",
    "include": None,
    "exclude": None,
    "follow_links": False,
    "skip_bad_inputs": False,
    "add": False,
    "threads": None,
    "memory": None,
    "scratch": None,
    "object_endpoint": None,
    "object_region": None,
    "object_anonymous": False,
    "overwrite": False,
    "resume": False,
    "yes": False,
    "profile": None,
    "distance": "off",
    "within": None,
    "sketch_bits": 32,
    "top": 10,
}

#: Descriptions of the keywords, as docstrings list them.
MEANINGS: Final[dict[str, str]] = {
    "preset": (
        "preset: A set of options for one use, by name. Other keywords win over it. Takes\n"
        "    web, news, corpus, plagiarism, mirrors, code, baskets, urls, crumbs, pixels,\n"
        "    questions, records, altavista97, altavista98, bing, bytes8, bytes8large or\n"
        "    mmds20x5."
    ),
    "config": "config: A TOML file of options. Other keywords win over it, and it over the preset.",
    "threshold": (
        "threshold: Minimum resemblance (Jaccard similarity) of near-duplicates. Resemblance\n"
        "    is common shingles / all shingles; with ``measure`` containment, containment\n"
        "    counts instead. Lower it to catch looser copies. nearest lists no neighbour\n"
        "    below it; compare exits with 1 below it. Takes a number above 0, at most 1, or\n"
        "    one for each text field: title=0.9,body=0.7. Default: 0.8."
    ),
    "fields": (
        "fields: Text fields in which near-duplicates are alike, if there are several. all:\n"
        "    in every text field; any: in one at least, whose threshold the pair reaches. Use\n"
        "    any when the same title, or the same body, is enough. Takes all or any. Default:\n"
        "    all."
    ),
    "measure": (
        "measure: Similarity that ``threshold`` applies to. resemblance (common shingles /\n"
        "    all shingles) finds copies of whole documents; containment (common shingles /\n"
        "    shingles of the document with fewer) finds texts inside longer ones. dedup\n"
        "    supports containment only with ``against``; plan does not support it yet. Takes\n"
        "    resemblance or containment. Default: resemblance."
    ),
    "recall": (
        "recall: Minimum share of the true pairs to find. It is promised for pairs exactly at\n"
        "    the threshold, the worst case. Raise it when a missed copy is costly; the run\n"
        "    takes longer. Takes a number above 0 and below 1. Default: 0.99."
    ),
    "shingle": (
        "shingle: Shingles (n-grams) to compare, such as runs of 5 words. Other units:\n"
        "    characters, bytes, tokens of code or of a URL, the N words after each stop word,\n"
        "    a sample of runs of K characters (one of every W in a row), or the items of a\n"
        "    list. Longer shingles make chance matches rarer; char:N suits short texts and\n"
        "    names. For numbers: the grid cells of width Q within radius R of a point, the\n"
        "    cell of width W in each of M shifted grids, or the same cells for every L\n"
        "    numbers in a row of a series. Takes word:N, char:N, byte:N, code:N, stopword:N,\n"
        "    winnow:K,W or url:N with N and K from 1 to 64; item; for numbers point:R,Q,\n"
        "    cells:W,M or series:L,W,M. Default: word:5."
    ),
    "normalize": (
        "normalize: Differences in writing to ignore. nfkc: compatibility forms; casefold:\n"
        "    case; diacritics: accents; digits: the values of digits; punctuation: all\n"
        "    punctuation; whitespace: the amount of white space; no-whitespace: all white\n"
        "    space. Pass none to compare texts exactly as they are written. Takes none, or\n"
        "    some of nfkc,casefold,diacritics,digits,punctuation,whitespace,no-whitespace.\n"
        "    Default: nfkc,casefold."
    ),
    "pages": (
        "pages: Part of an HTML page to compare. visible: the text that a reader sees;\n"
        "    altavista: all text, and the addresses of links and images; off: the source\n"
        "    itself. auto means visible for files that end in .html and for pages of WARC\n"
        "    files, and off for everything else. Takes auto, off, visible or altavista.\n"
        "    Default: auto."
    ),
    "segment": (
        "segment: Way to split scripts without spaces into words. script treats each\n"
        "    character as a word; icu uses dictionaries, which takes longer and depends on\n"
        "    the version of ICU. Takes script or icu. Default: script."
    ),
    "stop_words": (
        "stop_words: Stop words for ``shingle`` stopword:N. They are those of a language,\n"
        "    every word of at most three characters (short), or the lines of a file. Takes a\n"
        "    language such as en or de, short, or a file such as ./words.txt. Default: en."
    ),
    "weights": (
        "weights: File of word weights. Each line has a word, a tab and a weight; ``*`` sets\n"
        "    the weight of all other words. A shingle weighs as much as its words do on\n"
        "    average; two documents share the smaller of two weights, and their union has the\n"
        "    greater. `lookalike weights` writes such a file, in which rare words weigh more.\n"
        "    Takes off, or a file such as ./weights.tsv. Default: off."
    ),
    "weight_unit": (
        "weight_unit: Weight that counts as one feature. A remainder of half a unit counts as\n"
        "    one feature with probability one half, and so on. A smaller unit follows\n"
        "    fractions more closely and takes more time. Takes a number from 1e-9 to 1e9.\n"
        "    Default: 1."
    ),
    "bag": (
        "bag: Way to count repeated shingles. off counts each once; max counts all of them\n"
        "    (the intersection has the smaller of two counts, the union the greater); sum\n"
        "    does the same, with both counts in the union. Takes off or max, for compare also\n"
        "    sum. Default: off."
    ),
    "ratings": (
        "ratings: Way to use the weights of items. off ignores them; at-least:X drops items\n"
        "    below X; liked:X,Y tells items of X or more from items of Y or less and drops\n"
        "    those between; stars repeats an item as often as it has stars, and turns ``bag``\n"
        "    off into max; weights takes any numbers of 0 or more as weights, in units of\n"
        "    ``weight_unit``. Takes off, at-least:X, liked:X,Y with Y below X, stars or\n"
        "    weights. Default: off."
    ),
    "hash": (
        "hash: Hash function of the shingles. mixer is the fastest; rabin is the fingerprint\n"
        "    modulo a random irreducible polynomial, with a proven bound on collisions. Both\n"
        "    spread evenly. Takes mixer or rabin. Default: mixer."
    ),
    "feature_bits": (
        "feature_bits: Width of the hash of a shingle in bits. With 32, some shingles collide\n"
        "    by chance; use it to compare with tools that store four bytes. Takes 64 or 32.\n"
        "    Default: 64."
    ),
    "exact_empty": (
        "exact_empty: Also remove documents that have no words and equal another one byte for\n"
        "    byte. By default all documents without words are kept."
    ),
    "min_features": (
        "min_features: Minimum number of distinct shingles; documents with fewer are in no\n"
        "    pair. Raise it when short texts match by chance. Takes a whole number, 1 or\n"
        "    more. Default: 1, or 20 for containment."
    ),
    "differ": (
        "differ: Keep documents that are alike but differ in their numbers, in their dates,\n"
        "    in the value of a field, or in what a regular expression finds. Use it where\n"
        "    such a difference matters: contracts, orders, logs, products. dedup lists these\n"
        "    pairs in guarded.jsonl. Takes numbers, dates, a field's name, or\n"
        "    regex:EXPRESSION; may be repeated. Default: none."
    ),
    "same": (
        "same: Compare documents only if they have the same value of a field, such as a\n"
        "    language or a customer. Documents without the field have the same value. Takes a\n"
        "    field's name, or a dotted path such as meta.lang; may be repeated. Default:\n"
        "    none."
    ),
    "not_same": (
        "not_same: Compare documents only if they have different values of a field, such as a\n"
        "    source or a year. Documents without the field have the same value. Takes a\n"
        "    field's name, or a dotted path such as meta.year; may be repeated. Default:\n"
        "    none."
    ),
    "seed": (
        "seed: Seed of all hashing (synth: of the corpus). Change it to see how much a result\n"
        "    depends on chance. Takes a whole number, 0 or more. Default: 0."
    ),
    "method": (
        "method: Way to find candidate pairs. lsh: by shared band keys; exact: by a join that\n"
        "    misses nothing and keeps all features in memory; auto: lsh where a design\n"
        "    reaches the recall, otherwise exact; shingle-merge: by sorting shingles and\n"
        "    pairs on disk, of all shingles or of a sample (``sketch`` mod-m:25). With\n"
        "    shingle-merge, shingles found in more than 1000 documents make no pairs but are\n"
        "    counted; shingle-merge:N sets another limit. Takes auto, lsh, exact or\n"
        "    shingle-merge. Default: auto."
    ),
    "design": (
        "design: Band design of the search (bands and rows). By default it is planned from\n"
        "    ``threshold``, ``recall``, ``sketch`` and the rough size of the inputs; set it\n"
        "    to use the keys of another tool or of an earlier run. Takes bands:BxR,\n"
        "    groups:GxL:TAU, groups:GxL:TAU:BITS or overlapping:K:R:B; with ``distance`` all\n"
        "    or, for pairs, grid; plan also sketch:K:T. Default: planned."
    ),
    "sketch": (
        "sketch: Sketch (MinHash signature) and its number of coordinates. More coordinates\n"
        "    make a high ``recall`` at a low ``threshold`` reachable and take more time. fss\n"
        "    has the smallest errors; use another kind to compare with other tools.\n"
        "    docs/format/sketch-kinds-v1.md describes each kind. Takes fss:K, permutations:K,\n"
        "    permutations:K:FAMILY, one-permutation:K, one-permutation:K:densified,\n"
        "    one-permutation:K:bins, lead-byte:K, lead-byte:K:4, geometric:K, biased:K or\n"
        "    weighted:K with K from 16 to 1024 and FAMILY one of mixer, linear, universal,\n"
        "    matrix, tabulation and mixed-tabulation; for compare also bottom-k:K, mod-m:M or\n"
        "    fracminhash:S. Default: fss:128."
    ),
    "verify": (
        "verify: Way to verify candidate pairs. exact computes the resemblance from all\n"
        "    shingles; sketch estimates it from sketches alone and reports its standard\n"
        "    error; none writes every candidate with its estimate; sketch+exact computes the\n"
        "    resemblance only where the estimate reaches the threshold, which is faster but\n"
        "    loses half of the pairs at the threshold. Sketch files have no shingles: sketch\n"
        "    is implied, and dedup reports clusters without removing anything. Takes exact or\n"
        "    sketch+exact, for pairs and compare also sketch, for pairs also none. Default:\n"
        "    exact."
    ),
    "audit_documents": (
        "audit_documents: Number of documents to sample when measuring the recall. 0 turns\n"
        "    the measurement off. Raise it for a narrower interval. Takes a whole number from\n"
        "    0 to 1000000. Default: 1000."
    ),
    "keep": (
        "keep: Document to keep of several near-duplicates; for passages, the document in\n"
        "    which a passage stays. It is the first or the longest, the one with the smallest\n"
        "    (asc) or largest (desc) value of a field, or the one from the best source.\n"
        "    Repeat it for criteria in order: the first one that tells two documents apart\n"
        "    decides, and input order decides ties. Takes first, longest, shortest,\n"
        "    field:NAME[:asc|desc] or source:A,B; may be repeated. Default: first."
    ),
    "decisions": (
        "decisions: Replay what people decided in the explorer (lookalike serve ``result``):\n"
        "    which documents stay, are split from their cluster, or are merged with others.\n"
        "    The result is that of lookalike rethreshold ``decisions`` at the threshold of\n"
        "    this run. Takes a file. Default: none."
    ),
    "cluster": (
        "cluster: Way to group documents in clusters.jsonl. leader: each kept document with\n"
        "    those removed for it; components: connected components of similar pairs. It does\n"
        "    not change what is removed. Takes leader or components. Default: leader."
    ),
    "output": (
        "output: Form of the kept data. copies writes the kept rows unchanged; annotated\n"
        "    writes every row with la_keep, la_cluster, la_copies, la_duplicate_of and\n"
        "    la_resemblance added. Takes copies or annotated. Default: copies."
    ),
    "output_shard": (
        "output_shard: Cut the kept rows of each input into files, one per SIZE bytes of\n"
        "    input. kept/NAME-00000-of-00012.jsonl is the first of twelve; together, in\n"
        "    order, they hold the same rows. Use it when one file would be too large to\n"
        "    handle, or to be written by several threads at once. Takes a size of 4K or more,\n"
        "    such as 256M or 1G. Default: one file per input."
    ),
    "delimiter": (
        "delimiter: Separator of the fields of CSV and TSV files. Set it when it is not a\n"
        "    comma, semicolon, tab or pipe, or is not detected. Takes one character, or\n"
        "    comma, semicolon, tab, pipe or space. Default: detected from the header."
    ),
    "max_record": (
        "max_record: Maximum size of a record; longer ones are rejected. Raise it when real\n"
        "    documents are larger. Records that ``memory`` has no room for are rejected, too.\n"
        "    Takes a size up to 372M, such as 64KiB or 256M. Default: 256M."
    ),
    "max_expansion": (
        "max_expansion: Maximum number of plain bytes per compressed byte. An input that\n"
        "    expands further is treated as a decompression bomb. Raise it for extremely\n"
        "    repetitive files that you trust. Takes a number from 1 to 1e12. Default: 1000."
    ),
    "max_errors": (
        "max_errors: Maximum number of rejected records; with more, the run fails. 0 requires\n"
        "    clean inputs. Takes a whole number, 0 or more, or unlimited. Default: unlimited."
    ),
    "include": (
        "include: Read only matching files in folders and patterns. A pattern without a slash\n"
        "    matches the name of a file or folder at any depth; other patterns match the path\n"
        "    below the folder that was passed, with ``**`` for any folders. Use it when a\n"
        "    folder holds more than texts. Takes a pattern such as ``*.md`` or ``docs/**``;\n"
        "    may be repeated. Default: every file."
    ),
    "exclude": (
        "exclude: Leave out matching files and folders when reading folders and patterns. It\n"
        "    applies before ``include``. Files that are named directly are always read. Takes\n"
        "    a pattern such as ``*.png`` or build; may be repeated. Default: none."
    ),
    "follow_links": (
        "follow_links: Follow symbolic links that lead out of the folders. By default they\n"
        "    are left out and listed. Each file is read once in any case."
    ),
    "skip_bad_inputs": (
        "skip_bad_inputs: Skip inputs that are missing, truncated, corrupt or without text.\n"
        "    By default they fail the run; with this option the exit code is 3. Files of a\n"
        "    folder that cannot be opened or are binary are left out in any case."
    ),
    "add": (
        "add: Add the documents that are kept to the index that ``against`` names, in one\n"
        "    step, once the result is complete."
    ),
    "threads": (
        "threads: Number of threads; 0 uses all processors available. These are the\n"
        "    processors of this process, of the machine or of its container. Lower it to\n"
        "    leave processors to others. Takes a whole number from 0 to 4096. Default: one\n"
        "    per processor."
    ),
    "memory": (
        "memory: Maximum memory; the rest goes to temporary files. The default is half of the\n"
        "    machine's memory, or of what its container may use; of an index, a quarter of\n"
        "    what is free, up to 2G. Lower it to leave memory to others; raise it to avoid\n"
        "    temporary files. Takes a size of 64M or more, such as 512M or 8G. Default: half\n"
        "    of the memory."
    ),
    "scratch": (
        "scratch: Folder for temporary files. Choose a fast disk with room for them. Takes a\n"
        "    folder. Default: beside the output."
    ),
    "object_endpoint": (
        "object_endpoint: Server of s3:// and gs:// addresses. Set it for a store of your own\n"
        "    that speaks Amazon's or Google's protocol. Takes the address of a server, such\n"
        "    as https://storage.example:9000. Default: the provider's."
    ),
    "object_region": (
        "object_region: Region of s3:// buckets. Set it when the store reports that a bucket\n"
        "    is in another region. Takes a region's name, such as eu-west-1. Default:\n"
        "    detected."
    ),
    "object_anonymous": (
        "object_anonymous: Read public data from object stores without credentials. Requests\n"
        "    are not signed."
    ),
    "overwrite": (
        "overwrite: Replace an existing result folder once the new one is complete. By\n"
        "    default an existing folder is an error. A folder that is not a result, or that\n"
        "    holds anything else, is never replaced."
    ),
    "resume": (
        "resume: Continue an interrupted run of the same command. If there is none, the run\n"
        "    starts from the beginning; a complete result is checked and not changed."
    ),
    "yes": (
        "yes: Continue even if the run is very large. It is needed if more than 10^9 pairs\n"
        "    are predicted, or many more candidates are found than were predicted."
    ),
    "profile": (
        "profile: Write what each stage of the run cost to a JSON file. It has wall and\n"
        "    processor time, the processor time that more threads would not shorten, bytes\n"
        "    read and written, and page faults. Use it to see what bounds a run. Takes a\n"
        "    file. Default: not written."
    ),
    "distance": (
        "distance: Distance to compare by, instead of shared shingles. For points, which are\n"
        "    lists of numbers: l1, l2, cosine (1 - cosine), angular (the angle as a share of\n"
        "    a half turn) or hamming (the number of positions that differ); for short\n"
        "    strings: edit (insertions, deletions and replacements) or indel (insertions and\n"
        "    deletions). Takes off, l1, l2, cosine, angular, hamming, edit or indel. Default:\n"
        "    off."
    ),
    "within": (
        "within: Maximum distance of two near points or strings. pairs requires it with\n"
        "    ``distance``; nearest looks no further; compare exits with 1 above it. Takes a\n"
        "    number of 0 or more. Default: none."
    ),
    "sketch_bits": (
        "sketch_bits: Bits to keep of each coordinate of a sketch. They matter where\n"
        "    documents are compared by sketches alone: fewer make smaller files and larger\n"
        "    errors, and searches of large files are slow below 8. Takes 1, 2, 4, 8, 16 or\n"
        "    32. Default: 32."
    ),
    "top": (
        "top: Maximum number of neighbours to write for each document or point. Without\n"
        "    ``distance`` there are fewer where fewer reach the threshold. Takes a whole\n"
        "    number from 1 to 10000. Default: 10."
    ),
}
