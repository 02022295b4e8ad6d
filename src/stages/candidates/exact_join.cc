#include "stages/candidates/exact_join.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>

#include "measures/threshold.h"
#include "threads/parallel.h"

namespace lookalike {
namespace {

uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ULL;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ULL;
  return x ^ (x >> 32);
}

uint64_t PowerOfTwo(uint64_t at_least, uint64_t at_most) {
  return std::min(std::bit_ceil(std::max<uint64_t>(at_least, 64)), at_most);
}

// Returns the size of the smallest set that can be alike with a set of `size`: a subset of it. For
// containment, that can be any set.
uint64_t SmallestPartner(uint64_t size, const AlikeTest& test) {
  if (test.measure == Measure::kContainment) return 1;
  uint64_t partner =
      std::min(size, static_cast<uint64_t>(test.threshold * static_cast<double>(size)) + 1);
  while (partner > 1 && test.Meets(partner - 1, partner - 1, size)) --partner;
  while (!test.Meets(partner, partner, size)) ++partner;
  return partner;
}

// Non-empty sets without repetition, smallest first, and the items that have each of them.
struct DistinctSets {
  std::vector<uint32_t> members;       // Items, grouped by set, ascending within.
  std::vector<uint32_t> member_begin;  // One more than the number of distinct sets.

  [[nodiscard]] size_t size() const { return member_begin.size() - 1; }
  [[nodiscard]] uint32_t Item(size_t set) const { return members[member_begin[set]]; }
  [[nodiscard]] std::span<const uint32_t> Members(size_t set) const {
    return std::span(members).subspan(member_begin[set], member_begin[set + 1] - member_begin[set]);
  }
};

DistinctSets GroupEqualSets(const FeatureSets& sets) {
  std::vector<uint64_t> hash(sets.size());
  ParallelFor(size_t{0}, sets.size(), [&](size_t i) {
    for (uint64_t feature : sets.Set(i)) hash[i] = Mix(hash[i] + feature);
  });
  DistinctSets distinct;
  for (uint32_t i = 0; i < sets.size(); ++i) {
    if (!sets.Set(i).empty()) distinct.members.push_back(i);
  }
  ParallelSort(distinct.members.begin(), distinct.members.end(), [&](uint32_t a, uint32_t b) {
    const auto x = sets.Set(a), y = sets.Set(b);
    if (x.size() != y.size()) return x.size() < y.size();
    if (hash[a] != hash[b]) return hash[a] < hash[b];
    const auto order =
        std::lexicographical_compare_three_way(x.begin(), x.end(), y.begin(), y.end());
    return order != 0 ? order < 0 : a < b;
  });
  for (uint32_t i = 0; i < distinct.members.size(); ++i) {
    if (i == 0 ||
        !std::ranges::equal(sets.Set(distinct.members[i - 1]), sets.Set(distinct.members[i]))) {
      distinct.member_begin.push_back(i);
    }
  }
  distinct.member_begin.push_back(static_cast<uint32_t>(distinct.members.size()));
  return distinct;
}

// A map from features that occur in at least two of the distinct sets to their position in the
// global order, rarest first. Features of a single set cannot be shared; they only count towards
// its size.
class SharedFeatures {
 public:
  static constexpr uint64_t kNone = UINT64_MAX;

  SharedFeatures(const FeatureSets& sets, const DistinctSets& distinct) {
    std::vector<uint64_t> repeated = MaybeRepeated(sets, distinct);
    ParallelSort(repeated.begin(), repeated.end());
    std::vector<std::pair<uint32_t, uint64_t>> order;  // (number of sets, feature)
    for (size_t i = 0, end; i < repeated.size(); i = end) {
      for (end = i + 1; end < repeated.size() && repeated[end] == repeated[i];) ++end;
      if (end > i + 1) order.emplace_back(static_cast<uint32_t>(end - i), repeated[i]);
    }
    repeated = {};
    ParallelSort(order.begin(), order.end());
    count_ = order.size();
    slots_.resize(PowerOfTwo(2 * order.size(), uint64_t{1} << 63));
    for (uint64_t rank = 0; rank < order.size(); ++rank) Insert(order[rank].second, rank);
  }

