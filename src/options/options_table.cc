#include "lookalike/options_table.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
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
/// Commands that accept distances.
constexpr uint32_t kMeasurers = kSearches | kCompare;
constexpr uint32_t kJobs = kDedup | kSearches;
constexpr auto kSketch = static_cast<uint32_t>(Command::kSketch);
constexpr uint32_t kReaders = kJobs | kCompare | kSketch | kFilter | kCrumbs;
constexpr uint32_t kWordReaders = kReaders | kPlan | kWeights;
constexpr auto kMergeSketches = static_cast<uint32_t>(Command::kMergeSketches);
constexpr uint32_t kCollections =
    kJobs | kPlan | kWeights | kSketch | kMergeSketches | kGroup | kFilter | kCrumbs;
/// Commands that find near-duplicates and verify them.
constexpr uint32_t kFinders = kJobs | kCrumbs;

constexpr std::array kCommands = {
    CommandRow{Command::kDedup, "dedup", "IN... -o DIR [options]",
               "Removes near-duplicates; every removed document has a kept witness.",
               "lookalike dedup corpus.jsonl.zst -o clean --threshold 0.8"},
    CommandRow{Command::kPairs, "pairs", "IN... -o FILE [options]",
               "Writes all pairs of documents that are alike, a line a pair.",
               "lookalike pairs pages/*.parquet -o alike.jsonl --threshold 0.7"},
    CommandRow{Command::kNearest, "nearest", "IN... -o FILE --top K [options]",
               "Writes the nearest neighbours of each document or point, a line a neighbour.",
               "lookalike nearest vectors.parquet -o near.jsonl --distance cosine --top 10"},
    CommandRow{Command::kCompare, "compare", "A B [options]",
               "Compares two texts, or records named FILE#id, and shows what they share.",
               "lookalike compare draft.txt corpus.jsonl#42"},
    CommandRow{
        Command::kPlan, "plan", "[IN...] [--design D] [options]",
        "Predicts pairs, recall, time and memory of a run; without inputs evaluates a design.",
        "lookalike plan corpus.jsonl --html plan.html"},
    CommandRow{Command::kSynth, "synth", "-o FILE --documents N [options]",
               "Writes a corpus with planted near-duplicates, and the truth about it.",
               "lookalike synth -o made.jsonl --documents 10000 --seed 5 --truth truth.jsonl"},
    CommandRow{Command::kEval, "eval", "RESULT --truth FILE [options]",
               "Scores the pairs of a file, or the removals of a dedup folder, against true pairs.",
               "lookalike eval alike.jsonl --truth truth.jsonl --threshold 0.8"},
    CommandRow{Command::kWeights, "weights", "IN... -o FILE [options]",
               "Writes a table of what words weigh: the rarer in the collection, the more.",
               "lookalike weights corpus.jsonl -o idf.tsv"},
    CommandRow{Command::kGroup, "group", "IN... -o FILE --by FIELD --item FIELD [options]",
               "Groups a table of pairs, such as customer and item, into lists, a line a group.",
               "lookalike group sales.csv -o baskets.jsonl --by customer --item article"},
    CommandRow{Command::kFamilies, "families", "[options]",
               "Shows how near small families of permutations come to min-wise independence.",
               "lookalike families --json"},
    CommandRow{Command::kSketch, "sketch", "IN... -o FILE [options]",
               "Writes the sketches of documents, which other commands read in their place.",
               "lookalike sketch corpus.jsonl -o corpus.sketches"},
    CommandRow{Command::kMergeSketches, "merge-sketches", "IN... -o FILE [options]",
               "Merges sketch files; records of equal ids become the sketch of one document.",
               "lookalike merge-sketches part-*.sketches -o whole.sketches"},
    CommandRow{Command::kFilter, "filter", "[IN...] [-o FILE] [options]",
               "Says of each document of a stream whether one like it came before.",
               "crawl | lookalike filter --state seen.filter"},
    CommandRow{Command::kCrumbs, "crumbs", "IN... -o FILE [options]",
               "Finds session ids in URLs: where they differ while the pages do not.",
               "lookalike crumbs pages.jsonl -o rules.jsonl --threshold 0.95"},
};

static_assert(kLargestText == uint64_t{372} << 20, "what --max-record takes says this limit");

