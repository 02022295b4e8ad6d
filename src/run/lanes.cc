#include "run/lanes.h"

#include <algorithm>

#include "stages/input/reader.h"

namespace lookalike {
namespace {

/// Maximum number of inputs in a lane: the facts about their files are held in memory.
constexpr uint32_t kMostInputs = 1 << 12;

/// Plain bytes that a byte of a compressed file, or of columns, holds, roughly: such files are put
/// together by the work that they are.
constexpr uint64_t kPackedBytes = 4;

/// Lanes that the inputs are divided into if that makes none too small or too large (decision 57).
constexpr uint64_t kManyLanes = 256;
constexpr uint64_t kLeastLaneBytes = uint64_t{16} << 20, kMostLaneBytes = uint64_t{64} << 20;

/// Batches that one lane needs, so that one is read while another is worked on.
constexpr size_t kLeastBatches = 2;

/// Puts whole inputs together.
class WholeInputs {
 public:
  WholeInputs(uint64_t most, std::vector<Lane>* lanes) : most_(most), lanes_(*lanes) {}

  /// Adds an input of `size` plain bytes to the last lane, or to a new one.
  void Add(uint32_t input, uint64_t size) {
    const bool fits = !lanes_.empty() && !lanes_.back().is_part() && bytes_ + size <= most_ &&
                      input - lanes_.back().first < kMostInputs;
    if (!fits) {
      lanes_.push_back({input, input});
      bytes_ = 0;
    }
    lanes_.back().end = input + 1;
    bytes_ += size;
  }

 private:
  uint64_t most_;
  std::vector<Lane>& lanes_;
  uint64_t bytes_ = 0;  // of the last lane
};

/// True if the places at which an input can be cut are not a function of its size.
bool MustBeOpenedToCut(const InputList& inputs, uint32_t input, uint64_t bytes) {
  return inputs.FormatOf(input) == Format::kParquet && inputs.SizeOf(input) >= 2 * bytes;
}

/// Returns about the plain bytes of an input.
uint64_t PlainBytes(const InputList& inputs, uint32_t input) {
  const bool packed =
      inputs.CodecOf(input) != Codec::kNone || LayoutOf(inputs.FormatOf(input)) == Layout::kTable;
  return inputs.SizeOf(input) * (packed ? kPackedBytes : 1);
}

}  // namespace

uint64_t LaneBytesOf(const InputList& inputs) {
  uint64_t bytes = 0;
  for (uint32_t input = 0; input < inputs.size(); ++input) bytes += PlainBytes(inputs, input);
  return std::clamp(bytes / kManyLanes, kLeastLaneBytes, kMostLaneBytes);
}

InputCuts FindCuts(const InputList& inputs, uint64_t bytes) {
  InputCuts cuts;
  for (uint32_t input = 0; input < inputs.size(); ++input) {
    if (!MustBeOpenedToCut(inputs, input, bytes)) continue;
    if (auto places = CutPlaces(inputs[input], bytes); !places.empty()) {
      cuts[input] = std::move(places);
    }
  }
  return cuts;
}

std::vector<Lane> CutIntoLanes(const InputList& inputs, uint64_t bytes, const InputCuts& cuts) {
  std::vector<Lane> lanes;
  WholeInputs whole(bytes, &lanes);
  for (uint32_t input = 0; input < inputs.size(); ++input) {
    std::vector<uint64_t> places;
    if (MustBeOpenedToCut(inputs, input, bytes)) {
      if (const auto found = cuts.find(input); found != cuts.end()) places = found->second;
    } else if (inputs.SizeOf(input) >= 2 * bytes) {
      places = CutPlaces(inputs[input], bytes);
    }
    if (places.empty()) {
      whole.Add(input, PlainBytes(inputs, input));
      continue;
    }
    uint64_t from = 0;
    for (const uint64_t place : places) {
      lanes.push_back({input, input + 1, from, place});
      from = place;
    }
    lanes.push_back({input, input + 1, from, UINT64_MAX});
  }
  return lanes;
}

uint64_t LaneBytes(uint64_t lane_bytes, uint64_t shard) {
  if (shard == 0) return lane_bytes;
  if (shard <= lane_bytes) return lane_bytes / shard * shard;
  const uint64_t lanes = shard / lane_bytes + (shard % lane_bytes != 0 ? 1 : 0);
  return shard / lanes;
}

std::vector<Lane> GroupIntoLanes(const InputList& inputs, uint32_t first, uint64_t bytes) {
  std::vector<Lane> lanes;
  WholeInputs whole(bytes, &lanes);
  for (uint32_t input = first; input < inputs.size(); ++input) {
    whole.Add(input, PlainBytes(inputs, input));
  }
  return lanes;
}

std::vector<WriteInputs> GroupForWriting(const InputList& inputs, uint32_t first,
                                         std::span<const Lane> read, uint64_t bytes,
                                         uint64_t shard) {
  const size_t lanes_of_shard = std::max<uint64_t>(1, shard / bytes);
  std::vector<WriteInputs> lanes;
  size_t cut = 0;
  for (const Lane& lane : GroupIntoLanes(inputs, first, bytes)) {
    while (cut != read.size() && (read[cut].first < lane.first || !read[cut].is_part())) ++cut;
    const size_t begin = cut;
    while (cut != read.size() && read[cut].first == lane.first && shard != 0) ++cut;
    if (begin == cut) lanes.push_back({lane});
    for (size_t part = begin; part < cut; part += lanes_of_shard) {
      lanes.push_back({{}, part, std::min(part + lanes_of_shard, cut)});
    }
  }
  return lanes;
}

LaneShare ShareBatches(size_t lanes, const MemoryPlan& memory) {
  const size_t threads = memory.asked_threads;
  const size_t at_once = std::min({lanes, threads, memory.batches / kLeastBatches});
  if (at_once <= 1) return {1, memory.batches, memory.ahead, memory.waiting};
  // Where every thread has a lane, none does the work of another.
  if (at_once == threads) return {at_once, memory.batches / at_once};
  return {at_once, memory.batches / at_once, memory.ahead / at_once, memory.waiting / at_once};
}

}  // namespace lookalike