  [[nodiscard]] uint64_t size() const { return count_; }

  [[nodiscard]] uint64_t Rank(uint64_t feature) const {
    for (uint64_t i = Mix(feature);; ++i) {
      const Slot& slot = slots_[i & (slots_.size() - 1)];
      if (slot.rank == kNone || slot.feature == feature) return slot.rank;
    }
  }

 private:
  struct Slot {
    uint64_t feature = 0;
    uint64_t rank = kNone;
  };

  // Returns all occurrences of features that may occur twice: a counter shared by several features
  // may claim this wrongly, but never misses one.
  static std::vector<uint64_t> MaybeRepeated(const FeatureSets& sets,
                                             const DistinctSets& distinct) {
    std::vector<uint8_t> seen(PowerOfTwo(2 * sets.features.size(), uint64_t{1} << 26));
    const auto counter = [&](uint64_t feature) -> uint8_t& {
      return seen[Mix(feature) & (seen.size() - 1)];
    };
    for (size_t i = 0; i < distinct.size(); ++i) {
      for (uint64_t feature : sets.Set(distinct.Item(i))) {
        counter(feature) = static_cast<uint8_t>(counter(feature) == 0 ? 1 : 2);
      }
    }
    std::vector<uint64_t> repeated;
    for (size_t i = 0; i < distinct.size(); ++i) {
      for (uint64_t feature : sets.Set(distinct.Item(i))) {
        if (counter(feature) == 2) repeated.push_back(feature);
      }
    }
    return repeated;
  }

  void Insert(uint64_t feature, uint64_t rank) {
    uint64_t i = Mix(feature) & (slots_.size() - 1);
    while (slots_[i].rank != kNone) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = {feature, rank};
  }

  std::vector<Slot> slots_;
  uint64_t count_ = 0;
};

// One distinct set in the global order.
struct RankedSet {
  uint32_t size;      // Includes features that no other set has.
  uint32_t unshared;  // Those features; they are first in the global order and not stored.
  std::span<const uint64_t> ranks;

  // Returns how many of `ranks` belong to the first `length` features.
  [[nodiscard]] uint32_t PrefixRanks(uint64_t length) const {
    const uint64_t shared = length > unshared ? length - unshared : 0;
    return static_cast<uint32_t>(std::min<uint64_t>(shared, ranks.size()));
  }
};

class RankedSets {
 public:
  RankedSets(const FeatureSets& sets, const DistinctSets& distinct)
      : features_(sets, distinct), begin_(distinct.size() + 1), sizes_(distinct.size()) {
    ParallelFor(size_t{0}, distinct.size(), [&](size_t i) {
      const auto set = sets.Set(distinct.Item(i));
      sizes_[i] = static_cast<uint32_t>(set.size());
      for (uint64_t f : set) begin_[i + 1] += features_.Rank(f) != SharedFeatures::kNone;
    });
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    ranks_.resize(begin_.back());
    ParallelFor(size_t{0}, distinct.size(), [&](size_t i) {
      uint64_t* out = ranks_.data() + begin_[i];
      for (uint64_t feature : sets.Set(distinct.Item(i))) {
        const uint64_t rank = features_.Rank(feature);
        if (rank != SharedFeatures::kNone) *out++ = rank;
      }
      std::sort(ranks_.data() + begin_[i], out);
    });
  }

  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(sizes_.size()); }
  [[nodiscard]] uint64_t features() const { return features_.size(); }
  [[nodiscard]] const std::vector<uint32_t>& sizes() const { return sizes_; }
  [[nodiscard]] RankedSet Set(uint32_t i) const {
    const uint64_t count = begin_[i + 1] - begin_[i];
    return {sizes_[i], static_cast<uint32_t>(sizes_[i] - count),
            std::span(ranks_).subspan(begin_[i], count)};
  }

 private:
  SharedFeatures features_;
  std::vector<uint64_t> begin_;
  std::vector<uint32_t> sizes_;  // Ascending.
  std::vector<uint64_t> ranks_;
};

