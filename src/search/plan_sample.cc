#include "search/plan_sample.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "fingerprint/document_fingerprint.h"
#include "fingerprint/feature_extractor.h"
#include "io/input_bytes.h"
#include "io/open_stream.h"
#include "run/search_terms.h"
#include "search/document_features.h"
#include "stages/input/reader.h"
#include "stages/sketch/sketch.h"

namespace lookalike {
namespace {

constexpr double kLeastDocuments = 16384;  ///< Minimum sampled.
constexpr double kDocumentsPerRoot = 32;
constexpr double kMostBytes = 256e6;  ///< However long the documents are.
/// Bytes to read, at most, to reach places throughout the files if there is no other way.
constexpr double kMostRead = 2.0 * (1 << 30);
constexpr uint64_t kBatchBytes = uint64_t{1} << 20;  ///< Read at a time.
constexpr uint32_t kParts = 64;                      ///< For an input that is only partly read.

/// The part of one input that was read.
struct Extent {
  double rows = 0;         ///< Including rejected ones.
  double plain_bytes = 0;  ///< Size of these rows.
  double file_bytes = 0;   ///< Position in the file where reading ended.
  bool whole = false;
};

/// A sampler of documents from batches.
class Sampler {
 public:
  Sampler(const Job& job, const Observer& observer)
      : job_(job),
        observer_(observer),
        extractor_(job.features),
        features_of_(job),
        sketcher_(job.sketch),
        quota_(QuotaBytes(job) / std::max(1.0, static_cast<double>(job.sizes.AllBytes()))) {
    columns_.coordinates = CodeCount(job.sketch.coordinates);
    if (job.SearchesFewByFeatures()) few_.emplace(job.options.threshold);
  }

  Result<PlanSample> Run() {
    for (uint32_t i = 0; i < job_.inputs.size(); ++i) {
      if (const Status status = ReadInput(i); !status) {
        const InputFile file = job_.inputs[i];
        const bool skips = job_.options.skip_bad_inputs || (file.found && !file.problem.empty());
        if (const auto failure = StoreFailure(file)) return tl::make_unexpected(*failure);
        if (!skips) return tl::make_unexpected(status.error());
        if (observer_.message) observer_.message(status.error().Marked() + "; input skipped");
      }
    }
    return Conclude();
  }

 private:
  /// Returns the bytes to be sampled from all inputs together.
  static double QuotaBytes(const Job& job) {
    const auto documents = static_cast<double>(std::max<uint64_t>(1, job.sizes.documents));
    const double record = static_cast<double>(job.sizes.AllBytes()) / documents;
    const double wanted = std::max(kLeastDocuments, kDocumentsPerRoot * std::sqrt(documents));
    return std::min(wanted * record, kMostBytes);
  }

  Status ReadInput(uint32_t input) {
    const InputFile& file = job_.inputs[input];
    if (!file.problem.empty()) return InputError(file.problem, file.place());
    const bool whole = quota_ >= 0.5;
    // A small file would be read several times, because a batch is a megabyte.
    const bool enterable = file.format == Format::kJsonLines && file.codec == Codec::kNone &&
                           file.size >= 2 * kParts * kBatchBytes;
    Extent extent;
    if (enterable && !whole) {
      LOOKALIKE_RETURN_IF_ERROR(ReadParts(input, &extent));
    } else {
      LOOKALIKE_RETURN_IF_ERROR(ReadFront(input, whole, &extent));
    }
    sample_.from_the_front |= !enterable && !extent.whole;
    sample_.whole &= whole && extent.whole;
    next_part_ += kParts;
    AddExtent(file, extent);
    return {};
  }

