// Steps 3 and 4 of the definition of the kept set: documents that share a key become candidates.
//
// A bucket is the set of all documents with one key, over the whole corpus. A bucket of at most
// `small` members is final: all its pairs are candidates. In a larger bucket, each member is
// compared with at most `leaders` of the members before it, which represent all members like them.
// A member that is clearly like one of them leaves the bucket, and only its pairs with leaders
// become candidates; the others are split by further keys made of the codes ("refined") and grouped
// again, a bounded number of times. So n members cost O(n leaders) checks, whether they are alike
// or merely share a template. The command `pairs` refines large buckets as well, and then takes all
// pairs.
#ifndef LOOKALIKE_STAGES_CANDIDATES_BUCKETS_H_
#define LOOKALIKE_STAGES_CANDIDATES_BUCKETS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "lookalike/status.h"
#include "records/bitmap.h"
#include "records/records.h"
#include "stages/candidates/design.h"

namespace lookalike {

/// The one-byte codes of documents, wherever they are stored. Safe from several threads.
class CodeSource {
 public:
  virtual ~CodeSource() = default;

  /// Returns the number of bytes per document, a multiple of 16.
  [[nodiscard]] virtual uint32_t width() const = 0;

  /// Copies the codes of these documents, back to back. REQUIRES: ascending and distinct.
  virtual Status Gather(std::span<const Rank> ranks, uint8_t* codes) const = 0;

  /// With BucketRules::guarded: returns a hash of what keeps a document from being an edge's end
  /// together with documents that have another one.
  [[nodiscard]] virtual uint64_t GuardOf(Rank /*rank*/) const { return 0; }
};

/// Receives the results of the join.
class JoinSink {
 public:
  virtual ~JoinSink() = default;

  /// Adds pairs in any order, possibly repeated. The codes of pairs from the smallest buckets have
  /// not been compared yet; every distinct pair must pass that check in the end.
  virtual Status AddPairs(std::span<const CandidatePair> pairs) = 0;

  /// Adds records of a bucket that is split further; they are joined at the next level.
  virtual Status AddRefined(std::span<const KeyRecord> records) = 0;

  /// Called after every few milliseconds of comparing: an Error ends the join.
  virtual Status CheckStop() { return {}; }
};

/// Behaviour constants of the join; all are part of the options digest.
struct BucketRules {
  uint64_t small = 64;          ///< Largest bucket whose pairs are all compared, without a split.
  uint64_t small_at_last = 64;  ///< The same for buckets that cannot be split further.
  uint64_t leaders = 16;
  bool all_pairs = false;  ///< True for the command `pairs`.
  /// Documents have guards. A large bucket is then split by them too, and its members of one guard
  /// are represented by leaders of the same guard only. Pairs with leaders of other guards, which
  /// are not edges, are candidates too, so that results can list them.
  bool guarded = false;
  std::vector<Extension> extensions;  ///< The further keys of each refinement, made of codes.
  uint32_t agreement_floor = 0;       ///< Codes that must agree (CodeAgreementFloor).
  /// The number of codes that a member of a large bucket must share with a leader to be covered by
  /// it. A covered member leaves the bucket; only its pairs with leaders are reported. Has no
  /// effect on the command `pairs`. Default: no member leaves.
  uint32_t cover_floor = UINT32_MAX;

  [[nodiscard]] bool CanSplit(uint32_t level) const { return level < extensions.size(); }
  [[nodiscard]] uint64_t LargestSmall(uint32_t level) const {
    return CanSplit(level) ? small : small_at_last;
  }
};

/// Keys of a design are in one group if their first bits are equal. The keys that a bucket is split
/// by stay in its group at every level. So the pairs of different groups can be found apart from
/// each other, and the answer is the same as if they were found together.
inline constexpr uint32_t kKeyGroupBits = 8;

/// Returns the group of a key of this level.
uint64_t KeyGroup(uint64_t key, uint32_t level);

/// Returns the `cover_floor` for a threshold: the codes that agree on average at the resemblance a
/// quarter of the way from the threshold to 1, so that a covering pair is rarely below the
/// threshold.
uint32_t CoverFloor(double threshold, uint32_t codes);

/// The pairs that count when documents are compared with a reference collection. The documents of
/// the reference have the lowest ranks.
struct PairScope {
  Rank reference_end = 0;    ///< Lower ranks are the reference; pairs within it never count.
  bool across_only = false;  ///< Only pairs with exactly one reference document count.

  [[nodiscard]] bool Counts(Rank a, Rank d) const {  // a < d
    return d >= reference_end && (!across_only || a < reference_end);
  }
};

/// Counts of the join's work; pairs that are left out are counted too.
struct BucketCounts {
  uint64_t buckets = 0;         ///< Final buckets of two or more members.
  uint64_t refined = 0;         ///< Buckets that were split further.
  uint64_t keys_added = 0;      ///< Records made by refinement.
  uint64_t pairs_met = 0;       ///< Pairs of members compared, repetitions included.
  uint64_t pairs_left_out = 0;  ///< Pairs of large final buckets that were not compared.
  uint64_t pairs_passed = 0;    ///< Distinct pairs that the codes did not reject.

  void Add(const BucketCounts& other);
};

/// The members of one bucket, ascending, as a list of records or as a bitmap. A view.
class BucketMembers {
 public:
  /// REQUIRES: records of one key, sorted by member.
  explicit BucketMembers(std::span<const KeyRecord> records) : records_(records) {}
  explicit BucketMembers(const Bitmap& bits) : bits_(&bits) {}

  [[nodiscard]] uint64_t size() const { return CountBelow(~Rank{0}); }

  /// Returns the number of members with a lower rank.
  [[nodiscard]] uint64_t CountBelow(Rank rank) const;

