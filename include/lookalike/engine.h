// The steps of the engine as functions over memory, for programs that move documents and records
// themselves: jobs on many machines, shards, an index, a notebook. Nothing here reads files or
// keeps state; `dedup` and `pairs` run the same functions over collections of any size.
//
//   Engine::Extract  texts                 -> feature sets, hashes, codes, keys
//   FindClasses      hashes                -> who represents the exact copies
//   Engine::Join     what was extracted    -> candidate pairs
//   Engine::Verify   pairs, feature sets   -> edges: pairs at or above the threshold
//   KeepGreedy       edges                 -> who is removed, and for which kept document
//   GroupLinked      links                 -> clusters
//
// ARCHITECTURE.md, "What is computed", defines the result. Documents are numbered from 0; of two
// near-duplicates, the one with the lower number is kept. Columns have the layout of Apache Arrow,
// so that arrays can be passed without copying.
#ifndef LOOKALIKE_ENGINE_H_
#define LOOKALIKE_ENGINE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lookalike/fingerprint.h"
#include "lookalike/lookalike.h"
#include "lookalike/options.h"
#include "lookalike/reader.h"
#include "lookalike/status.h"

namespace lookalike {

/// The pairs that a program needs.
enum class EngineGoal {
  kKeep,   ///< Enough pairs to decide what is kept, as `dedup` finds them.
  kPairs,  ///< All pairs, as `pairs` finds them.
};

/// The verdict of guards on a pair of documents, however alike the two are.
enum class PairGuard : uint8_t {
  kNone,       ///< Nothing.
  kGuarded,    ///< They differ in what Options::differ compares, so that they are no edge.
  kForbidden,  ///< They are equal in a field of Options::not_same: they are in no result.
};

/// The columns that Engine::Extract makes of n texts.
struct Extracted {
  FeatureSetColumns sets;             ///< The feature set of each text.
  std::vector<uint8_t> hashes;        ///< n x 16 bytes, equal if and only if feature streams are.
  std::vector<SearchedBy> searched;   ///< n entries.
  std::vector<uint8_t> codes;         ///< n x code_bytes(); zeros for a text that is in no pair.
  std::vector<uint64_t> keys;         ///< n x keys(); zeros for a text that is in no pair.
  std::vector<uint64_t> text_hashes;  ///< n hashes of the texts' bytes.
  std::vector<uint64_t> words;        ///< n x words(), which pairs are tested by (decision 69).
  std::vector<uint64_t> masks;        ///< n numbers that changed the features; empty: none did.
};

/// A view of extracted columns, whoever owns them.
struct ExtractedView {
  ExtractedView() = default;
  ExtractedView(const Extracted& all)  // NOLINT: implicit
      : features(all.sets.features),
        offsets(all.sets.offsets),
        searched(all.searched),
        codes(all.codes),
        keys(all.keys),
        words(all.words) {}

  std::span<const uint64_t> features;
  std::span<const int64_t> offsets;  ///< n + 1: where each set begins in `features`, and the end.
  std::span<const SearchedBy> searched;
  std::span<const uint8_t> codes;
  std::span<const uint64_t> keys;
  std::span<const uint64_t> words;

  [[nodiscard]] uint64_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
};

/// Pairs of documents, a[i] < d[i]; where not said otherwise, ascending by (d, a), without
/// repetitions.
struct PairColumns {
  std::vector<uint64_t> a, d;
};

/// Pairs at or above the threshold, in the order of the pairs that were verified.
struct EdgeColumns {
  std::vector<uint64_t> a, d;
  std::vector<uint32_t> common, size_a, size_d;  ///< Counts of distinct features.
};

/// Removed documents, ascending. The document `removed[i]` is a near-duplicate of the kept document
/// `witness[i]`, by the edge in row `edge[i]`.
struct RemovalColumns {
  std::vector<uint64_t> removed, witness, edge;
};

/// Records of documents by key, for one level of the join: document[i] has key[i].
struct KeyColumns {
  std::vector<uint64_t> key, document;
};

/// The rules of one comparison. Immutable and cheap to copy; safe to use from several threads.
class Engine {
 public:
  /// Uses the options that decide which documents are near-duplicates, as `dedup` resolves them for
  /// a collection of `documents` documents. Returns an Error if an option is not allowed, no design
  /// reaches the recall, or the options ask for something that the engine does not support: the
  /// method shingle-merge, containment, or pairs that are judged by sketches. Documents with
  /// numbers below `reference_end` are a reference, as with `--against`: pairs of two of them do
  /// not count, nor, for kPairs, do pairs of two others.
  static Result<Engine> Create(const Options& options, uint64_t documents = kUsualDocuments,
                               EngineGoal goal = EngineGoal::kKeep, uint64_t reference_end = 0);

  /// Returns the number of band keys of a document; 0 if all are compared (`method exact`).
  [[nodiscard]] uint32_t keys() const;
  /// Returns the number of bytes in a document's code.
  [[nodiscard]] uint32_t code_bytes() const;
  /// Returns the number of levels of the join; level 0 joins the documents' own keys.
  [[nodiscard]] uint32_t levels() const;
  /// Returns the resolved design, such as "overlapping:128:8:32", or "exact".
  [[nodiscard]] const std::string& design() const;
  /// Returns the options it was made from.
  [[nodiscard]] const Options& options() const;
  /// Returns the number of words of a document: one for all guards of Options::differ, and one for
  /// each field of Options::not_same. Pairs whose documents have words are tested by GuardsOf().
  [[nodiscard]] uint32_t words() const;
  /// Returns the fields whose values Options::differ, Options::same and Options::not_same compare.
  [[nodiscard]] const std::vector<std::string>& guard_fields() const;

