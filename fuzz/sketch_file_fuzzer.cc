// Sketch files: as they are, and with correct checksums of their blocks, so that the code after
// their check is reached too.
#include <algorithm>
#include <string>

#include "foreign_file.h"
#include "format/sketch_file.h"
#include "laws.h"
#include "seal.h"
#include "stages/input/reader.h"

namespace lookalike::fuzz {
namespace {

constexpr size_t kBlocks[] = {1, 100, 1000, size_t{64} << 10};

std::string Resealed(std::string bytes) {
  const auto length = LengthOfSketchFront(bytes.substr(0, kSketchFrontBytes));
  if (!length || *length < sizeof(uint64_t)) return bytes;
  size_t at = kSketchFrontBytes + *length;
  if (at > bytes.size()) return bytes;
  Seal(kSketchFrontBytes, *length, &bytes);
  while (bytes.size() - at >= kSketchBlockHead) {
    const SketchBlockHead head = ReadSketchBlockHead(std::string_view(bytes).substr(at));
    if (head.size() > bytes.size() - at) break;
    Seal(at, head.size(), &bytes);
    at += head.size();
  }
  return bytes;
}

void Check(const std::string& bytes) {
  const ForeignFile file(bytes);
  ReaderSetup setup;
  setup.file = file.AsInput("a.sketches", Format::kSketches, Codec::kNone);
  const testing::ReadResult whole = testing::ReadAll(setup);
  RequireRowsAscend(whole);
  setup.block_bytes = kBlocks[Choose(bytes, 0, std::size(kBlocks))];
  const testing::ReadResult cut = testing::ReadAll(setup);
  Require(whole.error.empty() == cut.error.empty(), "block sizes do not make an error");
  if (whole.error.empty()) Require(whole.records == cut.records, "nor do they change documents");
  RequireSameFromPositions(setup, cut);
  const auto front = ReadSketchFront(setup.file, setup.limits);
  Require(front.has_value() || !whole.error.empty(), "what has no front cannot be read");
}

}  // namespace
}  // namespace lookalike::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  lookalike::fuzz::Check(bytes);
  lookalike::fuzz::Check(lookalike::fuzz::Resealed(bytes));
  return 0;
}