// An entry in a feature's list of the sets that have it in their prefix, smallest first.
struct Posting {
  uint32_t set, position;  // Index into RankedSet::ranks.
};

class PrefixIndex {
 public:
  // A set only needs to be found by sets that are at least as large, so it is enough to index the
  // prefix that a pair of equal sizes needs. For containment, the larger set then probes with all
  // of its features.
  PrefixIndex(const RankedSets& sets, const AlikeTest& test) : begin_(sets.features() + 1) {
    std::vector<uint32_t> prefix(sets.size());
    for (uint32_t i = 0; i < sets.size(); ++i) {
      const RankedSet set = sets.Set(i);
      prefix[i] = set.PrefixRanks(set.size - test.Needed(set.size, set.size) + 1);
      for (uint32_t k = 0; k < prefix[i]; ++k) ++begin_[set.ranks[k] + 1];
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    postings_.resize(begin_.back());
    std::vector<uint64_t> next(begin_.begin(), begin_.end() - 1);
    for (uint32_t i = 0; i < sets.size(); ++i) {
      const RankedSet set = sets.Set(i);
      for (uint32_t k = 0; k < prefix[i]; ++k) postings_[next[set.ranks[k]]++] = {i, k};
    }
  }

  // Returns the postings of sets from `first` on.
  [[nodiscard]] std::span<const Posting> From(uint64_t rank, uint32_t first) const {
    const auto list = std::span(postings_).subspan(begin_[rank], begin_[rank + 1] - begin_[rank]);
    const auto it = std::ranges::lower_bound(list, first, {}, &Posting::set);
    return list.subspan(static_cast<size_t>(it - list.begin()));
  }

 private:
  std::vector<uint64_t> begin_;
  std::vector<Posting> postings_;
};

// The state of one probing thread: the progress of every possible partner, and a bitmap over the
// features of the probing set.
class Prober {
 public:
  Prober(const RankedSets& sets, const PrefixIndex& index, const AlikeTest& test)
      : sets_(sets),
        index_(index),
        test_(test),
        partners_(sets.size()),
        member_(sets.features() / 64 + 1) {}

  // Appends (smaller set, `probe`, common) for every partner before `probe` in order of size.
  void Probe(uint32_t probe, std::vector<ExactPair>* found) {
    const RankedSet set = sets_.Set(probe);
    const uint64_t smallest = SmallestPartner(set.size, test_);
    const auto first = std::ranges::lower_bound(sets_.sizes(), smallest) - sets_.sizes().begin();
    const uint32_t prefix = set.PrefixRanks(set.size - smallest + 1);
    for (uint32_t k = 0; k < prefix; ++k) {
      Touch(set, k, index_.From(set.ranks[k], static_cast<uint32_t>(first)), probe);
    }
    Finish(set, probe, found);
  }

 private:
  static constexpr uint32_t kPruned = UINT32_MAX;

  struct Partner {
    uint32_t common = 0;    // Counted so far, or kPruned.
    uint32_t needed = 0;    // 0: not met by this probe yet.
    uint32_t position = 0;  // Position of the last match in the partner.
  };

  void Touch(const RankedSet& set, uint32_t k, std::span<const Posting> list, uint32_t probe) {
    const auto left = static_cast<uint32_t>(set.ranks.size() - k);
    for (const auto [other, position] : list) {
      if (other >= probe) return;
      Partner& partner = partners_[other];
      const RankedSet other_set = sets_.Set(other);
      if (partner.needed == 0) {
        partner.needed = static_cast<uint32_t>(test_.Needed(set.size, other_set.size));
        touched_.push_back(other);
      }
      if (partner.common == kPruned) continue;
      const auto other_left = static_cast<uint32_t>(other_set.ranks.size() - position);
      if (partner.common + std::min(left, other_left) < partner.needed) {
        partner.common = kPruned;
      } else {
        ++partner.common;
        partner.position = position;
      }
    }
  }

