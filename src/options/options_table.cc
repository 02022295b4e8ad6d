#include "lookalike/options_table.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <initializer_list>
#include <string>
#include <type_traits>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "io/object_uri.h"
#include "lookalike/size.h"
#include "stages/normalize/normalizer.h"
#include "stages/sketch/sketch.h"

namespace lookalike {
namespace {

constexpr auto kDedup = static_cast<uint32_t>(Command::kDedup);
constexpr auto kPairs = static_cast<uint32_t>(Command::kPairs);
constexpr auto kCompare = static_cast<uint32_t>(Command::kCompare);
constexpr auto kPlan = static_cast<uint32_t>(Command::kPlan);
constexpr auto kSynth = static_cast<uint32_t>(Command::kSynth);
constexpr auto kEval = static_cast<uint32_t>(Command::kEval);
constexpr auto kFamilies = static_cast<uint32_t>(Command::kFamilies);
constexpr auto kWeights = static_cast<uint32_t>(Command::kWeights);
constexpr auto kGroup = static_cast<uint32_t>(Command::kGroup);
constexpr auto kNearest = static_cast<uint32_t>(Command::kNearest);
constexpr auto kFilter = static_cast<uint32_t>(Command::kFilter);
constexpr auto kCrumbs = static_cast<uint32_t>(Command::kCrumbs);
constexpr uint32_t kSearches = kPairs | kNearest;
/// Commands that remove documents.
constexpr uint32_t kRemovers = kDedup | static_cast<uint32_t>(Command::kShard);
/// Commands that accept distances.
constexpr uint32_t kMeasurers = kSearches | kCompare;
constexpr uint32_t kJobs = kRemovers | kSearches;
constexpr auto kSketch = static_cast<uint32_t>(Command::kSketch);
constexpr auto kIndex = static_cast<uint32_t>(Command::kIndex);
constexpr auto kAudit = static_cast<uint32_t>(Command::kAudit);
constexpr auto kPassages = static_cast<uint32_t>(Command::kPassages);
constexpr auto kDecontaminate = static_cast<uint32_t>(Command::kDecontaminate);
/// Commands that look into texts.
constexpr uint32_t kFindInTexts = kPassages | kDecontaminate;
constexpr auto kRethreshold = static_cast<uint32_t>(Command::kRethreshold);
constexpr auto kServe = static_cast<uint32_t>(Command::kServe);
constexpr auto kMcp = static_cast<uint32_t>(Command::kMcp);
constexpr uint32_t kReaders = kJobs | kCompare | kSketch | kFilter | kCrumbs | kIndex;
constexpr uint32_t kWordReaders = kReaders | kPlan | kWeights;
constexpr auto kMergeSketches = static_cast<uint32_t>(Command::kMergeSketches);
constexpr uint32_t kCollections = kJobs | kPlan | kWeights | kSketch | kMergeSketches | kGroup |
                                  kFilter | kCrumbs | kIndex | kFindInTexts;
/// Commands that find near-duplicates and verify them.
constexpr uint32_t kFinders = kJobs | kCrumbs;
/// Commands that read one text of each document.
constexpr uint32_t kReadOneText =
    ((kWordReaders | kFindInTexts) & ~(kJobs | kPlan)) | static_cast<uint32_t>(Command::kEval);

constexpr uint32_t Bits(std::initializer_list<Setting> settings) {
  uint32_t bits = 0;
  for (const Setting setting : settings) bits |= static_cast<uint32_t>(setting);
  return bits;
}

constexpr uint32_t Except(std::initializer_list<Setting> settings) {
  return kEverySetting & ~Bits(settings);
}

/// Documents are compared by their features.
constexpr uint32_t kFeatures = Except({Setting::kPoints, Setting::kStrings});
constexpr uint32_t kResemblance =
    Except({Setting::kContainment, Setting::kPoints, Setting::kStrings});
constexpr uint32_t kWordFeatures =
    kFeatures & Except({Setting::kCode, Setting::kCharacters, Setting::kUrls, Setting::kNumbers,
                        Setting::kItems});

constexpr std::array kCommands = {
    CommandRow{Command::kDedup, CommandGroup::kFind, "dedup", "IN... -o DIR [options]",
               "Removes near-duplicates and names a kept witness for every removed document.",
               "lookalike dedup corpus.jsonl.zst -o clean --threshold 0.8"},
    CommandRow{Command::kShard, CommandGroup::kFind, "shard",
               "plan IN... -o DIR --job JOB | run JOB STAGE --task I/N | status JOB",
               "Does a dedup run as tasks on several machines that share a folder or a store.",
               "lookalike shard plan corpus/*.jsonl -o clean --job job"},
    CommandRow{Command::kRethreshold, CommandGroup::kFind, "rethreshold",
               "RESULT [IN...] -o DIR --threshold T | --target-size S [options]",
               "Makes a result of dedup again at a higher threshold, without another search.",
               "lookalike rethreshold clean -o cleaner --threshold 0.9"},
    CommandRow{Command::kPairs, CommandGroup::kFind, "pairs", "IN... -o FILE [options]",
               "Writes all pairs of similar documents, one per line.",
               "lookalike pairs pages/*.parquet -o alike.jsonl --threshold 0.7"},
    CommandRow{Command::kNearest, CommandGroup::kFind, "nearest", "IN... -o FILE --top K [options]",
               "Writes the nearest neighbours of each document or point, one per line.",
               "lookalike nearest vectors.parquet -o near.jsonl --distance cosine --top 10"},
    CommandRow{Command::kCompare, CommandGroup::kFind, "compare", "A B [options]",
               "Compares two texts, or two records named FILE#id, and shows what they share.",
               "lookalike compare draft.txt corpus.jsonl#42"},
    CommandRow{Command::kPassages, CommandGroup::kFind, "passages", "IN... -o DIR [options]",
               "Finds, and cuts, long runs of words that stand more than once.",
               "lookalike passages corpus.jsonl -o shared --action cut"},
    CommandRow{Command::kDecontaminate, CommandGroup::kFind, "decontaminate",
               "TRAIN... --against BENCH... -o DIR [options]",
               "Finds items of benchmarks in training documents, and takes them out.",
               "lookalike decontaminate train.parquet --against gsm8k.jsonl -o clean --action cut"},
    CommandRow{Command::kFilter, CommandGroup::kStream, "filter", "[IN...] [-o FILE] [options]",
               "Reports for each document of a stream whether a similar one came before.",
               "crawl | lookalike filter --state seen.filter"},
    CommandRow{Command::kIndex, CommandGroup::kStream, "index",
               "create DIR | add DIR IN... | query DIR --text T | remove DIR ID... | ...",
               "Keeps documents in a durable index, and finds those that are like another one.",
               "lookalike index query seen --file draft.txt"},
    CommandRow{Command::kServe, CommandGroup::kStream, "serve", "DIR | --result DIR [IN...]",
               "Answers over HTTP which documents are alike, and shows them to people.",
               "lookalike serve --result deduped corpus.jsonl"},
    CommandRow{Command::kMcp, CommandGroup::kStream, "mcp", "DIR [options]",
               "Gives an agent tools on an index, by the Model Context Protocol.",
               "lookalike mcp memory"},
    CommandRow{Command::kSketch, CommandGroup::kStream, "sketch", "IN... -o FILE [options]",
               "Writes the sketches of documents; other commands read them instead of texts.",
               "lookalike sketch corpus.jsonl -o corpus.sketches"},
    CommandRow{Command::kMergeSketches, CommandGroup::kStream, "merge-sketches",
               "IN... -o FILE [options]",
               "Merges sketch files; records with equal ids become the sketch of one document.",
               "lookalike merge-sketches part-*.sketches -o whole.sketches"},
    CommandRow{Command::kWeights, CommandGroup::kPrepare, "weights", "IN... -o FILE [options]",
               "Writes a table of word weights; rare words weigh more.",
               "lookalike weights corpus.jsonl -o idf.tsv"},
    CommandRow{Command::kGroup, CommandGroup::kPrepare, "group",
               "IN... -o FILE --by FIELD --item FIELD [options]",
               "Groups a table of pairs, such as customer and item, into lists, one per line.",
               "lookalike group sales.csv -o baskets.jsonl --by customer --item article"},
    CommandRow{Command::kCrumbs, CommandGroup::kPrepare, "crumbs", "IN... -o FILE [options]",
               "Finds session ids in URLs: parts that differ while the pages do not.",
               "lookalike crumbs pages.jsonl -o rules.jsonl --threshold 0.95"},
    CommandRow{Command::kSynth, CommandGroup::kPrepare, "synth", "-o FILE --documents N [options]",
               "Writes a synthetic corpus with planted near-duplicates and its true pairs.",
               "lookalike synth -o made.jsonl --documents 10000 --seed 5 --truth truth.jsonl"},
    CommandRow{Command::kPlan, CommandGroup::kStudy, "plan", "[IN...] [--design D] [options]",
               "Predicts pairs, recall, time and memory of a run, or evaluates a design.",
               "lookalike plan corpus.jsonl --html plan.html"},
    CommandRow{Command::kEval, CommandGroup::kStudy, "eval", "RESULT --truth FILE [options]",
               "Scores a pairs file, or the removals of a dedup folder, against true pairs.",
               "lookalike eval alike.jsonl --truth truth.jsonl --threshold 0.8"},
    CommandRow{Command::kAudit, CommandGroup::kStudy, "audit", "RESULT IN... --list LIST [options]",
               "Finds what another program removed for no reason, and what it missed.",
               "lookalike audit deduped corpus.jsonl --list removed.parquet"},
    CommandRow{Command::kFamilies, CommandGroup::kStudy, "families", "[options]",
               "Shows how close small families of permutations come to min-wise independence.",
               "lookalike families --json"},
};

static_assert(kLargestText == uint64_t{372} << 20, "what --max-record takes says this limit");

constexpr std::array kOptions = {
    OptionRow{"threshold",
              "T",
              &Options::threshold,
              OptionTopic::kAlike,
              OptionClass::kBehaviour,
              kFinders | kDecontaminate | kCompare | kPlan | kEval | kIndex | kRethreshold,
              kFinders | kDecontaminate | kCompare | kPlan | kEval | kIndex | kRethreshold,
              Notation::kPlain,
              "",
              "a number above 0, at most 1, or one for each text field: title=0.9,body=0.7",
              "Minimum resemblance (Jaccard similarity) of near-duplicates. Resemblance is "
              "common shingles / all shingles; with --measure containment, containment counts "
              "instead. Lower it to catch looser copies. nearest lists no neighbour below it; "
              "compare exits with 1 below it.",
              kFeatures,
              {kReadOneText, "a number above 0, at most 1",
               "Minimum resemblance (Jaccard similarity) of near-duplicates. Resemblance is "
               "common shingles / all shingles. Lower it to catch looser copies; compare exits "
               "with 1 below it."}},
    OptionRow{"fields", "RULE", &Options::fields, OptionTopic::kAlike, OptionClass::kBehaviour,
              kDedup | kSearches, 0, Notation::kPlain, "", "all or any",
              "Text fields in which near-duplicates are alike, if there are several. all: in every "
              "text field; any: in one at least, whose threshold the pair reaches. Use any when "
              "the same title, or the same body, is enough.",
              kResemblance},
    OptionRow{"measure", "M", &Options::measure, OptionTopic::kAlike, OptionClass::kBehaviour,
              kRemovers | kPairs | kPlan | kIndex, kPairs, Notation::kPlain, "",
              "resemblance or containment",
              "Similarity that --threshold applies to. resemblance (common shingles / all "
              "shingles) finds copies of whole documents; containment (common shingles / "
              "shingles of the document with fewer) finds texts inside longer ones. dedup "
              "supports containment only with --against; plan does not support it yet.",
              kFeatures},
    OptionRow{"recall", "R", &Options::recall, OptionTopic::kAlike, OptionClass::kBehaviour,
              kFinders | kPlan | kIndex, kFinders | kPlan, Notation::kPlain, "",
              "a number above 0 and below 1",
              "Minimum share of the true pairs to find. It is promised for pairs exactly at the "
              "threshold, the worst case. Raise it when a missed copy is costly; the run takes "
              "longer.",
              Except({Setting::kStrings})},
    OptionRow{
        "shingle", "UNIT:N", &Options::shingle, OptionTopic::kText, OptionClass::kBehaviour,
        kWordReaders | kDecontaminate, kWordReaders, Notation::kPlain, "",
        "word:N, char:N, byte:N, code:N, stopword:N, winnow:K,W or url:N with N and K from 1 to "
        "64; item; for numbers point:R,Q, cells:W,M or series:L,W,M",
        "Shingles (n-grams) to compare, such as runs of 5 words. Other units: characters, "
        "bytes, tokens of code or of a URL, the N words after each stop word, a sample of "
        "runs of K characters (one of every W in a row), or the items of a list. Longer "
        "shingles make chance matches rarer; char:N suits short texts and names. For "
        "numbers: the grid cells of width Q within radius R of a point, the cell of width "
        "W in each of M shifted grids, or the same cells for every L numbers in a row of "
        "a series.",
        kFeatures},
    OptionRow{"normalize", "STEPS", &Options::normalize, OptionTopic::kText,
              OptionClass::kBehaviour, kWordReaders | kFindInTexts, kReaders, Notation::kPlain, "",
              "none, or some of nfkc,casefold,diacritics,digits,punctuation,whitespace,"
              "no-whitespace",
              "Differences in writing to ignore. nfkc: compatibility forms; casefold: case; "
              "diacritics: accents; digits: the values of digits; punctuation: all punctuation; "
              "whitespace: the amount of white space; no-whitespace: all white space. Pass none "
              "to compare texts exactly as they are written.",
              Except({Setting::kPoints, Setting::kUrls, Setting::kNumbers})},
    OptionRow{"pages", "HOW", &Options::pages, OptionTopic::kText, OptionClass::kBehaviour,
              kWordReaders | kFindInTexts, kWeights, Notation::kPlain, "",
              "auto, off, visible or altavista",
              "Part of an HTML page to compare. visible: the text that a reader sees; "
              "altavista: all text, and the addresses of links and images; off: the source "
              "itself. auto means visible for files that end in .html and for pages of WARC "
              "files, and off for everything else.",
              kFeatures& Except({Setting::kNumbers, Setting::kItems})},
    OptionRow{"segment", "HOW", &Options::segment, OptionTopic::kText, OptionClass::kBehaviour,
              kWordReaders | kFindInTexts, 0, Notation::kPlain, "", "script or icu",
              "Way to split scripts without spaces into words. script treats each character as "
              "a word; icu uses dictionaries, which takes longer and depends on the version of "
              "ICU.",
              kWordFeatures},
    OptionRow{"stop-words", "LIST", &Options::stop_words, OptionTopic::kText,
              OptionClass::kBehaviour, kReaders | kPlan, 0, Notation::kPlain, "",
              "a language such as en or de, short, or a file such as ./words.txt",
              "Stop words for --shingle stopword:N. They are those of a language, every word of "
              "at most three characters (short), or the lines of a file.",
              kFeatures},
    OptionRow{"weights", "FILE", &Options::weights, OptionTopic::kText, OptionClass::kBehaviour,
              kReaders | kPlan, 0, Notation::kPlain, "", "off, or a file such as ./weights.tsv",
              "File of word weights. Each line has a word, a tab and a weight; * sets the "
              "weight of all other words. A shingle weighs as much as its words do on average; "
              "two documents share the smaller of two weights, and their union has the greater. "
              "`lookalike weights` writes such a file, in which rare words weigh more.",
              kFeatures& Except({Setting::kCharacters, Setting::kUrls, Setting::kNumbers})},
    OptionRow{"weight-unit", "W", &Options::weight_unit, OptionTopic::kText,
              OptionClass::kBehaviour, kReaders | kPlan, 0, Notation::kPlain, "",
              "a number from 1e-9 to 1e9",
              "Weight that counts as one feature. A remainder of half a unit counts as one "
              "feature with probability one half, and so on. A smaller unit follows fractions "
              "more closely and takes more time."},
    OptionRow{"bag", "HOW", &Options::bag, OptionTopic::kText, OptionClass::kBehaviour,
              kReaders | kPlan, 0, Notation::kPlain, "", "off or max, for compare also sum",
              "Way to count repeated shingles. off counts each once; max counts all of them "
              "(the intersection has the smaller of two counts, the union the greater); sum "
              "does the same, with both counts in the union.",
              kFeatures},
    OptionRow{"ratings", "HOW", &Options::ratings, OptionTopic::kText, OptionClass::kBehaviour,
              kReaders | kPlan, 0, Notation::kPlain, "",
              "off, at-least:X, liked:X,Y with Y below X, stars or weights",
              "Way to use the weights of items. off ignores them; at-least:X drops items below "
              "X; liked:X,Y tells items of X or more from items of Y or less and drops those "
              "between; stars repeats an item as often as it has stars, and turns --bag off "
              "into max; weights takes any numbers of 0 or more as weights, in units of "
              "--weight-unit.",
              kFeatures& Except({Setting::kWords, Setting::kCode, Setting::kCharacters,
                                 Setting::kUrls, Setting::kNumbers})},
    OptionRow{"hash", "NAME", &Options::hash, OptionTopic::kText, OptionClass::kBehaviour,
              kReaders | kPlan, 0, Notation::kPlain, "", "mixer or rabin",
              "Hash function of the shingles. mixer is the fastest; rabin is the fingerprint "
              "modulo a random irreducible polynomial, with a proven bound on collisions. Both "
              "spread evenly.",
              kFeatures& Except({Setting::kNumbers})},
    OptionRow{"feature-bits", "N", &Options::feature_bits, OptionTopic::kText,
              OptionClass::kBehaviour, kReaders | kPlan, 0, Notation::kPlain, "", "64 or 32",
              "Width of the hash of a shingle in bits. With 32, some shingles collide by "
              "chance; use it to compare with tools that store four bytes.",
              kFeatures},
    OptionRow{"exact-empty", "", &Options::exact_empty, OptionTopic::kAlike,
              OptionClass::kBehaviour, kRemovers, 0, Notation::kPlain, "", "true or false",
              "Also remove documents that have no words and equal another one byte for byte. "
              "By default all documents without words are kept.",
              Except({Setting::kContainment})},
    OptionRow{"min-features", "N", &Options::min_features, OptionTopic::kAlike,
              OptionClass::kBehaviour, kFinders | kPlan | kFilter | kIndex, 0, Notation::kOrUnset,
              "1, or 20 for containment", "a whole number, 1 or more",
              "Minimum number of distinct shingles; documents with fewer are in no pair. Raise "
              "it when short texts match by chance.",
              kFeatures},
    OptionRow{"differ", "GUARD", &Options::differ, OptionTopic::kAlike, OptionClass::kBehaviour,
              kRemovers | kPairs | kIndex, kDedup | kPairs, Notation::kPlain, "none",
              "numbers, dates, a field's name, or regex:EXPRESSION; may be repeated",
              "Keep documents that are alike but differ in their numbers, in their dates, in the "
              "value of a field, or in what a regular expression finds. Use it where such a "
              "difference matters: contracts, orders, logs, products. dedup lists these pairs in "
              "guarded.jsonl.",
              kResemblance},
    OptionRow{"same", "FIELD", &Options::same, OptionTopic::kAlike, OptionClass::kBehaviour,
              kRemovers | kPairs | kIndex, 0, Notation::kPlain, "none",
              "a field's name, or a dotted path such as meta.lang; may be repeated",
              "Compare documents only if they have the same value of a field, such as a language "
              "or a customer. Documents without the field have the same value.",
              kResemblance},
    OptionRow{"not-same", "FIELD", &Options::not_same, OptionTopic::kAlike, OptionClass::kBehaviour,
              kRemovers | kPairs, 0, Notation::kPlain, "none",
              "a field's name, or a dotted path such as meta.year; may be repeated",
              "Compare documents only if they have different values of a field, such as a source "
              "or a year. Documents without the field have the same value.",
              kResemblance},
    OptionRow{"seed", "S", &Options::seed, OptionTopic::kSearch, OptionClass::kBehaviour,
              kFinders | kPlan | kSynth | kSketch | kFilter | kIndex, kSynth, Notation::kPlain, "",
              "a whole number, 0 or more",
              "Seed of all hashing (synth: of the corpus). Change it to see how much a result "
              "depends on chance.",
              Except({Setting::kStrings})},
    OptionRow{"distance", "NAME", &Options::distance, OptionTopic::kAlike, OptionClass::kBehaviour,
              kMeasurers, kNearest | kCompare, Notation::kPlain, "",
              "off, l1, l2, cosine, angular, hamming, edit or indel",
              "Distance to compare by, instead of shared shingles. For points, which are lists "
              "of numbers: l1, l2, cosine (1 - cosine), angular (the angle as a share of a half "
              "turn) or hamming (the number of positions that differ); for short strings: edit "
              "(insertions, deletions and replacements) or indel (insertions and deletions)."},
    OptionRow{"within", "S", &Options::within, OptionTopic::kAlike, OptionClass::kBehaviour,
              kMeasurers, kNearest | kCompare, Notation::kPlain, "none", "a number of 0 or more",
              "Maximum distance of two near points or strings. pairs requires it with "
              "--distance; nearest looks no further; compare exits with 1 above it.",
              Except({Setting::kResemblance, Setting::kContainment})},
    OptionRow{"top", "K", &Options::top, OptionTopic::kAlike, OptionClass::kBehaviour, kNearest,
              kNearest, Notation::kPlain, "", "a whole number from 1 to 10000",
              "Maximum number of neighbours to write for each document or point. Without "
              "--distance there are fewer where fewer reach the threshold."},
    OptionRow{"rows", "", &Options::rows, OptionTopic::kResult, OptionClass::kBehaviour, kSearches,
              kSearches, Notation::kPlain, "", "true or false",
              "Add the input and row number of both documents to each line. The fields are "
              "source_a, row_a, source_b and row_b; for nearest they are source, row, "
              "neighbour_source and neighbour_row. Rows count from 1. The fields distinguish "
              "documents with equal ids and join results to their inputs."},
    OptionRow{"method", "M", &Options::method, OptionTopic::kSearch, OptionClass::kBehaviour,
              kFinders | kPlan, kPlan, Notation::kPlain, "", "auto, lsh, exact or shingle-merge",
              "Way to find candidate pairs. lsh: by shared band keys; exact: by a join that "
              "misses nothing and keeps all features in memory; auto: lsh where a design "
              "reaches the recall, otherwise exact; shingle-merge: by sorting shingles and "
              "pairs on disk, of all shingles or of a sample (--sketch mod-m:25). With "
              "shingle-merge, shingles found in more than 1000 documents make no pairs but are "
              "counted; shingle-merge:N sets another limit."},
    OptionRow{
        "design", "D", &Options::design, OptionTopic::kSearch, OptionClass::kBehaviour,
        kFinders | kPlan | kFilter, kPlan | kFilter, Notation::kPlain, "planned",
        "bands:BxR, groups:GxL:TAU, groups:GxL:TAU:BITS or overlapping:K:R:B; with --distance all "
        "or, for pairs, grid; plan also sketch:K:T",
        "Band design of the search (bands and rows). By default it is planned from "
        "--threshold, --recall, --sketch and the rough size of the inputs; set it to use "
        "the keys of another tool or of an earlier run.",
        Except({Setting::kContainment, Setting::kStrings, Setting::kExactJoin,
                Setting::kShingleMerge})},
    OptionRow{"sketch", "NAME:K", &Options::sketch, OptionTopic::kSearch, OptionClass::kBehaviour,
              kReaders | kPlan, kSketch | kFilter, Notation::kPlain, "", kSketchForms,
              "Sketch (MinHash signature) and its number of coordinates. More coordinates make "
              "a high --recall at a low --threshold reachable and take more time. fss has the "
              "smallest errors; use another kind to compare with other tools. "
              "docs/format/sketch-kinds-v1.md describes each kind.",
              kFeatures},
    OptionRow{"sketch-bits", "B", &Options::sketch_bits, OptionTopic::kSearch,
              OptionClass::kBehaviour, kSearches | kCompare | kSketch, kSketch, Notation::kPlain,
              "", "1, 2, 4, 8, 16 or 32",
              "Bits to keep of each coordinate of a sketch. They matter where documents are "
              "compared by sketches alone: fewer make smaller files and larger errors, and "
              "searches of large files are slow below 8.",
              kFeatures},
    OptionRow{"verify", "HOW", &Options::verify, OptionTopic::kSearch, OptionClass::kBehaviour,
              kJobs | kCompare, kCompare, Notation::kPlain, "",
              "exact or sketch+exact, for pairs and compare also sketch, for pairs also none",
              "Way to verify candidate pairs. exact computes the resemblance from all shingles; "
              "sketch estimates it from sketches alone and reports its standard error; none "
              "writes every candidate with its estimate; sketch+exact computes the resemblance "
              "only where the estimate reaches the threshold, which is faster but loses half of "
              "the pairs at the threshold. Sketch files have no shingles: sketch is implied, and "
              "dedup reports clusters without removing anything.",
              kResemblance},
    OptionRow{"audit-documents", "N", &Options::audit_documents, OptionTopic::kSearch,
              OptionClass::kBehaviour, kJobs, 0, Notation::kPlain, "",
              "a whole number from 0 to 1000000",
              "Number of documents to sample when measuring the recall. 0 turns the measurement "
              "off. Raise it for a narrower interval."},
    OptionRow{"keep", "ORDER", &Options::keep, OptionTopic::kResult, OptionClass::kBehaviour,
              kRemovers | kPassages, kDedup | kPassages, Notation::kCriteria, "",
              "first, longest, shortest, field:NAME[:asc|desc] or source:A,B; may be repeated",
              "Document to keep of several near-duplicates; for passages, the document in which a "
              "passage stays. It is the first or the longest, the one with the smallest (asc) or "
              "largest (desc) value of a field, or the one from the best source. Repeat it for "
              "criteria in order: the first one that tells two documents apart decides, and input "
              "order decides ties.",
              Except({Setting::kContainment})},
    OptionRow{"decisions", "FILE", &Options::decisions, OptionTopic::kResult,
              OptionClass::kBehaviour, kDedup, 0, Notation::kPlain, "none", "a file",
              "Replay what people decided in the explorer (lookalike serve --result): which "
              "documents stay, are split from their cluster, or are merged with others. The result "
              "is that of lookalike rethreshold --decisions at the threshold of this run.",
              kFeatures},
    OptionRow{"cluster", "HOW", &Options::cluster, OptionTopic::kResult, OptionClass::kBehaviour,
              kRemovers, 0, Notation::kPlain, "", "leader or components",
              "Way to group documents in clusters.jsonl. leader: each kept document with those "
              "removed for it; components: connected components of similar pairs. It does not "
              "change what is removed.",
              Except({Setting::kContainment})},
    OptionRow{"output", "HOW", &Options::output, OptionTopic::kResult, OptionClass::kBehaviour,
              kRemovers, kDedup, Notation::kPlain, "", "copies or annotated",
              "Form of the kept data. copies writes the kept rows unchanged; annotated writes "
              "every row with la_keep, la_cluster, la_copies, la_duplicate_of and "
              "la_resemblance added."},
    OptionRow{"output-shard", "SIZE", &Options::output_shard, OptionTopic::kResult,
              OptionClass::kBehaviour, kRemovers, 0, Notation::kSize, "one file per input",
              "a size of 4K or more, such as 256M or 1G",
              "Cut the kept rows of each input into files, one per SIZE bytes of input. "
              "kept/NAME-00000-of-00012.jsonl is the first of twelve; together, in order, they "
              "hold the same rows. Use it when one file would be too large to handle, or to be "
              "written by several threads at once."},
    OptionRow{"text-field",
              "FIELD",
              &Options::text_field,
              OptionTopic::kInput,
              OptionClass::kBehaviour,
              kWordReaders | kFindInTexts,
              kWordReaders | kFindInTexts,
              Notation::kPlain,
              "text, else content, body or document",
              "a field's name, or a dotted path such as doc.body; may be repeated",
              "Field that holds the text. Set it when the text is in another field; no other "
              "field is guessed. With several, documents must be alike in each of them, unless "
              "--fields any.",
              kEverySetting,
              {kReadOneText, "a field's name, or a dotted path such as doc.body",
               "Field that holds the text. Set it when the text is in another field; no other "
               "field is guessed."}},
    OptionRow{"id-field", "FIELD", &Options::id_field, OptionTopic::kInput, OptionClass::kBehaviour,
              kReaders | kPlan | kFindInTexts, kReaders, Notation::kPlain,
              "id, or else input name and row", "a field's name, or a dotted path such as meta.url",
              "Field that holds the id of a document. Set it when the id is in another field."},
    OptionRow{"metadata-field", "FIELD", &Options::metadata_field, OptionTopic::kInput,
              OptionClass::kBehaviour, kIndex, 0, Notation::kPlain, "none",
              "a field's name, or a dotted path such as meta.url",
              "Field whose value is kept as metadata of a document: a text, or any other value as "
              "it is written. It comes back with matches."},
    OptionRow{"delimiter", "CHAR", &Options::delimiter, OptionTopic::kInput,
              OptionClass::kBehaviour, kWordReaders | kGroup | kFindInTexts, kGroup,
              Notation::kPlain, "detected from the header",
              "one character, or comma, semicolon, tab, pipe or space",
              "Separator of the fields of CSV and TSV files. Set it when it is not a comma, "
              "semicolon, tab or pipe, or is not detected."},
    OptionRow{"max-record", "SIZE", &Options::max_record, OptionTopic::kInput,
              OptionClass::kBehaviour, kWordReaders | kGroup | kFindInTexts, 0, Notation::kSize, "",
              "a size up to 372M, such as 64KiB or 256M",
              "Maximum size of a record; longer ones are rejected. Raise it when real documents "
              "are larger. Records that --memory has no room for are rejected, too."},
    OptionRow{"max-expansion", "X", &Options::max_expansion, OptionTopic::kInput,
              OptionClass::kBehaviour, kWordReaders | kGroup | kFindInTexts | kMergeSketches, 0,
              Notation::kPlain, "", "a number from 1 to 1e12",
              "Maximum number of plain bytes per compressed byte. An input that expands further "
              "is treated as a decompression bomb. Raise it for extremely repetitive files that "
              "you trust."},
    OptionRow{"max-errors", "N", &Options::max_errors, OptionTopic::kInput, OptionClass::kBehaviour,
              kFinders | kFindInTexts | kSketch | kGroup | kFilter | kIndex, 0, Notation::kOrLimit,
              "", "a whole number, 0 or more, or unlimited",
              "Maximum number of rejected records; with more, the run fails. 0 requires clean "
              "inputs."},
    OptionRow{"include", "GLOB", &Options::include, OptionTopic::kInput, OptionClass::kBehaviour,
              kCollections, kDedup, Notation::kPlain, "every file",
              "a pattern such as '*.md' or 'docs/**'; may be repeated",
              "Read only matching files in folders and patterns. A pattern without a slash "
              "matches the name of a file or folder at any depth; other patterns match the path "
              "below the folder that was passed, with ** for any folders. Use it when a folder "
              "holds more than texts."},
    OptionRow{"exclude", "GLOB", &Options::exclude, OptionTopic::kInput, OptionClass::kBehaviour,
              kCollections, 0, Notation::kPlain, "none",
              "a pattern such as '*.png' or build; may be repeated",
              "Leave out matching files and folders when reading folders and patterns. It applies "
              "before --include. Files that are named directly are always read."},
    OptionRow{"follow-links", "", &Options::follow_links, OptionTopic::kInput,
              OptionClass::kBehaviour, kCollections, 0, Notation::kPlain, "", "true or false",
              "Follow symbolic links that lead out of the folders. By default they are left out "
              "and listed. Each file is read once in any case."},
    OptionRow{"skip-bad-inputs", "", &Options::skip_bad_inputs, OptionTopic::kInput,
              OptionClass::kBehaviour, kFinders | kFindInTexts | kPlan | kGroup, 0,
              Notation::kPlain, "", "true or false",
              "Skip inputs that are missing, truncated, corrupt or without text. By default "
              "they fail the run; with this option the exit code is 3. Files of a folder that "
              "cannot be opened or are binary are left out in any case."},
    OptionRow{"against", "REF...", &Options::against, OptionTopic::kInput, OptionClass::kBehaviour,
              kJobs | kFindInTexts, kDedup | kPairs | kFindInTexts, Notation::kPlain, "none",
              "files, folders or patterns; may be repeated",
              "Reference collection to compare the inputs with; for dedup also an index, for "
              "decontaminate the benchmarks. pairs: each pair has one document of the inputs and "
              "one of the reference; dedup: documents of the inputs that are similar to one of "
              "the reference are removed, too; passages: what the reference has is cut at every "
              "place."},
    OptionRow{"add", "", &Options::add, OptionTopic::kInput, OptionClass::kInteraction, kDedup, 0,
              Notation::kPlain, "", "true or false",
              "Add the documents that are kept to the index that --against names, in one step, "
              "once the result is complete."},
    OptionRow{"threads", "N", &Options::threads, OptionTopic::kResources, OptionClass::kPerformance,
              kCollections | kServe | kAudit | kRethreshold, 0, Notation::kPlain,
              "one per processor", "a whole number from 0 to 4096",
              "Number of threads; 0 uses all processors available. These are the processors of "
              "this process, of the machine or of its container. Lower it to leave processors "
              "to others."},
    OptionRow{"memory", "SIZE", &Options::memory, OptionTopic::kResources,
              OptionClass::kPerformance, kCollections | kServe | kMcp | kAudit | kRethreshold,
              kJobs, Notation::kSize, "half of the memory",
              "a size of 64M or more, such as 512M or 8G",
              "Maximum memory; the rest goes to temporary files. The default is half of the "
              "machine's memory, or of what its container may use; of an index, a quarter of what "
              "is free, up to 2G. Lower it to leave memory to others; raise it to avoid temporary "
              "files."},
    OptionRow{"scratch", "DIR", &Options::scratch, OptionTopic::kResources,
              OptionClass::kPerformance,
              kFinders | kFindInTexts | kGroup | kMergeSketches | kAudit | kRethreshold, 0,
              Notation::kPlain, "beside the output", "a folder",
              "Folder for temporary files. Choose a fast disk with room for them."},
    OptionRow{"object-endpoint", "URL", &Options::object_endpoint, OptionTopic::kResources,
              OptionClass::kPerformance, kCollections, 0, Notation::kPlain, "the provider's",
              "the address of a server, such as https://storage.example:9000",
              "Server of s3:// and gs:// addresses. Set it for a store of your own that speaks "
              "Amazon's or Google's protocol."},
    OptionRow{"object-region", "REGION", &Options::object_region, OptionTopic::kResources,
              OptionClass::kPerformance, kCollections, 0, Notation::kPlain, "detected",
              "a region's name, such as eu-west-1",
              "Region of s3:// buckets. Set it when the store reports that a bucket is in "
              "another region."},
    OptionRow{"object-anonymous", "", &Options::object_anonymous, OptionTopic::kResources,
              OptionClass::kPerformance, kCollections, 0, Notation::kPlain, "", "true or false",
              "Read public data from object stores without credentials. Requests are not "
              "signed."},
    OptionRow{"overwrite", "", &Options::overwrite, OptionTopic::kMessages,
              OptionClass::kInteraction, kDedup | kFindInTexts | kRethreshold, 0, Notation::kPlain,
              "", "true or false",
              "Replace an existing result folder once the new one is complete. By default an "
              "existing folder is an error. A folder that is not a result, or that holds "
              "anything else, is never replaced."},
    OptionRow{"resume", "", &Options::resume, OptionTopic::kMessages, OptionClass::kInteraction,
              kDedup, kDedup, Notation::kPlain, "", "true or false",
              "Continue an interrupted run of the same command. If there is none, the run "
              "starts from the beginning; a complete result is checked and not changed."},
    OptionRow{"yes", "", &Options::yes, OptionTopic::kMessages, OptionClass::kInteraction,
              kRemovers | kPairs, 0, Notation::kPlain, "", "true or false",
              "Continue even if the run is very large. It is needed if more than 10^9 pairs are "
              "predicted, or many more candidates are found than were predicted."},
    OptionRow{"profile", "FILE", &Options::profile, OptionTopic::kMessages,
              OptionClass::kInteraction, kDedup, 0, Notation::kPlain, "not written", "a file",
              "Write what each stage of the run cost to a JSON file. It has wall and processor "
              "time, the processor time that more threads would not shorten, bytes read and "
              "written, and page faults. Use it to see what bounds a run."},
    OptionRow{"json", "", &Options::json, OptionTopic::kMessages, OptionClass::kInteraction,
              kReaders | kPlan | kSynth | kEval | kFamilies | kWeights | kGroup | kMergeSketches |
                  kAudit | kFindInTexts | kRethreshold,
              kReaders | kPlan | kSynth | kEval | kFamilies | kWeights | kGroup | kMergeSketches |
                  kAudit | kFindInTexts | kRethreshold,
              Notation::kPlain, "", "true or false",
              "Print one JSON object instead of text, and no progress."},
    OptionRow{"quiet", "", &Options::quiet, OptionTopic::kMessages, OptionClass::kInteraction,
              kCollections | kSynth | kServe | kAudit | kRethreshold, 0, Notation::kPlain, "",
              "true or false", "Print only warnings and errors, no progress and no summary."},
};

template <class Number>
bool ParseNumber(std::string_view text, Number* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size();
}

bool ParseInto(const OptionRow&, std::string_view text, bool* value) {
  *value = text == "true";
  return *value || text == "false";
}

bool ParseInto(const OptionRow&, std::string_view text, double* value) {
  return ParseNumber(text, value);
}

/// Reads `0.8` or `title=0.9,body=0.7`.
bool ParseInto(const OptionRow&, std::string_view text, Threshold* value) {
  *value = Threshold();
  if (text.find('=') == std::string_view::npos) return ParseNumber(text, &value->least);
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, end);
    const size_t equals = part.rfind('=');
    if (equals == 0 || equals == std::string_view::npos) return false;
    FieldThreshold& field = value->fields.emplace_back();
    field.field = part.substr(0, equals);
    if (!ParseNumber(part.substr(equals + 1), &field.least)) return false;
    if (end + 1 == text.size()) return false;  // a comma that nothing follows
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  value->least = std::ranges::min(value->fields, {}, &FieldThreshold::least).least;
  return true;
}

bool ParseInto(const OptionRow&, std::string_view text, std::string* value) {
  *value = text;
  return !text.empty();
}

bool ParseInto(const OptionRow&, std::string_view text, std::vector<std::string>* value) {
  value->emplace_back(text);
  return !text.empty();
}

bool ParseInto(const OptionRow& row, std::string_view text, uint64_t* value) {
  if (row.notation == Notation::kOrLimit && text == "unlimited") {
    *value = UINT64_MAX;
    return true;
  }
  if (row.notation == Notation::kOrUnset) return ParseNumber(text, value) && *value != 0;
  if (row.notation != Notation::kSize) return ParseNumber(text, value);
  const auto size = ParseSize(text);
  if (size) *value = *size;
  return size.has_value();
}

std::string JoinList(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) {
    if (&value != &values.front()) text += ',';
    for (const char c : value) {
      if (c == '\\' || c == ',') text += '\\';
      text += c;
    }
  }
  return text;
}