  void AddExtent(const InputFile& file, const Extent& extent) {
    if (extent.rows == 0) return;
    const double factor = extent.whole ? 1 : static_cast<double>(file.size) / extent.file_bytes;
    CollectionFacts& facts = sample_.facts;
    const double plain = extent.plain_bytes * factor;
    facts.records += extent.rows * factor;
    facts.plain_bytes += plain;
    if (file.codec == Codec::kGzip || file.codec == Codec::kBzip2) facts.gzip_bytes += plain;
    AddPacking(file, plain, &facts);
    const bool packed = file.codec == Codec::kZstd || file.codec == Codec::kLz4;
    if (packed || file.format == Format::kParquet) facts.zstd_bytes += plain;
  }

  Status ReadParts(uint32_t input, Extent* extent) {
    const InputFile& file = job_.inputs[input];
    const double quota = quota_ * static_cast<double>(file.size) / kParts;
    for (uint32_t part = 0; part < kParts; ++part) {
      LOOKALIKE_ASSIGN_OR_RETURN(const uint64_t begin, LineFrom(file, file.size / kParts * part));
      if (begin >= file.size) break;
      LOOKALIKE_ASSIGN_OR_RETURN(auto reader, OpenInput(file, input, job_.fields, job_.limits,
                                                        ReadColumns::kFields, {begin, 1}));
      DocumentBatch batch;
      for (double taken = 0; taken < quota;) {
        LOOKALIKE_ASSIGN_OR_RETURN(const bool more, reader->Next(&batch));
        if (!more) break;
        taken += Take(batch, next_part_ + part, quota - taken, extent);
      }
      Report(input, (part + 1.0) / kParts);
      if (IsCancelled()) return Cancelled();
    }
    extent->file_bytes = extent->plain_bytes;
    return {};
  }

  /// Returns the beginning of the first line at or after `offset`.
  static Result<uint64_t> LineFrom(const InputFile& file, uint64_t offset) {
    constexpr uint64_t kBlock = uint64_t{64} << 10;
    if (offset == 0) return offset;
    LOOKALIKE_ASSIGN_OR_RETURN(const InputBytes bytes, OpenInputBytes(file));
    std::string block;
    for (uint64_t at = offset - 1; at < file.size; at += block.size()) {
      block.resize(std::min(kBlock, file.size - at));
      LOOKALIKE_ASSIGN_OR_RETURN(const size_t got, bytes.ReadAt(at, block.data(), block.size()));
      if (got < block.size()) return EndsTooEarly(file.size, "bytes", file.place());
      const size_t end = block.find('\n');
      if (end != std::string::npos) return at + end + 1;
    }
    return file.size;
  }

  Status ReadFront(uint32_t input, bool whole, Extent* extent) {
    const InputFile& file = job_.inputs[input];
    const auto size = static_cast<double>(file.size);
    const double end = whole ? INFINITY : std::min(size, kMostRead * size / FileBytes());
    const double share = whole ? INFINITY : quota_ * size / end;
    LOOKALIKE_ASSIGN_OR_RETURN(
        auto reader, OpenInput(file, input, job_.fields, job_.limits, ReadColumns::kFields));
    DocumentBatch batch;
    while (!extent->whole && (extent->file_bytes < end || extent->file_bytes >= size)) {
      LOOKALIKE_ASSIGN_OR_RETURN(const bool more, reader->Next(&batch));
      extent->whole = !more;
      if (!more) break;
      const double at = whole ? 0 : std::min(extent->file_bytes / end * kParts, kParts - 1.0);
      double bytes = 0;
      for (const Document& document : batch.documents) bytes += BytesOf(document);
      Take(batch, next_part_ + static_cast<uint32_t>(at), share * bytes, extent);
      extent->file_bytes = static_cast<double>(batch.bytes_read);
      Report(input, extent->file_bytes / std::max(1.0, size));
      if (IsCancelled()) return Cancelled();
    }
    return {};
  }

  [[nodiscard]] double FileBytes() const {
    double bytes = 0;
    for (const InputFile& file : job_.inputs) bytes += static_cast<double>(file.size);
    return bytes;
  }