constexpr std::array kOptions = {
    OptionRow{
        "threshold", "T", &Options::threshold, OptionClass::kBehaviour,
        kFinders | kCompare | kPlan | kEval, Notation::kPlain, "", "a number above 0, at most 1",
        "Resemblance (common shingles / all shingles), or what --measure says, at or above which "
        "two documents are alike. Lower it to catch looser copies; nearest lists none below it; "
        "compare: exit 1 below it."},
    OptionRow{
        "measure", "M", &Options::measure, OptionClass::kBehaviour, kDedup | kPairs | kPlan,
        Notation::kPlain, "", "resemblance or containment",
        "What --threshold is about: resemblance is common shingles / all shingles, for copies "
        "of whole documents; containment is common shingles / those of the document that has "
        "fewer, for texts inside of longer ones. dedup takes it with --against only, plan not "
        "yet."},
    OptionRow{"recall", "R", &Options::recall, OptionClass::kBehaviour, kFinders | kPlan,
              Notation::kPlain, "", "a number above 0 and below 1",
              "Share of the true pairs to find among those exactly at the threshold, the worst "
              "case. Raise it when a missed copy is costly; it takes more time."},
    OptionRow{
        "shingle", "UNIT:N", &Options::shingle, OptionClass::kBehaviour, kWordReaders,
        Notation::kPlain, "",
        "word:N, char:N, byte:N, code:N, stopword:N, winnow:K,W or url:N with N and K from 1 to "
        "64; item; for numbers point:R,Q, cells:W,M or series:L,W,M",
        "What is compared: runs of N words, characters, bytes, tokens of code or of a URL; N words "
        "after each stop word; a sample of runs of K characters, one of each W in a row; or the "
        "items of a list. Longer runs make chance matches rarer; char:N suits short texts and "
        "names. Of points the cells of width Q in a radius R, or one of width W in each of M "
        "shifted grids; of a series the same for each L numbers in a row."},
    OptionRow{"normalize", "STEPS", &Options::normalize, OptionClass::kBehaviour, kWordReaders,
              Notation::kPlain, "",
              "none, or some of nfkc,casefold,diacritics,digits,punctuation,whitespace,"
              "no-whitespace",
              "What differences of writing do not count: compatibility forms, case, accents, which "
              "digit it is, punctuation, how much white space or any. Give none to compare texts "
              "as they are."},
    OptionRow{"pages", "HOW", &Options::pages, OptionClass::kBehaviour, kWordReaders,
              Notation::kPlain, "", "auto, off, visible or altavista",
              "What of HTML is compared: visible is the text that a reader sees, altavista all "
              "text and the addresses of links and images, off the source. auto is visible for "
              "files that end in .html and pages of WARC files, off for all else."},
    OptionRow{"segment", "HOW", &Options::segment, OptionClass::kBehaviour, kWordReaders,
              Notation::kPlain, "", "script or icu",
              "How words are found where they are written without spaces: script takes each "
              "character for a word, icu cuts by dictionaries, which costs time and depends on "
              "the version of ICU."},
    OptionRow{"stop-words", "LIST", &Options::stop_words, OptionClass::kBehaviour, kReaders | kPlan,
              Notation::kPlain, "",
              "a language such as en or de, short, or a file such as ./words.txt",
              "Stop words of stopword:N: those of a language, every word of at most three "
              "characters, or the lines of a file."},
    OptionRow{"weights", "FILE", &Options::weights, OptionClass::kBehaviour, kReaders | kPlan,
              Notation::kPlain, "", "off, or a file such as ./weights.tsv",
              "What words weigh: lines of word, tab and weight, * for all others. A shingle weighs "
              "what its words do on average; common are the lesser of two weights, the union has "
              "the greater. `lookalike weights` makes such a file of how rare words are."},
    OptionRow{"weight-unit", "W", &Options::weight_unit, OptionClass::kBehaviour, kReaders | kPlan,
              Notation::kPlain, "", "a number from 1e-9 to 1e9",
              "Weight that counts as one feature; what is left of a weight counts as one with its "
              "probability. A smaller one follows fractions closer and takes more time."},
    OptionRow{"bag", "HOW", &Options::bag, OptionClass::kBehaviour, kReaders | kPlan,
              Notation::kPlain, "", "off or max, for compare also sum",
              "How repeated shingles count: off counts each once, max as often as it is there "
              "(common is the lesser of two counts, the union has the greater), sum likewise, with "
              "both counts in the union."},
    OptionRow{"ratings", "HOW", &Options::ratings, OptionClass::kBehaviour, kReaders | kPlan,
              Notation::kPlain, "", "off, at-least:X, liked:X,Y with Y below X, stars or weights",
              "What the weights of items count for: off for nothing; at-least:X drops items below "
              "X; liked:X,Y tells items of X or more from items of Y or less and drops those "
              "between; stars has an item as often as it has stars, which makes --bag off max; "
              "weights takes any numbers of 0 or more as what items weigh, in units of "
              "--weight-unit."},
    OptionRow{"hash", "NAME", &Options::hash, OptionClass::kBehaviour, kReaders | kPlan,
              Notation::kPlain, "", "mixer or rabin",
              "How a shingle becomes a number: mixer is fastest; rabin is the fingerprint modulo a "
              "random irreducible polynomial, whose collisions have a proven bound. Both spread "
              "evenly."},
    OptionRow{"feature-bits", "N", &Options::feature_bits, OptionClass::kBehaviour,
              kReaders | kPlan, Notation::kPlain, "", "64 or 32",
              "Width of the hash of a shingle. 32 shares some by chance: give it to compare with "
              "tools that store four bytes."},
    OptionRow{"exact-empty", "", &Options::exact_empty, OptionClass::kBehaviour, kDedup,
              Notation::kPlain, "", "true or false",
              "Remove documents without any word that repeat another one byte for byte; by default "
              "all documents without words are kept."},
    OptionRow{"min-features", "N", &Options::min_features, OptionClass::kBehaviour,
              kFinders | kPlan | kFilter, Notation::kOrUnset, "1, or 20 for containment",
              "a whole number, 1 or more",
              "Documents with fewer distinct shingles are in no pair. Raise it when short texts "
              "match by chance."},
    OptionRow{"seed", "S", &Options::seed, OptionClass::kBehaviour,
              kFinders | kPlan | kSynth | kSketch | kFilter, Notation::kPlain, "",
              "a whole number, 0 or more",
              "Number that all hashing (synth: the corpus) is drawn from. Another seed draws "
              "another sample: change it to see how much a result owes to chance."},
    OptionRow{"distance", "NAME", &Options::distance, OptionClass::kBehaviour, kMeasurers,
              Notation::kPlain, "", "off, l1, l2, cosine, angular, hamming, edit or indel",
              "Compare by a distance instead of shared features: of points, which are lists of "
              "numbers, l1, l2, cosine (1 - cosine), angular (the angle as a share of a half turn) "
              "or hamming (numbers that differ); of short strings edit (insertions, deletions and "
              "replacements) or indel (insertions and deletions)."},
    OptionRow{"within", "S", &Options::within, OptionClass::kBehaviour, kMeasurers,
              Notation::kPlain, "none", "a number of 0 or more",
              "Distance at or below which two are near. pairs needs it where there is a distance; "
              "nearest looks no farther; compare: exit 1 above it."},
    OptionRow{"top", "K", &Options::top, OptionClass::kBehaviour, kNearest, Notation::kPlain, "",
              "a whole number from 1 to 10000",
              "Neighbours to write of each, at most. Without a distance fewer where fewer reach "
              "the threshold."},
    OptionRow{
        "rows", "", &Options::rows, OptionClass::kBehaviour, kSearches, Notation::kPlain, "",
        "true or false",
        "Add the input and the row (from 1) of both documents to each line: source_a, row_a, "
        "source_b and row_b; of nearest source, row, neighbour_source and neighbour_row. They "
        "tell documents with equal ids apart and join results to their inputs."},
    OptionRow{"method", "M", &Options::method, OptionClass::kBehaviour, kFinders | kPlan,
              Notation::kPlain, "", "auto, lsh, exact or shingle-merge",
              "How candidates are found: lsh by shared band keys, exact by a join that misses "
              "nothing and keeps all features in memory, auto by lsh where a design reaches the "
              "recall (else exact), shingle-merge by sorting shingles and pairs on disk, of all "
              "shingles or of a sample (--sketch mod-m:25). Shingles of more than 1000 documents "
              "make no pairs there, but are counted; shingle-merge:N sets another number."},
    OptionRow{
        "design", "D", &Options::design, OptionClass::kBehaviour, kFinders | kPlan | kFilter,
        Notation::kPlain, "planned",
        "bands:BxR, groups:GxL:TAU, groups:GxL:TAU:BITS or overlapping:K:R:B; with --distance all "
        "or, for pairs, grid; plan also sketch:K:T",
        "Band design. Leave it to be planned from --threshold, --recall, --sketch and roughly "
        "the size of the inputs, unless you want the keys of another tool or of an earlier "
        "run."},
    OptionRow{"sketch", "NAME:K", &Options::sketch, OptionClass::kBehaviour, kReaders | kPlan,
              Notation::kPlain, "", kSketchForms,
              "Sketch and its number of coordinates. More coordinates make a high --recall at a "
              "low --threshold reachable and take more time. fss scatters least; take another to "
              "compare with other tools. docs/format/sketch-kinds-v1.md has what each one is."},
    OptionRow{
        "sketch-bits", "B", &Options::sketch_bits, OptionClass::kBehaviour,
        kSearches | kCompare | kSketch, Notation::kPlain, "", "1, 2, 4, 8, 16 or 32",
        "Bits that are kept of each coordinate where documents are compared by sketches alone. "
        "Fewer make smaller files and larger errors; searches of large files are slow below 8."},
    OptionRow{
        "verify", "HOW", &Options::verify, OptionClass::kBehaviour, kJobs | kCompare,
        Notation::kPlain, "",
        "exact or sketch+exact, for pairs and compare also sketch, for pairs also none",
        "How documents are compared: exact computes the resemblance from all shingles, sketch "
        "estimates it from sketches alone and says its standard error, none writes every "
        "candidate with its estimate. sketch+exact computes it only where the estimate, too, "
        "reaches the threshold: faster, but half of the pairs at the threshold are lost. Sketch "
        "files have no shingles: sketch is implied, and dedup tells clusters without removing."},
    OptionRow{"audit-documents", "N", &Options::audit_documents, OptionClass::kBehaviour, kJobs,
              Notation::kPlain, "", "a whole number from 0 to 1000000",
              "Documents sampled to measure the recall of the run; 0 measures nothing. Raise it "
              "for a narrower interval."},
    OptionRow{"keep", "ORDER", &Options::keep, OptionClass::kBehaviour, kDedup, Notation::kPlain,
              "", "first, longest, shortest, field:NAME[:asc|desc] or source:A,B",
              "Which of several alike documents stays: the first or the longest, the one with the "
              "smallest (asc) or largest (desc) field, or the one of the best source."},
    OptionRow{"cluster", "HOW", &Options::cluster, OptionClass::kBehaviour, kDedup,
              Notation::kPlain, "", "leader or components",
              "How clusters.jsonl groups: each kept document with those removed for it, or "
              "connected components of alike pairs. What is removed is the same."},
    OptionRow{"output", "HOW", &Options::output, OptionClass::kBehaviour, kDedup, Notation::kPlain,
              "", "copies or annotated",
              "copies writes the kept rows unchanged; annotated writes every row with la_keep, "
              "la_cluster, la_copies, la_duplicate_of and la_resemblance added."},
    OptionRow{"text-field", "FIELD", &Options::text_field, OptionClass::kBehaviour, kWordReaders,
              Notation::kPlain, "text, else content, body or document",
              "a field's name, or a dotted path such as doc.body",
              "Field that holds the text. Give it when the text is elsewhere: no other field is "
              "guessed."},
    OptionRow{"id-field", "FIELD", &Options::id_field, OptionClass::kBehaviour, kReaders | kPlan,
              Notation::kPlain, "id, or else input name and row",
              "a field's name, or a dotted path such as meta.url",
              "Field that holds the id of a document. Give it when the id is elsewhere."},
    OptionRow{
        "delimiter", "CHAR", &Options::delimiter, OptionClass::kBehaviour, kWordReaders | kGroup,
        Notation::kPlain, "found by the header",
        "one character, or comma, semicolon, tab, pipe or space",
        "What stands between the fields of CSV and TSV files. Give it when it is not a comma, "
        "semicolon, tab or pipe, or is not found."},
    OptionRow{"max-record", "SIZE", &Options::max_record, OptionClass::kBehaviour,
              kWordReaders | kGroup, Notation::kSize, "",
              "a size up to 372M, such as 64KiB or 256M",
              "Longer records are rejected. Raise it when real documents are larger. Those that "
              "--memory has no room for are rejected, too."},
    OptionRow{"max-expansion", "X", &Options::max_expansion, OptionClass::kBehaviour,
              kWordReaders | kGroup | kMergeSketches, Notation::kPlain, "",
              "a number from 1 to 1e12",
              "Plain bytes per compressed byte above which an input is taken for a decompression "
              "bomb. Raise it for extremely repetitive files that you trust."},
    OptionRow{"max-errors", "N", &Options::max_errors, OptionClass::kBehaviour,
              kFinders | kSketch | kGroup | kFilter, Notation::kOrLimit, "",
              "a whole number, 0 or more, or unlimited",
              "The run fails when more records than this are rejected. 0 demands clean inputs."},
    OptionRow{"include", "GLOB", &Options::include, OptionClass::kBehaviour, kCollections,
              Notation::kPlain, "every file",
              "a pattern such as '*.md' or 'docs/**'; may be repeated",
              "Read only the files of folders and patterns that match. A pattern without a slash "
              "matches a file's or a folder's name at any depth; others match the path from the "
              "folder that is named on, with ** for any folders. Give it when a folder holds more "
              "than texts."},
    OptionRow{"exclude", "GLOB", &Options::exclude, OptionClass::kBehaviour, kCollections,
              Notation::kPlain, "none", "a pattern such as '*.png' or build; may be repeated",
              "Leave out files and folders that match, of those that folders and patterns lead to. "
              "It goes before --include. Files that are named themselves are read."},
    OptionRow{
        "follow-links", "", &Options::follow_links, OptionClass::kBehaviour, kCollections,
        Notation::kPlain, "", "true or false",
        "Follow symbolic links out of the folders that are read. Without it they are left out "
        "and listed. Each file is read once in any case."},
    OptionRow{"skip-bad-inputs", "", &Options::skip_bad_inputs, OptionClass::kBehaviour,
              kFinders | kPlan | kGroup, Notation::kPlain, "", "true or false",
              "Leave out inputs that are missing, truncated, corrupt or hold no text instead of "
              "failing; the exit code is then 3. Files of a folder that cannot be opened or are "
              "binary are left out without it."},
    OptionRow{"against", "REF...", &Options::against, OptionClass::kBehaviour, kJobs,
              Notation::kPlain, "none", "files, folders or patterns; may be repeated",
              "A second collection. pairs: each pair is one document of the inputs and one of "
              "these; dedup: removes from the inputs what is alike one of these, too."},
    OptionRow{"threads", "N", &Options::threads, OptionClass::kPerformance, kCollections,
              Notation::kPlain, "as many as processors", "a whole number from 0 to 4096",
              "Threads to work with; 0 means as many as there are processors for this process, of "
              "the machine or of its container. Lower it to leave the machine to others."},
    OptionRow{"memory", "SIZE", &Options::memory, OptionClass::kPerformance, kCollections,
              Notation::kSize, "half of what there is", "a size of 64M or more, such as 512M or 8G",
              "Memory to work in; what does not fit goes to temporary files. The default is half "
              "of the machine's, or of what its container may have. Lower it to leave memory to "
              "others, raise it to save the files."},
    OptionRow{"scratch", "DIR", &Options::scratch, OptionClass::kPerformance,
              kFinders | kGroup | kMergeSketches, Notation::kPlain, "beside the output", "a folder",
              "Where temporary files go. Give a fast disk with room for them."},
    OptionRow{"object-endpoint", "URL", &Options::object_endpoint, OptionClass::kPerformance,
              kCollections, Notation::kPlain, "the provider's",
              "the address of a server, such as https://storage.example:9000",
              "Server that s3:// and gs:// stand for. Give it for a store of your own that speaks "
              "like Amazon's or Google's."},
    OptionRow{"object-region", "REGION", &Options::object_region, OptionClass::kPerformance,
              kCollections, Notation::kPlain, "found out", "a region's name, such as eu-west-1",
              "Region of s3:// buckets. Give it when the store says that a bucket is elsewhere."},
    OptionRow{"object-anonymous", "", &Options::object_anonymous, OptionClass::kPerformance,
              kCollections, Notation::kPlain, "", "true or false",
              "Do not sign requests to object stores: for public data, without credentials."},
    OptionRow{"overwrite", "", &Options::overwrite, OptionClass::kTalk, kDedup, Notation::kPlain,
              "", "true or false",
              "Replace an existing result folder once the new one is complete; otherwise it is an "
              "error. A folder that is no result, or holds anything else, is never replaced."},
    OptionRow{"resume", "", &Options::resume, OptionClass::kTalk, kDedup, Notation::kPlain, "",
              "true or false",
              "Go on with an interrupted run of the same command; start where there is none, and "
              "change nothing where the result is complete, which is checked."},
    OptionRow{
        "yes", "", &Options::yes, OptionClass::kTalk, kDedup | kPairs, Notation::kPlain, "",
        "true or false",
        "Go on although more than 10^9 pairs are predicted, or many more candidates are found "
        "than were predicted."},
    OptionRow{"json", "", &Options::json, OptionClass::kTalk,
              kReaders | kPlan | kSynth | kEval | kFamilies | kWeights | kGroup | kMergeSketches,
              Notation::kPlain, "", "true or false",
              "Print one JSON object instead of text for people; no progress is shown."},
    OptionRow{"quiet", "", &Options::quiet, OptionClass::kTalk, kCollections | kSynth,
              Notation::kPlain, "", "true or false",
              "Print only warnings and errors: no progress, no summary."},
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
          return Fail(
              fmt::format("--{} '{}' is not understood; give {}", row.name, text, row.takes));
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
          return JoinList(options.*member);
        } else {
          return fmt::format("{}", options.*member);
        }
      },
      row.member);
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
