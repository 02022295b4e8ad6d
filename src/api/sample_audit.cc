#include "lookalike/sample_audit.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "api/engine_plan.h"
#include "kernels/kernels.h"
#include "kernels/splitmix.h"
#include "run/no_exceptions.h"
#include "search/keep_smallest.h"
#include "search/recall.h"
#include "stages/verify/resemblance.h"

namespace lookalike {
namespace {

/// Says which sampled documents have a feature. Features are hashes, so their first bits tell where
/// they are.
class FeatureIndex {
 public:
  explicit FeatureIndex(const SampledSets& sample) {
    std::vector<std::pair<uint64_t, uint32_t>> entries;
    for (uint32_t i = 0; i < sample.documents.size(); ++i) {
      for (const uint64_t feature : SetOf(sample.features, sample.offsets, i)) {
        entries.emplace_back(feature, i);
      }
    }
    std::sort(entries.begin(), entries.end());
    bits_ = static_cast<uint32_t>(std::bit_width(entries.size() + 1));
    begins_.resize((size_t{1} << bits_) + 1);
    known_.resize((size_t{1} << (bits_ + kFiner)) / 64 + 1);
    for (const auto& [feature, document] : entries) {
      if (features_.empty() || features_.back() != feature) Begin(feature);
      documents_.push_back(document);
    }
    runs_.push_back(documents_.size());
    for (size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
  }

  /// Returns the sampled documents that have a feature.
  [[nodiscard]] std::span<const uint32_t> With(uint64_t feature) const {
    const uint64_t bit = feature >> (64 - bits_ - kFiner);
    if ((known_[bit / 64] >> bit % 64 & 1) == 0) return {};
    const uint64_t bucket = feature >> (64 - bits_);
    for (uint64_t i = begins_[bucket]; i < begins_[bucket + 1]; ++i) {
      if (features_[i] != feature) continue;
      return std::span(documents_).subspan(runs_[i], runs_[i + 1] - runs_[i]);
    }
    return {};
  }

 private:
  /// A feature that no sampled document has is found to be so by one bit, seven times of eight.
  static constexpr uint32_t kFiner = 3;

  void Begin(uint64_t feature) {
    features_.push_back(feature);
    runs_.push_back(documents_.size());
    ++begins_[(feature >> (64 - bits_)) + 1];
    const uint64_t bit = feature >> (64 - bits_ - kFiner);
    known_[bit / 64] |= uint64_t{1} << bit % 64;
  }

  uint32_t bits_;
  std::vector<uint64_t> begins_;     // by the first bits of a feature: where it is in features_
  std::vector<uint64_t> known_;      // a bit for each value of some more bits
  std::vector<uint64_t> features_;   // distinct, ascending
  std::vector<uint64_t> runs_;       // by feature: where its documents begin; and the end
  std::vector<uint32_t> documents_;  // by feature
};

struct Similar {
  uint64_t draw, doc;
};

/// The similar documents of one sampled document.
struct OfSampled {
  uint64_t similar = 0;        ///< How many there are.
  std::vector<Similar> named;  ///< A heap with the largest draw first.
};

Status CheckRows(std::span<const uint8_t> rows, size_t width, std::string_view name) {
  return CheckSize(rows.size(), rows.size() / width * width, name);
}

/// Says whether the code of a document agrees with one of the sample in as many places as those of
/// similar documents do. Lists say which sampled codes have a value at one of the first places; of
/// codes that are not alike, few are in several of a document's lists.
class CodeFilter {
 public:
  CodeFilter(double threshold, std::span<const uint8_t> sampled, size_t width)
      : codes_(sampled),
        width_(width),
        floor_(CodeAgreementFloor(threshold, static_cast<uint32_t>(width), kMiss / 2)) {
    for (places_ = 1; places_ < width; ++places_) {
      met_ = CodeAgreementFloor(threshold, static_cast<uint32_t>(places_), kMiss / 2);
      if (met_ >= kMet) break;
    }
    const size_t count = sampled.size() / width;
    counts_.resize(count);
    lists_.resize(256 * places_);
    for (uint32_t row = 0; row < count; ++row) {
      for (size_t place = 0; place < places_; ++place) {
        lists_[256 * place + sampled[row * width + place]].push_back(row);
      }
    }
  }

  [[nodiscard]] bool Passes(const uint8_t* code) {
    if (met_ == 0) return !counts_.empty();  // no number of places tells them apart
    bool passes = false;
    for (size_t place = 0; place < places_ && !passes; ++place) {
      for (const uint32_t row : lists_[256 * place + code[place]]) {
        if ((passes = Meet(row, code))) break;
      }
    }
    for (const uint32_t row : touched_) counts_[row] = 0;
    touched_.clear();
    return passes;
  }

 private:
  static constexpr uint32_t kMet = 3;    // lists that two codes must share before all is compared
  static constexpr double kMiss = 1e-7;  // probability that a similar document does not pass

  bool Meet(uint32_t row, const uint8_t* code) {
    if (counts_[row]++ == 0) touched_.push_back(row);
    return counts_[row] == met_ &&
           CountEqualBytes(code, codes_.data() + row * width_, width_) >= floor_;
  }

