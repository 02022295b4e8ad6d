"""Keywords of the functions; made by tools/generate_python_options.py."""

from __future__ import annotations

import os
from typing import TypedDict


class DedupOptions(TypedDict, total=False):
    """Keywords of :func:`lookalike.dedup`; None is the default."""

    threshold: float | None
    """Resemblance (common shingles / all shingles), or what --measure says, at or above which two
    documents are alike. Lower it to catch looser copies; nearest lists none below it; compare:
    exit 1 below it. Takes a number above 0, at most 1. Default: 0.8.
    """

    measure: str | None
    """What --threshold is about: resemblance is common shingles / all shingles, for copies of whole
    documents; containment is common shingles / those of the document that has fewer, for texts
    inside of longer ones. dedup takes it with --against only, plan not yet. Takes resemblance or
    containment. Default: resemblance.
    """

    recall: float | None
    """Share of the true pairs to find among those exactly at the threshold, the worst case. Raise
    it when a missed copy is costly; it takes more time. Takes a number above 0 and below 1.
    Default: 0.99.
    """

    shingle: str | None
    """What is compared: runs of N words, characters, bytes, tokens of code or of a URL; N words
    after each stop word; a sample of runs of K characters, one of each W in a row; or the items
    of a list. Longer runs make chance matches rarer; char:N suits short texts and names. Of
    points the cells of width Q in a radius R, or one of width W in each of M shifted grids; of a
    series the same for each L numbers in a row. Takes word:N, char:N, byte:N, code:N,
    stopword:N, winnow:K,W or url:N with N and K from 1 to 64; item; for numbers point:R,Q,
    cells:W,M or series:L,W,M. Default: word:5.
    """

    normalize: str | None
    """What differences of writing do not count: compatibility forms, case, accents, which digit it
    is, punctuation, how much white space or any. Give none to compare texts as they are. Takes
    none, or some of nfkc,casefold,diacritics,digits,punctuation,whitespace,no-whitespace.
    Default: nfkc,casefold.
    """

    pages: str | None
    """What of HTML is compared: visible is the text that a reader sees, altavista all text and the
    addresses of links and images, off the source. auto is visible for files that end in .html
    and pages of WARC files, off for all else. Takes auto, off, visible or altavista. Default:
    auto.
    """

    segment: str | None
    """How words are found where they are written without spaces: script takes each character for a
    word, icu cuts by dictionaries, which costs time and depends on the version of ICU. Takes
    script or icu. Default: script.
    """

    stop_words: str | None
    """Stop words of stopword:N: those of a language, every word of at most three characters, or the
    lines of a file. Takes a language such as en or de, short, or a file such as ./words.txt.
    Default: en.
    """

    weights: str | None
    """What words weigh: lines of word, tab and weight, * for all others. A shingle weighs what its
    words do on average; common are the lesser of two weights, the union has the greater.
    `lookalike weights` makes such a file of how rare words are. Takes off, or a file such as
    ./weights.tsv. Default: off.
    """

    weight_unit: float | None
    """Weight that counts as one feature; what is left of a weight counts as one with its
    probability. A smaller one follows fractions closer and takes more time. Takes a number from
    1e-9 to 1e9. Default: 1.
    """

    bag: str | None
    """How repeated shingles count: off counts each once, max as often as it is there (common is the
    lesser of two counts, the union has the greater), sum likewise, with both counts in the
    union. Takes off or max, for compare also sum. Default: off.
    """

    ratings: str | None
    """What the weights of items count for: off for nothing; at-least:X drops items below X;
    liked:X,Y tells items of X or more from items of Y or less and drops those between; stars has
    an item as often as it has stars, which makes --bag off max; weights takes any numbers of 0
    or more as what items weigh, in units of --weight-unit. Takes off, at-least:X, liked:X,Y with
    Y below X, stars or weights. Default: off.
    """

    hash: str | None
    """How a shingle becomes a number: mixer is fastest; rabin is the fingerprint modulo a random
    irreducible polynomial, whose collisions have a proven bound. Both spread evenly. Takes mixer
    or rabin. Default: mixer.
    """

    feature_bits: int | None
    """Width of the hash of a shingle. 32 shares some by chance: give it to compare with tools that
    store four bytes. Takes 64 or 32. Default: 64.
    """

    exact_empty: bool | None
    """Treat documents without any word as copies of one another; by default all of them are kept.
    Takes true or false.
    """

    min_features: int | None
    """Documents with fewer distinct shingles are in no pair. Raise it when short texts match by
    chance. Takes a whole number, 1 or more. Default: 1, or 20 for containment.
    """

    seed: int | None
    """Number that all hashing (synth: the corpus) is drawn from. Another seed draws another sample:
    change it to see how much a result owes to chance. Takes a whole number, 0 or more. Default:
    0.
    """

    method: str | None
    """How candidates are found: lsh by shared band keys, exact by a join that misses nothing and
    keeps all features in memory, auto by lsh where a design reaches the recall (else exact),
    shingle-merge by sorting shingles and pairs on disk, of all shingles or of a sample (--sketch
    mod-m:25). Shingles of more than 1000 documents make no pairs there, but are counted;
    shingle-merge:N sets another number. Takes auto, lsh, exact or shingle-merge. Default: auto.
    """

    design: str | None
    """Band design. Leave it to be planned from --threshold, --recall, --sketch and roughly the size
    of the inputs, unless you want the keys of another tool or of an earlier run. Takes
    bands:BxR, groups:GxL:TAU, groups:GxL:TAU:BITS or overlapping:K:R:B; with --distance all or,
    for pairs, grid; plan also sketch:K:T. Default: planned.
    """

    sketch: str | None
    """Sketch and its number of coordinates. More coordinates make a high --recall at a low
    --threshold reachable and take more time. fss scatters least; take another to compare with
    other tools. docs/format/sketch-kinds-v1.md has what each one is. Takes fss:K,
    permutations:K, permutations:K:FAMILY, one-permutation:K, one-permutation:K:densified, one-
    permutation:K:bins, lead-byte:K, lead-byte:K:4, geometric:K, biased:K or weighted:K with K a
    power of two from 16 to 1024 and FAMILY one of mixer, linear, universal, matrix, tabulation
    and mixed-tabulation; for compare also bottom-k:K, mod-m:M or fracminhash:S. Default:
    fss:128.
    """

    verify: str | None
    """How documents are compared: exact computes the resemblance from all shingles, sketch
    estimates it from sketches alone and says its standard error, none writes every candidate
    with its estimate. sketch+exact computes it only where the estimate, too, reaches the
    threshold: faster, but half of the pairs at the threshold are lost. Sketch files have no
    shingles: sketch is implied, and dedup tells clusters without removing. Takes exact or
    sketch+exact, for pairs and compare also sketch, for pairs also none. Default: exact.
    """

    audit_documents: int | None
    """Documents sampled to measure the recall of the run; 0 measures nothing. Raise it for a
    narrower interval. Takes a whole number from 0 to 1000000. Default: 1000.
    """

    keep: str | None
    """Which of several alike documents stays: the first or the longest, the one with the smallest
    (asc) or largest (desc) field, or the one of the best source. Takes first, longest, shortest,
    field:NAME[:asc|desc] or source:A,B. Default: first.
    """

    cluster: str | None
    """How clusters.jsonl groups: each kept document with those removed for it, or connected
    components of alike pairs. What is removed is the same. Takes leader or components. Default:
    leader.
    """

    output: str | None
    """copies writes the kept rows unchanged; annotated writes every row with la_keep, la_cluster,
    la_copies, la_duplicate_of and la_resemblance added. Takes copies or annotated. Default:
    copies.
    """

    max_record: int | str | None
    """Longer records are rejected. Raise it when real documents are larger. Takes a size up to
    372M, such as 64KiB or 256M. Default: 256M.
    """

    max_expansion: float | None
    """Plain bytes per compressed byte above which an input is taken for a decompression bomb. Raise
    it for extremely repetitive files that you trust. Takes a number from 1 to 1e12. Default:
    1000.
    """

    max_errors: int | str | None
    """The run fails when more records than this are rejected. 0 demands clean inputs. Takes a whole
    number, 0 or more, or unlimited. Default: unlimited.
    """

    skip_bad_inputs: bool | None
    """Leave out inputs that are missing, truncated or corrupt instead of failing; the exit code is
    then 3. Takes true or false.
    """

    threads: int | None
    """Threads to work with; 0 means as many as there are processors. Lower it to leave the machine
    to others. Takes a whole number from 0 to 4096. Default: as many as processors.
    """

    memory: int | str | None
    """Memory to work in; what does not fit goes to temporary files. Lower it to leave memory to
    others, raise it to save the files. Takes a size of 64M or more, such as 512M or 8G. Default:
    half of the machine's.
    """

    scratch: str | os.PathLike[str] | None
    """Where temporary files go. Give a fast disk with room for them. Takes a folder. Default:
    beside the output.
    """

    object_endpoint: str | None
    """Server that s3:// and gs:// stand for. Give it for a store of your own that speaks like
    Amazon's or Google's. Takes the address of a server, such as https://storage.example:9000.
    Default: the provider's.
    """

    object_region: str | None
    """Region of s3:// buckets. Give it when the store says that a bucket is elsewhere. Takes a
    region's name, such as eu-west-1. Default: found out.
    """

    object_anonymous: bool | None
    """Do not sign requests to object stores: for public data, without credentials. Takes true or
    false.
    """

    overwrite: bool | None
    """Replace an existing result folder once the new one is complete; otherwise it is an error.
    Takes true or false.
    """

    resume: bool | None
    """Go on with an interrupted run of the same command; start where there is none, and change
    nothing where the result is complete. Takes true or false.
    """

    preset: str | None
    """Options for a use, by name: web, news, corpus, plagiarism, mirrors, code, baskets, urls,
    crumbs or pixels. Other keywords win over it.
    """

    config: str | os.PathLike[str] | None
    """A TOML file of options. Other keywords win over it, and it over the preset."""


