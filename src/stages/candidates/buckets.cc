#include "stages/candidates/buckets.h"

#include <algorithm>
#include <span>

#include "kernels/kernels.h"

namespace lookalike {
namespace {

// Pairs repeat over the bands; a list is made distinct whenever it has doubled past this.
constexpr size_t kCompactAt = size_t{1} << 21;

/// Calls `bucket(members)` for every run of records with one key. Sorts the records.
template <class F>
void ForEachBucket(std::vector<KeyRecord>* records, F&& bucket) {
  SortKeyedValues(records->data(), records->size());
  const std::span<const KeyRecord> all(*records);
  for (size_t begin = 0; begin < all.size();) {
    size_t end = begin + 1;
    while (end < all.size() && all[end].key == all[begin].key) ++end;
    if (end - begin > 1) bucket(all.subspan(begin, end - begin));
    begin = end;
  }
}

class Joiner {
 public:
  Joiner(const CodeTable& codes, const BucketRules& rules, BucketCounts* counts)
      : codes_(codes), rules_(rules), counts_(counts) {}

  void Join(std::vector<KeyRecord>* records) {
    ForEachBucket(records, [this](std::span<const KeyRecord> members) { Bucket(members, 0); });
  }

  std::vector<CandidatePair> Finish() {
    SortDistinct(&pairs_);
    return std::move(pairs_);
  }

 private:
  void Bucket(std::span<const KeyRecord> members, uint32_t refined) {
    if (members.size() <= rules_.small || refined >= rules_.extensions.size()) {
      FinalBucket(members);
      return;
    }
    ++counts_->refined;
    std::vector<KeyRecord> records(members.size());
    const Extension& extension = rules_.extensions[refined];
    for (uint32_t j = 0; j < extension.keys; ++j) {
      for (size_t i = 0; i < members.size(); ++i) {
        records[i] = {members[i].member, ExtendedKey(members[i], extension, j)};
      }
      counts_->keys_added += records.size();
      ForEachBucket(&records,
                    [this, refined](std::span<const KeyRecord> sub) { Bucket(sub, refined + 1); });
    }
  }

  uint64_t ExtendedKey(const KeyRecord& record, const Extension& extension, uint32_t j) const {
    const uint8_t* codes = codes_.Of(record.member);
    uint64_t x = record.key + (j + 1) * 0x9e3779b97f4a7c15ULL;
    for (const uint16_t coordinate : extension.Key(j)) {
      x = (x ^ codes[coordinate]) * 0xff51afd7ed558ccdULL;
      x ^= x >> 32;
    }
    return x;
  }

  // Members stand in rank order; the codes decide whether a pair is worth an exact check.
  void FinalBucket(std::span<const KeyRecord> members) {
    ++counts_->buckets;
    const uint64_t n = members.size();
    const uint64_t leaders =
        rules_.all_pairs || n <= rules_.small ? n : std::min(n, rules_.leaders);
    for (uint64_t i = 0; i < leaders; ++i) {
      const uint8_t* codes = codes_.Of(members[i].member);
      for (uint64_t j = i + 1; j < n; ++j) {
        if (CountEqualBytes(codes, codes_.Of(members[j].member), codes_.width) >=
            rules_.agreement_floor) {
          pairs_.push_back({members[i].member, members[j].member});
        }
      }
      counts_->pairs_met += n - 1 - i;
    }
    counts_->pairs_left_out += (n - leaders) * (n - leaders - (n > leaders ? 1 : 0)) / 2;
    if (pairs_.size() > compact_at_) {
      SortDistinct(&pairs_);
      compact_at_ = std::max(kCompactAt, 2 * pairs_.size());
    }
  }

  const CodeTable& codes_;
  const BucketRules& rules_;
  BucketCounts* counts_;
  std::vector<CandidatePair> pairs_;
  size_t compact_at_ = kCompactAt;
};

}  // namespace

void BucketCounts::Add(const BucketCounts& other) {
  buckets += other.buckets;
  refined += other.refined;
  keys_added += other.keys_added;
  pairs_met += other.pairs_met;
  pairs_left_out += other.pairs_left_out;
  pairs_passed += other.pairs_passed;
}

void SortDistinct(std::vector<CandidatePair>* pairs) {
  std::sort(pairs->begin(), pairs->end());
  pairs->erase(std::unique(pairs->begin(), pairs->end()), pairs->end());
}

void JoinPartition(std::vector<KeyRecord>* records, const CodeTable& codes,
                   const BucketRules& rules, std::vector<CandidatePair>* pairs,
                   BucketCounts* counts) {
  Joiner joiner(codes, rules, counts);
  joiner.Join(records);
  const std::vector<CandidatePair> found = joiner.Finish();
  pairs->insert(pairs->end(), found.begin(), found.end());
}

}  // namespace lookalike