  static double BytesOf(const Document& document) {
    return static_cast<double>(std::max(document.raw.size(), document.text.size()));
  }

  /// Counts a batch, and samples its documents up to `quota` bytes. Returns the bytes sampled.
  double Take(const DocumentBatch& batch, uint32_t part, double quota, Extent* extent) {
    double sampled = 0;
    for (const Document& document : batch.documents) {
      const double bytes = BytesOf(document);
      extent->plain_bytes += bytes;
      if (sampled >= quota) continue;
      sampled += bytes;
      Add(document, part);
    }
    for (const Rejection& rejection : batch.rejections) {
      extent->plain_bytes += static_cast<double>(rejection.raw.size());
    }
    extent->rows += static_cast<double>(batch.documents.size() + batch.rejections.size());
    read_rows_ += static_cast<double>(batch.documents.size() + batch.rejections.size());
    read_documents_ += static_cast<double>(batch.documents.size());
    return sampled;
  }

  void Add(const Document& document, uint32_t part) {
    ++sample_.documents_read;
    const auto features = features_of_.Of(document, [&](std::string_view text, TextKind kind) {
      return extractor_.Features(text, kind);
    });
    if (features.empty() || features.size() < job_.options.LeastFeatures()) return;
    features_ += static_cast<double>(features.size());
    const auto sketch =
        features_of_.SketchOf(features, [&](auto of_text) { return sketcher_.Run(of_text); })
            .first(columns_.coordinates);
    columns_.sketches.insert(columns_.sketches.end(), sketch.begin(), sketch.end());
    columns_.streams.push_back(StreamOf(document, features));
    columns_.parts.push_back(part);
    columns_.few.push_back(few_ && HasFew(features));
  }

  [[nodiscard]] bool HasFew(std::span<const uint64_t> features) {
    if (DocumentFingerprint::HasMoreFeatures(features, FewFeatures::kFew)) return false;
    MakeFeatureSet(features, &set_);
    return few_->IsFew(set_.size());
  }

  PlanSample Conclude() {
    CollectionFacts& facts = sample_.facts;
    const auto searched = static_cast<double>(columns_.size());
    facts.features = features_ / std::max(1.0, searched);
    double documents = searched;
    if (!sample_.whole) {
      const double readable = read_documents_ / std::max(1.0, read_rows_);
      const double with_features =
          searched / std::max(1.0, static_cast<double>(sample_.documents_read));
      documents = std::max(searched, facts.records * readable * with_features);
    }
    const double agreement =
        static_cast<double>(job_.rules.agreement_floor) / CodeCount(job_.sketch.coordinates);
    // One code in 256 agrees by chance.
    const double paired_from = std::max(0.0, agreement - (1 - agreement) / 256);
    facts.similarity = EstimateSimilarity(columns_, documents, job_.options.threshold, paired_from);
    return std::move(sample_);
  }

  void Report(uint32_t input, double share) const {
    if (!observer_.progress) return;
    const auto done = static_cast<uint64_t>((input + std::min(share, 1.0)) * 1000);
    observer_.progress({"sample", done, job_.inputs.size() * 1000, ""});
  }

  [[nodiscard]] bool IsCancelled() const { return observer_.cancelled && observer_.cancelled(); }

  const Job& job_;
  const Observer& observer_;
  FeatureExtractor extractor_;
  DocumentFeatures features_of_;
  Sketcher sketcher_;
  double quota_;  // share of the inputs to sample
  SampleColumns columns_;
  std::optional<FewFeatures> few_;
  std::vector<uint64_t> set_;
  PlanSample sample_{.facts = {}, .documents_read = 0, .whole = true, .from_the_front = false};
  double features_ = 0, read_rows_ = 0, read_documents_ = 0;
  uint32_t next_part_ = 0;
};

}  // namespace

Result<PlanSample> ReadPlanSample(const Job& job, const Observer& observer) {
  return Sampler(job, observer).Run();
}

}  // namespace lookalike