class PairsOptions(TypedDict, total=False):
    """Keywords of :func:`lookalike.pairs`; None is the default."""

    threshold: float | None
    """Resemblance (common shingles / all shingles), or what --measure says, at or above which two
    documents are alike. Lower it to catch looser copies; nearest lists none below it; compare:
    exit 1 below it. Takes a number above 0, at most 1. Default: 0.8.
    """

    measure: str | None
    """What --threshold is about: resemblance is common shingles / all shingles, for copies of whole
    documents; containment is common shingles / those of the document that has fewer, for texts
    inside of longer ones. dedup takes it with --against only, plan not yet. Takes resemblance or
    containment. Default: resemblance.
    """

    recall: float | None
    """Share of the true pairs to find among those exactly at the threshold, the worst case. Raise
    it when a missed copy is costly; it takes more time. Takes a number above 0 and below 1.
    Default: 0.99.
    """

    shingle: str | None
    """What is compared: runs of N words, characters, bytes, tokens of code or of a URL; N words
    after each stop word; a sample of runs of K characters, one of each W in a row; or the items
    of a list. Longer runs make chance matches rarer; char:N suits short texts and names. Of
    points the cells of width Q in a radius R, or one of width W in each of M shifted grids; of a
    series the same for each L numbers in a row. Takes word:N, char:N, byte:N, code:N,
    stopword:N, winnow:K,W or url:N with N and K from 1 to 64; item; for numbers point:R,Q,
    cells:W,M or series:L,W,M. Default: word:5.
    """

    normalize: str | None
    """What differences of writing do not count: compatibility forms, case, accents, which digit it
    is, punctuation, how much white space or any. Give none to compare texts as they are. Takes
    none, or some of nfkc,casefold,diacritics,digits,punctuation,whitespace,no-whitespace.
    Default: nfkc,casefold.
    """

    pages: str | None
    """What of HTML is compared: visible is the text that a reader sees, altavista all text and the
    addresses of links and images, off the source. auto is visible for files that end in .html
    and pages of WARC files, off for all else. Takes auto, off, visible or altavista. Default:
    auto.
    """

    segment: str | None
    """How words are found where they are written without spaces: script takes each character for a
    word, icu cuts by dictionaries, which costs time and depends on the version of ICU. Takes
    script or icu. Default: script.
    """

    stop_words: str | None
    """Stop words of stopword:N: those of a language, every word of at most three characters, or the
    lines of a file. Takes a language such as en or de, short, or a file such as ./words.txt.
    Default: en.
    """

    weights: str | None
    """What words weigh: lines of word, tab and weight, * for all others. A shingle weighs what its
    words do on average; common are the lesser of two weights, the union has the greater.
    `lookalike weights` makes such a file of how rare words are. Takes off, or a file such as
    ./weights.tsv. Default: off.
    """

    weight_unit: float | None
    """Weight that counts as one feature; what is left of a weight counts as one with its
    probability. A smaller one follows fractions closer and takes more time. Takes a number from
    1e-9 to 1e9. Default: 1.
    """

    bag: str | None
    """How repeated shingles count: off counts each once, max as often as it is there (common is the
    lesser of two counts, the union has the greater), sum likewise, with both counts in the
    union. Takes off or max, for compare also sum. Default: off.
    """

    ratings: str | None
    """What the weights of items count for: off for nothing; at-least:X drops items below X;
    liked:X,Y tells items of X or more from items of Y or less and drops those between; stars has
    an item as often as it has stars, which makes --bag off max; weights takes any numbers of 0
    or more as what items weigh, in units of --weight-unit. Takes off, at-least:X, liked:X,Y with
    Y below X, stars or weights. Default: off.
    """

    hash: str | None
    """How a shingle becomes a number: mixer is fastest; rabin is the fingerprint modulo a random
    irreducible polynomial, whose collisions have a proven bound. Both spread evenly. Takes mixer
    or rabin. Default: mixer.
    """

    feature_bits: int | None
    """Width of the hash of a shingle. 32 shares some by chance: give it to compare with tools that
    store four bytes. Takes 64 or 32. Default: 64.
    """

    min_features: int | None
    """Documents with fewer distinct shingles are in no pair. Raise it when short texts match by
    chance. Takes a whole number, 1 or more. Default: 1, or 20 for containment.
    """

    seed: int | None
    """Number that all hashing (synth: the corpus) is drawn from. Another seed draws another sample:
    change it to see how much a result owes to chance. Takes a whole number, 0 or more. Default:
    0.
    """

    distance: str | None
    """Compare by a distance instead of shared features: of points, which are lists of numbers, l1,
    l2, cosine (1 - cosine), angular (the angle as a share of a half turn) or hamming (numbers
    that differ); of short strings edit. Takes off, l1, l2, cosine, angular, hamming or edit.
    Default: off.
    """

    within: float | None
    """Distance at or below which two are near. pairs needs it where there is a distance; nearest
    looks no farther; compare: exit 1 above it. Takes a number of 0 or more. Default: none.
    """

    method: str | None
    """How candidates are found: lsh by shared band keys, exact by a join that misses nothing and
    keeps all features in memory, auto by lsh where a design reaches the recall (else exact),
    shingle-merge by sorting shingles and pairs on disk, of all shingles or of a sample (--sketch
    mod-m:25). Shingles of more than 1000 documents make no pairs there, but are counted;
    shingle-merge:N sets another number. Takes auto, lsh, exact or shingle-merge. Default: auto.
    """

    design: str | None
    """Band design. Leave it to be planned from --threshold, --recall, --sketch and roughly the size
    of the inputs, unless you want the keys of another tool or of an earlier run. Takes
    bands:BxR, groups:GxL:TAU, groups:GxL:TAU:BITS or overlapping:K:R:B; with --distance all or,
    for pairs, grid; plan also sketch:K:T. Default: planned.
    """

    sketch: str | None
    """Sketch and its number of coordinates. More coordinates make a high --recall at a low
    --threshold reachable and take more time. fss scatters least; take another to compare with
    other tools. docs/format/sketch-kinds-v1.md has what each one is. Takes fss:K,
    permutations:K, permutations:K:FAMILY, one-permutation:K, one-permutation:K:densified, one-
    permutation:K:bins, lead-byte:K, lead-byte:K:4, geometric:K, biased:K or weighted:K with K a
    power of two from 16 to 1024 and FAMILY one of mixer, linear, universal, matrix, tabulation
    and mixed-tabulation; for compare also bottom-k:K, mod-m:M or fracminhash:S. Default:
    fss:128.
    """

    sketch_bits: int | None
    """Bits that are kept of each coordinate where documents are compared by sketches alone. Fewer
    make smaller files and larger errors; searches of large files are slow below 8. Takes 1, 2,
    4, 8, 16 or 32. Default: 32.
    """

    verify: str | None
    """How documents are compared: exact computes the resemblance from all shingles, sketch
    estimates it from sketches alone and says its standard error, none writes every candidate
    with its estimate. sketch+exact computes it only where the estimate, too, reaches the
    threshold: faster, but half of the pairs at the threshold are lost. Sketch files have no
    shingles: sketch is implied, and dedup tells clusters without removing. Takes exact or
    sketch+exact, for pairs and compare also sketch, for pairs also none. Default: exact.
    """

    audit_documents: int | None
    """Documents sampled to measure the recall of the run; 0 measures nothing. Raise it for a
    narrower interval. Takes a whole number from 0 to 1000000. Default: 1000.
    """

    max_record: int | str | None
    """Longer records are rejected. Raise it when real documents are larger. Takes a size up to
    372M, such as 64KiB or 256M. Default: 256M.
    """

    max_expansion: float | None
    """Plain bytes per compressed byte above which an input is taken for a decompression bomb. Raise
    it for extremely repetitive files that you trust. Takes a number from 1 to 1e12. Default:
    1000.
    """

    max_errors: int | str | None
    """The run fails when more records than this are rejected. 0 demands clean inputs. Takes a whole
    number, 0 or more, or unlimited. Default: unlimited.
    """

    skip_bad_inputs: bool | None
    """Leave out inputs that are missing, truncated or corrupt instead of failing; the exit code is
    then 3. Takes true or false.
    """

    threads: int | None
    """Threads to work with; 0 means as many as there are processors. Lower it to leave the machine
    to others. Takes a whole number from 0 to 4096. Default: as many as processors.
    """

    memory: int | str | None
    """Memory to work in; what does not fit goes to temporary files. Lower it to leave memory to
    others, raise it to save the files. Takes a size of 64M or more, such as 512M or 8G. Default:
    half of the machine's.
    """

    scratch: str | os.PathLike[str] | None
    """Where temporary files go. Give a fast disk with room for them. Takes a folder. Default:
    beside the output.
    """

    object_endpoint: str | None
    """Server that s3:// and gs:// stand for. Give it for a store of your own that speaks like
    Amazon's or Google's. Takes the address of a server, such as https://storage.example:9000.
    Default: the provider's.
    """

    object_region: str | None
    """Region of s3:// buckets. Give it when the store says that a bucket is elsewhere. Takes a
    region's name, such as eu-west-1. Default: found out.
    """

    object_anonymous: bool | None
    """Do not sign requests to object stores: for public data, without credentials. Takes true or
    false.
    """

    yes: bool | None
    """Go on although more than 10^9 pairs are predicted. Takes true or false."""

    preset: str | None
    """Options for a use, by name: web, news, corpus, plagiarism, mirrors, code, baskets, urls,
    crumbs or pixels. Other keywords win over it.
    """

    config: str | os.PathLike[str] | None
    """A TOML file of options. Other keywords win over it, and it over the preset."""


