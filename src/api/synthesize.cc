#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "api/synthetic_corpus.h"
#include "fingerprint/fingerprinter.h"
#include "flow/feature_sets.h"
#include "format/json_text.h"
#include "io/output_stream.h"
#include "lookalike/lookalike.h"
#include "stages/candidates/exact_join.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;

constexpr double kTruthThreshold = 0.5;
constexpr uint64_t kMaxDocuments = UINT32_MAX;

// A file that takes its name only when it is complete. Devices and pipes are written as they are.
class PendingFile {
 public:
  static Result<PendingFile> Create(const std::string& path) {
    std::error_code error;
    const fs::file_type type = fs::status(path, error).type();
    const bool direct = type != fs::file_type::not_found && type != fs::file_type::regular;
    const Codec codec = path.ends_with(".gz")    ? Codec::kGzip
                        : path.ends_with(".zst") ? Codec::kZstd
                                                 : Codec::kNone;
    PendingFile file(path, direct ? path : path + ".partial");
    LOOKALIKE_ASSIGN_OR_RETURN(file.stream_, OutputStream::Create(file.written_, codec));
    return file;
  }

  PendingFile(PendingFile&&) = default;
  ~PendingFile() {
    if (stream_ == nullptr || written_ == path_) return;
    std::error_code ignored;
    fs::remove(written_, ignored);
  }

  Status Write(std::string_view bytes) { return stream_->Write(bytes); }

  Status Finish() {
    LOOKALIKE_RETURN_IF_ERROR(stream_->Close());
    if (written_ != path_) {
      std::error_code error;
      fs::rename(written_, path_, error);
      if (error) return Fail("cannot be written: " + error.message(), path_);
    }
    stream_ = nullptr;
    return {};
  }

 private:
  PendingFile(std::string path, std::string written)
      : path_(std::move(path)), written_(std::move(written)) {}

  std::string path_, written_;
  std::unique_ptr<OutputStream> stream_;  // Null: finished or moved from.
};

// Writes the documents; `sets`, where given, gets the features of each.
Status WriteDocuments(const SyntheticCorpus& corpus, uint64_t documents, const std::string& path,
                      FeatureSets* sets) {
  LOOKALIKE_ASSIGN_OR_RETURN(PendingFile file, PendingFile::Create(path));
  Fingerprinter fingerprinter{ShingleSpec{}};
  std::vector<uint64_t> set;
  std::string line;
  for (uint64_t number = 0; number < documents; ++number) {
    const std::string text = corpus.Text(number);
    line = fmt::format("{{\"id\": \"{}\", \"text\": ", SyntheticId(number));
    AppendJsonString(&line, text);
    line += "}\n";
    LOOKALIKE_RETURN_IF_ERROR(file.Write(line));
    if (sets == nullptr) continue;
    MakeFeatureSet(fingerprinter.Features(text), &set);
    sets->Add(set);
  }
  return file.Finish();
}

Status WriteTruth(const FeatureSets& sets, const std::string& path) {
  LOOKALIKE_ASSIGN_OR_RETURN(PendingFile file, PendingFile::Create(path));
  std::string line;
  for (const auto [a, b, common] : ExactJoin(sets, kTruthThreshold, 0)) {
    const uint64_t size_a = sets.Set(a).size(), size_b = sets.Set(b).size();
    line = fmt::format("{{\"a\": \"{}\", \"b\": \"{}\", \"resemblance\": ", SyntheticId(a),
                       SyntheticId(b));
    AppendJsonNumber(&line,
                     static_cast<double>(common) / static_cast<double>(size_a + size_b - common));
    line +=
        fmt::format(", \"common\": {}, \"size_a\": {}, \"size_b\": {}}}\n", common, size_a, size_b);
    LOOKALIKE_RETURN_IF_ERROR(file.Write(line));
  }
  return file.Finish();
}

Status WriteAll(const std::string& output, uint64_t documents, uint64_t seed, double duplicates,
                const std::string& truth) {
  const SyntheticCorpus corpus(seed, duplicates);
  FeatureSets sets;
  LOOKALIKE_RETURN_IF_ERROR(
      WriteDocuments(corpus, documents, output, truth.empty() ? nullptr : &sets));
  if (truth.empty()) return {};
  return WriteTruth(sets, truth);
}

}  // namespace

Status Synthesize(const std::string& output, uint64_t documents, uint64_t seed, double duplicates,
                  const std::string& truth) {
  if (!(duplicates >= 0 && duplicates <= 1)) {
    return Fail(fmt::format("--duplicates {}: expected a share from 0 to 1", duplicates));
  }
  if (documents > kMaxDocuments) {
    return Fail(fmt::format("--documents {}: at most {} are possible", documents, kMaxDocuments));
  }
  if (output == truth) return Fail("the truth needs a file of its own; give --truth another name");
  return WriteAll(output, documents, seed, duplicates, truth);
}

}  // namespace lookalike
