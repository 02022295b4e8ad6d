// The features of documents with several texts: each has the number of its field in its top bits.
// So the features of all fields of a document are one set, which every step can treat as any other
// set, and whose features of one field stand together.
#ifndef LOOKALIKE_MEASURES_FIELD_FEATURES_H_
#define LOOKALIKE_MEASURES_FIELD_FEATURES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lookalike {

inline constexpr unsigned kFieldShift = 61;  // three bits: eight fields

/// The text fields in which two documents must be alike.
enum class FieldRule : uint8_t {
  kAll,  ///< In each.
  kAny,  ///< In one at least.
};

/// Returns the feature of a field. Two features of a field stay different with the probability of
/// hashes of 61 bits.
constexpr uint64_t FeatureOfField(uint64_t feature, size_t field) {
  constexpr uint64_t kRest = (uint64_t{1} << kFieldShift) - 1;
  return (feature & kRest) | (uint64_t{field} << kFieldShift);
}

/// Returns the field that a feature is of.
constexpr size_t FieldOf(uint64_t feature) { return feature >> kFieldShift; }

/// Calls `use(field, its part of the features)` for fields 0 to `fields` - 1. REQUIRES: the
/// features stand in the order of their fields, as in a set and in a stream of features.
template <class Use>
void ForEachField(std::span<const uint64_t> features, size_t fields, Use&& use) {
  auto begin = features.begin();
  for (size_t field = 0; field < fields; ++field) {
    const auto end = std::partition_point(
        begin, features.end(), [&](uint64_t feature) { return FieldOf(feature) <= field; });
    use(field, std::span<const uint64_t>(begin, end));
    begin = end;
  }
}

/// Returns the features of one field. REQUIRES: as ForEachField.
inline std::span<const uint64_t> PartOfField(std::span<const uint64_t> features, size_t field) {
  const auto begin = std::partition_point(
      features.begin(), features.end(), [&](uint64_t feature) { return FieldOf(feature) < field; });
  const auto end = std::partition_point(
      begin, features.end(), [&](uint64_t feature) { return FieldOf(feature) <= field; });
  return {begin, end};
}

}  // namespace lookalike

#endif  // LOOKALIKE_MEASURES_FIELD_FEATURES_H_