class NearestOptions(TypedDict, total=False):
    """Keywords of :func:`lookalike.nearest`; None is the default."""

    threshold: float | None
    """Resemblance (common shingles / all shingles), or what --measure says, at or above which two
    documents are alike. Lower it to catch looser copies; nearest lists none below it; compare:
    exit 1 below it. Takes a number above 0, at most 1. Default: 0.8.
    """

    recall: float | None
    """Share of the true pairs to find among those exactly at the threshold, the worst case. Raise
    it when a missed copy is costly; it takes more time. Takes a number above 0 and below 1.
    Default: 0.99.
    """

    shingle: str | None
    """What is compared: runs of N words, characters, bytes, tokens of code or of a URL; N words
    after each stop word; a sample of runs of K characters, one of each W in a row; or the items
    of a list. Longer runs make chance matches rarer; char:N suits short texts and names. Of
    points the cells of width Q in a radius R, or one of width W in each of M shifted grids; of a
    series the same for each L numbers in a row. Takes word:N, char:N, byte:N, code:N,
    stopword:N, winnow:K,W or url:N with N and K from 1 to 64; item; for numbers point:R,Q,
    cells:W,M or series:L,W,M. Default: word:5.
    """

    normalize: str | None
    """What differences of writing do not count: compatibility forms, case, accents, which digit it
    is, punctuation, how much white space or any. Give none to compare texts as they are. Takes
    none, or some of nfkc,casefold,diacritics,digits,punctuation,whitespace,no-whitespace.
    Default: nfkc,casefold.
    """

    pages: str | None
    """What of HTML is compared: visible is the text that a reader sees, altavista all text and the
    addresses of links and images, off the source. auto is visible for files that end in .html
    and pages of WARC files, off for all else. Takes auto, off, visible or altavista. Default:
    auto.
    """

    segment: str | None
    """How words are found where they are written without spaces: script takes each character for a
    word, icu cuts by dictionaries, which costs time and depends on the version of ICU. Takes
    script or icu. Default: script.
    """

    stop_words: str | None
    """Stop words of stopword:N: those of a language, every word of at most three characters, or the
    lines of a file. Takes a language such as en or de, short, or a file such as ./words.txt.
    Default: en.
    """

    weights: str | None
    """What words weigh: lines of word, tab and weight, * for all others. A shingle weighs what its
    words do on average; common are the lesser of two weights, the union has the greater.
    `lookalike weights` makes such a file of how rare words are. Takes off, or a file such as
    ./weights.tsv. Default: off.
    """

    weight_unit: float | None
    """Weight that counts as one feature; what is left of a weight counts as one with its
    probability. A smaller one follows fractions closer and takes more time. Takes a number from
    1e-9 to 1e9. Default: 1.
    """

    bag: str | None
    """How repeated shingles count: off counts each once, max as often as it is there (common is the
    lesser of two counts, the union has the greater), sum likewise, with both counts in the
    union. Takes off or max, for compare also sum. Default: off.
    """

    ratings: str | None
    """What the weights of items count for: off for nothing; at-least:X drops items below X;
    liked:X,Y tells items of X or more from items of Y or less and drops those between; stars has
    an item as often as it has stars, which makes --bag off max; weights takes any numbers of 0
    or more as what items weigh, in units of --weight-unit. Takes off, at-least:X, liked:X,Y with
    Y below X, stars or weights. Default: off.
    """

    hash: str | None
    """How a shingle becomes a number: mixer is fastest; rabin is the fingerprint modulo a random
    irreducible polynomial, whose collisions have a proven bound. Both spread evenly. Takes mixer
    or rabin. Default: mixer.
    """

    feature_bits: int | None
    """Width of the hash of a shingle. 32 shares some by chance: give it to compare with tools that
    store four bytes. Takes 64 or 32. Default: 64.
    """

    min_features: int | None
    """Documents with fewer distinct shingles are in no pair. Raise it when short texts match by
    chance. Takes a whole number, 1 or more. Default: 1, or 20 for containment.
    """

    seed: int | None
    """Number that all hashing (synth: the corpus) is drawn from. Another seed draws another sample:
    change it to see how much a result owes to chance. Takes a whole number, 0 or more. Default:
    0.
    """

    distance: str | None
    """Compare by a distance instead of shared features: of points, which are lists of numbers, l1,
    l2, cosine (1 - cosine), angular (the angle as a share of a half turn) or hamming (numbers
    that differ); of short strings edit. Takes off, l1, l2, cosine, angular, hamming or edit.
    Default: off.
    """

    within: float | None
    """Distance at or below which two are near. pairs needs it where there is a distance; nearest
    looks no farther; compare: exit 1 above it. Takes a number of 0 or more. Default: none.
    """

    top: int | None
    """Neighbours to write of each, at most. Without a distance fewer where fewer reach the
    threshold. Takes a whole number from 1 to 10000. Default: 10.
    """

    method: str | None
    """How candidates are found: lsh by shared band keys, exact by a join that misses nothing and
    keeps all features in memory, auto by lsh where a design reaches the recall (else exact),
    shingle-merge by sorting shingles and pairs on disk, of all shingles or of a sample (--sketch
    mod-m:25). Shingles of more than 1000 documents make no pairs there, but are counted;
    shingle-merge:N sets another number. Takes auto, lsh, exact or shingle-merge. Default: auto.
    """

    design: str | None
    """Band design. Leave it to be planned from --threshold, --recall, --sketch and roughly the size
    of the inputs, unless you want the keys of another tool or of an earlier run. Takes
    bands:BxR, groups:GxL:TAU, groups:GxL:TAU:BITS or overlapping:K:R:B; with --distance all or,
    for pairs, grid; plan also sketch:K:T. Default: planned.
    """

    sketch: str | None
    """Sketch and its number of coordinates. More coordinates make a high --recall at a low
    --threshold reachable and take more time. fss scatters least; take another to compare with
    other tools. docs/format/sketch-kinds-v1.md has what each one is. Takes fss:K,
    permutations:K, permutations:K:FAMILY, one-permutation:K, one-permutation:K:densified, one-
    permutation:K:bins, lead-byte:K, lead-byte:K:4, geometric:K, biased:K or weighted:K with K a
    power of two from 16 to 1024 and FAMILY one of mixer, linear, universal, matrix, tabulation
    and mixed-tabulation; for compare also bottom-k:K, mod-m:M or fracminhash:S. Default:
    fss:128.
    """

    sketch_bits: int | None
    """Bits that are kept of each coordinate where documents are compared by sketches alone. Fewer
    make smaller files and larger errors; searches of large files are slow below 8. Takes 1, 2,
    4, 8, 16 or 32. Default: 32.
    """

    verify: str | None
    """How documents are compared: exact computes the resemblance from all shingles, sketch
    estimates it from sketches alone and says its standard error, none writes every candidate
    with its estimate. sketch+exact computes it only where the estimate, too, reaches the
    threshold: faster, but half of the pairs at the threshold are lost. Sketch files have no
    shingles: sketch is implied, and dedup tells clusters without removing. Takes exact or
    sketch+exact, for pairs and compare also sketch, for pairs also none. Default: exact.
    """

    audit_documents: int | None
    """Documents sampled to measure the recall of the run; 0 measures nothing. Raise it for a
    narrower interval. Takes a whole number from 0 to 1000000. Default: 1000.
    """

    max_record: int | str | None
    """Longer records are rejected. Raise it when real documents are larger. Takes a size up to
    372M, such as 64KiB or 256M. Default: 256M.
    """

    max_expansion: float | None
    """Plain bytes per compressed byte above which an input is taken for a decompression bomb. Raise
    it for extremely repetitive files that you trust. Takes a number from 1 to 1e12. Default:
    1000.
    """

    max_errors: int | str | None
    """The run fails when more records than this are rejected. 0 demands clean inputs. Takes a whole
    number, 0 or more, or unlimited. Default: unlimited.
    """

    skip_bad_inputs: bool | None
    """Leave out inputs that are missing, truncated or corrupt instead of failing; the exit code is
    then 3. Takes true or false.
    """

    threads: int | None
    """Threads to work with; 0 means as many as there are processors. Lower it to leave the machine
    to others. Takes a whole number from 0 to 4096. Default: as many as processors.
    """

    memory: int | str | None
    """Memory to work in; what does not fit goes to temporary files. Lower it to leave memory to
    others, raise it to save the files. Takes a size of 64M or more, such as 512M or 8G. Default:
    half of the machine's.
    """

    scratch: str | os.PathLike[str] | None
    """Where temporary files go. Give a fast disk with room for them. Takes a folder. Default:
    beside the output.
    """

    object_endpoint: str | None
    """Server that s3:// and gs:// stand for. Give it for a store of your own that speaks like
    Amazon's or Google's. Takes the address of a server, such as https://storage.example:9000.
    Default: the provider's.
    """

    object_region: str | None
    """Region of s3:// buckets. Give it when the store says that a bucket is elsewhere. Takes a
    region's name, such as eu-west-1. Default: found out.
    """

    object_anonymous: bool | None
    """Do not sign requests to object stores: for public data, without credentials. Takes true or
    false.
    """

    preset: str | None
    """Options for a use, by name: web, news, corpus, plagiarism, mirrors, code, baskets, urls,
    crumbs or pixels. Other keywords win over it.
    """

    config: str | os.PathLike[str] | None
    """A TOML file of options. Other keywords win over it, and it over the preset."""