  void Finish(const RankedSet& set, uint32_t probe, std::vector<ExactPair>* found) {
    if (touched_.empty()) return;
    for (uint64_t rank : set.ranks) member_[rank / 64] |= uint64_t{1} << (rank % 64);
    for (uint32_t other : touched_) {
      const Partner partner = partners_[other];
      partners_[other] = {};
      if (partner.common == kPruned) continue;
      const uint32_t common = CountRest(partner, sets_.Set(other).ranks);
      if (common >= partner.needed) found->push_back({other, probe, common});
    }
    touched_.clear();
    for (uint64_t rank : set.ranks) member_[rank / 64] = 0;
  }

  // Counts the remaining common features; those up to the last match are already counted, because
  // both prefixes contain them. Stops early and returns too small a number if the rest cannot be
  // enough.
  [[nodiscard]] uint32_t CountRest(const Partner& partner, std::span<const uint64_t> ranks) const {
    constexpr size_t kStretch = 64;
    uint32_t common = partner.common;
    ranks = ranks.subspan(partner.position + 1);
    while (!ranks.empty() && common + ranks.size() >= partner.needed) {
      const auto stretch = ranks.first(std::min(kStretch, ranks.size()));
      for (uint64_t rank : stretch) {
        common += static_cast<uint32_t>((member_[rank / 64] >> (rank % 64)) & 1);
      }
      ranks = ranks.subspan(stretch.size());
    }
    return ranks.empty() ? common : 0;
  }

  const RankedSets& sets_;
  const PrefixIndex& index_;
  AlikeTest test_;
  std::vector<Partner> partners_;
  std::vector<uint32_t> touched_;
  std::vector<uint64_t> member_;
};

// Returns pairs of distinct sets, (smaller, larger, common), in no particular order.
std::vector<ExactPair> JoinDistinct(const FeatureSets& sets, const DistinctSets& distinct,
                                    const AlikeTest& test, const std::function<bool()>& cancelled) {
  const RankedSets ranked(sets, distinct);
  const PrefixIndex index(ranked, test);
  struct Worker {
    Prober prober;
    std::vector<ExactPair> found;
  };
  tbb::enumerable_thread_specific<Worker> workers([&] {
    return Worker{Prober(ranked, index, test), {}};
  });
  ParallelForRanges(uint32_t{0}, ranked.size(), 16, [&](uint32_t first, uint32_t last) {
    if (cancelled && cancelled()) return;
    Worker& worker = workers.local();
    for (uint32_t i = first; i < last; ++i) worker.prober.Probe(i, &worker.found);
  });
  std::vector<ExactPair> found;
  for (Worker& worker : workers) {
    found.insert(found.end(), worker.found.begin(), worker.found.end());
  }
  return found;
}

std::vector<ExactPair> Join(const FeatureSets& sets, const AlikeTest& test,
                            const std::function<bool()>& cancelled) {
  const DistinctSets distinct = GroupEqualSets(sets);
  std::vector<ExactPair> pairs;
  for (const auto [a, b, common] : JoinDistinct(sets, distinct, test, cancelled)) {
    for (uint32_t x : distinct.Members(a)) {
      for (uint32_t y : distinct.Members(b)) {
        pairs.push_back({std::min(x, y), std::max(x, y), common});
      }
    }
  }
  for (size_t i = 0; i < distinct.size(); ++i) {
    const auto members = distinct.Members(i);
    const auto size = static_cast<uint32_t>(sets.Set(distinct.Item(i)).size());
    for (size_t x = 0; x < members.size(); ++x) {
      for (uint32_t y : members.subspan(x + 1)) pairs.push_back({members[x], y, size});
    }
  }
  ParallelSort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace

std::vector<ExactPair> ExactJoin(const FeatureSets& sets, const AlikeTest& test, uint64_t threads,
                                 const std::function<bool()>& cancelled) {
  // TBB prints a warning if an arena asks for more threads than it may have.
  const uint64_t allowed =
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  const uint64_t used = threads == 0 ? allowed : std::min(threads, allowed);
  std::vector<ExactPair> pairs;
  RunInArena(used, [&] { pairs = Join(sets, test, cancelled); });
  return pairs;
}

}  // namespace lookalike
