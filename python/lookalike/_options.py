"""Keywords of the functions; made by tools/generate_python_options.py."""

from __future__ import annotations

import os
from typing import Any, Final, Literal, TypedDict


class DedupOptions(TypedDict, total=False):
    """Keywords of :func:`lookalike.dedup`; None is the default."""

    threshold: float | None
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
    seed: int | None
    method: str | None
    design: str | None
    sketch: str | None
    verify: Literal["exact", "sketch+exact"] | None
    audit_documents: int | None
    keep: str | None
    cluster: Literal["leader", "components"] | None
    output: Literal["copies", "annotated"] | None
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
    resume: bool | None
    yes: bool | None
    preset: Literal[
        "web", "news", "corpus", "plagiarism", "mirrors", "code", "baskets", "urls", "crumbs",
        "pixels", "questions", "altavista97", "altavista98", "bing", "bytes8", "bytes8large",
        "mmds20x5"
    ] | None
    config: str | os.PathLike[str] | None


class PairsOptions(TypedDict, total=False):
    """Keywords of :func:`lookalike.pairs`; None is the default."""

    threshold: float | None
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
        "pixels", "questions", "altavista97", "altavista98", "bing", "bytes8", "bytes8large",
        "mmds20x5"
    ] | None
    config: str | os.PathLike[str] | None


class NearestOptions(TypedDict, total=False):
    """Keywords of :func:`lookalike.nearest`; None is the default."""

    threshold: float | None
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
        "pixels", "questions", "altavista97", "altavista98", "bing", "bytes8", "bytes8large",
        "mmds20x5"
    ] | None
    config: str | os.PathLike[str] | None


class PlanOptionsWithoutWeights(TypedDict, total=False):
    """Keywords as PlanOptions, but for `weights`."""

    threshold: float | None
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
        "pixels", "questions", "altavista97", "altavista98", "bing", "bytes8", "bytes8large",
        "mmds20x5"
    ] | None
    config: str | os.PathLike[str] | None


class PlanOptions(PlanOptionsWithoutWeights, total=False):
    """Keywords of :func:`lookalike.plan`; None is the default."""

    weights: str | os.PathLike[str] | None


class CompareOptionsWithoutShingle(TypedDict, total=False):
    """Keywords as CompareOptions, but for `shingle`."""

    threshold: float | None
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
        "pixels", "questions", "altavista97", "altavista98", "bing", "bytes8", "bytes8large",
        "mmds20x5"
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
        "pixels", "questions", "altavista97", "altavista98", "bing", "bytes8", "bytes8large",
        "mmds20x5"
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
        "pixels", "questions", "altavista97", "altavista98", "bing", "bytes8", "bytes8large",
        "mmds20x5"
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
        "pixels", "questions", "altavista97", "altavista98", "bing", "bytes8", "bytes8large",
        "mmds20x5"
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
        "pixels", "questions", "altavista97", "altavista98", "bing", "bytes8", "bytes8large",
        "mmds20x5"
    ] | None
    config: str | os.PathLike[str] | None


class CrumbsOptions(TypedDict, total=False):
    """Keywords of :func:`lookalike.crumbs`; None is the default."""

    threshold: float | None
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
        "pixels", "questions", "altavista97", "altavista98", "bing", "bytes8", "bytes8large",
        "mmds20x5"
    ] | None
    config: str | os.PathLike[str] | None

#: Values of keywords that are not given and that nothing else decides.
DEFAULTS: Final[dict[str, Any]] = {
    "preset": None,
    "config": None,
    "threshold": 0.8,
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
    "seed": 0,
    "method": "auto",
    "design": None,
    "sketch": "fss:128",
    "verify": "exact",
    "audit_documents": 1000,
    "keep": "first",
    "cluster": "leader",
    "output": "copies",
    "delimiter": None,
    "max_record": "256M",
    "max_expansion": 1000,
    "max_errors": "unlimited",
    "include": None,
    "exclude": None,
    "follow_links": False,
    "skip_bad_inputs": False,
    "threads": None,
    "memory": None,
    "scratch": None,
    "object_endpoint": None,
    "object_region": None,
    "object_anonymous": False,
    "overwrite": False,
    "resume": False,
    "yes": False,
    "distance": "off",
    "within": None,
    "sketch_bits": 32,
    "top": 10,
}

