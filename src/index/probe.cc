#include "index/probe.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "index/documents.h"
#include "stages/sketch/sketch.h"

namespace lookalike {

namespace {

/// Makes a document's guards part of its features, and of all that is made from them.
void TakeGuards(const GuardWords& words, Sketcher* sketcher, Probe* probe) {
  probe->guards = words;
  probe->hash = MaskClass(probe->hash, words);
  probe->features = MaskFeatures(std::move(probe->features), words);
  if (probe->searched != SearchedBy::kKeys) return;
  MakeCodes(sketcher->Run(probe->features), reinterpret_cast<uint8_t*>(probe->codes.data()));
}

}  // namespace

Result<std::vector<Probe>> ProbesOf(const IndexRules& rules,
                                    std::span<const std::string_view> texts,
                                    std::span<const GuardWords> words) {
  std::vector<Probe> probes(texts.size());
  if (texts.empty()) return probes;
  LOOKALIKE_ASSIGN_OR_RETURN(const Extracted rows, rules.engine.Extract(texts));
  const size_t width = rules.engine.code_bytes();
  Sketcher sketcher({});  // an index has no other sketch
  for (size_t i = 0; i < texts.size(); ++i) {
    Probe& probe = probes[i];
    const auto begin = rows.sets.features.begin();
    probe.features.assign(begin + rows.sets.offsets[i], begin + rows.sets.offsets[i + 1]);
    probe.size = probe.features.size();
    probe.searched = rows.searched[i];
    std::memcpy(&probe.hash.low, rows.hashes.data() + 16 * i, sizeof(uint64_t));
    std::memcpy(&probe.hash.high, rows.hashes.data() + 16 * i + 8, sizeof(uint64_t));
    probe.text_hash = rows.text_hashes[i];
    if (probe.searched == SearchedBy::kKeys) {
      probe.codes.assign(reinterpret_cast<const char*>(rows.codes.data()) + i * width, width);
    }
    if (!words.empty()) TakeGuards(words[i], &sketcher, &probe);
  }
  return probes;
}

Result<std::vector<Probe>> ProbesOfGuarded(const IndexRules& rules,
                                           std::span<const GuardedText> texts) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto words, rules.guards.WordsOf(texts));
  std::vector<std::string_view> known;
  for (const GuardedText& one : texts) known.push_back(one.text);
  return ProbesOf(rules, known, words);
}

bool Deviations::IsNew(uint64_t root) {
  if (std::find(roots_.begin(), roots_.end(), root) != roots_.end()) return false;
  roots_.push_back(root);
  return true;
}

std::vector<std::string> Deviations::KeysOf(const Profile& profile) {
  if (coordinates_.empty()) {
    Sketcher sketcher({});  // an index has no other sketch
    const auto sketch = sketcher.Run(probe_.features);
    coordinates_.assign(sketch.begin(), sketch.end());
  }
  return DeviationKeys(profile, probe_.codes, coordinates_);
}

Result<Probe> ProbeOf(const IndexRules& rules, const StoreView& view, DocumentNumber number,
                      const DocumentRecord& record) {
  Probe probe{record.searched, record.hash, record.text_hash, record.codes, {}, record.features};
  probe.deviations = record.deviations;
  probe.guards = record.guards;
  if (rules.KeepsSet(record.searched, record.features)) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto first, FirstOfClass(view, record.hash));
    LOOKALIKE_ASSIGN_OR_RETURN(probe.features, ReadSet(view, first.value_or(number), record));
  } else if (rules.settings.kept == Kept::kText) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto text, view.Get(Family::kTexts, EncodeNumber(number)));
    if (!text) return DamagedError(number, "its text is missing");
    const std::string_view known = *text;
    LOOKALIKE_ASSIGN_OR_RETURN(auto probes, ProbesOf(rules, {&known, 1}, WordsOfRecord(record)));
    probe.features = std::move(probes[0].features);
  }
  return probe;
}

}  // namespace lookalike
