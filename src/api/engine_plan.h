// Defines what an Engine holds, and helpers that its functions share.
#ifndef LOOKALIKE_API_ENGINE_PLAN_H_
#define LOOKALIKE_API_ENGINE_PLAN_H_

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/engine.h"
#include "lookalike/fingerprint.h"
#include "run/cancel_check.h"
#include "run/job.h"
#include "run/pair_guards.h"
#include "stages/candidates/buckets.h"

namespace lookalike {

struct Engine::Plan {
  Job job;
  Fingerprinter fingerprinter;
  std::string design;
  size_t threads = 1;
  PairScope scope = {};

  /// Returns the number of words of a document.
  [[nodiscard]] size_t words() const { return job.choices.guards.words(); }
};

/// Returns the words of a row, of which each has `width`.
inline std::span<const uint64_t> WordsAt(std::span<const uint64_t> words, size_t width,
                                         uint64_t row) {
  return words.subspan(row * width, width);
}

/// Memory for the codes of one task of the join.
inline constexpr uint64_t kCodeMemory = uint64_t{16} << 20;

/// Returns an Error if a column has not as many values as it needs.
inline Status CheckSize(size_t size, size_t needed, std::string_view name) {
  if (size == needed) return {};
  return UsageError("the column " + std::string(name) + " has " + std::to_string(size) +
                    " values, expected " + std::to_string(needed));
}

/// True if the offsets cut `size` values into rows: they ascend and stay within the values.
inline bool AreOffsets(std::span<const int64_t> offsets, uint64_t size) {
  return !offsets.empty() && offsets.front() >= 0 &&
         std::is_sorted(offsets.begin(), offsets.end()) &&
         static_cast<uint64_t>(offsets.back()) <= size;
}

/// Returns an Error if the join has no such level.
inline Status CheckLevel(const Engine& engine, uint32_t level) {
  if (level < engine.levels()) return {};
  return UsageError("level " + std::to_string(level) + " does not exist: the join has " +
                    std::to_string(engine.levels()) + " levels, numbered from 0");
}

/// Returns hash `i` of a column of them.
inline StreamHash HashAt(std::span<const uint8_t> hashes, size_t i) {
  StreamHash hash;
  const uint8_t* const bytes = hashes.data() + i * sizeof(StreamHash);
  std::memcpy(&hash.low, bytes, sizeof(hash.low));
  std::memcpy(&hash.high, bytes + sizeof(hash.low), sizeof(hash.high));
  return hash;
}

/// Puts hash `i` into a column of them.
inline void PutHash(const StreamHash& hash, size_t i, std::span<uint8_t> hashes) {
  uint8_t* const bytes = hashes.data() + i * sizeof(StreamHash);
  std::memcpy(bytes, &hash.low, sizeof(hash.low));
  std::memcpy(bytes + sizeof(hash.low), &hash.high, sizeof(hash.high));
}

/// Returns an Error if the offsets do not cut the features into sets.
inline Status CheckSets(std::span<const uint64_t> features, std::span<const int64_t> offsets) {
  if (AreOffsets(offsets, features.size())) return {};
  return UsageError(
      "the offsets of the feature sets must ascend and stay within the features; pass the columns "
      "as they were extracted");
}

/// Returns one of the sets that the offsets cut the features into.
inline std::span<const uint64_t> SetOf(std::span<const uint64_t> features,
                                       std::span<const int64_t> offsets, uint64_t row) {
  const auto begin = static_cast<size_t>(offsets[row]);
  return features.subspan(begin, static_cast<size_t>(offsets[row + 1]) - begin);
}

/// Returns the feature set of a row.
inline std::span<const uint64_t> SetOf(const ExtractedView& rows, uint64_t document) {
  return SetOf(rows.features, rows.offsets, document);
}

/// A sink that collects what a join finds.
class HeldResults : public JoinSink {
 public:
  explicit HeldResults(const Observer& observer) : cancel_(observer) {}

  Status AddPairs(std::span<const CandidatePair> some) override {
    pairs.insert(pairs.end(), some.begin(), some.end());
    return {};
  }
  Status AddRefined(std::span<const KeyRecord> records) override {
    refined.insert(refined.end(), records.begin(), records.end());
    return {};
  }
  Status CheckStop() override { return cancel_.status(); }

  std::vector<CandidatePair> pairs;
  std::vector<KeyRecord> refined;

 private:
  CancelCheck cancel_;
};

inline PairColumns ColumnsOf(std::span<const CandidatePair> pairs) {
  PairColumns columns;
  columns.a.reserve(pairs.size());
  columns.d.reserve(pairs.size());
  for (const CandidatePair& pair : pairs) {
    columns.a.push_back(pair.a);
    columns.d.push_back(pair.d);
  }
  return columns;
}

}  // namespace lookalike

#endif  // LOOKALIKE_API_ENGINE_PLAN_H_
