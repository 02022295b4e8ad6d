#include "stages/candidates/buckets.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "kernels/kernels.h"
#include "kernels/splitmix.h"
#include "measures/code_agreement.h"

namespace lookalike {
namespace {

// Bytes that a document takes in a batch besides its codes: its record (twice), its row and its
// position.
constexpr uint64_t kBytesBesideCodes = 48;
constexpr uint64_t kLeastDocuments = 512;
constexpr size_t kUncheckedMembers = 3;
constexpr size_t kPairsAtATime = 4096;
constexpr size_t kRecordsAtATime = 8192;

constexpr uint64_t kGroupMask = (uint64_t{1} << kKeyGroupBits) - 1;

uint64_t Pairs(uint64_t members) { return members < 2 ? 0 : members * (members - 1) / 2; }

// One step of a hash that is a bijection for every `value` (the multiplier is from MurmurHash3).
uint64_t Mix(uint64_t x, uint64_t value) {
  x = (x ^ value) * 0xff51afd7ed558ccdULL;
  return x ^ (x >> 32);
}

// All buckets of a level share one key space, so the bucket's key is mixed in as well. The last
// bits are the group, so that keys of two groups differ even if their hashes are equal.
uint64_t ExtendedKey(uint64_t key, uint64_t group, const uint8_t* codes, const Extension& extension,
                     uint32_t j) {
  uint64_t x = Mix(Mix(key, 0), 0) + (j + 1) * 0x9e3779b97f4a7c15ULL;
  for (const uint16_t coordinate : extension.Key(j)) x = Mix(x, codes[coordinate]);
  return (x & ~kGroupMask) | group;
}

}  // namespace

uint64_t KeyGroup(uint64_t key, uint32_t level) {
  return level == 0 ? key >> (64 - kKeyGroupBits) : key & kGroupMask;
}

/// The way in which a bucket is handled.
enum class BucketJoin::Handling {
  kNothing,      // none of its pairs counts
  kRefined,      // too large: split further
  kWithLeaders,  // too large, and cannot be split further
  kAllPairs,
};

uint64_t BucketMembers::CountBelow(Rank rank) const {
  if (bits_ == nullptr) {
    const auto end = std::lower_bound(records_.begin(), records_.end(), rank,
                                      [](const KeyRecord& r, Rank x) { return r.member < x; });
    return static_cast<uint64_t>(end - records_.begin());
  }
  if (rank >= bits_->size()) return bits_->Count();
  const std::vector<uint64_t>& words = bits_->words();
  uint64_t count = 0;
  for (uint64_t w = 0; w < rank / 64; ++w) count += static_cast<uint64_t>(std::popcount(words[w]));
  const uint64_t below = words[rank / 64] & ((uint64_t{1} << (rank % 64)) - 1);
  return count + static_cast<uint64_t>(std::popcount(below));
}

void BucketMembers::Read(Rank from, uint64_t most, std::vector<Rank>* ranks) const {
  ranks->clear();
  if (bits_ == nullptr) {
    const auto rest = records_.subspan(CountBelow(from));
    for (const KeyRecord& record : rest.first(std::min<uint64_t>(most, rest.size()))) {
      ranks->push_back(record.member);
    }
    return;
  }
  const std::vector<uint64_t>& words = bits_->words();
  for (uint64_t w = from / 64; w < words.size(); ++w) {
    uint64_t word = words[w];
    if (w == from / 64) word &= ~uint64_t{0} << (from % 64);
    for (; word != 0; word &= word - 1) {
      if (ranks->size() == most) return;
      ranks->push_back(w * 64 + static_cast<uint64_t>(std::countr_zero(word)));
    }
  }
}

void BucketCounts::Add(const BucketCounts& other) {
  buckets += other.buckets;
  refined += other.refined;
  keys_added += other.keys_added;
  pairs_met += other.pairs_met;
  pairs_left_out += other.pairs_left_out;
  pairs_passed += other.pairs_passed;
}

uint32_t CoverFloor(double threshold, uint32_t codes) {
  const double resemblance = threshold + (1 - threshold) / 4;
  return static_cast<uint32_t>(codes * CodeAgreement(resemblance));
}

void SortDistinct(std::vector<CandidatePair>* pairs) {
  std::sort(pairs->begin(), pairs->end());
  pairs->erase(std::unique(pairs->begin(), pairs->end()), pairs->end());
}

BucketJoin::BucketJoin(const CodeSource& codes, const BucketRules& rules, const PairScope& scope,
                       uint32_t level, uint64_t code_bytes, JoinSink* sink, BucketCounts* counts)
    : codes_(codes),
      rules_(rules),
      scope_(scope),
      level_(level),
      width_(codes.width()),
      capacity_(std::max(kLeastDocuments, code_bytes / (width_ + kBytesBesideCodes))),
      sink_(sink),
      counts_(counts) {}

Status BucketJoin::Join(std::span<KeyRecord> records) {
  SortKeyedValues(records.data(), records.size());
  for (size_t begin = 0; begin < records.size();) {
    size_t end = begin + 1;
    while (end < records.size() && records[end].key == records[begin].key) ++end;
    LOOKALIKE_RETURN_IF_ERROR(Bucket(records.subspan(begin, end - begin)));
    begin = end;
  }
  return Finish();
}

Status BucketJoin::JoinBucket(uint64_t key, const Bitmap& bits) {
  const BucketMembers members(bits);
  std::vector<Rank> first;
  members.Read(0, 1, &first);
  if (first.empty()) return {};
  const auto& words = bits.words();
  uint64_t w = words.size() - 1;
  while (words[w] == 0) --w;
  const Rank last = w * 64 + 63 - static_cast<uint64_t>(std::countl_zero(words[w]));
  LOOKALIKE_RETURN_IF_ERROR(LargeBucket(HandlingOf(members.size(), first[0], last), key, members));
  return Finish();
}

// Counts(a, d) is monotone: a lower `a` or a higher `d` can only make it true. So if the pair of a
// bucket's first and last members does not count, none of its pairs do.
BucketJoin::Handling BucketJoin::HandlingOf(uint64_t size, Rank first, Rank last) const {
  if (size < 2 || !scope_.Counts(first, last)) return Handling::kNothing;
  return size <= rules_.LargestSmall(level_) ? Handling::kAllPairs : HandlingOfLarge();
}

BucketJoin::Handling BucketJoin::HandlingOfLarge() const {
  if (rules_.CanSplit(level_)) return Handling::kRefined;
  return rules_.all_pairs ? Handling::kAllPairs : Handling::kWithLeaders;
}

bool BucketJoin::RefinesAll(Handling handling) const {
  return handling == Handling::kRefined && (rules_.all_pairs || rules_.cover_floor > width_);
}

Status BucketJoin::AddMember(uint64_t key, const Member& member) {
  added_key_ = key;
  if (passes_) return PassMember(member);
  held_.Add(member, width_);
  const Handling large = HandlingOfLarge();
  if (held_.ranks.size() <= rules_.LargestSmall(level_) || large == Handling::kAllPairs) return {};
  passes_ = true;
  if (RefinesAll(large)) {
    ++counts_->refined;
  } else {
    StartScan(large);
  }
  for (size_t i = 0; i < held_.ranks.size(); ++i) {
    LOOKALIKE_RETURN_IF_ERROR(PassMember(held_.At(i, width_)));
  }
  held_.Clear();
  return {};
}

Status BucketJoin::PassMember(const Member& member) {
  const Handling handling = HandlingOfLarge();
  if (RefinesAll(handling)) return Refine(added_key_, member);
  return Scan(handling, added_key_, member);
}

Status BucketJoin::EndBucket() {
  const std::vector<Rank>& held = held_.ranks;
  if (passes_ && !RefinesAll(HandlingOfLarge())) EndScan(HandlingOfLarge());
  if (!passes_ && held.size() > 1 && scope_.Counts(held.front(), held.back())) {
    CountInOrder(held.size());
    LOOKALIKE_RETURN_IF_ERROR(CompareBucket(held, held_.codes.data(), in_order_.data()));
  }
  held_.Clear();
  passes_ = false;
  return Finish();
}

Status BucketJoin::Bucket(std::span<const KeyRecord> records) {
  const Handling handling =
      HandlingOf(records.size(), records.front().member, records.back().member);
  if (handling == Handling::kNothing) return {};
  if (handling != Handling::kAllPairs || records.size() > capacity_) {
    return LargeBucket(handling, records.front().key, BucketMembers(records));
  }
  if (records.size() <= kUncheckedMembers) return GiveUnchecked(records);
  if (batch_.members.size() + records.size() > capacity_) {
    LOOKALIKE_RETURN_IF_ERROR(CompareBatch());
  }
  for (const KeyRecord& record : records) batch_.members.push_back(record.member);
  batch_.ends.push_back(static_cast<uint32_t>(batch_.members.size()));
  return {};
}

// Two similar documents meet in most of their buckets, which have few other members, so their codes
// are compared once at the end instead of once per bucket.
Status BucketJoin::GiveUnchecked(std::span<const KeyRecord> records) {
  ++counts_->buckets;
  for (size_t i = 0; i < records.size(); ++i) {
    for (size_t j = i + 1; j < records.size(); ++j) {
      if (!scope_.Counts(records[i].member, records[j].member)) continue;
      ++counts_->pairs_met;
      pairs_.push_back({records[i].member, records[j].member});
    }
  }
  return pairs_.size() < kPairsAtATime ? Status() : FlushPairs();
}

Status BucketJoin::LargeBucket(Handling handling, uint64_t key, const BucketMembers& members) {
  switch (handling) {
    case Handling::kNothing:
      return {};
    case Handling::kAllPairs:
      return CompareAll(members);
    case Handling::kRefined:
    case Handling::kWithLeaders:
      break;
  }
  return RefinesAll(handling) ? RefineAll(key, members)
                              : CompareWithLeaders(handling, key, members);
}

Status BucketJoin::RefineAll(uint64_t key, const BucketMembers& members) {
  ++counts_->refined;
  for (Rank from = 0;; from = block_.ranks.back() + 1) {
    LOOKALIKE_RETURN_IF_ERROR(Load(members, from, capacity_, &block_));
    if (block_.ranks.empty()) return {};
    for (size_t i = 0; i < block_.ranks.size(); ++i) {
      LOOKALIKE_RETURN_IF_ERROR(Refine(key, block_.At(i, width_)));
    }
  }
}

Status BucketJoin::Refine(uint64_t key, const Member& member) {
  const Extension& extension = rules_.extensions[level_];
  const uint64_t group = KeyGroup(key, level_);
  if (rules_.guarded) key = Mix64(key ^ member.guard);
  for (uint32_t j = 0; j < extension.keys; ++j) {
    refined_.push_back({member.rank, ExtendedKey(key, group, member.code, extension, j)});
  }
  counts_->keys_added += extension.keys;
  return refined_.size() < kRecordsAtATime ? Status() : FlushRefined();
}

// Compares members with the leaders before them, in rank order. A member that is very similar to a
// leader is covered. Any other member becomes a leader while there are few leaders, so that leaders
// differ from one another as kept documents do; afterwards, if the bucket can be split further, it
// moves to the next level. Leaders from the reference are simply its first members: all reference
// documents are kept, so none represents another.
Status BucketJoin::CompareWithLeaders(Handling handling, uint64_t key,
                                      const BucketMembers& members) {
  StartScan(handling);
  for (Rank from = 0;; from = block_.ranks.back() + 1) {
    LOOKALIKE_RETURN_IF_ERROR(Load(members, from, capacity_, &block_));
    if (block_.ranks.empty()) break;
    for (size_t i = 0; i < block_.ranks.size(); ++i) {
      LOOKALIKE_RETURN_IF_ERROR(Scan(handling, key, block_.At(i, width_)));
    }
  }
  EndScan(handling);
  return {};
}

void BucketJoin::StartScan(Handling handling) {
  ++(handling == Handling::kRefined ? counts_->refined : counts_->buckets);
  scan_ = {.leaders_left = {rules_.leaders, scope_.across_only ? 0 : rules_.leaders}};
  outer_.Clear();
}

Status BucketJoin::Scan(Handling handling, uint64_t key, const Member& member) {
  const bool refine = handling == Handling::kRefined;
  const bool is_own = member.rank >= scope_.reference_end;
  ++(is_own ? scan_.own : scan_.reference);
  bool covered = false;
  if (is_own) LOOKALIKE_RETURN_IF_ERROR(MeetLeaders(member, refine, &covered));
  if (is_own && (covered || !refine)) scan_.met += outer_.ranks.size();
  if (covered) return {};
  scan_.open += is_own;
  if (scan_.leaders_left[is_own] != 0) {
    --scan_.leaders_left[is_own];
    outer_.Add(member, width_);
  }
  return refine ? Refine(key, member) : Status();
}

void BucketJoin::EndScan(Handling handling) {
  const uint64_t passed_on =
      handling == Handling::kRefined ? PairsThatCount(scan_.reference, scan_.open) : 0;
  counts_->pairs_left_out += PairsThatCount(scan_.reference, scan_.own) - passed_on - scan_.met;
}

// A member that leaves the bucket takes all its pairs with it, because the leader that covers it
// may itself be removed in favour of another document.
Status BucketJoin::MeetLeaders(const Member& member, bool refine, bool* covered) {
  const size_t leaders = outer_.ranks.size();
  CountInOrder(leaders);
  equal_.resize(std::max(equal_.size(), leaders));
  CountEqualRows(member.code, outer_.codes.data(), in_order_.data(), leaders, width_,
                 equal_.data());
  counts_->pairs_met += leaders;
  const auto guarded = [&](size_t i) { return rules_.guarded && outer_.guards[i] != member.guard; };
  for (size_t i = 0; i < leaders; ++i) {
    *covered = *covered || (equal_[i] >= rules_.cover_floor && !guarded(i));
  }
  const bool stays = refine && !*covered;  // and meets the documents of its guard elsewhere
  if (stays && !rules_.guarded) return {};
  for (size_t i = 0; i < leaders; ++i) {
    if (equal_[i] < rules_.agreement_floor || (stays && !guarded(i))) continue;
    pairs_.push_back({outer_.ranks[i], member.rank});
  }
  return pairs_.size() < kPairsAtATime ? Status() : FlushPairs();
}

// A nested loop over blocks; the second document of a pair is never from the reference.
Status BucketJoin::CompareAll(const BucketMembers& members) {
  ++counts_->buckets;
  const uint64_t half = capacity_ / 2;
  for (Rank outer = 0;; outer = outer_.ranks.back() + 1) {
    LOOKALIKE_RETURN_IF_ERROR(Load(members, outer, half, &outer_));
    if (outer_.ranks.empty()) return {};
    if (scope_.across_only && outer_.ranks.front() >= scope_.reference_end) return {};
    for (Rank inner = std::max(outer_.ranks.front(), scope_.reference_end);;
         inner = block_.ranks.back() + 1) {
      LOOKALIKE_RETURN_IF_ERROR(Load(members, inner, half, &block_));
      if (block_.ranks.empty()) break;
      LOOKALIKE_RETURN_IF_ERROR(CompareBlocks(outer_, block_));
    }
  }
}

// Compares each document of `outer` with the documents of `inner` that have a higher rank, if these
// pairs count. REQUIRES: none of `inner` is from the reference.
Status BucketJoin::CompareBlocks(const Block& outer, const Block& inner) {
  for (size_t i = 0; i < outer.ranks.size(); ++i) {
    const Rank a = outer.ranks[i];
    if (scope_.across_only && a >= scope_.reference_end) break;
    const auto after = std::upper_bound(inner.ranks.begin(), inner.ranks.end(), a);
    const auto skipped = static_cast<size_t>(after - inner.ranks.begin());
    LOOKALIKE_RETURN_IF_ERROR(CompareRow(a, &outer.codes[i * width_], inner.codes.data(),
                                         std::span(inner.ranks).subspan(skipped),
                                         in_order_.data() + skipped));
  }
  return {};
}

// Fetches the codes of a document once, even if it is in many buckets of a batch.
void BucketJoin::SortBatch() {
  const size_t count = batch_.members.size();
  sorted_.resize(count);
  for (size_t i = 0; i < count; ++i) sorted_[i] = {.member = i, .key = batch_.members[i]};
  SortKeyedValues(sorted_.data(), count);
  block_.ranks.clear();
  batch_.rows.resize(count);
  for (const KeyRecord& place : sorted_) {
    if (block_.ranks.empty() || block_.ranks.back() != place.key) block_.ranks.push_back(place.key);
    batch_.rows[place.member] = static_cast<uint32_t>(block_.ranks.size() - 1);
  }
}

Status BucketJoin::CompareBatch() {
  SortBatch();
  block_.codes.resize(block_.ranks.size() * width_);
  LOOKALIKE_RETURN_IF_ERROR(codes_.Gather(block_.ranks, block_.codes.data()));
  uint32_t begin = 0;
  for (const uint32_t end : batch_.ends) {
    const auto members = std::span(batch_.members).subspan(begin, end - begin);
    const uint32_t* rows = batch_.rows.data() + begin;
    begin = end;
    LOOKALIKE_RETURN_IF_ERROR(CompareBucket(members, block_.codes.data(), rows));
  }
  batch_.members.clear();
  batch_.ends.clear();
  return {};
}

// Compares all pairs that count of a bucket's members, whose codes are at these rows of `codes`.
Status BucketJoin::CompareBucket(std::span<const Rank> members, const uint8_t* codes,
                                 const uint32_t* rows) {
  ++counts_->buckets;
  const size_t own =  // where the members outside the reference begin
      std::lower_bound(members.begin(), members.end(), scope_.reference_end) - members.begin();
  const size_t firsts = scope_.across_only ? own : members.size();
  for (size_t i = 0; i < firsts; ++i) {
    const size_t next = std::max(i + 1, own);
    LOOKALIKE_RETURN_IF_ERROR(CompareRow(members[i], codes + rows[i] * size_t{width_}, codes,
                                         members.subspan(next), rows + next));
  }
  return {};
}

// Compares `a` with `others`, which have higher ranks; their codes are at these rows of `codes`.
Status BucketJoin::CompareRow(Rank a, const uint8_t* row, const uint8_t* codes,
                              std::span<const Rank> others, const uint32_t* rows) {
  if (equal_.size() < others.size()) equal_.resize(others.size());
  CountEqualRows(row, codes, rows, others.size(), width_, equal_.data());
  counts_->pairs_met += others.size();
  for (size_t i = 0; i < others.size(); ++i) {
    if (equal_[i] >= rules_.agreement_floor) pairs_.push_back({a, others[i]});
  }
  LOOKALIKE_RETURN_IF_ERROR(CheckStop(others.size()));
  return pairs_.size() < kPairsAtATime ? Status() : FlushPairs();
}

Status BucketJoin::CheckStop(uint64_t compared) {
  constexpr uint64_t kPairs = uint64_t{1} << 18;
  if ((compared_ += compared) < kPairs) return {};
  compared_ = 0;
  return sink_->CheckStop();
}

uint64_t BucketJoin::PairsThatCount(uint64_t reference, uint64_t own) const {
  return reference * own + (scope_.across_only ? 0 : Pairs(own));
}

Status BucketJoin::Load(const BucketMembers& members, Rank from, uint64_t most, Block* block) {
  members.Read(from, most, &block->ranks);
  CountInOrder(block->ranks.size());
  if (block->ranks.empty()) return {};
  block->guards.clear();
  for (size_t i = 0; rules_.guarded && i < block->ranks.size(); ++i) {
    block->guards.push_back(codes_.GuardOf(block->ranks[i]));
  }
  block->codes.resize(block->ranks.size() * width_);
  return codes_.Gather(block->ranks, block->codes.data());
}

void BucketJoin::CountInOrder(size_t count) {
  while (in_order_.size() < count) in_order_.push_back(static_cast<uint32_t>(in_order_.size()));
}

Status BucketJoin::FlushPairs() {
  if (!pairs_.empty()) LOOKALIKE_RETURN_IF_ERROR(sink_->AddPairs(pairs_));
  pairs_.clear();
  return {};
}

Status BucketJoin::FlushRefined() {
  if (!refined_.empty()) LOOKALIKE_RETURN_IF_ERROR(sink_->AddRefined(refined_));
  refined_.clear();
  return {};
}

Status BucketJoin::Finish() {
  LOOKALIKE_RETURN_IF_ERROR(CompareBatch());
  LOOKALIKE_RETURN_IF_ERROR(FlushRefined());
  return FlushPairs();
}

}  // namespace lookalike