  /// Makes everything that the other steps need, on up to Options::threads threads. Texts need not
  /// be valid UTF-8. `values`: those of guard_fields(), so many for each text. Errors and the
  /// observer are as for Fingerprinter::Run. Cost: about 5 ns per byte of text. Size of the result:
  /// 8 bytes per distinct feature, and about 16 + code_bytes() + 8 keys() bytes per text. `sets`:
  /// the texts whose feature sets are wanted; most of the time goes into these.
  Result<Extracted> Extract(std::span<const std::string_view> texts, const Observer& observer = {},
                            SetsOf sets = SetsOf::kAll,
                            std::span<const FieldText> values = {}) const;

  /// Finds the candidate pairs among `documents` (ascending; empty: all), in memory. Runs all
  /// levels of JoinKeys(), and joins documents with few features by their features. Cost: linear in
  /// keys plus pairs; memory: about 40 bytes per key. Returns an Error if a column has the wrong
  /// size, a document is not among the rows, or the observer cancels. Pairs that guards keep apart
  /// are among the candidates; see GuardsOf().
  Result<PairColumns> Join(const ExtractedView& rows, std::span<const uint64_t> documents = {},
                           const Observer& observer = {}) const;

  /// Joins the records of some keys, for programs that group records by key themselves. `codes`
  /// holds the code of each record's document, code_bytes() bytes per record. All records of a key
  /// must be passed together. Returns the pairs whose codes do not rule them out, and appends to
  /// `refined` the records of buckets that are too large, to be joined at the next level. Returns
  /// an Error with Options::differ, for which shuffle.h has the steps.
  Result<PairColumns> JoinKeys(uint32_t level, std::span<const uint64_t> keys,
                               std::span<const uint64_t> documents, std::span<const uint8_t> codes,
                               KeyColumns* refined) const;

  /// Returns the pairs that the codes of their documents do not rule out, in their order; a
  /// document that is searched by its features has no code, and rules out nothing. Returns an Error
  /// if a column has the wrong size, or a document is not among the rows.
  Result<PairColumns> MayBeAlike(std::span<const uint64_t> a, std::span<const uint64_t> d,
                                 const ExtractedView& rows) const;

  /// Counts the common features of pairs and returns those at or above the threshold, on up to
  /// Options::threads threads. Cost: linear in the features of the pairs' sets. Returns an Error
  /// if a column has the wrong size, or a document is not among the rows.
  Result<EdgeColumns> Verify(std::span<const uint64_t> a, std::span<const uint64_t> d,
                             const ExtractedView& rows) const;

  /// Says of each pair whether guards keep it from being an edge. `words` has words() values for
  /// each row. Returns an Error if a column has the wrong size, or a document is not among the
  /// rows.
  Result<std::vector<PairGuard>> GuardsOf(std::span<const uint64_t> a, std::span<const uint64_t> d,
                                          std::span<const uint64_t> words) const;

  /// Returns, for each text, what the guards of Options::differ find in it and its values, as bytes
  /// that GuardDifferences() reads. `values` as for Extract().
  Result<std::vector<std::string>> GuardTokens(std::span<const std::string_view> texts,
                                               std::span<const FieldText> values) const;

  /// Returns, for each pair of documents, by what GuardTokens() made of them, the guards in which
  /// they differ, as `differ` in guarded.jsonl: a JSON object. Returns an Error if the columns
  /// differ in length, or hold other bytes.
  Result<std::vector<std::string>> GuardDifferences(std::span<const std::string_view> a,
                                                    std::span<const std::string_view> d) const;

  struct Plan;  ///< For the functions of shuffle.h.
  [[nodiscard]] const Plan& plan() const { return *plan_; }

 private:
  explicit Engine(std::shared_ptr<const Plan> plan) : plan_(std::move(plan)) {}

  std::shared_ptr<const Plan> plan_;
};

/// Returns, for each document, the first document with the same hash, which represents its class
/// (it may be the document itself). A document that is not searched represents itself. `hashes` has
/// 16 bytes per document.
Result<std::vector<uint64_t>> FindClasses(std::span<const uint8_t> hashes,
                                          std::span<const SearchedBy> searched);

/// Returns the hashes by which documents are in one class of copies: with equal features, they are
/// copies only if their words are equal too. `hashes` has 16 bytes per document, `words` equally
/// many for each. Returns an Error if the columns do not belong together.
Result<std::vector<uint8_t>> ClassHashes(std::span<const uint8_t> hashes,
                                         std::span<const uint64_t> words);

/// Decides which documents are removed, in one scan: a document is removed if and only if a kept
/// document with a lower number has an edge to it. `a` and `d` are edges sorted by (d, a), with a <
/// d < documents. Returns an Error if they are not, or if there are more than 2^40 documents.
/// Memory: one bit per document.
Result<RemovalColumns> KeepGreedy(std::span<const uint64_t> a, std::span<const uint64_t> d,
                                  uint64_t documents);

/// Returns the cluster of each document: the lowest document number that its links lead to. Memory:
/// 8 bytes per document. Returns an Error if a document is not below `documents`, or there are 2^32
/// or more.
Result<std::vector<uint64_t>> GroupLinked(std::span<const uint64_t> a, std::span<const uint64_t> d,
                                          uint64_t documents);

}  // namespace lookalike

#endif  // LOOKALIKE_ENGINE_H_