class PlanOptions(TypedDict, total=False):
    """Keywords of :func:`lookalike.plan`; None is the default."""

    threshold: float | None
    """Resemblance (common shingles / all shingles), or what --measure says, at or above which two
    documents are alike. Lower it to catch looser copies; nearest lists none below it; compare:
    exit 1 below it. Takes a number above 0, at most 1. Default: 0.8.
    """

    measure: str | None
    """What --threshold is about: resemblance is common shingles / all shingles, for copies of whole
    documents; containment is common shingles / those of the document that has fewer, for texts
    inside of longer ones. dedup takes it with --against only, plan not yet. Takes resemblance or
    containment. Default: resemblance.
    """

    recall: float | None
    """Share of the true pairs to find among those exactly at the threshold, the worst case. Raise
    it when a missed copy is costly; it takes more time. Takes a number above 0 and below 1.
    Default: 0.99.
    """

    shingle: str | None
    """What is compared: runs of N words, characters, bytes, tokens of code or of a URL; N words
    after each stop word; a sample of runs of K characters, one of each W in a row; or the items
    of a list. Longer runs make chance matches rarer; char:N suits short texts and names. Of
    points the cells of width Q in a radius R, or one of width W in each of M shifted grids; of a
    series the same for each L numbers in a row. Takes word:N, char:N, byte:N, code:N,
    stopword:N, winnow:K,W or url:N with N and K from 1 to 64; item; for numbers point:R,Q,
    cells:W,M or series:L,W,M. Default: word:5.
    """

    normalize: str | None
    """What differences of writing do not count: compatibility forms, case, accents, which digit it
    is, punctuation, how much white space or any. Give none to compare texts as they are. Takes
    none, or some of nfkc,casefold,diacritics,digits,punctuation,whitespace,no-whitespace.
    Default: nfkc,casefold.
    """

    pages: str | None
    """What of HTML is compared: visible is the text that a reader sees, altavista all text and the
    addresses of links and images, off the source. auto is visible for files that end in .html
    and pages of WARC files, off for all else. Takes auto, off, visible or altavista. Default:
    auto.
    """

    segment: str | None
    """How words are found where they are written without spaces: script takes each character for a
    word, icu cuts by dictionaries, which costs time and depends on the version of ICU. Takes
    script or icu. Default: script.
    """

    stop_words: str | None
    """Stop words of stopword:N: those of a language, every word of at most three characters, or the
    lines of a file. Takes a language such as en or de, short, or a file such as ./words.txt.
    Default: en.
    """

    weights: str | None
    """What words weigh: lines of word, tab and weight, * for all others. A shingle weighs what its
    words do on average; common are the lesser of two weights, the union has the greater.
    `lookalike weights` makes such a file of how rare words are. Takes off, or a file such as
    ./weights.tsv. Default: off.
    """

    weight_unit: float | None
    """Weight that counts as one feature; what is left of a weight counts as one with its
    probability. A smaller one follows fractions closer and takes more time. Takes a number from
    1e-9 to 1e9. Default: 1.
    """

    bag: str | None
    """How repeated shingles count: off counts each once, max as often as it is there (common is the
    lesser of two counts, the union has the greater), sum likewise, with both counts in the
    union. Takes off or max, for compare also sum. Default: off.
    """

    ratings: str | None
    """What the weights of items count for: off for nothing; at-least:X drops items below X;
    liked:X,Y tells items of X or more from items of Y or less and drops those between; stars has
    an item as often as it has stars, which makes --bag off max; weights takes any numbers of 0
    or more as what items weigh, in units of --weight-unit. Takes off, at-least:X, liked:X,Y with
    Y below X, stars or weights. Default: off.
    """

    hash: str | None
    """How a shingle becomes a number: mixer is fastest; rabin is the fingerprint modulo a random
    irreducible polynomial, whose collisions have a proven bound. Both spread evenly. Takes mixer
    or rabin. Default: mixer.
    """

    feature_bits: int | None
    """Width of the hash of a shingle. 32 shares some by chance: give it to compare with tools that
    store four bytes. Takes 64 or 32. Default: 64.
    """

    min_features: int | None
    """Documents with fewer distinct shingles are in no pair. Raise it when short texts match by
    chance. Takes a whole number, 1 or more. Default: 1, or 20 for containment.
    """

    seed: int | None
    """Number that all hashing (synth: the corpus) is drawn from. Another seed draws another sample:
    change it to see how much a result owes to chance. Takes a whole number, 0 or more. Default:
    0.
    """

    method: str | None
    """How candidates are found: lsh by shared band keys, exact by a join that misses nothing and
    keeps all features in memory, auto by lsh where a design reaches the recall (else exact),
    shingle-merge by sorting shingles and pairs on disk, of all shingles or of a sample (--sketch
    mod-m:25). Shingles of more than 1000 documents make no pairs there, but are counted;
    shingle-merge:N sets another number. Takes auto, lsh, exact or shingle-merge. Default: auto.
    """

    design: str | None
    """Band design. Leave it to be planned from --threshold, --recall, --sketch and roughly the size
    of the inputs, unless you want the keys of another tool or of an earlier run. Takes
    bands:BxR, groups:GxL:TAU, groups:GxL:TAU:BITS or overlapping:K:R:B; with --distance all or,
    for pairs, grid; plan also sketch:K:T. Default: planned.
    """

    sketch: str | None
    """Sketch and its number of coordinates. More coordinates make a high --recall at a low
    --threshold reachable and take more time. fss scatters least; take another to compare with
    other tools. docs/format/sketch-kinds-v1.md has what each one is. Takes fss:K,
    permutations:K, permutations:K:FAMILY, one-permutation:K, one-permutation:K:densified, one-
    permutation:K:bins, lead-byte:K, lead-byte:K:4, geometric:K, biased:K or weighted:K with K a
    power of two from 16 to 1024 and FAMILY one of mixer, linear, universal, matrix, tabulation
    and mixed-tabulation; for compare also bottom-k:K, mod-m:M or fracminhash:S. Default:
    fss:128.
    """

    max_record: int | str | None
    """Longer records are rejected. Raise it when real documents are larger. Takes a size up to
    372M, such as 64KiB or 256M. Default: 256M.
    """

    max_expansion: float | None
    """Plain bytes per compressed byte above which an input is taken for a decompression bomb. Raise
    it for extremely repetitive files that you trust. Takes a number from 1 to 1e12. Default:
    1000.
    """

    skip_bad_inputs: bool | None
    """Leave out inputs that are missing, truncated or corrupt instead of failing; the exit code is
    then 3. Takes true or false.
    """

    threads: int | None
    """Threads to work with; 0 means as many as there are processors. Lower it to leave the machine
    to others. Takes a whole number from 0 to 4096. Default: as many as processors.
    """

    memory: int | str | None
    """Memory to work in; what does not fit goes to temporary files. Lower it to leave memory to
    others, raise it to save the files. Takes a size of 64M or more, such as 512M or 8G. Default:
    half of the machine's.
    """

    object_endpoint: str | None
    """Server that s3:// and gs:// stand for. Give it for a store of your own that speaks like
    Amazon's or Google's. Takes the address of a server, such as https://storage.example:9000.
    Default: the provider's.
    """

    object_region: str | None
    """Region of s3:// buckets. Give it when the store says that a bucket is elsewhere. Takes a
    region's name, such as eu-west-1. Default: found out.
    """

    object_anonymous: bool | None
    """Do not sign requests to object stores: for public data, without credentials. Takes true or
    false.
    """

    preset: str | None
    """Options for a use, by name: web, news, corpus, plagiarism, mirrors, code, baskets, urls,
    crumbs or pixels. Other keywords win over it.
    """

    config: str | os.PathLike[str] | None
    """A TOML file of options. Other keywords win over it, and it over the preset."""