  std::span<const uint8_t> codes_;
  size_t width_, places_ = 0;
  uint32_t floor_, met_ = 0;
  std::vector<std::vector<uint32_t>> lists_;  // by place and value: sampled codes that have it
  std::vector<uint32_t> counts_;   // by sampled code: lists that the current code shares with it
  std::vector<uint32_t> touched_;  // those with any
};

}  // namespace

struct SampleComparison::State {
  State(Engine of, const SampledSets& sample)
      : engine(std::move(of)),
        documents(sample.documents.begin(), sample.documents.end()),
        features(sample.features.begin(), sample.features.end()),
        offsets(sample.offsets.begin(), sample.offsets.end()),
        words(sample.words.begin(), sample.words.end()),
        guards(engine.plan().job.choices.guards),
        index(sample),
        common(documents.size()),
        found(documents.size()) {}

  // A similar set shares at least `least` of the document's features. Of those that any sampled
  // document has, it then shares one of the rarest, all but least - 1 (prefix filter: Bayardo, Ma,
  // Srikant 2007, section 4), so that the features of a template are seldom looked at.
  void Compare(uint64_t document, std::span<const uint64_t> set,
               std::span<const uint64_t> own_words) {
    const AlikeTest test = engine.plan().job.Test();
    const auto share = static_cast<size_t>(test.threshold * static_cast<double>(set.size()));
    const size_t least = std::max<size_t>(share, 1);
    known.clear();
    for (const uint64_t feature : set) {
      if (const auto with = index.With(feature); !with.empty()) known.push_back(with);
    }
    if (known.size() < least) return;
    std::sort(known.begin(), known.end(),
              [](const auto& x, const auto& y) { return x.size() < y.size(); });
    const size_t rare = known.size() - least + 1;
    for (size_t i = 0; i < rare; ++i) {
      for (const uint32_t sample : known[i]) {
        if (common[sample]++ == 0) touched.push_back(sample);
      }
    }
    for (const uint32_t sample : touched) {
      const uint64_t most = std::exchange(common[sample], 0) + known.size() - rare;
      const auto [a, d] = std::minmax(documents[sample], document);
      if (a == d || !engine.plan().scope.Counts(a, d)) continue;
      if (!guards.MayBeEdge(WordsAt(words, guards.width(), sample), own_words)) continue;
      const std::span<const uint64_t> other = SetOf(features, offsets, sample);
      const uint64_t needed = test.Needed(set.size(), other.size());
      if (most < needed || !CountCommon(set, other, needed)) continue;
      const Similar similar = {Mix64(Mix64(document) ^ documents[sample]), document};
      KeepSmallest(similar, kNamed, &found[sample].named);
      ++found[sample].similar;
    }
    touched.clear();
  }

  Engine engine;
  std::vector<uint64_t> documents, features;  // of the sample
  std::vector<int64_t> offsets;
  std::vector<uint64_t> words;
  PairGuards guards;
  FeatureIndex index;
  std::vector<std::span<const uint32_t>> known;  // of the current document, by feature
  std::vector<uint64_t> common;                  // by sampled document, with the current one
  std::vector<uint32_t> touched;                 // those with any in common
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
    LOOKALIKE_RETURN_IF_ERROR(CheckSets(sample.features, sample.offsets));
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(
        sample.words.size(), sample.documents.size() * engine.words(), "words of the sample"));
    return SampleComparison(std::make_unique<State>(engine, sample));
  });
}

Status SampleComparison::Add(std::span<const uint64_t> documents, const ExtractedView& rows) {
  return WithoutExceptions([&]() -> Status {
    LOOKALIKE_RETURN_IF_ERROR(CheckSets(rows.features, rows.offsets));
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(documents.size(), rows.size(), "documents"));
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(rows.searched.size(), rows.size(), "searched"));
    const size_t width = state_->guards.width();
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(rows.words.size(), rows.size() * width, "words"));
    for (size_t i = 0; i < documents.size(); ++i) {
      if (rows.searched[i] == SearchedBy::kNothing) continue;
      state_->Compare(documents[i], SetOf(rows, i), WordsAt(rows.words, width, i));
    }
    return {};
  });
}

SimilarColumns SampleComparison::Take() {
  SimilarColumns columns;
  for (uint32_t i = 0; i < state_->found.size(); ++i) {
    const OfSampled of_sampled = std::exchange(state_->found[i], {});
    columns.similar.push_back(of_sampled.similar);
    for (const Similar& similar : of_sampled.named) {
      columns.sample.push_back(i);
      columns.document.push_back(similar.doc);
      columns.draw.push_back(similar.draw);
    }
  }
  return columns;
}

Result<std::vector<uint8_t>> MayReachSample(const Engine& engine, std::span<const uint8_t> sampled,
                                            std::span<const uint8_t> codes) {
  return WithoutExceptions([&]() -> Result<std::vector<uint8_t>> {
    const size_t width = engine.code_bytes();
    if (width == 0) return UsageError("the engine makes no codes: the method is exact");
    LOOKALIKE_RETURN_IF_ERROR(CheckRows(sampled, width, "codes of the sample"));
    LOOKALIKE_RETURN_IF_ERROR(CheckRows(codes, width, "codes"));
    CodeFilter filter(engine.plan().job.Test().threshold, sampled, width);
    std::vector<uint8_t> may(codes.size() / width);
    for (size_t i = 0; i < may.size(); ++i) may[i] = filter.Passes(codes.data() + i * width);
    return may;
  });
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
