#include "plan/similarity.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <tuple>

namespace lookalike {
namespace {

/// The number of members of a larger bucket that are compared, to represent the others.
constexpr size_t kMostMembers = 256;

/// The weight of pairs in the sample's histogram, counted separately for neighbours and others.
struct Tally {
  double within = 0, across = 0;

  void Add(bool neighbours, double weight) { (neighbours ? within : across) += weight; }
};

double PairsOf(double n) { return n * (n - 1) / 2; }

/// The factors from tallies of a sample to pairs of the collection.
class Scale {
 public:
  Scale(const SampleColumns& sample, double documents) {
    const auto sampled = static_cast<double>(sample.size());
    if (documents <= sampled) return;
    std::vector<double> members(
        sample.parts.empty() ? 0 : 1 + *std::max_element(sample.parts.begin(), sample.parts.end()));
    for (const uint32_t part : sample.parts) ++members[part];
    double pairs_across = PairsOf(sampled);
    for (const double n : members) pairs_across -= PairsOf(n);
    within_ = documents / std::max(sampled, 1.0);
    // A sample of a single part shows nothing about other neighbourhoods, which are assumed to be
    // similar.
    across_ = pairs_across > 0 ? PairsOf(documents) / pairs_across : 1;
  }

  [[nodiscard]] double operator()(const Tally& tally) const {
    return tally.within * within_ + tally.across * across_;
  }

 private:
  double within_ = 1, across_ = 1;
};

/// The documents that represent their classes, and the number of documents in each class.
struct Classes {
  std::vector<uint32_t> reps;
  std::vector<double> copies;  ///< By rep.
  Tally copy_pairs;
};

Classes GroupCopies(const SampleColumns& sample) {
  std::vector<uint32_t> order(sample.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto key = [&](uint32_t i) {
    return std::tuple(sample.streams[i].low, sample.streams[i].high, sample.parts[i], i);
  };
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  Classes classes;
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    double neighbours = 0, in_part = 0;
    for (end = begin; end < order.size(); ++end) {
      if (!(sample.streams[order[end]] == sample.streams[order[begin]])) break;
      const bool same_part =
          end > begin && sample.parts[order[end]] == sample.parts[order[end - 1]];
      in_part = same_part ? in_part + 1 : 0;
      neighbours += in_part;
    }
    const auto size = static_cast<double>(end - begin);
    classes.reps.push_back(order[begin]);
    classes.copies.push_back(size);
    classes.copy_pairs.Add(true, neighbours);
    classes.copy_pairs.Add(false, PairsOf(size) - neighbours);
  }
  return classes;
}

/// A counter that finds pairs of classes by bands of few coordinates.
class PairCounter {
 public:
  PairCounter(const SampleColumns& sample, const Classes& classes, uint32_t rows,
              double paired_from)
      : sample_(sample),
        classes_(classes),
        rows_(rows),
        bands_(sample.coordinates / rows),
        paired_from_(paired_from),
        paired_(classes.reps.size()) {}

  void Run() {
    std::vector<std::pair<uint64_t, uint32_t>> keys(classes_.reps.size());
    for (uint32_t band = 0; band < bands_; ++band) {
      for (uint32_t i = 0; i < keys.size(); ++i) keys[i] = {Key(i, band * rows_, rows_), i};
      std::sort(keys.begin(), keys.end());
      for (size_t begin = 0, end = 0; begin < keys.size(); begin = end) {
        for (end = begin; end < keys.size() && keys[end].first == keys[begin].first;) ++end;
        if (end - begin > 1) Bucket(std::span(keys).subspan(begin, end - begin));
      }
    }
  }

  /// Returns the share of the pairs of classes that agree in `rows` given coordinates.
  [[nodiscard]] double KeyShare(uint32_t rows) const {
    constexpr uint32_t kKeys = 6;  // enough: each counts all pairs of the sample
    const auto all = static_cast<double>(classes_.reps.size());
    std::vector<uint64_t> keys;
    double pairs = 0;
    for (uint32_t key = 0; key < kKeys; ++key) {
      const uint32_t first = key * (sample_.coordinates - rows) / (kKeys - 1);
      keys.clear();
      for (uint32_t i = 0; i < classes_.reps.size(); ++i) {
        if (!IsFew(i)) keys.push_back(Key(i, first, rows));
      }
      std::sort(keys.begin(), keys.end());
      for (size_t begin = 0, end = 0; begin < keys.size(); begin = end) {
        for (end = begin; end < keys.size() && keys[end] == keys[begin];) ++end;
        pairs += PairsOf(static_cast<double>(end - begin));
      }
    }
    return keys.size() < 2 ? 0 : pairs / kKeys / PairsOf(all);
  }

  [[nodiscard]] double paired() const {
    return static_cast<double>(std::count(paired_.begin(), paired_.end(), true));
  }

  /// Pairs by resemblance, of classes and of documents.
  struct Tallies {
    std::array<Tally, 101> classes{}, documents{};
  };
  [[nodiscard]] const Tallies& keyed() const { return keyed_; }
  [[nodiscard]] const Tallies& few() const { return few_; }

  /// Counts the classes with few features.
  [[nodiscard]] double few_classes() const {
    double count = 0;
    for (uint32_t i = 0; i < classes_.reps.size(); ++i) count += IsFew(i);
    return count;
  }

 private:
  [[nodiscard]] const uint32_t* SketchOf(uint32_t i) const {
    return sample_.sketches.data() + size_t{classes_.reps[i]} * sample_.coordinates;
  }

