// User input on the command line: designs, sizes, shingles, sketches, keep orders.
#include "fingerprint/feature_extractor.h"
#include "laws.h"
#include "lookalike/size.h"
#include "options/keep_option.h"
#include "stages/candidates/design.h"
#include "stages/sketch/sketch.h"

namespace lookalike::fuzz {
namespace {

void CheckDesign(std::string_view text) {
  const Result<Design> design = ParseDesign(text);
  if (!design) return;
  Require(design->key_coordinates.size() == size_t{design->keys} * design->rows, "keys are whole");
  for (const uint16_t coordinate : design->key_coordinates) {
    Require(coordinate < design->coordinates, "coordinates are there");
  }
  const Result<Design> again = ParseDesign(ToString(*design));
  Require(again && again->key_coordinates == design->key_coordinates, "a design is its text");
  double last = 0;
  for (int j = 0; j <= 10; ++j) {
    const double acceptance = Acceptance(*design, j / 10.0);
    Require(acceptance >= last - 1e-9 && acceptance <= 1 + 1e-9, "acceptance ascends to 1");
    last = acceptance;
  }
}

void CheckSize(std::string_view text) {
  const Result<uint64_t> size = ParseSize(text);
  if (!size) return;
  const Result<uint64_t> again = ParseSize(FormatSize(*size));
  Require(again && *again == *size, "a size is its text");
}

}  // namespace
}  // namespace lookalike::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lookalike;
  using namespace lookalike::fuzz;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  CheckDesign(text);
  CheckSize(text);
  const Result<ShingleSpec> shingle = ParseShingle(text);
  Require(!shingle || (shingle->length >= 1 && shingle->length <= 64), "shingles are bounded");
  (void)ParseSketch(text);
  const std::string criteria[] = {std::string(text)};
  (void)ParseKeepPolicy(criteria);
  return 0;
}
