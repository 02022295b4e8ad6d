#include "spill/columns.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "spill/run_store.h"

namespace lookalike {
namespace {

constexpr uint64_t kGap = uint64_t{16} << 10;        ///< Reading this much is cheaper than a call.
constexpr uint32_t kMostRead = uint32_t{256} << 10;  ///< Bytes of one read through the buffer.

struct ByteRange {
  uint64_t begin, end;
};

/// A copier of ascending ranges of a stream, back to back; ranges that are close together are read
/// at once.
class RangeCopier {
 public:
  explicit RangeCopier(std::byte* out) : out_(out) {}

  Status Add(const Run& run, uint32_t stream, ByteRange range) {
    if (range.begin == range.end) return {};
    if (!Joins(run, stream, range)) {
      LOOKALIKE_RETURN_IF_ERROR(Flush());
      run_ = &run;
      stream_ = stream;
      all_ = range;
      adjacent_ = true;
    } else {
      adjacent_ = adjacent_ && range.begin == all_.end;
      all_.end = std::max(all_.end, range.end);
    }
    ranges_.push_back(range);
    return {};
  }

  /// Copies the added ranges. Must be called after the last range.
  Status Flush() {
    if (ranges_.empty()) return {};
    const size_t length = all_.end - all_.begin;
    if (adjacent_) {
      LOOKALIKE_RETURN_IF_ERROR(run_->Read(stream_, all_.begin, std::span(out_, length)));
      out_ += length;
    } else {
      if (buffer_ == nullptr) buffer_ = std::make_unique_for_overwrite<std::byte[]>(kMostRead);
      LOOKALIKE_RETURN_IF_ERROR(run_->Read(stream_, all_.begin, std::span(buffer_.get(), length)));
      for (const ByteRange& range : ranges_) {
        std::memcpy(out_, buffer_.get() + (range.begin - all_.begin), range.end - range.begin);
        out_ += range.end - range.begin;
      }
    }
    ranges_.clear();
    return {};
  }

 private:
  /// True if a range is read together with the ranges before it.
  bool Joins(const Run& run, uint32_t stream, ByteRange range) const {
    if (ranges_.empty() || run_ != &run || stream_ != stream) return false;
    if (adjacent_ && range.begin == all_.end) return true;
    if (run.in_memory() || range.begin > all_.end + kGap) return false;
    return std::max(all_.end, range.end) - all_.begin <= kMostRead;
  }

