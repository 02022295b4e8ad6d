#include "index/index_keys.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "index/encoding.h"
#include "index/store.h"
#include "measures/code_agreement.h"
#include "measures/threshold.h"

namespace lookalike {
namespace {

constexpr size_t kMostCodes = kPostingPrefix - 1;
/// By the number of codes of a key: so many keys are worth it, because longer keys bring together
/// fewer documents that are not alike. One byte is the number of a band.
constexpr std::array<uint32_t, kMostCodes + 1> kMostKeys = {0, 128, 64, 40, 20, 16};
constexpr char kFeatureTag = '\x82';  // above every band

/// Returns how many keys are needed for the recall.
double NeededKeys(double threshold, double recall, size_t codes) {
  const double agree = std::pow(CodeAgreement(threshold), static_cast<double>(codes));
  if (agree >= 1) return 1;
  return std::ceil(std::log1p(-recall) / std::log1p(-agree));
}

/// Returns how many of a set's features, in any fixed order, a similar set must share one of.
uint64_t PrefixOf(uint64_t size, double threshold) {
  uint64_t common = 1;
  while (common < size && !MeetsThreshold(common, size, common, threshold)) ++common;
  return size - common + 1;
}

}  // namespace

Result<BandDesign> PlanBands(double threshold, double recall, uint32_t width) {
  for (size_t codes = kMostCodes; codes > 0; --codes) {
    const double keys = NeededKeys(threshold, recall, codes);
    if (keys > kMostKeys[codes] || keys * static_cast<double>(codes) > width) continue;
    return BandDesign{static_cast<uint32_t>(keys), static_cast<uint32_t>(codes)};
  }
  return OptionError(
      "an index cannot reach this $<recall> at this $<threshold>; raise the threshold, or lower "
      "the "
      "recall");
}

std::vector<std::string> IndexKeys::KeysOf(const KeyedDocument& document) const {
  std::vector<std::string> keys;
  if (contained_) {
    for (const uint64_t sample : contained_->SamplesOf(document.features)) {
      keys.push_back(ContainedKeys::HeldKey(sample));
    }
    return keys;
  }
  if (document.searched == SearchedBy::kKeys) {
    for (uint32_t band = 0; band < bands_.keys; ++band) {
      std::string key(1, static_cast<char>(band));
      key += document.codes.substr(static_cast<size_t>(band) * bands_.codes, bands_.codes);
      key.resize(kPostingPrefix, '\0');
      keys.push_back(std::move(key));
    }
  }
  if (!NeedsFeatures(document.searched, document.size)) return keys;
  const uint64_t prefix = PrefixOf(document.size, threshold_);
  for (uint64_t i = 0; i < prefix && i < document.features.size(); ++i) {
    keys.push_back(TaggedKey(kFeatureTag, document.features[i]));
  }
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

std::vector<std::string> IndexKeys::LookKeysOf(std::span<const uint64_t> features) const {
  std::vector<std::string> keys;
  if (!contained_) return keys;
  for (const uint64_t sample : contained_->LooksOf(features).samples) {
    keys.push_back(ContainedKeys::LookKey(sample));
  }
  return keys;
}

std::string IndexKeys::Name() const {
  if (contained_) {
    const uint64_t one_in = contained_->one_in();
    return one_in == 1 ? "all features" : "one in " + std::to_string(one_in) + " features";
  }
  return std::to_string(bands_.keys) + " keys of " + std::to_string(bands_.codes) + " codes";
}

}  // namespace lookalike
