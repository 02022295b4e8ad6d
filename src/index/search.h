// Finds the documents of an index that are like a given one.
#ifndef LOOKALIKE_INDEX_SEARCH_H_
#define LOOKALIKE_INDEX_SEARCH_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "index/encoding.h"
#include "index/hot_keys.h"
#include "index/rules.h"
#include "index/store.h"

namespace lookalike {

/// A document that others are compared with: a text, or a stored one.
struct Probe {
  SearchedBy searched = SearchedBy::kNothing;
  ClassHash hash;
  uint64_t text_hash = 0;
  std::string codes;                         ///< Empty unless it is searched by keys.
  std::vector<uint64_t> features;            ///< Empty if only codes are known.
  uint64_t size = 0;                         ///< How many features there are.
  std::vector<std::string> deviations = {};  ///< The stored ones; used if features are not known.
};

/// Returns what is compared of each text.
Result<std::vector<Probe>> ProbesOf(const Engine& engine, std::span<const std::string_view> texts);

/// Returns what is compared of a stored document; without features, if none are kept.
Result<Probe> ProbeOf(const IndexRules& rules, const StoreView& view, DocumentNumber number,
                      const DocumentRecord& record);

/// Returns the stored features of a document that is the first of its class.
Result<std::vector<uint64_t>> ReadSet(const StoreView& view, DocumentNumber first,
                                      const DocumentRecord& record);

/// Makes the keys of a document's deviations from profiles (hot_keys.h). Most documents have none,
/// so that coordinates are made when the first ones are asked for.
class Deviations {
 public:
  /// The probe outlives this object.
  explicit Deviations(const Probe& probe) : probe_(probe) {}

  /// True if they can be made: the features are known.
  [[nodiscard]] bool AreKnown() const { return !probe_.features.empty(); }

  /// As DeviationKeys(). REQUIRES: AreKnown(), and the probe is searched by keys.
  std::vector<std::string> KeysOf(std::string_view key, const Profile& profile);

 private:
  const Probe& probe_;
  std::vector<uint32_t> coordinates_;  // the whole ones behind the codes
};

/// Returns the parts of a probe that keys are made of.
inline KeyedDocument KeyedPart(const Probe& probe) {
  return {probe.searched, probe.codes, probe.features, probe.size};
}

/// A stored document.
struct Stored {
  DocumentNumber number = 0;
  DocumentRecord record;
};

/// Returns what is stored of documents, in their order. Returns an Error if one is missing.
Result<std::vector<Stored>> ReadRecords(const StoreView& view,
                                        std::span<const DocumentNumber> numbers);
Result<DocumentRecord> ReadRecord(const StoreView& view, DocumentNumber number);

/// Returns the document at a place among kDocuments.
Result<Stored> StoredAt(const StoreCursor& cursor);

/// Returns the number of the document with this id, or nothing.
Result<std::optional<DocumentNumber>> FindNumber(const StoreView& view, std::string_view id);

/// Documents that one query looks at, at most; copies count as one. What is beyond is said.
inline constexpr size_t kMostCandidates = 10'000;

/// Says which documents are no match, because they are about to be removed or are the same.
using LeavesOut = std::function<bool(DocumentNumber)>;

/// Returns the first document of a class: the one that has its keys and its features.
Result<std::optional<DocumentNumber>> FirstOfClass(const StoreView& view, const ClassHash& hash);

/// Rules out most documents that are not alike, by their sizes and codes.
class Sieve {
 public:
  /// `miss`: the probability that a document at the threshold does not pass.
  Sieve(const IndexRules& rules, const AlikeTest& test, double miss);

  [[nodiscard]] bool Passes(const Probe& probe, const DocumentRecord& record) const;
  /// The same for a document that is searched by keys.
  [[nodiscard]] bool Passes(const Probe& probe, const SievedDocument& document) const;
  [[nodiscard]] const AlikeTest& test() const { return test_; }

 private:
  /// Returns how many codes agree at a resemblance, at least.
  [[nodiscard]] uint32_t FloorOf(double resemblance) const;

  AlikeTest test_;
  std::vector<uint32_t> floors_;  // by resemblance, from 0 to 1 in equal steps
};

/// Counts the postings of a key, up to `most`. `postings`: a cursor of Family::kPostings.
Result<size_t> CountPostings(StoreCursor* postings, std::string_view key, size_t most);

/// The `miss` of candidates that keys bring together, and of all documents.
inline constexpr double kMissByKeys = 1e-5, kMissInAll = 1e-9;

/// Compares a probe with a stored document. `features` are those of the document, or empty if none
/// are kept. Returns nothing if they are not alike at the threshold.
std::optional<IndexMatch> Compare(const Probe& probe, const AlikeTest& test,
                                  const DocumentRecord& record, std::span<const uint64_t> features);

/// Returns what a threshold of this measure applies to.
inline double ScoreOf(const IndexMatch& match, Measure measure) {
  if (measure == Measure::kResemblance) return match.resemblance;
  return std::max(match.containment_ab, match.containment_ba);
}

/// Returns the test that a query asks for.
AlikeTest TestOf(const IndexRules& rules, const IndexQuery& query);

/// Finds the matches of a probe, best first. The query's threshold is that of the index or above,
/// or `exhaustive` is set.
Result<IndexAnswer> Find(const IndexRules& rules, const StoreView& view, const Probe& probe,
                         const IndexQuery& query, const LeavesOut& left_out);

/// A class that is like a probe.
struct SimilarClass {
  DocumentNumber first = 0;  ///< Its first document.
  ClassHash hash;
  double score = 0;  ///< By the measure of the index.
};

/// Finds the classes that are like a probe, by keys: of each key, so many of the oldest ones.
Result<std::vector<SimilarClass>> FindClasses(const IndexRules& rules, const StoreView& view,
                                              const Probe& probe, double threshold, size_t of_key);

/// Finds the same for many probes, by one look at all documents. The limits of `query` count for
/// each. `self`: the document that is no match of each probe.
Result<std::vector<IndexAnswer>> FindInAll(const IndexRules& rules, const StoreView& view,
                                           std::span<const Probe> probes, const IndexQuery& query,
                                           const LeavesOut& left_out,
                                           std::span<const DocumentNumber> self);

/// Sorts by score, then by id, and cuts to what the query allows.
void SortAndCut(const IndexQuery& query, Measure measure, IndexAnswer* answer);

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_SEARCH_H_