#: What keywords mean, as docstrings list them.
MEANINGS: Final[dict[str, str]] = {
    "preset": (
        "preset: A set of options for one use, by name. Other keywords win over it. Takes\n"
        "    web, news, corpus, plagiarism, mirrors, code, baskets, urls, crumbs, pixels,\n"
        "    questions, altavista97, altavista98, bing, bytes8, bytes8large or mmds20x5."
    ),
    "config": "config: A TOML file of options. Other keywords win over it, and it over the preset.",
    "threshold": (
        "threshold: Resemblance (common shingles / all shingles), or what ``measure`` says,\n"
        "    at or above which two documents are alike. Lower it to catch looser copies;\n"
        "    nearest lists none below it; compare: exit 1 below it. Takes a number above 0,\n"
        "    at most 1. Default: 0.8."
    ),
    "measure": (
        "measure: What ``threshold`` is about: resemblance is common shingles / all shingles,\n"
        "    for copies of whole documents; containment is common shingles / those of the\n"
        "    document that has fewer, for texts inside of longer ones. dedup takes it with\n"
        "    ``against`` only, plan not yet. Takes resemblance or containment. Default:\n"
        "    resemblance."
    ),
    "recall": (
        "recall: Share of the true pairs to find among those exactly at the threshold, the\n"
        "    worst case. Raise it when a missed copy is costly; it takes more time. Takes a\n"
        "    number above 0 and below 1. Default: 0.99."
    ),
    "shingle": (
        "shingle: What is compared: runs of N words, characters, bytes, tokens of code or of\n"
        "    a URL; N words after each stop word; a sample of runs of K characters, one of\n"
        "    each W in a row; or the items of a list. Longer runs make chance matches rarer;\n"
        "    char:N suits short texts and names. Of points the cells of width Q in a radius\n"
        "    R, or one of width W in each of M shifted grids; of a series the same for each L\n"
        "    numbers in a row. Takes word:N, char:N, byte:N, code:N, stopword:N, winnow:K,W\n"
        "    or url:N with N and K from 1 to 64; item; for numbers point:R,Q, cells:W,M or\n"
        "    series:L,W,M. Default: word:5."
    ),
    "normalize": (
        "normalize: What differences of writing do not count: compatibility forms, case,\n"
        "    accents, which digit it is, punctuation, how much white space or any. Give none\n"
        "    to compare texts as they are. Takes none, or some of\n"
        "    nfkc,casefold,diacritics,digits,punctuation,whitespace,no-whitespace. Default:\n"
        "    nfkc,casefold."
    ),
    "pages": (
        "pages: What of HTML is compared: visible is the text that a reader sees, altavista\n"
        "    all text and the addresses of links and images, off the source. auto is visible\n"
        "    for files that end in .html and pages of WARC files, off for all else. Takes\n"
        "    auto, off, visible or altavista. Default: auto."
    ),
    "segment": (
        "segment: How words are found where they are written without spaces: script takes\n"
        "    each character for a word, icu cuts by dictionaries, which costs time and\n"
        "    depends on the version of ICU. Takes script or icu. Default: script."
    ),
    "stop_words": (
        "stop_words: Stop words of stopword:N: those of a language, every word of at most\n"
        "    three characters, or the lines of a file. Takes a language such as en or de,\n"
        "    short, or a file such as ./words.txt. Default: en."
    ),
    "weights": (
        "weights: What words weigh: lines of word, tab and weight, ``*`` for all others. A\n"
        "    shingle weighs what its words do on average; common are the lesser of two\n"
        "    weights, the union has the greater. `lookalike weights` makes such a file of how\n"
        "    rare words are. Takes off, or a file such as ./weights.tsv. Default: off."
    ),
    "weight_unit": (
        "weight_unit: Weight that counts as one feature; what is left of a weight counts as\n"
        "    one with its probability. A smaller one follows fractions closer and takes more\n"
        "    time. Takes a number from 1e-9 to 1e9. Default: 1."
    ),
    "bag": (
        "bag: How repeated shingles count: off counts each once, max as often as it is there\n"
        "    (common is the lesser of two counts, the union has the greater), sum likewise,\n"
        "    with both counts in the union. Takes off or max, for compare also sum. Default:\n"
        "    off."
    ),
    "ratings": (
        "ratings: What the weights of items count for: off for nothing; at-least:X drops\n"
        "    items below X; liked:X,Y tells items of X or more from items of Y or less and\n"
        "    drops those between; stars has an item as often as it has stars, which makes\n"
        "    ``bag`` off max; weights takes any numbers of 0 or more as what items weigh, in\n"
        "    units of ``weight_unit``. Takes off, at-least:X, liked:X,Y with Y below X, stars\n"
        "    or weights. Default: off."
    ),
    "hash": (
        "hash: How a shingle becomes a number: mixer is fastest; rabin is the fingerprint\n"
        "    modulo a random irreducible polynomial, whose collisions have a proven bound.\n"
        "    Both spread evenly. Takes mixer or rabin. Default: mixer."
    ),
    "feature_bits": (
        "feature_bits: Width of the hash of a shingle. 32 shares some by chance: give it to\n"
        "    compare with tools that store four bytes. Takes 64 or 32. Default: 64."
    ),
    "exact_empty": (
        "exact_empty: Remove documents without any word that repeat another one byte for\n"
        "    byte; by default all documents without words are kept."
    ),
    "min_features": (
        "min_features: Documents with fewer distinct shingles are in no pair. Raise it when\n"
        "    short texts match by chance. Takes a whole number, 1 or more. Default: 1, or 20\n"
        "    for containment."
    ),
    "seed": (
        "seed: Number that all hashing (synth: the corpus) is drawn from. Another seed draws\n"
        "    another sample: change it to see how much a result owes to chance. Takes a whole\n"
        "    number, 0 or more. Default: 0."
    ),
    "method": (
        "method: How candidates are found: lsh by shared band keys, exact by a join that\n"
        "    misses nothing and keeps all features in memory, auto by lsh where a design\n"
        "    reaches the recall (else exact), shingle-merge by sorting shingles and pairs on\n"
        "    disk, of all shingles or of a sample (``sketch`` mod-m:25). Shingles of more\n"
        "    than 1000 documents make no pairs there, but are counted; shingle-merge:N sets\n"
        "    another number. Takes auto, lsh, exact or shingle-merge. Default: auto."
    ),
    "design": (
        "design: Band design. Leave it to be planned from ``threshold``, ``recall``,\n"
        "    ``sketch`` and roughly the size of the inputs, unless you want the keys of\n"
        "    another tool or of an earlier run. Takes bands:BxR, groups:GxL:TAU,\n"
        "    groups:GxL:TAU:BITS or overlapping:K:R:B; with ``distance`` all or, for pairs,\n"
        "    grid; plan also sketch:K:T. Default: planned."
    ),
    "sketch": (
        "sketch: Sketch and its number of coordinates. More coordinates make a high\n"
        "    ``recall`` at a low ``threshold`` reachable and take more time. fss scatters\n"
        "    least; take another to compare with other tools. docs/format/sketch-kinds-v1.md\n"
        "    has what each one is. Takes fss:K, permutations:K, permutations:K:FAMILY,\n"
        "    one-permutation:K, one-permutation:K:densified, one-permutation:K:bins,\n"
        "    lead-byte:K, lead-byte:K:4, geometric:K, biased:K or weighted:K with K from 16\n"
        "    to 1024 and FAMILY one of mixer, linear, universal, matrix, tabulation and\n"
        "    mixed-tabulation; for compare also bottom-k:K, mod-m:M or fracminhash:S.\n"
        "    Default: fss:128."
    ),
    "verify": (
        "verify: How documents are compared: exact computes the resemblance from all\n"
        "    shingles, sketch estimates it from sketches alone and says its standard error,\n"
        "    none writes every candidate with its estimate. sketch+exact computes it only\n"
        "    where the estimate, too, reaches the threshold: faster, but half of the pairs at\n"
        "    the threshold are lost. Sketch files have no shingles: sketch is implied, and\n"
        "    dedup tells clusters without removing. Takes exact or sketch+exact, for pairs\n"
        "    and compare also sketch, for pairs also none. Default: exact."
    ),
    "audit_documents": (
        "audit_documents: Documents sampled to measure the recall of the run; 0 measures\n"
        "    nothing. Raise it for a narrower interval. Takes a whole number from 0 to\n"
        "    1000000. Default: 1000."
    ),
    "keep": (
        "keep: Which of several alike documents stays: the first or the longest, the one with\n"
        "    the smallest (asc) or largest (desc) field, or the one of the best source. Takes\n"
        "    first, longest, shortest, field:NAME[:asc|desc] or source:A,B. Default: first."
    ),
    "cluster": (
        "cluster: How clusters.jsonl groups: each kept document with those removed for it, or\n"
        "    connected components of alike pairs. What is removed is the same. Takes leader\n"
        "    or components. Default: leader."
    ),
    "output": (
        "output: copies writes the kept rows unchanged; annotated writes every row with\n"
        "    la_keep, la_cluster, la_copies, la_duplicate_of and la_resemblance added. Takes\n"
        "    copies or annotated. Default: copies."
    ),
    "delimiter": (
        "delimiter: What stands between the fields of CSV and TSV files. Give it when it is\n"
        "    not a comma, semicolon, tab or pipe, or is not found. Takes one character, or\n"
        "    comma, semicolon, tab, pipe or space. Default: found by the header."
    ),
    "max_record": (
        "max_record: Longer records are rejected. Raise it when real documents are larger.\n"
        "    Those that ``memory`` has no room for are rejected, too. Takes a size up to\n"
        "    372M, such as 64KiB or 256M. Default: 256M."
    ),
    "max_expansion": (
        "max_expansion: Plain bytes per compressed byte above which an input is taken for a\n"
        "    decompression bomb. Raise it for extremely repetitive files that you trust.\n"
        "    Takes a number from 1 to 1e12. Default: 1000."
    ),
    "max_errors": (
        "max_errors: The run fails when more records than this are rejected. 0 demands clean\n"
        "    inputs. Takes a whole number, 0 or more, or unlimited. Default: unlimited."
    ),
    "include": (
        "include: Read only the files of folders and patterns that match. A pattern without a\n"
        "    slash matches a file's or a folder's name at any depth; others match the path\n"
        "    from the folder that is named on, with ``**`` for any folders. Give it when a\n"
        "    folder holds more than texts. Takes a pattern such as ``*.md`` or ``docs/**``;\n"
        "    may be repeated. Default: every file."
    ),
    "exclude": (
        "exclude: Leave out files and folders that match, of those that folders and patterns\n"
        "    lead to. It goes before ``include``. Files that are named themselves are read.\n"
        "    Takes a pattern such as ``*.png`` or build; may be repeated. Default: none."
    ),
    "follow_links": (
        "follow_links: Follow symbolic links out of the folders that are read. Without it\n"
        "    they are left out and listed. Each file is read once in any case."
    ),
    "skip_bad_inputs": (
        "skip_bad_inputs: Leave out inputs that are missing, truncated, corrupt or hold no\n"
        "    text instead of failing; the exit code is then 3. Files of a folder that cannot\n"
        "    be opened or are binary are left out without it."
    ),
    "threads": (
        "threads: Threads to work with; 0 means as many as there are processors for this\n"
        "    process, of the machine or of its container. Lower it to leave the machine to\n"
        "    others. Takes a whole number from 0 to 4096. Default: as many as processors."
    ),
    "memory": (
        "memory: Memory to work in; what does not fit goes to temporary files. The default is\n"
        "    half of the machine's, or of what its container may have. Lower it to leave\n"
        "    memory to others, raise it to save the files. Takes a size of 64M or more, such\n"
        "    as 512M or 8G. Default: half of what there is."
    ),
    "scratch": (
        "scratch: Where temporary files go. Give a fast disk with room for them. Takes a\n"
        "    folder. Default: beside the output."
    ),
    "object_endpoint": (
        "object_endpoint: Server that s3:// and gs:// stand for. Give it for a store of your\n"
        "    own that speaks like Amazon's or Google's. Takes the address of a server, such\n"
        "    as https://storage.example:9000. Default: the provider's."
    ),
    "object_region": (
        "object_region: Region of s3:// buckets. Give it when the store says that a bucket is\n"
        "    elsewhere. Takes a region's name, such as eu-west-1. Default: found out."
    ),
    "object_anonymous": (
        "object_anonymous: Do not sign requests to object stores: for public data, without\n"
        "    credentials."
    ),
    "overwrite": (
        "overwrite: Replace an existing result folder once the new one is complete; otherwise\n"
        "    it is an error. A folder that is no result, or holds anything else, is never\n"
        "    replaced."
    ),
    "resume": (
        "resume: Go on with an interrupted run of the same command; start where there is\n"
        "    none, and change nothing where the result is complete, which is checked."
    ),
    "yes": (
        "yes: Go on although more than 10^9 pairs are predicted, or many more candidates are\n"
        "    found than were predicted."
    ),
    "distance": (
        "distance: Compare by a distance instead of shared features: of points, which are\n"
        "    lists of numbers, l1, l2, cosine (1 - cosine), angular (the angle as a share of\n"
        "    a half turn) or hamming (numbers that differ); of short strings edit\n"
        "    (insertions, deletions and replacements) or indel (insertions and deletions).\n"
        "    Takes off, l1, l2, cosine, angular, hamming, edit or indel. Default: off."
    ),
    "within": (
        "within: Distance at or below which two are near. pairs needs it where there is a\n"
        "    distance; nearest looks no farther; compare: exit 1 above it. Takes a number of\n"
        "    0 or more. Default: none."
    ),
    "sketch_bits": (
        "sketch_bits: Bits that are kept of each coordinate where documents are compared by\n"
        "    sketches alone. Fewer make smaller files and larger errors; searches of large\n"
        "    files are slow below 8. Takes 1, 2, 4, 8, 16 or 32. Default: 32."
    ),
    "top": (
        "top: Neighbours to write of each, at most. Without a distance fewer where fewer\n"
        "    reach the threshold. Takes a whole number from 1 to 10000. Default: 10."
    ),
}
