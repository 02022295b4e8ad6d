#include "batch/audit_sample.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <tuple>
#include <utility>

#include "kernels/kernels.h"
#include "stages/verify/resemblance.h"

namespace lookalike {

void AuditReservoir::Offer(const StreamHash& hash, std::vector<uint64_t> set) {
  if (hash.low > std::min(bound_.load(), open_bound_.load())) return;
  const uint64_t size = set.size();
  if (open_.try_emplace(hash, std::move(set)).second) open_features_ += size;
  Trim(&open_, &open_features_, &open_bound_);
}

void AuditReservoir::EndSource(uint32_t source, bool bad) {
  if (!bad) {
    sets_.merge(open_);
    features_ = 0;
    for (const auto& [hash, set] : sets_) features_ += set.size();
    Trim(&sets_, &features_, &bound_);
  }
  open_.clear();
  open_features_ = 0;
  open_bound_.store(UINT64_MAX, std::memory_order_relaxed);
  open_source_.store(source + 1, std::memory_order_release);
}

void AuditReservoir::Trim(Sets* sets, uint64_t* features, std::atomic<uint64_t>* bound) const {
  while (sets->size() > capacity_ || (*features > kMostFeatures && sets->size() > 1)) {
    const auto last = std::prev(sets->end());
    *features -= last->second.size();
    *bound = std::min(bound->load(), last->first.low);
    sets->erase(last);
  }
  if (sets->size() == capacity_ && capacity_ > 0) {
    *bound = std::min(bound->load(), sets->rbegin()->first.low);
  }
}

namespace {

/// How many features of a set of this size must be indexed so that no partner can miss them all:
/// a partner at the threshold shares at least ceil(t * size) of them.
size_t PrefixLength(size_t size, double threshold) {
  const auto shared = static_cast<size_t>(threshold * static_cast<double>(size) - 1e-6);
  return std::min(size, size - shared + 1);
}

/// A random number of a pair of classes, the same whatever the corpus around it.
uint64_t Draw(const StreamHash& sample, const StreamHash& other) {
  uint64_t x = sample.low + 0x9e3779b97f4a7c15ULL * other.low + other.high;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// Adds a value to a heap (the largest first) that keeps the `most` smallest. Takes room for all of
/// them at once where more than a few come: a thousand heaps that double together would leave as
/// much memory behind as they take.
template <class T, class Less>
void KeepSmallest(const T& value, size_t most, Less less, std::vector<T>* heap) {
  constexpr size_t kFew = 16;
  if (heap->size() == most) {
    if (!less(value, heap->front())) return;
    std::pop_heap(heap->begin(), heap->end(), less);
    heap->pop_back();
  }
  if (heap->size() == heap->capacity()) heap->reserve(heap->empty() ? std::min(kFew, most) : most);
  heap->push_back(value);
  std::push_heap(heap->begin(), heap->end(), less);
}

bool SmallerDraw(const AuditHit& x, const AuditHit& y) {
  return std::tie(x.draw, x.doc) < std::tie(y.draw, y.doc);
}

}  // namespace

AuditIndex::AuditIndex(AuditReservoir::Sets sample, double threshold) : threshold_(threshold) {
  for (auto& [hash, set] : sample) {
    hashes_.push_back(hash);
    sets_.push_back(std::move(set));
  }
  Build();
}

void AuditIndex::Build() {
  // Rare features first: template text, which many samples share, stays out of the index.
  std::vector<KeyRecord> features;  // key: feature, member: sample
  for (uint64_t sample = 0; sample < sets_.size(); ++sample) {
    for (const uint64_t feature : sets_[sample]) features.push_back({sample, feature});
  }
  SortKeyedValues(features.data(), features.size());
  std::vector<KeyRecord> by_rarity;  // key: sample, then frequency; member: feature
  by_rarity.reserve(features.size());
  for (size_t begin = 0; begin < features.size();) {
    size_t end = begin + 1;
    while (end < features.size() && features[end].key == features[begin].key) ++end;
    for (size_t i = begin; i < end; ++i) {
      by_rarity.push_back({features[i].key, features[i].member << 32 | (end - begin)});
    }
    begin = end;
  }
  SortKeyedValues(by_rarity.data(), by_rarity.size());
  size_t begin = 0;
  for (uint32_t sample = 0; sample < sets_.size(); ++sample) {
    const size_t prefix = PrefixLength(sets_[sample].size(), threshold_);
    for (size_t i = 0; i < prefix; ++i) postings_.push_back({by_rarity[begin + i].member, sample});
    begin += sets_[sample].size();
  }
  std::sort(postings_.begin(), postings_.end(), [](const Posting& x, const Posting& y) {
    return std::tie(x.feature, x.sample) < std::tie(y.feature, y.sample);
  });
  bucket_bits_ = static_cast<uint32_t>(std::bit_width(postings_.size() + 1) + 4);
  bucket_begin_.assign((size_t{1} << bucket_bits_) + 1, 0);
  for (const Posting& posting : postings_) {
    ++bucket_begin_[(posting.feature >> (64 - bucket_bits_)) + 1];
  }
  for (size_t i = 1; i < bucket_begin_.size(); ++i) bucket_begin_[i] += bucket_begin_[i - 1];
  // Most features of a corpus are in no sample; a bitmap that fits a near cache says so first.
  present_bits_ = bucket_bits_ + 2;
  present_.assign(size_t{1} << (present_bits_ - 6), 0);
  for (const Posting& posting : postings_) {
    const uint64_t bit = posting.feature >> (64 - present_bits_);
    present_[bit / 64] |= uint64_t{1} << (bit % 64);
  }
}

void AuditIndex::Probe(DocNumber doc, const StreamHash& hash, std::span<const uint64_t> set,
                       const AuditHits& kept, Scratch* scratch, std::vector<AuditHit>* hits) const {
  if (hashes_.empty()) return;
  scratch->seen.resize(hashes_.size());
  ++scratch->stamp;
  for (const uint64_t feature : set) {
    const uint64_t bit = feature >> (64 - present_bits_);
    if ((present_[bit / 64] >> (bit % 64) & 1) == 0) continue;
    const uint64_t bucket = feature >> (64 - bucket_bits_);
    for (uint32_t i = bucket_begin_[bucket]; i < bucket_begin_[bucket + 1]; ++i) {
      const auto [indexed, sample] = postings_[i];
      if (indexed != feature || scratch->seen[sample] == scratch->stamp) continue;
      scratch->seen[sample] = scratch->stamp;
      const uint64_t draw = Draw(hashes_[sample], hash);
      if (hashes_[sample] == hash || !kept.Wants(sample, draw)) continue;
      const auto& other = sets_[sample];
      const auto common =
          CountCommon(other, set, NeededCommon(other.size(), set.size(), threshold_));
      const bool alike = common && MeetsThreshold(*common, other.size(), set.size(), threshold_);
      hits->push_back({draw, doc, sample, alike ? static_cast<uint32_t>(*common) : 0,
                       static_cast<uint32_t>(other.size()), static_cast<uint32_t>(set.size())});
    }
  }
}

AuditHits::AuditHits(size_t samples)
    : kept_(samples), bounds_(std::make_unique<std::atomic<uint64_t>[]>(samples)) {
  for (size_t i = 0; i < samples; ++i) bounds_[i] = UINT64_MAX;
}

void AuditHits::Add(const AuditHit& hit) {
  if (!Wants(hit.sample, hit.draw)) return;
  Kept& kept = kept_[hit.sample];
  KeepSmallest(hit.draw, kLooks, std::less<>(), &kept.looks);
  if (kept.looks.size() == kLooks) Tighten(hit.sample, kept.looks.front());
  if (hit.common == 0) return;
  KeepSmallest(hit, kHits, SmallerDraw, &kept.hits);
  if (kept.hits.size() == kHits) Tighten(hit.sample, kept.hits.front().draw);
  // Looks beyond the bound say nothing any more.
  while (!Wants(hit.sample, kept.looks.front())) {
    std::pop_heap(kept.looks.begin(), kept.looks.end());
    kept.looks.pop_back();
  }
}

void AuditHits::Tighten(uint32_t sample, uint64_t bound) {
  if (bound < bounds_[sample]) bounds_[sample] = bound;
}

std::vector<AuditHits::OfSample> AuditHits::Finish() const {
  std::vector<OfSample> samples;
  for (size_t i = 0; i < kept_.size(); ++i) {
    OfSample& sample = samples.emplace_back();
    const uint64_t bound = bounds_[i];
    for (const AuditHit& hit : kept_[i].hits) {
      if (hit.draw <= bound) sample.hits.push_back(hit);
    }
    const double share = (static_cast<double>(bound) + 1) * 0x1p-64;
    sample.partners = static_cast<double>(sample.hits.size()) / std::min(share, 1.0);
    std::sort(sample.hits.begin(), sample.hits.end(),
              [](const AuditHit& x, const AuditHit& y) { return x.doc < y.doc; });
  }
  return samples;
}

}  // namespace lookalike
