#include "api/sketched_probes.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "format/sketch_file.h"
#include "options/feature_options.h"
#include "records/format.h"
#include "run/resolve_job.h"
#include "stages/sketch/sketch.h"

namespace lookalike {
namespace {

/// Codes are made of whole coordinates.
constexpr uint32_t kCoordinateBits = 32;

bool IsSketchFile(const std::string& name) {
  std::error_code ignored;
  // `sketch` writes regular files. A pipe must not be opened here, since it can be read only once.
  if (!std::filesystem::is_regular_file(name, ignored)) return false;
  const std::filesystem::path path(name);
  if (IsCodecEnding(LowerEnding(name)) && path.stem().extension() == ".sketches") return true;
  std::string begin(kSketchFileMagic.size(), '\0');
  std::ifstream file(name, std::ios::binary);
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return file && begin == kSketchFileMagic;
}

/// Returns an Error unless sketches give the codes that the index has of texts.
Status CheckMadeAlike(const IndexRules& rules, const Job& job) {
  const Options& own = rules.settings.options;
  LOOKALIKE_ASSIGN_OR_RETURN(const FeatureSpec features, ReadFeatureSpec(own));
  const std::string wanted = ToString(features);
  const std::string place = job.inputs[0].place();
  if (job.stored_features != wanted) {
    return InputError("holds sketches of " + job.stored_features + ", the index has " + wanted +
                          "; make the sketches again from the texts",
                      place);
  }
  const std::string sketch = ToString(SketchSpec());
  if (job.options.sketch != sketch || job.options.seed != own.seed ||
      job.options.sketch_bits != kCoordinateBits) {
    return InputError("holds sketches of another kind than the index: it needs $<sketch=" + sketch +
                          ">, $<seed=" + std::to_string(own.seed) + "> and $<sketch-bits> of " +
                          std::to_string(kCoordinateBits),
                      place);
  }
  return {};
}

}  // namespace

bool NamesSketchFile(const Inputs& inputs) {
  return std::any_of(inputs.names.begin(), inputs.names.end(), IsSketchFile);
}

Result<SketchedDocuments> SketchedDocuments::Open(const Inputs& inputs, const IndexRules& rules,
                                                  const Options& reading,
                                                  const Observer& observer) {
  LOOKALIKE_ASSIGN_OR_RETURN(Job job, JobOfSketchFiles(inputs, reading, "", {}));
  if (rules.guards.any()) {
    return UsageError(
        "a sketch file has no texts, which the guards of the index compare; use texts",
        job.inputs[0].place());
  }
  LOOKALIKE_RETURN_IF_ERROR(CheckMadeAlike(rules, job));
  return SketchedDocuments(rules, std::move(job), observer);
}

Result<bool> SketchedDocuments::Next(std::vector<SketchedDocument>* documents) {
  documents->clear();
  while (!blocks_ || blocks_->at_end()) {
    if (file_ == job_.inputs.size()) return false;
    LOOKALIKE_ASSIGN_OR_RETURN(blocks_, SketchBlocks::Open(job_.inputs[file_++], job_.limits));
  }
  if (observer_.cancelled && observer_.cancelled()) return Cancelled();
  std::string block;
  std::string_view source;
  std::vector<SketchRecord> records;
  LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] const uint64_t size, blocks_->Append(&block));
  LOOKALIKE_RETURN_IF_ERROR(blocks_->Decode(block, &source, &records));
  for (const SketchRecord& record : records) {
    auto probe = ProbeOf(record, blocks_->like());
    if (probe) {
      documents->push_back({std::string(record.id), *std::move(probe)});
      continue;
    }
    ++rejected_;
    if (!observer_.message) continue;
    observer_.message(std::string(source) + ":" + std::to_string(record.row) + ": has only " +
                      std::to_string(record.features) +
                      " features, by which it would be found, and a sketch does not hold them; "
                      "left out, use its text");
  }
  return true;
}

std::optional<Probe> SketchedDocuments::ProbeOf(const SketchRecord& record,
                                                const StoredSketch& like) const {
  Probe probe;
  probe.size = record.features;
  const XXH128_hash_t hash =
      XXH3_128bits_withSeed(record.sketch.data(), record.sketch.size(), record.features);
  probe.hash = {hash.low64, hash.high64};
  if (record.features < rules_->settings.options.LeastFeatures()) return probe;
  if (rules_->keys.NeedsFeatures(SearchedBy::kKeys, record.features)) return std::nullopt;
  probe.searched = SearchedBy::kKeys;
  std::vector<uint32_t> sketch;
  Unpack(record.sketch, static_cast<uint32_t>(like.coordinates.size()), like.bits, &sketch);
  std::vector<uint8_t> codes(rules_->engine.code_bytes());
  MakeCodes(sketch, codes.data());
  probe.codes.assign(codes.begin(), codes.end());
  return probe;
}

}  // namespace lookalike
