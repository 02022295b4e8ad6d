#include "fingerprint/rabin_shingles.h"

namespace lookalike {
namespace {

constexpr uint32_t kDegree = 64;
constexpr size_t kTabledShifts = 1024;  // bytes; nearly all shingles are shorter

}  // namespace

RabinShingles::RabinShingles(uint64_t seed) : function_(RandomIrreducible(kDegree, seed)) {
  shifts_.resize(kTabledShifts, 1);
  for (size_t i = 1; i < shifts_.size(); ++i) shifts_[i] = function_.Push(shifts_[i - 1], 0);
}

void RabinShingles::Clear() {
  through_.clear();
  before_.assign(1, 1);  // of the empty text, with 1 added
  begins_.assign(1, 0);
}

void RabinShingles::Add(std::string_view unit) {
  through_.push_back(function_.Extend(before_.back() ^ 1, unit));
  before_.push_back(function_.Push(through_.back(), kSeparator) ^ 1);
  begins_.push_back(begins_.back() + unit.size() + 1);
}

// With B before and A = B ◆ W through the run W: f(A) = f(B) t^|W| + f(W), and f(1 ◆ W) =
// t^|W| + f(W) = (f(B) + 1) t^|W| + f(A).
void RabinShingles::Fingerprints(size_t window, uint64_t* out) {
  const size_t count = units() - window + 1;
  factors_.resize(count);
  for (size_t i = 0; i < count; ++i) factors_[i] = ShiftOf(begins_[i + window] - 1 - begins_[i]);
  function_.MultiplyAdd(before_.data(), factors_.data(), through_.data() + window - 1, count, out);
}

}  // namespace lookalike
