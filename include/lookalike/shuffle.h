// The steps of the engine for programs that bring the records of each key together by a shuffle, as
// jobs on many machines do. Each takes whole keys in blocks of columns; what it holds does not grow
// with the size of a bucket, so that a key of ten million documents passes by like any other.
//
//   Engine::Extract    texts              -> hashes, keys, codes, small feature sets
//   FindCopies         hashes             -> exact copies
//   SmallBuckets       keys               -> pairs, and the members of larger buckets
//   LargeBuckets       members and codes  -> pairs, and keys of the next level for SmallBuckets
//   CountFewFeatures ... JoinMeetings     -> pairs in which one document has few features
//   Engine::MayBeAlike pairs and codes    -> pairs that the codes do not rule out
//   Engine::Verify     pairs and sets     -> edges
//   KeepScan           edges              -> who is removed, and for which kept document
//
// A document is named by any number of 64 bits: of two near-duplicates, the one with the lower
// number is kept. The results are those of `dedup` and `pairs` with the same design.
#ifndef LOOKALIKE_SHUFFLE_H_
#define LOOKALIKE_SHUFFLE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lookalike/engine.h"
#include "lookalike/status.h"

namespace lookalike {

/// Exact copies: copy[i] has the same features as representative[i], the lowest of its class.
struct CopyColumns {
  std::vector<uint64_t> representative, copy;
  std::vector<uint8_t> same_text;  ///< 1: the texts have the same bytes.
};

/// Finds the exact copies among documents of whole classes. `hashes` has 16 bytes per document, as
/// Engine::Extract makes them; `text_hashes` has one value per document. Every document must be
/// searched. Returns an Error if the columns differ in length.
Result<CopyColumns> FindCopies(std::span<const uint64_t> documents, std::span<const uint8_t> hashes,
                               std::span<const uint64_t> text_hashes);

/// Joins the records of some keys, each of them complete. Pairs of small buckets are given without
/// a look at codes; the members of other buckets are given back, to be joined by LargeBuckets. Not
/// thread-safe.
class SmallBuckets {
 public:
  /// `level`: 0 for the documents' own keys, else the level of the records that LargeBuckets made.
  /// `records`: how many records are held before the large buckets among them are given back. 24
  /// bytes per record. Returns an Error if the level does not exist.
  static Result<SmallBuckets> Create(const Engine& engine, uint32_t level,
                                     size_t records = size_t{1} << 22);
  SmallBuckets(SmallBuckets&&) noexcept;
  SmallBuckets& operator=(SmallBuckets&&) noexcept;
  ~SmallBuckets();

  /// Adds records: documents[i] has keys[i]. `classes`: the first 8 bytes of the documents' hashes;
  /// of several documents of one class, only the lowest counts. Returns an Error if the columns
  /// differ in length.
  Status Add(std::span<const uint64_t> keys, std::span<const uint64_t> documents,
             std::span<const uint64_t> classes);

  /// Returns the members of large buckets found since the last call.
  KeyColumns TakeLarge();

  /// True if the members given back may include copies of lower members: then drop the copies that
  /// FindCopies() found before they are joined.
  [[nodiscard]] bool may_hold_copies() const;

  /// Ends the join: returns the pairs of the small buckets; TakeLarge() has the last members.
  PairColumns Finish();

 private:
  struct State;
  explicit SmallBuckets(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

/// Joins large buckets, whose members pass by. Not thread-safe.
class LargeBuckets {
 public:
  /// Returns an Error if the level does not exist.
  static Result<LargeBuckets> Create(const Engine& engine, uint32_t level);
  LargeBuckets(LargeBuckets&&) noexcept;
  LargeBuckets& operator=(LargeBuckets&&) noexcept;
  ~LargeBuckets();

  /// Adds records in the order of (key, document); `codes` has code_bytes() bytes per record.
  /// `guards`: with Options::differ, the first word of each record's document; else empty. Returns
  /// an Error if they are out of order, or the columns differ in length.
  Status Add(std::span<const uint64_t> keys, std::span<const uint64_t> documents,
             std::span<const uint8_t> codes, std::span<const uint64_t> guards = {});

  /// Ends the last bucket.
  Status Finish();

  /// Returns the pairs found since the last call, sorted and distinct.
  PairColumns TakePairs();

  /// Returns the records of the next level made since the last call.
  KeyColumns TakeRefined();

 private:
  struct State;
  explicit LargeBuckets(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

/// Features of documents that take part in the search by features; row i is one feature of one
/// document, which has `sizes[i]` features in all. `guards`: with Options::differ, the first word
/// of each row's document; else empty.
struct FewFeatureColumns {
  std::vector<uint64_t> keys, documents, sizes, guards = {};
};

/// Features that documents share with others: counts[i] documents have it.
struct SharedFeatureColumns {
  std::vector<uint64_t> keys, documents, sizes, counts, guards = {};
};

/// Row i: documents[i] documents of groups[i] have the frequent feature keys[i]. The documents of
/// one group have equal numbers of features, and this feature at the same place among them.
struct FeatureGroupColumns {
  std::vector<uint64_t> keys, groups, documents;
};

/// Keys under which documents meet. `shapes` holds size, place and shared features of a document.
struct MeetingColumns {
  std::vector<uint64_t> keys, documents, signatures, shapes;
};

/// Returns the rows of the documents that take part in the search by features: texts whose sets
/// Engine::Extract made with SetsOf::kFew. `documents` names each row of `rows`. Leaves `guards` to
/// the caller.
Result<FewFeatureColumns> FewFeaturesOf(std::span<const uint64_t> documents,
                                        const ExtractedView& rows);

/// Step one: finds the features that several documents share. All rows of a key must be passed
/// together. Memory: about 60 bytes per row.
Result<SharedFeatureColumns> CountFewFeatures(const FewFeatureColumns& rows);

/// Step two: counts the groups of frequent features. All rows of a document must be passed
/// together. The counts of all documents must be added up before step three.
Result<FeatureGroupColumns> CountFeatureGroups(const Engine& engine,
                                               const SharedFeatureColumns& rows);

/// Step three: makes the keys under which documents meet. All rows of a document, and all groups of
/// its features, must be passed together.
Result<MeetingColumns> MakeMeetings(const Engine& engine, const SharedFeatureColumns& rows,
                                    const FeatureGroupColumns& groups);

/// Step four: finds the pairs. All meetings of a key must be passed together.
Result<PairColumns> JoinMeetings(const Engine& engine, const MeetingColumns& meetings);

/// Decides which documents are removed, as KeepGreedy() does, over edges that come in blocks.
/// Memory: 2 bytes per removed document, and 16 per range of 65,536 numbers that holds some.
class KeepScan {
 public:
  KeepScan();
  KeepScan(KeepScan&&) noexcept;
  KeepScan& operator=(KeepScan&&) noexcept;
  ~KeepScan();

  /// Takes the next edges, a < d, sorted by (d, a). `edge` of the result counts from 0 in this
  /// block. Returns an Error if they are out of order.
  Result<RemovalColumns> Take(std::span<const uint64_t> a, std::span<const uint64_t> d);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_SHUFFLE_H_