  /// Replaces `ranks` with the first members of rank `from` or higher, at most `most` of them.
  void Read(Rank from, uint64_t most, std::vector<Rank>* ranks) const;

 private:
  std::span<const KeyRecord> records_;
  const Bitmap* bits_ = nullptr;
};

/// Joins whole buckets of one level: level 0 has the keys of the design, level i + 1 the records
/// that level i passed to AddRefined(). Pure: the same records in any order give the same pairs.
/// Not thread-safe; several objects may work at once on different keys.
class BucketJoin {
 public:
  /// `code_bytes` bounds the memory for codes and the data held with them; at least a few hundred
  /// documents' worth is used in any case.
  BucketJoin(const CodeSource& codes, const BucketRules& rules, const PairScope& scope,
             uint32_t level, uint64_t code_bytes, JoinSink* sink, BucketCounts* counts);

  /// Joins all buckets among `records` (members are ranks), each of which must be complete. Sorts
  /// the records.
  Status Join(std::span<KeyRecord> records);

  /// Joins one bucket that is too large for a list of records.
  Status JoinBucket(uint64_t key, const Bitmap& members);

  /// A member of a bucket that passes by. `guard` has a meaning with BucketRules::guarded only.
  struct Member {
    Rank rank;
    const uint8_t* code;
    uint64_t guard = 0;
  };

  /// Adds a member to the bucket that EndBucket() completes, with its code. So a bucket of any size
  /// can pass by: what is held is a few hundred members at most, or all of them where all pairs of
  /// a bucket that cannot be split are wanted. REQUIRES: members come in order of rank.
  Status AddMember(uint64_t key, const Member& member);

  /// Ends the bucket whose members were added, if any, and gives its results to the sink.
  Status EndBucket();

 private:
  enum class Handling;

  // Documents with their codes, back to back, and their guards.
  struct Block {
    std::vector<Rank> ranks;
    std::vector<uint8_t> codes;
    std::vector<uint64_t> guards;  // empty where they are not looked at

    void Add(const Member& member, uint32_t width) {
      ranks.push_back(member.rank);
      codes.insert(codes.end(), member.code, member.code + width);
      guards.push_back(member.guard);
    }
    void Clear() {
      ranks.clear();
      codes.clear();
      guards.clear();
    }
    [[nodiscard]] Member At(size_t i, uint32_t width) const {
      return {ranks[i], &codes[i * width], guards.empty() ? 0 : guards[i]};
    }
  };

  // The members of a large bucket that have met its leaders (which are in outer_) so far.
  struct LeaderScan {
    uint64_t leaders_left[2] = {0, 0};  // of the reference, and of others
    uint64_t reference = 0, own = 0;
    uint64_t open = 0;  // own members that no leader covers
    uint64_t met = 0;   // pairs that were met, of members that leave the bucket
  };

  // Buckets that are compared all with all, waiting for their codes.
  struct Batch {
    std::vector<Rank> members;   // bucket after bucket
    std::vector<uint32_t> ends;  // end of each bucket in `members`
    std::vector<uint32_t> rows;  // row of each member in the codes
  };

  [[nodiscard]] Handling HandlingOf(uint64_t size, Rank first, Rank last) const;
  Status Bucket(std::span<const KeyRecord> records);
  Status GiveUnchecked(std::span<const KeyRecord> records);
  Status LargeBucket(Handling handling, uint64_t key, const BucketMembers& members);
  Status Refine(uint64_t key, const Member& member);
  Status RefineAll(uint64_t key, const BucketMembers& members);
  [[nodiscard]] bool RefinesAll(Handling handling) const;
  [[nodiscard]] Handling HandlingOfLarge() const;
  Status PassMember(const Member& member);
  void StartScan(Handling handling);
  Status Scan(Handling handling, uint64_t key, const Member& member);
  void EndScan(Handling handling);
  Status CompareWithLeaders(Handling handling, uint64_t key, const BucketMembers& members);
  Status MeetLeaders(const Member& member, bool refine, bool* covered);
  Status CompareAll(const BucketMembers& members);
  Status CompareBlocks(const Block& outer, const Block& inner);
  Status CompareBatch();
  Status CompareBucket(std::span<const Rank> members, const uint8_t* codes, const uint32_t* rows);
  Status CompareRow(Rank a, const uint8_t* row, const uint8_t* codes, std::span<const Rank> others,
                    const uint32_t* rows);
  [[nodiscard]] uint64_t PairsThatCount(uint64_t reference, uint64_t own) const;
  void SortBatch();
  Status Load(const BucketMembers& members, Rank from, uint64_t most, Block* block);
  void CountInOrder(size_t count);
  Status CheckStop(uint64_t compared);
  Status FlushPairs();
  Status FlushRefined();
  Status Finish();

  const CodeSource& codes_;
  const BucketRules& rules_;
  const PairScope scope_;
  const uint32_t level_;
  const uint32_t width_;
  const uint64_t capacity_;  // documents whose codes are held
  uint64_t compared_ = 0;    // pairs, since the last CheckStop()
  JoinSink* sink_;
  BucketCounts* counts_;
  Batch batch_;
  Block block_, outer_;  // outer_: the leaders, or the outer block of a nested loop
  LeaderScan scan_;
  Block held_;  // members added by AddMember() while their bucket may still be small
  uint64_t added_key_ = 0;
  bool passes_ = false;  // the bucket that is added is large, and its members are not held
  std::vector<uint32_t> in_order_, equal_;
  std::vector<KeyRecord> sorted_, refined_;
  std::vector<CandidatePair> pairs_;
};

/// Sorts pairs and drops repetitions.
void SortDistinct(std::vector<CandidatePair>* pairs);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_CANDIDATES_BUCKETS_H_
