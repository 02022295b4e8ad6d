#include "stages/passages/run_samples.h"

#include <algorithm>

#include "kernels/splitmix.h"

namespace lookalike {
namespace {

/// The factor of the rolling hash, odd so that no word is lost.
constexpr uint64_t kFactor = 0x9E3779B97F4A7C15;

}  // namespace

RunSampling RunSampling::ForRunsOf(uint32_t least_words) {
  const uint32_t length = std::max<uint32_t>(1, least_words / 2);
  return {length, least_words - length + 1};
}

RunSampler::RunSampler(const RunSampling& sampling) : sampling_(sampling), out_factor_(1) {
  for (uint32_t i = 0; i < sampling.length; ++i) out_factor_ *= kFactor;
}

void RunSampler::HashGrams(std::span<const uint64_t> words) {
  const size_t length = sampling_.length;
  grams_.resize(words.size() - length + 1);
  uint64_t rolling = 0;
  for (size_t i = 0; i + 1 < length; ++i) rolling = rolling * kFactor + words[i];
  for (size_t i = 0; i < grams_.size(); ++i) {
    rolling = rolling * kFactor + words[i + length - 1];
    if (i > 0) rolling -= out_factor_ * words[i - 1];
    // The low bits of a product depend on low bits alone.
    grams_[i] = Mix64(rolling);
  }
}

std::span<const RunSample> RunSampler::Sample(std::span<const uint64_t> words) {
  samples_.clear();
  if (words.size() < sampling_.least_words()) return samples_;
  HashGrams(words);
  const size_t window = sampling_.window;
  size_t least = 0;
  for (size_t end = 0; end < grams_.size(); ++end) {
    if (end >= window && least + window == end) {
      least = end;
      for (size_t i = end; i-- > end + 1 - window;) least = grams_[i] < grams_[least] ? i : least;
    } else if (grams_[end] <= grams_[least]) {
      least = end;
    }
    if (end + 1 < window) continue;
    if (samples_.empty() || samples_.back().word != least) {
      samples_.push_back({grams_[least], static_cast<uint32_t>(least)});
    }
  }
  return samples_;
}

}  // namespace lookalike
