// The checks.jsonl and the manifest of a result, and the claim of a working folder.
#include <fmt/format.h>

#include <string>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "io/scratch_folder.h"
#include "laws.h"
#include "run/result_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lookalike;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string sealed =
      text + fmt::format("{{\"check\": \"{:016x}\"}}\n", XXH3_64bits(text.data(), text.size()));
  for (const std::string& file : {text, sealed}) {
    const auto checks = ReadChecks(file);
    fuzz::Require(checks || !checks.error().what.empty(), "an error says what is wrong");
  }
  fuzz::Require(HashManifest(text) == HashManifest(text + "\n"), "blanks behind are no matter");
  if (const auto claim = ScratchFolder::Decode(text)) {
    fuzz::Require(ScratchFolder::Encode(*claim) == text, "a claim is its text");
  }
  return 0;
}
