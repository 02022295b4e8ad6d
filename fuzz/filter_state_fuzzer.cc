// The files of a filter's state: as they are, and with a correct checksum, so that the code after
// its check is reached too. The same bytes as a packed segment must be safe to search.
#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/filter_state.h"
#include "laws.h"
#include "seal.h"
#include "uses/filter/seen/seen_filter.h"
#include "uses/filter/seen/seen_segment.h"

namespace lookalike::fuzz {
namespace {

void CheckState(const std::string& bytes) {
  const auto state = DecodeFilterState(bytes);
  if (state) Require(EncodeFilterState(*state) == bytes, "a state is its bytes");
}

void CheckHead(const std::string& bytes) {
  if (bytes.size() < kSegmentHeadBytes) return;
  const auto head = DecodeSegmentHead(std::string_view(bytes).substr(0, kSegmentHeadBytes));
  if (head) Require(head->ids_begin() >= head->ends_begin(), "ids follow their ends");
}

void CheckSegment(const char* name, const std::string& bytes) {
  const Design design = *ParseDesign(name);
  const SegmentShape shape(design, design.bits);
  const auto all = std::as_bytes(std::span(bytes));
  if (all.size() < shape.record_bytes()) return;
  for (uint64_t count = 1; count <= 64; count *= 2) {
    if (shape.Bytes(count) > all.size()) return;
    const SegmentView view(shape, count, all.first(shape.Bytes(count)));
    const auto found = view.Find(all.first(shape.record_bytes()));
    Require(!found || *found < count, "an answer is a document");
  }
}

}  // namespace
}  // namespace lookalike::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  for (const std::string& each : {bytes, lookalike::fuzz::Sealed(bytes)}) {
    lookalike::fuzz::CheckState(each);
    lookalike::fuzz::CheckHead(each);
  }
  for (const char* name : {"groups:6x14:2", "groups:8x2:7:8", "groups:8x11:3:8"}) {
    lookalike::fuzz::CheckSegment(name, bytes);
  }
  return 0;
}
