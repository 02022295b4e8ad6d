#include "uses/filter/filter_memory.h"

#include <fmt/format.h>

#include <utility>

namespace lookalike {
namespace {

/// Maximum number of documents in memory before they are written to a file: a table takes up to
/// some hundred bytes for each.
constexpr uint64_t kMostFresh = 8192;

/// Returns everything that decides the answers of a filter.
std::string SettingsOf(const Job& job) {
  return fmt::format("fingerprint {} seed {} min-features {} sketch {} design {} bits {} {}",
                     kFingerprintVersion, job.options.seed, job.options.LeastFeatures(),
                     FilterSketchName(job), job.DesignName(), job.design->bits, job.FeaturesName());
}

}  // namespace

std::string FilterSketchName(const Job& job) {
  const KeptSketch kept = job.Kept();
  if (kept.sample)
    return fmt::format("{} of {}", ToString(kept.KeySketch()), ToString(*kept.sample));
  if (kept.bits == kWholeCoordinate && kept.HasKeys()) return ToString(kept.sketch);
  const std::string whole = fmt::format("{} with {} bits", ToString(kept.sketch), kept.bits);
  return kept.HasKeys() ? whole : fmt::format("{} of {}", ToString(kept.KeySketch()), whole);
}

FilterMemory::FilterMemory(std::unique_ptr<const SegmentShape> shape, const Design& design,
                           std::string settings, FilterStore store, bool writes, bool ask_only)
    : shape_(std::move(shape)),
      settings_(std::move(settings)),
      maker_(design, design.bits),
      store_(std::move(store)),
      writes_(writes),
      ask_only_(ask_only),
      asked_(store_.asked()),
      fresh_(design, design.bits) {}

Result<FilterMemory> FilterMemory::Open(const Job& job, FilterPlace place, FileSystem& files) {
  auto shape = std::make_unique<const SegmentShape>(*job.design, job.design->bits);
  std::string settings = SettingsOf(job);
  const bool ask_only = place.ask_only, writes = !place.state.empty() && !ask_only;
  LOOKALIKE_ASSIGN_OR_RETURN(FilterStore store,
                             FilterStore::Open(*shape, settings, std::move(place), files));
  return FilterMemory(std::move(shape), *job.design, std::move(settings), std::move(store), writes,
                      ask_only);
}

Status FilterMemory::TakeOver(const StoredFilter& stored) {
  if (stored.settings != settings_) {
    return UsageError("is the state of a filter with different options (" + stored.settings +
                      "; this run uses " + settings_ +
                      "); pass the same options, or use another $<state>");
  }
  if (stored.record_bytes != fresh_.record_bytes()) {
    return CorruptError("cannot be read as the state of a filter: its records have a wrong length");
  }
  const std::span<const std::byte> all(stored.records);
  uint64_t begin = 0;
  for (size_t i = 0; i < stored.id_ends.size(); ++i) {
    const uint64_t end = stored.id_ends[i];
    LOOKALIKE_RETURN_IF_ERROR(Remember(all.subspan(i * stored.record_bytes, stored.record_bytes),
                                       std::string_view(stored.ids).substr(begin, end - begin)));
    begin = end;
  }
  asked_ = stored.asked;
  return {};
}

Result<std::optional<std::string>> FilterMemory::Ask(std::span<const std::byte> record,
                                                     std::string_view id) {
  ++asked_;
  if (record.empty()) return std::optional<std::string>();
  if (const auto number = store_.Find(record)) {
    LOOKALIKE_ASSIGN_OR_RETURN(std::string like, store_.IdOf(*number));
    return std::optional(std::move(like));
  }
  if (const auto number = fresh_.Find(record)) {
    const uint64_t begin = *number == 0 ? 0 : id_ends_[*number - 1];
    return std::optional(ids_.substr(begin, id_ends_[*number] - begin));
  }
  if (!ask_only_) LOOKALIKE_RETURN_IF_ERROR(Remember(record, id));
  return std::optional<std::string>();
}

Status FilterMemory::Remember(std::span<const std::byte> record, std::string_view id) {
  fresh_.Remember(record);
  ids_ += id;
  id_ends_.push_back(ids_.size());
  return id_ends_.size() < kMostFresh ? Status() : Flush();
}

Status FilterMemory::Flush() {
  if (id_ends_.empty()) return {};
  LOOKALIKE_RETURN_IF_ERROR(store_.Add({fresh_.records(), id_ends_, ids_}));
  fresh_.Clear();
  ids_.clear();
  id_ends_.clear();
  return {};
}

Status FilterMemory::Commit() {
  if (!writes_) return {};
  LOOKALIKE_RETURN_IF_ERROR(Flush());
  return store_.Commit(asked_);
}

}  // namespace lookalike
