#include "search/audit_sample.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/splitmix.h"
#include "measures/binomial.h"
#include "search/keep_smallest.h"
#include "stages/sketch/bottom_k.h"
#include "stages/verify/resemblance.h"

namespace lookalike {

void AuditReservoir::Offer(const StreamHash& hash, std::vector<uint64_t> set) {
  if (hash.low > std::min(Bound(bound_, shared_.ended), Bound(open_bound_, shared_.open))) return;
  const uint64_t size = set.size();
  if (open_.try_emplace(hash, std::move(set)).second) open_features_ += size;
  Trim(&open_, &open_features_, &open_bound_, &open_witness_);
  if (shared_.open != nullptr) shared_.open->Lower(open_bound_);
}

void AuditReservoir::EndSource(uint32_t source, bool bad) {
  if (!bad) {
    // Without the witness, the sets that are left might have room for larger hashes.
    for (const auto& [hash, set] : open_witness_) open_features_ += set.size();
    open_.merge(open_witness_);
    sets_.merge(open_);
    features_ += open_features_;
    for (const auto& [hash, set] : open_) features_ -= set.size();  // sets added earlier
    Sets dropped;  // No other reservoir needs it: the bound stays.
    Trim(&sets_, &features_, &bound_, &dropped);
    // An input that other lanes have parts of may still turn out to be bad.
    if (shared_.ended != nullptr && shared_.open == nullptr) shared_.ended->Lower(bound_);
  }
  open_.clear();
  open_witness_.clear();
  open_features_ = 0;
  open_bound_.store(UINT64_MAX, std::memory_order_relaxed);
  open_source_.store(source + 1, std::memory_order_release);
}

const std::vector<uint64_t>* AuditReservoir::OpenSet(const StreamHash& hash) const {
  for (const Sets* sets : {&open_, &open_witness_}) {
    if (const auto at = sets->find(hash); at != sets->end()) return &at->second;
  }
  return nullptr;
}

void AuditReservoir::Trim(Sets* sets, uint64_t* features, std::atomic<uint64_t>* bound,
                          Sets* witness) const {
  while (sets->size() > capacity_ || (*features > kMostFeatures && sets->size() > 1)) {
    const auto last = std::prev(sets->end());
    *features -= last->second.size();
    *bound = std::min(bound->load(), last->first.low);
    witness->clear();
    witness->insert(sets->extract(last));
  }
  if (sets->size() == capacity_ && capacity_ > 0) {
    *bound = std::min(bound->load(), sets->rbegin()->first.low);
  }
}

namespace {

/// A sketch's k if nothing requires more. 32 values of 32 bits are 128 bytes per document.
constexpr uint32_t kLeastSketch = 32;
constexpr uint32_t kMostSketch = 64;
/// Share of the pairs at the threshold that may be missed.
constexpr double kMiss = 1e-6;
/// A value that more than 1 in 50 samples share, and more than 8 in all, is a template value. The 4
/// rarest values of a sample never count as template values: in a collection of near-copies all
/// values are common.
constexpr size_t kCommonShare = 50, kFewSamples = 8, kLeastValues = 4;

/// Returns a random number for a pair of classes, which does not depend on the rest of the corpus.
uint64_t Draw(const StreamHash& sample, const StreamHash& other) {
  return Mix64(sample.low + kGolden * other.low + other.high);
}

}  // namespace

void AuditLooks::Add(const AuditLook& look) {
  auto& kept = look.on_template ? on_template_ : kept_;
  KeepSmallest(look, Most(look.on_template), &kept[look.sample]);
}

std::vector<AuditLook> AuditLooks::Take() {
  std::vector<AuditLook> all;
  for (auto* by_sample : {&kept_, &on_template_}) {
    for (const auto& kept : *by_sample) all.insert(all.end(), kept.begin(), kept.end());
    by_sample->clear();
  }
  std::sort(all.begin(), all.end(), [](const AuditLook& x, const AuditLook& y) {
    return std::tie(x.doc, x.sample) < std::tie(y.doc, y.sample);
  });
  return all;
}

AuditHits::AuditHits(size_t samples, double template_share)
    : template_share_(template_share), kept_(samples), on_template_(samples) {}

void AuditHits::Add(const AuditHit& hit) {
  auto& kept = hit.on_template != 0 ? on_template_ : kept_;
  kept[hit.sample].Add(hit);
}

void AuditHits::Kept::Add(const AuditHit& hit) {
  ++looks;
  last_look = std::max(last_look, hit.draw);
  if (hit.common != 0) KeepSmallest(hit, kHits, &hits);
}

double AuditHits::Kept::Share(size_t most_looks) const {
  uint64_t bound = UINT64_MAX;  // all documents with draws up to here are known
  if (looks == most_looks) bound = last_look;
  if (hits.size() == kHits) bound = std::min(bound, hits.front().draw);
  return std::min((static_cast<double>(bound) + 1) * 0x1p-64, 1.0);
}

double AuditHits::OfSample::Partners() const {
  const auto on_template = std::count_if(hits.begin(), hits.end(),
                                         [](const AuditHit& hit) { return hit.on_template != 0; });
  const auto others = static_cast<double>(hits.size()) - static_cast<double>(on_template);
  return weight * others + template_weight * static_cast<double>(on_template);
}

std::vector<AuditHits::OfSample> AuditHits::Finish() const {
  std::vector<OfSample> samples(kept_.size());
  for (size_t i = 0; i < samples.size(); ++i) {
    OfSample& sample = samples[i];
    const Kept &kept = kept_[i], &on_template = on_template_[i];
    sample.weight = 1 / kept.Share(AuditLooks::kLooks);
    sample.template_weight = 1 / (on_template.Share(AuditLooks::kTemplateLooks) * template_share_);
    sample.hits = kept.hits;
    sample.hits.insert(sample.hits.end(), on_template.hits.begin(), on_template.hits.end());
    std::sort(sample.hits.begin(), sample.hits.end(),
              [](const AuditHit& x, const AuditHit& y) { return x.doc < y.doc; });
  }
  return samples;
}

uint32_t AuditIndex::SketchSize(double threshold) {
  uint32_t size = 1;
  for (double miss = 1 - threshold; miss > kMiss && size < kMostSketch; miss *= 1 - threshold) {
    ++size;
  }
  return std::max(size, kLeastSketch);
}

AuditIndex::AuditIndex(AuditReservoir::Sets sample, const AlikeTest& test, size_t few,
                       uint64_t documents)
    : test_(test), few_(few) {
  if (documents > kTemplateDocuments) template_bound_ = UINT64_MAX / documents * kTemplateDocuments;
  for (auto& [hash, set] : sample) {
    hashes_.push_back(hash);
    sets_.push_back(std::move(set));
  }
  Build();
}

double AuditIndex::template_share() const {
  return (static_cast<double>(template_bound_) + 1) * 0x1p-64;
}

// Uses a separate hash, because the draws already decide which of the chosen documents are
// examined.
bool AuditIndex::CountsTemplates(const StreamHash& hash) const {
  return Mix64(hash.high + kGolden * hash.low) <= template_bound_;
}

void AuditIndex::Postings::Build() {
  // Most values of a corpus are in no sample, which a single lookup in a sparse table shows.
  bucket_bits_ = static_cast<uint32_t>(std::bit_width(all_.size()) + 3);
  begin_.assign((size_t{1} << bucket_bits_) + 1, 0);
  std::sort(all_.begin(), all_.end(), [&](const Posting& x, const Posting& y) {
    const size_t bucket_x = BucketOf(x.value), bucket_y = BucketOf(y.value);
    return std::tie(bucket_x, x) < std::tie(bucket_y, y);
  });
  for (const Posting& posting : all_) ++begin_[BucketOf(posting.value) + 1];
  for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
}

std::vector<AuditIndex::SampleValue> AuditIndex::SketchSamples() {
  std::vector<Posting> postings;
  BottomSketcher sketcher(SketchSize(test_.threshold));
  for (uint32_t sample = 0; sample < sets_.size(); ++sample) {
    const size_t before = postings.size();
    const auto sketch = sketcher.Run(sets_[sample]);
    sketches_.emplace_back(sketch.begin(), sketch.end());
    for (const uint32_t value : sketch) {
      if (value != kNoBottomValue) postings.push_back({value, sample});
    }
    filled_.push_back(static_cast<uint32_t>(postings.size() - before));
  }
  std::sort(postings.begin(), postings.end());
  std::vector<SampleValue> values;
  for (auto begin = postings.begin(); begin != postings.end();) {
    const auto end = std::find_if(begin, postings.end(),
                                  [&](const Posting& p) { return p.value != begin->value; });
    const auto samples_with = static_cast<uint32_t>(end - begin);
    for (; begin != end; ++begin) values.push_back({begin->sample, samples_with, begin->value});
  }
  std::sort(values.begin(), values.end());
  return values;
}

void AuditIndex::Build() {
  // Drawing without replacement misses fewer values than the binomial distribution predicts.
  for (uint32_t values = 0; values <= SketchSize(test_.threshold); ++values) {
    floor_.push_back(std::max(BinomialFloor(values, test_.threshold, kMiss), 1U));
  }
  for (uint32_t a = 0; a < sketch_size(); ++a) {
    for (uint32_t b = 0; b < sketch_size(); ++b) {
      exact_.push_back(static_cast<uint32_t>(std::max<uint64_t>(1, test_.Needed(a, b))));
    }
  }
  const std::vector<SampleValue> values = SketchSamples();
  const size_t common = std::max(kFewSamples, size() / kCommonShare);
  left_out_.assign(size(), 0);
  for (size_t i = 0, first = 0; i < values.size(); ++i) {  // first value of the same sample
    if (values[i].sample != values[first].sample) first = i;
    if (i - first < kLeastValues || values[i].samples_with <= common) {
      postings_.Add(values[i].value, values[i].sample);
    } else {
      template_postings_.Add(values[i].value, values[i].sample);
      ++left_out_[values[i].sample];
    }
  }
  postings_.Build();
  template_postings_.Build();
}

uint32_t AuditIndex::CountValues(std::span<const uint32_t> sketch, bool templates,
                                 Scratch* scratch) const {
  scratch->common.resize(size());
  scratch->of_templates.resize(size());
  const auto count = [scratch](std::vector<uint32_t>* counts) {
    return [scratch, counts](uint32_t sample) {
      const bool first = scratch->common[sample] + scratch->of_templates[sample] == 0;
      if (first) scratch->touched.push_back(sample);
      ++(*counts)[sample];
    };
  };
  uint32_t filled = 0;
  for (const uint32_t value : sketch) {
    if (value == kNoBottomValue) break;
    ++filled;
    postings_.ForEach(value, count(&scratch->common));
    if (templates) template_postings_.ForEach(value, count(&scratch->of_templates));
  }
  return filled;
}

void AuditIndex::Look(DocNumber doc, const StreamHash& hash, std::span<const uint32_t> sketch,
                      bool few, Scratch* scratch, AuditLooks* looks) const {
  const bool templates = !template_postings_.empty() && CountsTemplates(hash);
  const uint32_t filled = CountValues(sketch, templates, scratch);
  for (const uint32_t sample : scratch->touched) {
    const uint32_t common = std::exchange(scratch->common[sample], 0);
    const uint32_t of_templates = std::exchange(scratch->of_templates[sample], 0);
    // If templates were not counted, all template values of the sample may be common values.
    const uint32_t most = common + (templates ? of_templates : left_out_[sample]);
    if (most < NeededOf(filled, filled_[sample])) continue;
    if (hashes_[sample] == hash) continue;
    AuditLook look = LookAt(doc, hash, sample);
    look.on_template = common == 0;
    if (few || sets_[sample].size() <= few_) look.few_resemblance = Estimate(sketch, sample);
    looks->Add(look);
  }
  scratch->touched.clear();
}

// If the sketches hold all features of both documents, the number that must be common is exact.
uint32_t AuditIndex::NeededOf(uint32_t filled, uint32_t of_sample) const {
  const size_t size = sketch_size();
  const bool whole = filled < size && of_sample < size;
  return whole ? exact_[filled * size + of_sample] : floor_[std::max(filled, of_sample)];
}

// Takes the K least values of the union of two sketches of size K. Returns the share of them that
// are in both.
float AuditIndex::Estimate(std::span<const uint32_t> sketch, uint32_t sample) const {
  const std::vector<uint32_t>& other = sketches_[sample];
  size_t i = 0, j = 0, all = 0, common = 0;
  while (all < other.size()) {
    const uint32_t x = i < sketch.size() ? sketch[i] : kNoBottomValue;
    const uint32_t y = j < other.size() ? other[j] : kNoBottomValue;
    if (std::min(x, y) == kNoBottomValue) break;
    common += x == y;
    i += x <= y;
    j += y <= x;
    ++all;
  }
  return all == 0 ? 0 : static_cast<float>(common) / static_cast<float>(all);
}

AuditLook AuditIndex::LookAt(DocNumber doc, const StreamHash& hash, uint32_t sample) const {
  return {Draw(hashes_[sample], hash), doc, sample};
}

AuditHit AuditIndex::Compare(const AuditLook& look, std::span<const uint64_t> set) const {
  const auto& other = sets_[look.sample];
  const auto common = CountCommon(other, set, test_.Needed(other.size(), set.size()));
  const bool alike = common && test_.Meets(*common, other.size(), set.size());
  return {look.draw,
          look.doc,
          look.sample,
          alike ? static_cast<uint32_t>(*common) : 0,
          static_cast<uint32_t>(other.size()),
          static_cast<uint32_t>(set.size()),
          look.on_template ? 1U : 0U};
}

}  // namespace lookalike
