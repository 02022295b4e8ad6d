// consumer INPUT OUTPUT: compares two texts, then deduplicates a file; one line for each.
#include <cstdio>
#include <string>

#include "lookalike/configuration.h"
#include "lookalike/lookalike.h"

int main(int argc, char** argv) {
  if (argc != 3) return 64;
  const auto options = lookalike::LoadOptions(lookalike::Command::kDedup, "mirrors", "");
  if (!options) return 1;
  const auto comparison =
      lookalike::CompareTexts("one two three four", "one two three four", *options);
  if (!comparison) return 1;
  std::printf("resemblance %g of %zu features\n", comparison->resemblance,
              static_cast<size_t>(comparison->common));
  const auto summary = lookalike::Dedup({argv[1]}, argv[2], *options);
  if (!summary) {
    std::printf("%s\n", summary.error().ToString().c_str());
    return 1;
  }
  std::printf("kept %zu of %zu\n", static_cast<size_t>(summary->records.kept),
              static_cast<size_t>(summary->records.in));
  return 0;
}