  [[nodiscard]] uint64_t Key(uint32_t i, uint32_t first, uint32_t rows) const {
    uint64_t key = 0x9e3779b97f4a7c15ULL;
    for (uint32_t row = 0; row < rows; ++row) {
      key = (key ^ SketchOf(i)[first + row]) * 0xbf58476d1ce4e5b9ULL;
      key ^= key >> 29;
    }
    return key;
  }

  void Bucket(std::span<const std::pair<uint64_t, uint32_t>> members) {
    std::vector<uint32_t> some;
    const size_t count = std::min(members.size(), kMostMembers);
    for (size_t i = 0; i < count; ++i) some.push_back(members[i * members.size() / count].second);
    const double weight =
        PairsOf(static_cast<double>(members.size())) / PairsOf(static_cast<double>(count));
    for (size_t i = 0; i < count; ++i) {
      for (size_t j = i + 1; j < count; ++j) Pair(some[i], some[j], weight);
    }
  }

  /// Counts a pair once for each band in which it is met, divided by the number of bands in which
  /// it agrees, so that earlier meetings need not be remembered.
  void Pair(uint32_t a, uint32_t b, double weight) {
    const uint32_t *x = SketchOf(a), *y = SketchOf(b);
    uint32_t equal = 0, bands = 0;
    for (uint32_t band = 0; band < bands_; ++band, x += rows_, y += rows_) {
      uint32_t here = 0;
      for (uint32_t row = 0; row < rows_; ++row) here += x[row] == y[row];
      equal += here;
      bands += here == rows_;
    }
    if (bands == 0) return;  // two keys that are equal by chance
    const double j = static_cast<double>(equal) / sample_.coordinates;
    if (j >= paired_from_) paired_[a] = paired_[b] = true;
    // Compensates for pairs that no band shows, using the probability of that.
    const double shown =
        1 - std::pow(1 - std::pow(j, static_cast<double>(rows_)), static_cast<double>(bands_));
    const auto bin = static_cast<size_t>(std::lround(100 * j));
    const bool neighbours = sample_.parts[classes_.reps[a]] == sample_.parts[classes_.reps[b]];
    const double pairs = weight / bands / shown;
    Tallies& tallies = IsFew(a) || IsFew(b) ? few_ : keyed_;
    tallies.classes[bin].Add(neighbours, pairs);
    tallies.documents[bin].Add(neighbours, pairs * classes_.copies[a] * classes_.copies[b]);
  }

  [[nodiscard]] bool IsFew(uint32_t i) const {
    return !sample_.few.empty() && sample_.few[classes_.reps[i]];
  }

  const SampleColumns& sample_;
  const Classes& classes_;
  uint32_t rows_, bands_;
  double paired_from_;
  std::vector<bool> paired_;  // by class
  Tallies keyed_, few_;       // pairs found by keys, and by the few features of one side
};

/// Returns the number of classes of equal documents in a collection with `copy_pairs` pairs of
/// equal documents. Both terms are lower bounds: every member of a class but the first has a pair,
/// and classes of equal size have the fewest pairs (Turan).
double DistinctOf(double documents, double copy_pairs) {
  if (documents <= 0) return 0;
  return std::max(documents - copy_pairs, documents / (1 + 2 * copy_pairs / documents));
}

}  // namespace

double Similarity::PairsFrom(double threshold) const {
  double pairs = copy_pairs;
  for (auto bin = static_cast<size_t>(std::lround(100 * threshold)); bin < near_pairs.size();
       ++bin) {
    pairs += near_pairs[bin] + few_near_pairs[bin];
  }
  return pairs;
}

Similarity EstimateSimilarity(const SampleColumns& sample, double documents, double threshold,
                              double paired_from) {
  constexpr double kLow = 0.55;
  const uint32_t rows = threshold < kLow ? 2 : 4;
  const Classes classes = GroupCopies(sample);
  PairCounter counter(sample, classes, rows, paired_from);
  counter.Run();
  const Scale scale(sample, documents);
  Similarity result;
  result.documents = documents;
  result.copy_pairs = scale(classes.copy_pairs);
  result.floor = rows == 2 ? 0.1 : 0.3;
  const bool whole = documents <= static_cast<double>(sample.size());
  result.distinct =
      whole ? static_cast<double>(classes.reps.size()) : DistinctOf(documents, result.copy_pairs);
  for (uint32_t i = 0; i < Similarity::kCountedRows; ++i) {
    result.key_pairs[i] = counter.KeyShare(i + 1) * PairsOf(result.distinct);
  }
  if (whole) result.paired = counter.paired();
  const double share = documents > 0 ? result.distinct / documents : 0;
  const auto fill = [&](const PairCounter::Tallies& tallies, ResemblanceBins* near,
                        ResemblanceBins* of_classes) {
    for (size_t bin = 0; bin < near->size(); ++bin) {
      if (static_cast<double>(bin) < 100 * result.floor) continue;
      const Tally& classes_here = tallies.classes[bin];
      (*near)[bin] = scale(tallies.documents[bin]);
      (*of_classes)[bin] =
          whole ? classes_here.within + classes_here.across : (*near)[bin] * share * share;
    }
  };
  fill(counter.keyed(), &result.near_pairs, &result.class_pairs);
  fill(counter.few(), &result.few_near_pairs, &result.few_class_pairs);
  result.few =
      counter.few_classes() / std::max<double>(1, static_cast<double>(classes.reps.size()));
  return result;
}

}  // namespace lookalike
