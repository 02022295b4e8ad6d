// A document that the documents of an index are compared with.
#ifndef LOOKALIKE_INDEX_PROBE_H_
#define LOOKALIKE_INDEX_PROBE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/encoding.h"
#include "index/hot_keys.h"
#include "index/index_guards.h"
#include "index/rules.h"
#include "index/store.h"

namespace lookalike {

/// A document that others are compared with: a text, or a stored one.
struct Probe {
  SearchedBy searched = SearchedBy::kNothing;
  ClassHash hash;
  uint64_t text_hash = 0;
  std::string codes;                         ///< Empty unless it is searched by keys.
  std::vector<uint64_t> features;            ///< Empty if only codes are known.
  uint64_t size = 0;                         ///< How many features there are.
  std::vector<std::string> deviations = {};  ///< The stored ones; used if features are not known.
  std::optional<GuardWords> guards = {};     ///< Only in an index with guards.
};

/// Returns what is compared of each text. In an index with guards, `words` has those of each text;
/// otherwise it is empty.
Result<std::vector<Probe>> ProbesOf(const IndexRules& rules,
                                    std::span<const std::string_view> texts,
                                    std::span<const GuardWords> words = {});

/// Returns the same for texts that come from outside.
Result<std::vector<Probe>> ProbesOfGuarded(const IndexRules& rules,
                                           std::span<const GuardedText> texts);

/// Returns what is compared of a stored document; without features, if none are kept.
Result<Probe> ProbeOf(const IndexRules& rules, const StoreView& view, DocumentNumber number,
                      const DocumentRecord& record);

/// Returns the parts of a probe that keys are made of.
inline KeyedDocument KeyedPart(const Probe& probe) {
  return {probe.searched, probe.codes, probe.features, probe.size};
}

/// Makes the keys of a document's deviations from profiles (hot_keys.h). Most documents have none,
/// so that coordinates are made when the first ones are asked for.
class Deviations {
 public:
  /// The probe outlives this object.
  explicit Deviations(const Probe& probe) : probe_(probe) {}

  /// True if they can be made: the features are known.
  [[nodiscard]] bool AreKnown() const { return !probe_.features.empty(); }

  /// Returns true at the first call with this root.
  [[nodiscard]] bool IsNew(uint64_t root);

  /// As DeviationKeys(). REQUIRES: AreKnown(), and the probe is searched by keys.
  std::vector<std::string> KeysOf(const Profile& profile);

 private:
  const Probe& probe_;
  std::vector<uint64_t> roots_;
  std::vector<uint32_t> coordinates_;  // the whole ones behind the codes
};

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_PROBE_H_