std::string TextOf(const Threshold& threshold) {
  if (threshold.fields.empty()) return fmt::format("{}", threshold.least);
  std::string text;
  for (const FieldThreshold& field : threshold.fields) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", field.field, field.least);
  }
  return text;
}

/// Returns the text of criteria. A single one is not escaped, so that its text is the one it had
/// when there could be no others; no value begins with the bracket that several begin with.
std::string CriteriaText(const std::vector<std::string>& values) {
  if (values.empty()) return "first";
  return values.size() == 1 ? values.front() : "[" + JoinList(values) + "]";
}

std::string EscapeLine(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\')
      escaped += "\\\\";
    else if (c == '\n')
      escaped += "\\n";
    else
      escaped += c;
  }
  return escaped;
}

}  // namespace

std::span<const CommandRow> CommandTable() { return kCommands; }

std::span<const OptionRow> OptionTable() { return kOptions; }

Status SetOption(const OptionRow& row, std::string_view text, Options* options) {
  return std::visit(
      [&](auto member) -> Status {
        auto value = options->*member;
        if (!ParseInto(row, text, &value)) {
          return OptionError(
              fmt::format("$<{}='{}'> is not understood; use {}", row.name, text, row.takes));
        }
        options->*member = std::move(value);
        return {};
      },
      row.member);
}