class CompareOptions(TypedDict, total=False):
    """Keywords of :func:`lookalike.compare`; None is the default."""

    threshold: float | None
    """Resemblance (common shingles / all shingles), or what --measure says, at or above which two
    documents are alike. Lower it to catch looser copies; nearest lists none below it; compare:
    exit 1 below it. Takes a number above 0, at most 1. Default: 0.8.
    """

    shingle: str | None
    """What is compared: runs of N words, characters, bytes, tokens of code or of a URL; N words
    after each stop word; a sample of runs of K characters, one of each W in a row; or the items
    of a list. Longer runs make chance matches rarer; char:N suits short texts and names. Of
    points the cells of width Q in a radius R, or one of width W in each of M shifted grids; of a
    series the same for each L numbers in a row. Takes word:N, char:N, byte:N, code:N,
    stopword:N, winnow:K,W or url:N with N and K from 1 to 64; item; for numbers point:R,Q,
    cells:W,M or series:L,W,M. Default: word:5.
    """

    normalize: str | None
    """What differences of writing do not count: compatibility forms, case, accents, which digit it
    is, punctuation, how much white space or any. Give none to compare texts as they are. Takes
    none, or some of nfkc,casefold,diacritics,digits,punctuation,whitespace,no-whitespace.
    Default: nfkc,casefold.
    """

    pages: str | None
    """What of HTML is compared: visible is the text that a reader sees, altavista all text and the
    addresses of links and images, off the source. auto is visible for files that end in .html
    and pages of WARC files, off for all else. Takes auto, off, visible or altavista. Default:
    auto.
    """

    segment: str | None
    """How words are found where they are written without spaces: script takes each character for a
    word, icu cuts by dictionaries, which costs time and depends on the version of ICU. Takes
    script or icu. Default: script.
    """

    stop_words: str | None
    """Stop words of stopword:N: those of a language, every word of at most three characters, or the
    lines of a file. Takes a language such as en or de, short, or a file such as ./words.txt.
    Default: en.
    """

    weights: str | None
    """What words weigh: lines of word, tab and weight, * for all others. A shingle weighs what its
    words do on average; common are the lesser of two weights, the union has the greater.
    `lookalike weights` makes such a file of how rare words are. Takes off, or a file such as
    ./weights.tsv. Default: off.
    """

    weight_unit: float | None
    """Weight that counts as one feature; what is left of a weight counts as one with its
    probability. A smaller one follows fractions closer and takes more time. Takes a number from
    1e-9 to 1e9. Default: 1.
    """

    bag: str | None
    """How repeated shingles count: off counts each once, max as often as it is there (common is the
    lesser of two counts, the union has the greater), sum likewise, with both counts in the
    union. Takes off or max, for compare also sum. Default: off.
    """

    ratings: str | None
    """What the weights of items count for: off for nothing; at-least:X drops items below X;
    liked:X,Y tells items of X or more from items of Y or less and drops those between; stars has
    an item as often as it has stars, which makes --bag off max; weights takes any numbers of 0
    or more as what items weigh, in units of --weight-unit. Takes off, at-least:X, liked:X,Y with
    Y below X, stars or weights. Default: off.
    """

    hash: str | None
    """How a shingle becomes a number: mixer is fastest; rabin is the fingerprint modulo a random
    irreducible polynomial, whose collisions have a proven bound. Both spread evenly. Takes mixer
    or rabin. Default: mixer.
    """

    feature_bits: int | None
    """Width of the hash of a shingle. 32 shares some by chance: give it to compare with tools that
    store four bytes. Takes 64 or 32. Default: 64.
    """

    distance: str | None
    """Compare by a distance instead of shared features: of points, which are lists of numbers, l1,
    l2, cosine (1 - cosine), angular (the angle as a share of a half turn) or hamming (numbers
    that differ); of short strings edit. Takes off, l1, l2, cosine, angular, hamming or edit.
    Default: off.
    """

    within: float | None
    """Distance at or below which two are near. pairs needs it where there is a distance; nearest
    looks no farther; compare: exit 1 above it. Takes a number of 0 or more. Default: none.
    """

    sketch: str | None
    """Sketch and its number of coordinates. More coordinates make a high --recall at a low
    --threshold reachable and take more time. fss scatters least; take another to compare with
    other tools. docs/format/sketch-kinds-v1.md has what each one is. Takes fss:K,
    permutations:K, permutations:K:FAMILY, one-permutation:K, one-permutation:K:densified, one-
    permutation:K:bins, lead-byte:K, lead-byte:K:4, geometric:K, biased:K or weighted:K with K a
    power of two from 16 to 1024 and FAMILY one of mixer, linear, universal, matrix, tabulation
    and mixed-tabulation; for compare also bottom-k:K, mod-m:M or fracminhash:S. Default:
    fss:128.
    """

    sketch_bits: int | None
    """Bits that are kept of each coordinate where documents are compared by sketches alone. Fewer
    make smaller files and larger errors; searches of large files are slow below 8. Takes 1, 2,
    4, 8, 16 or 32. Default: 32.
    """

    verify: str | None
    """How documents are compared: exact computes the resemblance from all shingles, sketch
    estimates it from sketches alone and says its standard error, none writes every candidate
    with its estimate. sketch+exact computes it only where the estimate, too, reaches the
    threshold: faster, but half of the pairs at the threshold are lost. Sketch files have no
    shingles: sketch is implied, and dedup tells clusters without removing. Takes exact or
    sketch+exact, for pairs and compare also sketch, for pairs also none. Default: exact.
    """

    max_record: int | str | None
    """Longer records are rejected. Raise it when real documents are larger. Takes a size up to
    372M, such as 64KiB or 256M. Default: 256M.
    """

    max_expansion: float | None
    """Plain bytes per compressed byte above which an input is taken for a decompression bomb. Raise
    it for extremely repetitive files that you trust. Takes a number from 1 to 1e12. Default:
    1000.
    """

    preset: str | None
    """Options for a use, by name: web, news, corpus, plagiarism, mirrors, code, baskets, urls,
    crumbs or pixels. Other keywords win over it.
    """

    config: str | os.PathLike[str] | None
    """A TOML file of options. Other keywords win over it, and it over the preset."""


