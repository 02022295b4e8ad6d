// Files of pairs that `eval` compares.
#include "foreign_file.h"
#include "laws.h"
#include "lookalike/lookalike.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lookalike;
  using namespace lookalike::fuzz;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const ForeignFile file(bytes);
  const Result<Evaluation> same = Evaluate(file.path(), file.path(), 0.8);
  if (same) {
    Require(same->precision == 1 && same->recall == 1 && same->f1 == 1, "equal files agree");
    Require(same->found == same->expected && same->correct == same->found, "counts are equal");
  }
  const ForeignFile front(bytes.substr(0, size / 2));
  const Result<Evaluation> half = Evaluate(front.path(), file.path(), 0.5);
  if (half) {
    Require(half->correct <= half->found && half->correct <= half->expected, "ratios are ratios");
  }
  return 0;
}