void ResetOption(const OptionRow& row, Options* options) {
  std::visit([&](auto member) { options->*member = Options().*member; }, row.member);
}

std::string OptionText(const OptionRow& row, const Options& options) {
  if (const auto* member = std::get_if<uint64_t Options::*>(&row.member)) {
    const uint64_t value = options.**member;
    if (row.notation == Notation::kSize) return FormatSize(value);
    if (row.notation == Notation::kOrLimit && value == UINT64_MAX) return "unlimited";
    if (row.notation == Notation::kOrUnset && value == 0) return "";
  }
  return std::visit(
      [&](auto member) {
        if constexpr (std::is_same_v<decltype(member), std::vector<std::string> Options::*>) {
          const std::vector<std::string>& values = options.*member;
          return row.notation == Notation::kCriteria ? CriteriaText(values) : JoinList(values);
        } else if constexpr (std::is_same_v<decltype(member), Threshold Options::*>) {
          return TextOf(options.*member);
        } else {
          return fmt::format("{}", options.*member);
        }
      },
      row.member);
}

std::vector<std::string> ListValues(const OptionRow& row, std::string_view text) {
  if (text.empty()) return {};
  if (row.notation == Notation::kCriteria) {
    if (!text.starts_with('[') || !text.ends_with(']')) return {std::string(text)};
    text = text.substr(1, text.size() - 2);
  }
  std::vector<std::string> values(1);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ',') {
      values.emplace_back();
      continue;
    }
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    values.back() += text[i];
  }
  return values;
}

std::string DefaultText(const OptionRow& row) {
  if (!row.default_meaning.empty()) return std::string(row.default_meaning);
  return row.IsSwitch() ? "off" : OptionText(row, Options());
}

std::vector<std::pair<std::string, std::string>> BehaviourOptions(const Options& options,
                                                                  Command command) {
  std::vector<std::pair<std::string, std::string>> values;
  // Options are written to files, where credentials in a URI do not belong.
  Options shown = options;
  for (std::string& name : shown.against) name = PublicName(name);
  for (const OptionRow& row : kOptions) {
    if (row.kind != OptionClass::kBehaviour || !row.BelongsTo(command)) continue;
    values.emplace_back(row.name, OptionText(row, shown));
  }
  return values;
}

std::string OptionsDigest(const Options& options, Command command) {
  std::string lines;
  for (const auto& [name, value] : BehaviourOptions(options, command)) {
    lines += name + "=" + EscapeLine(value) + "\n";
  }
  const XXH128_hash_t hash = XXH3_128bits(lines.data(), lines.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace lookalike