class SketchOptions(TypedDict, total=False):
    """Keywords of :func:`lookalike.sketch`; None is the default."""

    shingle: str | None
    """What is compared: runs of N words, characters, bytes, tokens of code or of a URL; N words
    after each stop word; a sample of runs of K characters, one of each W in a row; or the items
    of a list. Longer runs make chance matches rarer; char:N suits short texts and names. Of
    points the cells of width Q in a radius R, or one of width W in each of M shifted grids; of a
    series the same for each L numbers in a row. Takes word:N, char:N, byte:N, code:N,
    stopword:N, winnow:K,W or url:N with N and K from 1 to 64; item; for numbers point:R,Q,
    cells:W,M or series:L,W,M. Default: word:5.
    """

    normalize: str | None
    """What differences of writing do not count: compatibility forms, case, accents, which digit it
    is, punctuation, how much white space or any. Give none to compare texts as they are. Takes
    none, or some of nfkc,casefold,diacritics,digits,punctuation,whitespace,no-whitespace.
    Default: nfkc,casefold.
    """

    pages: str | None
    """What of HTML is compared: visible is the text that a reader sees, altavista all text and the
    addresses of links and images, off the source. auto is visible for files that end in .html
    and pages of WARC files, off for all else. Takes auto, off, visible or altavista. Default:
    auto.
    """

    segment: str | None
    """How words are found where they are written without spaces: script takes each character for a
    word, icu cuts by dictionaries, which costs time and depends on the version of ICU. Takes
    script or icu. Default: script.
    """

    stop_words: str | None
    """Stop words of stopword:N: those of a language, every word of at most three characters, or the
    lines of a file. Takes a language such as en or de, short, or a file such as ./words.txt.
    Default: en.
    """

    weights: str | None
    """What words weigh: lines of word, tab and weight, * for all others. A shingle weighs what its
    words do on average; common are the lesser of two weights, the union has the greater.
    `lookalike weights` makes such a file of how rare words are. Takes off, or a file such as
    ./weights.tsv. Default: off.
    """

    weight_unit: float | None
    """Weight that counts as one feature; what is left of a weight counts as one with its
    probability. A smaller one follows fractions closer and takes more time. Takes a number from
    1e-9 to 1e9. Default: 1.
    """

    bag: str | None
    """How repeated shingles count: off counts each once, max as often as it is there (common is the
    lesser of two counts, the union has the greater), sum likewise, with both counts in the
    union. Takes off or max, for compare also sum. Default: off.
    """

    ratings: str | None
    """What the weights of items count for: off for nothing; at-least:X drops items below X;
    liked:X,Y tells items of X or more from items of Y or less and drops those between; stars has
    an item as often as it has stars, which makes --bag off max; weights takes any numbers of 0
    or more as what items weigh, in units of --weight-unit. Takes off, at-least:X, liked:X,Y with
    Y below X, stars or weights. Default: off.
    """

    hash: str | None
    """How a shingle becomes a number: mixer is fastest; rabin is the fingerprint modulo a random
    irreducible polynomial, whose collisions have a proven bound. Both spread evenly. Takes mixer
    or rabin. Default: mixer.
    """

    feature_bits: int | None
    """Width of the hash of a shingle. 32 shares some by chance: give it to compare with tools that
    store four bytes. Takes 64 or 32. Default: 64.
    """

    seed: int | None
    """Number that all hashing (synth: the corpus) is drawn from. Another seed draws another sample:
    change it to see how much a result owes to chance. Takes a whole number, 0 or more. Default:
    0.
    """

    sketch: str | None
    """Sketch and its number of coordinates. More coordinates make a high --recall at a low
    --threshold reachable and take more time. fss scatters least; take another to compare with
    other tools. docs/format/sketch-kinds-v1.md has what each one is. Takes fss:K,
    permutations:K, permutations:K:FAMILY, one-permutation:K, one-permutation:K:densified, one-
    permutation:K:bins, lead-byte:K, lead-byte:K:4, geometric:K, biased:K or weighted:K with K a
    power of two from 16 to 1024 and FAMILY one of mixer, linear, universal, matrix, tabulation
    and mixed-tabulation; for compare also bottom-k:K, mod-m:M or fracminhash:S. Default:
    fss:128.
    """

    sketch_bits: int | None
    """Bits that are kept of each coordinate where documents are compared by sketches alone. Fewer
    make smaller files and larger errors; searches of large files are slow below 8. Takes 1, 2,
    4, 8, 16 or 32. Default: 32.
    """

    max_record: int | str | None
    """Longer records are rejected. Raise it when real documents are larger. Takes a size up to
    372M, such as 64KiB or 256M. Default: 256M.
    """

    max_expansion: float | None
    """Plain bytes per compressed byte above which an input is taken for a decompression bomb. Raise
    it for extremely repetitive files that you trust. Takes a number from 1 to 1e12. Default:
    1000.
    """

    max_errors: int | str | None
    """The run fails when more records than this are rejected. 0 demands clean inputs. Takes a whole
    number, 0 or more, or unlimited. Default: unlimited.
    """

    threads: int | None
    """Threads to work with; 0 means as many as there are processors. Lower it to leave the machine
    to others. Takes a whole number from 0 to 4096. Default: as many as processors.
    """

    memory: int | str | None
    """Memory to work in; what does not fit goes to temporary files. Lower it to leave memory to
    others, raise it to save the files. Takes a size of 64M or more, such as 512M or 8G. Default:
    half of the machine's.
    """

    object_endpoint: str | None
    """Server that s3:// and gs:// stand for. Give it for a store of your own that speaks like
    Amazon's or Google's. Takes the address of a server, such as https://storage.example:9000.
    Default: the provider's.
    """

    object_region: str | None
    """Region of s3:// buckets. Give it when the store says that a bucket is elsewhere. Takes a
    region's name, such as eu-west-1. Default: found out.
    """

    object_anonymous: bool | None
    """Do not sign requests to object stores: for public data, without credentials. Takes true or
    false.
    """

    preset: str | None
    """Options for a use, by name: web, news, corpus, plagiarism, mirrors, code, baskets, urls,
    crumbs or pixels. Other keywords win over it.
    """

    config: str | os.PathLike[str] | None
    """A TOML file of options. Other keywords win over it, and it over the preset."""
