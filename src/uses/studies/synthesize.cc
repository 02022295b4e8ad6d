#include <fmt/format.h>

#include "fingerprint/feature_extractor.h"
#include "format/json_text.h"
#include "io/output_stream.h"
#include "lookalike/lookalike.h"
#include "records/feature_sets.h"
#include "run/write_file.h"
#include "stages/candidates/exact_join.h"
#include "uses/studies/synthetic_corpus.h"

namespace lookalike {
namespace {

constexpr double kTruthThreshold = 0.5;
constexpr uint64_t kMaxDocuments = UINT32_MAX;

// Writes the documents; `sets`, if given, gets the features of each.
Status WriteDocuments(const SyntheticCorpus& corpus, uint64_t documents, FeatureSets* sets,
                      OutputStream* file) {
  FeatureExtractor extractor{FeatureSpec{}};
  std::vector<uint64_t> set;
  std::string line;
  for (uint64_t number = 0; number < documents; ++number) {
    const std::string text = corpus.Text(number);
    line = fmt::format("{{\"id\": \"{}\", \"text\": ", SyntheticId(number));
    AppendJsonString(&line, text);
    line += "}\n";
    LOOKALIKE_RETURN_IF_ERROR(file->Write(line));
    if (sets == nullptr) continue;
    MakeFeatureSet(extractor.Features(text), &set);
    sets->Add(set);
  }
  return {};
}

Status WriteTruth(const FeatureSets& sets, OutputStream* file) {
  std::string line;
  for (const auto [a, b, common] : ExactJoin(sets, kTruthThreshold, 0)) {
    const uint64_t size_a = sets.Set(a).size(), size_b = sets.Set(b).size();
    line = fmt::format("{{\"a\": \"{}\", \"b\": \"{}\", \"resemblance\": ", SyntheticId(a),
                       SyntheticId(b));
    AppendJsonNumber(&line,
                     static_cast<double>(common) / static_cast<double>(size_a + size_b - common));
    line +=
        fmt::format(", \"common\": {}, \"size_a\": {}, \"size_b\": {}}}\n", common, size_a, size_b);
    LOOKALIKE_RETURN_IF_ERROR(file->Write(line));
  }
  return {};
}

Status WriteAll(const std::string& output, uint64_t documents, uint64_t seed, double duplicates,
                const std::string& truth) {
  const SyntheticCorpus corpus(seed, duplicates);
  FeatureSets sets;
  LOOKALIKE_RETURN_IF_ERROR(WriteFile(output, {}, [&](OutputStream* file) {
    return WriteDocuments(corpus, documents, truth.empty() ? nullptr : &sets, file);
  }));
  if (truth.empty()) return {};
  return WriteFile(truth, {}, [&](OutputStream* file) { return WriteTruth(sets, file); });
}

}  // namespace

Status Synthesize(const std::string& output, uint64_t documents, uint64_t seed, double duplicates,
                  const std::string& truth) {
  if (!(duplicates >= 0 && duplicates <= 1)) {
    return OptionError(fmt::format("$<duplicates={}>: expected a share from 0 to 1", duplicates));
  }
  if (documents > kMaxDocuments) {
    return OptionError(
        fmt::format("$<documents={}>: at most {} are possible", documents, kMaxDocuments));
  }
  if (output == truth)
    return OptionError("$<truth> names the same file as the output; use two different paths");
  return WriteAll(output, documents, seed, duplicates, truth);
}

}  // namespace lookalike
