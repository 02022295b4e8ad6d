#include "lookalike/sample_audit.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "api/engine_plan.h"
#include "kernels/splitmix.h"
#include "run/no_exceptions.h"
#include "search/recall.h"

namespace lookalike {
namespace {

/// Says which sampled documents have a feature. Features are hashes, so their first bits tell where
/// they are.
class FeatureIndex {
 public:
  explicit FeatureIndex(const SampledSets& sample) {
    for (uint32_t i = 0; i < sample.documents.size(); ++i) {
      for (auto at = sample.offsets[i]; at < sample.offsets[i + 1]; ++at) {
        entries_.push_back({sample.features[static_cast<size_t>(at)], i});
      }
    }
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& x, const Entry& y) { return x.feature < y.feature; });
    bits_ = static_cast<uint32_t>(std::bit_width(entries_.size() + 1));
    begins_.resize((size_t{1} << bits_) + 1);
    known_.resize((size_t{1} << (bits_ + kFiner)) / 64 + 1);
    for (const Entry& entry : entries_) {
      ++begins_[(entry.feature >> (64 - bits_)) + 1];
      const uint64_t bit = entry.feature >> (64 - bits_ - kFiner);
      known_[bit / 64] |= uint64_t{1} << bit % 64;
    }
    for (size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
  }

  template <class Take>
  void ForEach(uint64_t feature, const Take& take) const {
    const uint64_t bit = feature >> (64 - bits_ - kFiner);
    if ((known_[bit / 64] >> bit % 64 & 1) == 0) return;
    const uint64_t bucket = feature >> (64 - bits_);
    for (uint64_t i = begins_[bucket]; i < begins_[bucket + 1]; ++i) {
      if (entries_[i].feature == feature) take(entries_[i].sample);
    }
  }

 private:
  struct Entry {
    uint64_t feature;
    uint32_t sample;
  };

  /// A feature that no sampled document has is found to be so by one bit, seven times of eight.
  static constexpr uint32_t kFiner = 3;

  std::vector<Entry> entries_;
  uint32_t bits_;
  std::vector<uint64_t> begins_, known_;
};

struct Similar {
  uint64_t draw, document;
  bool operator<(const Similar& other) const { return draw < other.draw; }
};

/// The similar documents of one sampled document: a heap with the largest draw first.
class OfSampled {
 public:
  void Add(const Similar& found) {
    ++similar_;
    if (named_.size() == SampleComparison::kNamed) {
      if (named_.front().draw <= found.draw) return;
      std::pop_heap(named_.begin(), named_.end());
      named_.pop_back();
    }
    named_.push_back(found);
    std::push_heap(named_.begin(), named_.end());
  }

  [[nodiscard]] uint64_t similar() const { return similar_; }
  [[nodiscard]] const std::vector<Similar>& named() const { return named_; }

 private:
  uint64_t similar_ = 0;
  std::vector<Similar> named_;
};

}  // namespace

struct SampleComparison::State {
  State(Engine of, const SampledSets& sample)
      : engine(std::move(of)),
        documents(sample.documents.begin(), sample.documents.end()),
        sizes(documents.size()),
        index(sample),
        common(documents.size()),
        found(documents.size()) {
    for (size_t i = 0; i < sizes.size(); ++i) {
      sizes[i] = static_cast<uint64_t>(sample.offsets[i + 1] - sample.offsets[i]);
    }
  }

  void Compare(uint64_t document, std::span<const uint64_t> set) {
    for (const uint64_t feature : set) {
      index.ForEach(feature, [&](uint32_t sample) {
        if (common[sample]++ == 0) touched.push_back(sample);
      });
    }
    for (const uint32_t sample : touched) {
      const uint64_t shared = std::exchange(common[sample], 0);
      const auto [a, d] = std::minmax(documents[sample], document);
      const Engine::Plan& plan = engine.plan();
      if (a == d || !plan.scope.Counts(a, d)) continue;
      if (!plan.job.Test().Meets(shared, sizes[sample], set.size())) continue;
      found[sample].Add({Mix64(Mix64(document) ^ documents[sample]), document});
    }
    touched.clear();
  }

  Engine engine;
  std::vector<uint64_t> documents, sizes;
  FeatureIndex index;
  std::vector<uint64_t> common;   // by sampled document, with the current one
  std::vector<uint32_t> touched;  // those with any in common
  std::vector<OfSampled> found;
};

SampleComparison::SampleComparison(std::unique_ptr<State> state) : state_(std::move(state)) {}
SampleComparison::SampleComparison(SampleComparison&&) noexcept = default;
SampleComparison& SampleComparison::operator=(SampleComparison&&) noexcept = default;
SampleComparison::~SampleComparison() = default;

Result<SampleComparison> SampleComparison::Create(const Engine& engine, const SampledSets& sample) {
  return WithoutExceptions([&]() -> Result<SampleComparison> {
    LOOKALIKE_RETURN_IF_ERROR(
        CheckSize(sample.offsets.size(), sample.documents.size() + 1, "offsets of the sample"));
    if (!AreOffsets(sample.offsets, sample.features.size())) {
      return UsageError("the offsets of the sample must ascend and stay within the features");
    }
    return SampleComparison(std::make_unique<State>(engine, sample));
  });
}

Status SampleComparison::Add(std::span<const uint64_t> documents, const ExtractedView& rows) {
  return WithoutExceptions([&]() -> Status {
    if (!AreOffsets(rows.offsets, rows.features.size())) {
      return UsageError("the offsets of the sets must ascend and stay within the features");
    }
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(documents.size(), rows.size(), "documents"));
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(rows.searched.size(), rows.size(), "searched"));
    for (size_t i = 0; i < documents.size(); ++i) {
      if (rows.searched[i] == SearchedBy::kNothing) continue;
      state_->Compare(documents[i], SetOf(rows, i));
    }
    return {};
  });
}

SimilarColumns SampleComparison::Take() {
  SimilarColumns columns;
  for (uint32_t i = 0; i < state_->found.size(); ++i) {
    const OfSampled of_sampled = std::exchange(state_->found[i], {});
    columns.similar.push_back(of_sampled.similar());
    for (const Similar& similar : of_sampled.named()) {
      columns.sample.push_back(i);
      columns.document.push_back(similar.document);
      columns.draw.push_back(similar.draw);
    }
  }
  return columns;
}

Result<RecallAudit> EstimateRecall(std::span<const double> pairs, std::span<const double> found,
                                   double asked) {
  return WithoutExceptions([&]() -> Result<RecallAudit> {
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(found.size(), pairs.size(), "found"));
    std::vector<SampleCount> counts;
    for (size_t i = 0; i < pairs.size(); ++i) counts.push_back({pairs[i], found[i], 0});
    return EstimateRecall(counts, asked);
  });
}

}  // namespace lookalike
