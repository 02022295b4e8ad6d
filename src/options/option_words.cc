#include "lookalike/option_words.h"

#include <algorithm>
#include <array>
#include <string>

namespace lookalike {
namespace {

/// An option of ours, and advice on its use.
struct Ours {
  std::string_view option, advice;
};

constexpr Ours kAgainst = {"against", "use --against REF"};
constexpr Ours kDesign = {
    "design",
    "use --design bands:BxR for B bands of R rows; without it a design is planned for --recall"};
constexpr Ours kExact = {"method", "use --method exact"};
constexpr Ours kFeatures = {"min-features", "use --min-features N"};
constexpr Ours kFolders = {"", "a folder is read with all folders below it"};
constexpr Ours kForm = {
    "output", "use --output copies or annotated for the form of the result, and -o for its place"};
constexpr Ours kId = {"id-field", "use --id-field FIELD"};
constexpr Ours kInputs = {"", "inputs are given without a flag"};
constexpr Ours kMeasure = {"measure", "use --measure containment"};
constexpr Ours kMemory = {"memory", "use --memory SIZE"};
constexpr Ours kMethod = {"method", "use --method NAME"};
constexpr Ours kNormalize = {"normalize", "use --normalize FORM"};
constexpr Ours kOverwrite = {"overwrite", "use --overwrite"};
constexpr Ours kQuiet = {"quiet", "use --quiet"};
constexpr Ours kRecall = {"recall", "use --recall R, the share of pairs to find"};
constexpr Ours kResult = {"-o", "use -o for the place of the result"};
constexpr Ours kScratch = {"scratch", "use --scratch DIR"};
constexpr Ours kSeed = {"seed", "use --seed N"};
constexpr Ours kShingle = {
    "shingle", "use --shingle word:N for runs of N words, or char:N for runs of N characters"};
constexpr Ours kSketch = {
    "sketch", "use --sketch permutations:N for N permutations, or fss:N, the usual kind"};
constexpr Ours kStopWords = {"stop-words", "use --stop-words NAME with --shingle stopword:N"};
constexpr Ours kText = {"text-field", "use --text-field FIELD"};
constexpr Ours kThreads = {"threads", "use --threads N"};
constexpr Ours kThreshold = {"threshold", "use --threshold T"};
constexpr Ours kTop = {"top", "use --top N"};
constexpr Ours kWithin = {"within", "use --distance NAME --within S"};

constexpr OptionWord Word(std::string_view word, const Ours& ours) {
  return {word, ours.option, ours.advice};
}

constexpr std::array kWords = {
    Word("algo", kMethod),
    Word("algorithm", kMethod),
    Word("band-size", kDesign),
    Word("bands", kDesign),
    Word("benchmark", kAgainst),
    Word("brute-force", kExact),
    Word("bruteforce", kExact),
    Word("buckets", kDesign),
    Word("cache-dir", kScratch),
    Word("case-insensitive", kNormalize),
    Word("case-sensitive", kNormalize),
    Word("clobber", kOverwrite),
    Word("column", kText),
    Word("compare-to", kAgainst),
    Word("containment", kMeasure),
    Word("containment-threshold", kMeasure),
    Word("content-col", kText),
    Word("content-column", kText),
    Word("content-field", kText),
    Word("content-key", kText),
    Word("cores", kThreads),
    Word("cpus", kThreads),
    Word("cutoff", kThreshold),
    Word("data", kInputs),
    Word("dataset", kInputs),
    Word("dest", kResult),
    Word("destination", kResult),
    Word("distance-threshold", kWithin),
    Word("doc-id", kId),
    Word("edit-distance", kWithin),
    Word("eps", kWithin),
    Word("epsilon", kWithin),
    Word("exact", kExact),
    Word("false-negative-rate", kRecall),
    Word("false-negative-weight", kRecall),
    Word("field", kText),
    Word("files", kInputs),
    Word("force", kOverwrite),
    Word("hamming-distance", kWithin),
    Word("hash-functions", kSketch),
    Word("hash-seed", kSeed),
    Word("hashes", kSketch),
    Word("id-col", kId),
    Word("id-column", kId),
    Word("id-key", kId),
    Word("ignore-case", kNormalize),
    Word("in-file", kInputs),
    Word("infile", kInputs),
    Word("input", kInputs),
    Word("input-dir", kInputs),
    Word("input-file", kInputs),
    Word("input-path", kInputs),
    Word("inputs", kInputs),
    Word("jaccard", kThreshold),
    Word("jaccard-similarity", kThreshold),
    Word("jaccard-threshold", kThreshold),
    Word("jobs", kThreads),
    Word("json-key", kText),
    Word("k-shingle", kShingle),
    Word("knn", kTop),
    Word("kshingle", kShingle),
    Word("lower", kNormalize),
    Word("lowercase", kNormalize),
    Word("max-distance", kWithin),
    Word("max-mem", kMemory),
    Word("max-memory", kMemory),
    Word("max-workers", kThreads),
    Word("mem", kMemory),
    Word("memory-limit", kMemory),
    Word("min-jaccard", kThreshold),
    Word("min-length", kFeatures),
    Word("min-ngram-size", kFeatures),
    Word("min-ngrams", kFeatures),
    Word("min-recall", kRecall),
    Word("min-shingles", kFeatures),
    Word("min-sim", kThreshold),
    Word("min-similarity", kThreshold),
    Word("min-tokens", kFeatures),
    Word("minhash", kSketch),
    Word("minhashes", kSketch),
    Word("n-bands", kDesign),
    Word("n-gram", kShingle),
    Word("n-gram-size", kShingle),
    Word("n-grams", kShingle),
    Word("n-hashes", kSketch),
    Word("n-jobs", kThreads),
    Word("n-neighbors", kTop),
    Word("n-perm", kSketch),
    Word("n-threads", kThreads),
    Word("n-workers", kThreads),
    Word("neighbors", kTop),
    Word("neighbours", kTop),
    Word("ngram", kShingle),
    Word("ngram-size", kShingle),
    Word("ngrams", kShingle),
    Word("njobs", kThreads),
    Word("no-progress", kQuiet),
    Word("normalise", kNormalize),
    Word("normalization", kNormalize),
    Word("nproc", kThreads),
    Word("nthreads", kThreads),
    Word("num-bands", kDesign),
    Word("num-buckets", kDesign),
    Word("num-cores", kThreads),
    Word("num-cpus", kThreads),
    Word("num-hash", kSketch),
    Word("num-hashes", kSketch),
    Word("num-jobs", kThreads),
    Word("num-neighbors", kTop),
    Word("num-neighbours", kTop),
    Word("num-perm", kSketch),
    Word("num-perms", kSketch),
    Word("num-permutations", kSketch),
    Word("num-proc", kThreads),
    Word("num-processes", kThreads),
    Word("num-rows", kDesign),
    Word("num-threads", kThreads),
    Word("num-workers", kThreads),
    Word("out", kResult),
    Word("out-dir", kResult),
    Word("out-file", kResult),
    Word("outdir", kResult),
    Word("outfile", kResult),
    Word("output", kResult),  // `output` is an option of dedup; elsewhere -o is meant
    Word("output-dir", kResult),
    Word("output-file", kResult),
    Word("output-folder", kResult),
    Word("output-format", kForm),
    Word("output-path", kResult),
    Word("parallelism", kThreads),
    Word("path", kInputs),
    Word("paths", kInputs),
    Word("permutations", kSketch),
    Word("processes", kThreads),
    Word("radius", kWithin),
    Word("ram", kMemory),
    Word("random-seed", kSeed),
    Word("random-state", kSeed),
    Word("recurse", kFolders),
    Word("recursive", kFolders),
    Word("ref", kAgainst),
    Word("reference", kAgainst),
    Word("references", kAgainst),
    Word("replace", kOverwrite),
    Word("resemblance", kThreshold),
    Word("rng-seed", kSeed),
    Word("rows-per-band", kDesign),
    Word("shingle-length", kShingle),
    Word("shingle-size", kShingle),
    Word("shingle-width", kShingle),
    Word("shingles", kShingle),
    Word("signature-length", kSketch),
    Word("signature-size", kSketch),
    Word("silent", kQuiet),
    Word("sim", kThreshold),
    Word("sim-threshold", kThreshold),
    Word("similarity", kThreshold),
    Word("similarity-threshold", kThreshold),
    Word("sketch-size", kSketch),
    Word("stopwords", kStopWords),
    Word("temp", kScratch),
    Word("temp-dir", kScratch),
    Word("tempdir", kScratch),
    Word("text-col", kText),
    Word("text-column", kText),
    Word("text-key", kText),
    Word("tmp", kScratch),
    Word("tmp-dir", kScratch),
    Word("tmpdir", kScratch),
    Word("tokenizer", kShingle),
    Word("top-k", kTop),
    Word("window-size", kShingle),
    Word("work-dir", kScratch),
    Word("workdir", kScratch),
    Word("workers", kThreads),
};

}  // namespace

std::span<const OptionWord> OptionWords() { return kWords; }

const OptionWord* FindOptionWord(std::string_view name) {
  std::string word(name.substr(std::min(name.find_first_not_of('-'), name.size())));
  for (char& c : word) {
    if (c == '_') c = '-';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  const auto* const at = std::lower_bound(
      kWords.begin(), kWords.end(), word,
      [](const OptionWord& row, std::string_view wanted) { return row.word < wanted; });
  return at != kWords.end() && at->word == word ? &*at : nullptr;
}

}  // namespace lookalike
