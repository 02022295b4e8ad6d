// consumer INPUT OUTPUT: compares two texts, exactly and by their sketches, makes fingerprints,
// then deduplicates a file; prints one line for each.
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/configuration.h"
#include "lookalike/fingerprint.h"
#include "lookalike/lookalike.h"
#include "lookalike/sketch.h"

namespace {

// Prints the sketches of two texts, the second without words.
bool PrintSketches(const lookalike::Options& options) {
  const auto fingerprinter = lookalike::Fingerprinter::Create(options);
  if (!fingerprinter) return false;
  const std::vector<std::string_view> texts = {"one two three four", "?"};
  std::vector<uint32_t> rows(texts.size() * fingerprinter->coordinates()), counts(texts.size());
  if (!fingerprinter->Run(texts, {.sketches = rows, .feature_counts = counts})) return false;
  std::printf("features %u and %u\n", counts[0], counts[1]);

  const auto row = std::span<const uint32_t>(rows).first(fingerprinter->coordinates());
  const auto sketch = lookalike::Sketch::OfCoordinates(row, options);
  const auto same = lookalike::Sketch::OfText(texts[0], options);
  if (!sketch || !same) return false;
  const auto stored = lookalike::Sketch::FromBytes(same->ToBytes());
  if (!stored) return false;
  const auto estimate = sketch->EstimateResemblance(*stored);
  if (!estimate) return false;
  std::printf("estimate %g\n", estimate->resemblance);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 64;
  const auto options = lookalike::LoadOptions(lookalike::Command::kDedup, "mirrors", "");
  if (!options) return 1;
  const auto comparison =
      lookalike::CompareTexts("one two three four", "one two three four", *options);
  if (!comparison) return 1;
  std::printf("resemblance %g of %zu features\n", comparison->resemblance,
              static_cast<size_t>(comparison->common));
  if (!PrintSketches(*options)) return 1;
  const auto summary = lookalike::Dedup({argv[1]}, argv[2], *options);
  if (!summary) {
    std::printf("%s\n", summary.error().ToString().c_str());
    return 1;
  }
  std::printf("kept %zu of %zu\n", static_cast<size_t>(summary->records.kept),
              static_cast<size_t>(summary->records.in));
  return 0;
}