  std::byte* out_;
  const Run* run_ = nullptr;
  uint32_t stream_ = 0;
  ByteRange all_ = {};    ///< From the first added range to the last one.
  bool adjacent_ = true;  ///< The ranges leave no gap and do not overlap.
  std::vector<ByteRange> ranges_;
  std::unique_ptr<std::byte[]> buffer_;
};

Status NotInColumn() {
  return BugError("position is not in the column; this is a bug in lookalike");
}

/// Calls `visit(part, position within it)` for every position, until an Error.
template <class Part, class Visit>
Status ForEachPlace(const std::vector<Part>& parts, std::span<const uint64_t> positions,
                    Visit&& visit) {
  auto part = parts.begin();
  for (const uint64_t position : positions) {
    if (part == parts.end() || position - part->first >= part->count) {
      const auto next = std::upper_bound(part, parts.end(), position,
                                         [](uint64_t at, const Part& p) { return at < p.first; });
      if (next == parts.begin()) return NotInColumn();
      part = std::prev(next);
      if (position - part->first >= part->count) return NotInColumn();
    }
    LOOKALIKE_RETURN_IF_ERROR(visit(*part, position - part->first));
  }
  return {};
}

/// Returns a run of some streams of a run, in memory if it has room.
Result<RunPointer> CopyStreams(const Run& run, const std::vector<uint32_t>& streams,
                               RunStore* store) {
  const auto buffer = std::make_unique_for_overwrite<std::byte[]>(kMostRead);
  const auto writer = store->Temporary(static_cast<uint32_t>(streams.size()), kMostRead);
  for (uint32_t to = 0; to < streams.size(); ++to) {
    const uint64_t bytes = run.bytes(streams[to]);
    for (uint64_t at = 0; at < bytes; at += kMostRead) {
      const std::span piece(buffer.get(), std::min<uint64_t>(kMostRead, bytes - at));
      LOOKALIKE_RETURN_IF_ERROR(run.Read(streams[to], at, piece));
      LOOKALIKE_RETURN_IF_ERROR(writer->Append(to, piece));
    }
  }
  return writer->Finish();
}

}  // namespace

void FixedColumn::AddPart(RunPointer run, uint32_t stream, uint64_t count) {
  if (count == 0) return;
  parts_.push_back({std::move(run), stream, size_, count});
  size_ += count;
}

Status FixedColumn::Gather(std::span<const uint64_t> positions, std::byte* out) const {
  if (held_ != nullptr) {
    for (const uint64_t position : positions) {
      if (position >= size_) return NotInColumn();
      std::memcpy(out, held_->bytes().data() + position * width_, width_);
      out += width_;
    }
    return {};
  }
  RangeCopier copier(out);
  LOOKALIKE_RETURN_IF_ERROR(
      ForEachPlace(parts_, positions, [&](const Part& part, uint64_t at) -> Status {
        return copier.Add(*part.run, part.stream, {at * width_, (at + 1) * width_});
      }));
  return copier.Flush();
}

Status FixedColumn::MoveToMemory(RunStore* store) {
  if (held_ != nullptr) return {};
  HeldBytes held = store->TryHold(size_ * width_);
  if (held.bytes().empty()) return {};
  for (const Part& part : parts_) {
    const auto to = held.bytes().subspan(part.first * width_, part.count * width_);
    LOOKALIKE_RETURN_IF_ERROR(part.run->Read(part.stream, 0, to));
  }
  held_ = std::make_shared<HeldBytes>(std::move(held));
  parts_.clear();
  return {};
}

void VariableColumn::AddPart(RunPointer run, uint32_t ends, uint32_t bytes, uint64_t count) {
  if (count == 0) return;
  parts_.push_back({std::move(run), ends, bytes, size_, count});
  size_ += count;
}

Status VariableColumn::MoveToMemory(RunStore* store) {
  uint64_t bytes = 0;
  for (const Part& part : parts_) {
    if (part.run->in_memory()) continue;
    // With the rest of the last chunk of each stream, so that no copy becomes a file.
    bytes += part.run->bytes(part.ends) + part.run->bytes(part.bytes) + uint64_t{2} * kMostRead;
  }
  if (!store->HasRoomToHold(bytes)) return {};
  for (Part& part : parts_) {
    if (part.run->in_memory()) continue;
    LOOKALIKE_ASSIGN_OR_RETURN(part.run, CopyStreams(*part.run, {part.ends, part.bytes}, store));
    part.ends = 0;
    part.bytes = 1;
  }
  return {};
}

size_t VariableColumn::IndexOfPart(uint64_t first) const {
  const auto at = std::lower_bound(parts_.begin(), parts_.end(), first,
                                   [](const Part& part, uint64_t f) { return part.first < f; });
  return static_cast<size_t>(at - parts_.begin());
}

RunPointer VariableColumn::PartAt(uint64_t first) const {
  const size_t index = IndexOfPart(first);
  return index < parts_.size() && parts_[index].first == first ? parts_[index].run : nullptr;
}

void VariableColumn::ReplacePart(uint64_t first, RunPointer run) {
  parts_[IndexOfPart(first)].run = std::move(run);
}

Status VariableColumn::Places(std::span<const uint64_t> positions,
                              std::vector<Place>* places) const {
  // A value begins where the previous value ends, except the first value of a part.
  std::vector<uint64_t> ends(2 * positions.size());
  RangeCopier copier(reinterpret_cast<std::byte*>(ends.data()));
  LOOKALIKE_RETURN_IF_ERROR(
      ForEachPlace(parts_, positions, [&](const Part& part, uint64_t at) -> Status {
        const uint64_t first = at == 0 ? 0 : at - 1;
        return copier.Add(*part.run, part.ends,
                          {first * sizeof(uint64_t), (at + 1) * sizeof(uint64_t)});
      }));
  LOOKALIKE_RETURN_IF_ERROR(copier.Flush());

  places->clear();
  places->reserve(positions.size());
  const uint64_t* next = ends.data();
  return ForEachPlace(parts_, positions, [&](const Part& part, uint64_t at) -> Status {
    const uint64_t begin = at == 0 ? 0 : *next++;
    const uint64_t end = *next++;
    if (begin > end || end > part.run->bytes(part.bytes)) {
      return BugError("the ends of a column's values do not ascend; this is a bug in lookalike");
    }
    places->push_back({&part, begin, end});
    return {};
  });
}

Status VariableColumn::Lengths(std::span<const uint64_t> positions,
                               std::vector<uint64_t>* lengths) const {
  std::vector<Place> places;
  LOOKALIKE_RETURN_IF_ERROR(Places(positions, &places));
  lengths->clear();
  lengths->reserve(places.size());
  for (const Place& place : places) lengths->push_back(place.end - place.begin);
  return {};
}

Status VariableColumn::Gather(std::span<const uint64_t> positions, GatheredValues* out) const {
  std::vector<Place> places;
  LOOKALIKE_RETURN_IF_ERROR(Places(positions, &places));
  return CopyTo(places, out);
}

Status VariableColumn::GatherPieces(std::span<const uint64_t> positions, uint64_t offset,
                                    uint64_t most, GatheredValues* out,
                                    std::vector<uint64_t>* left) const {
  std::vector<Place> places;
  LOOKALIKE_RETURN_IF_ERROR(Places(positions, &places));
  if (left != nullptr) left->clear();
  for (Place& place : places) {
    place.begin += std::min(offset, place.end - place.begin);
    const uint64_t taken = std::min(most, place.end - place.begin);
    if (left != nullptr) left->push_back(place.end - place.begin - taken);
    place.end = place.begin + taken;
  }
  return CopyTo(places, out);
}

Status VariableColumn::Gather(std::span<const uint64_t> positions, std::byte* out) const {
  std::vector<Place> places;
  LOOKALIKE_RETURN_IF_ERROR(Places(positions, &places));
  return Copy(places, out);
}

Status VariableColumn::CopyTo(const std::vector<Place>& places, GatheredValues* out) {
  out->begin.assign(1, 0);
  out->begin.reserve(places.size() + 1);
  for (const Place& place : places) {
    out->begin.push_back(out->begin.back() + (place.end - place.begin));
  }
  out->bytes.resize(out->begin.back());
  return Copy(places, out->bytes.data());
}

Status VariableColumn::Copy(const std::vector<Place>& places, std::byte* out) {
  RangeCopier copier(out);
  for (const Place& place : places) {
    LOOKALIKE_RETURN_IF_ERROR(
        copier.Add(*place.part->run, place.part->bytes, {place.begin, place.end}));
  }
  return copier.Flush();
}

}  // namespace lookalike
