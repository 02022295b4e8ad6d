#include <arrow/result.h>
#include <arrow/util/compression.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "io/block_codec.h"
#include "io/output_stream.h"
#include "stages/output/record_writers.h"

namespace lookalike {
namespace {

// Compresses each record as its own gzip member (ISO 28500, annex D), so that records can be found
// by their offset. For other codecs, the whole file is one stream.
class MemberCompressor {
 public:
  Status Compress(std::string_view record, const std::string& path, std::string* member) {
    try {
      const arrow::Status status = Run(record, member);
      if (status.ok()) return {};
      return MemoryError(
          "compression failed, and the file cannot be used; free some memory and run again", path);
    } catch (const std::bad_alloc&) {
      return MemoryError("compression failed: out of memory; the file cannot be used", path);
    }
  }

 private:
  arrow::Status Run(std::string_view record, std::string* member) {
    if (!codec_) {
      ARROW_ASSIGN_OR_RAISE(
          codec_, arrow::util::Codec::Create(arrow::Compression::GZIP, UsualLevel(Codec::kGzip)));
    }
    const auto* const bytes = reinterpret_cast<const uint8_t*>(record.data());
    const auto size = static_cast<int64_t>(record.size());
    member->resize(static_cast<size_t>(codec_->MaxCompressedLen(size, bytes)));
    ARROW_ASSIGN_OR_RAISE(const int64_t length,
                          codec_->Compress(size, bytes, static_cast<int64_t>(member->size()),
                                           reinterpret_cast<uint8_t*>(member->data())));
    member->resize(static_cast<size_t>(length));
    return {};
  }

  std::unique_ptr<arrow::util::Codec> codec_;
};

class WarcWriter : public RecordWriter {
 public:
  WarcWriter(const InputFile& like, std::string path, std::unique_ptr<OutputStream> stream)
      : members_(like.codec == Codec::kGzip),
        name_(like.name),
        path_(std::move(path)),
        stream_(std::move(stream)) {}

  // Keeps records that are not documents, each before the document that followed it in the input.
  Status AppendKept(const DocumentBatch& batch, std::span<const uint8_t> keep) override {
    auto bytes = batch.pass_through.begin();
    for (size_t i = 0; i <= batch.documents.size(); ++i) {
      for (; bytes != batch.pass_through.end() && bytes->before == i; ++bytes) {
        LOOKALIKE_RETURN_IF_ERROR(Write(bytes->raw));
      }
      if (i == batch.documents.size() || keep[i] == 0) continue;
      LOOKALIKE_RETURN_IF_ERROR(Write(batch.documents[i].raw));
    }
    return {};
  }

  Status AppendAnnotated(const DocumentBatch&, std::span<const Annotation>) override {
    return OptionError(
        "annotated output needs records with fields, and WARC records have none; use "
        "$<output=copies>",
        name_);
  }

  Status AppendWithPassages(const DocumentBatch&, std::span<const PassageSpans>) override {
    return OptionError(
        "$<action=annotate> needs records with fields, and WARC records have none; use "
        "$<action=report>",
        name_);
  }

  Status AppendRejected(const DocumentBatch& batch) override {
    for (const Rejection& rejection : batch.rejections) {
      LOOKALIKE_RETURN_IF_ERROR(Write(rejection.raw));
    }
    return {};
  }

  Status Close() override { return stream_->Close(); }

 private:
  Status Write(std::string_view record) {
    if (!members_ || record.empty()) return stream_->Write(record);
    LOOKALIKE_RETURN_IF_ERROR(compressor_.Compress(record, path_, &member_));
    return stream_->Write(member_);
  }

  bool members_;
  std::string name_, path_;
  std::unique_ptr<OutputStream> stream_;
  MemberCompressor compressor_;
  std::string member_;
};

}  // namespace

Result<std::unique_ptr<RecordWriter>> CreateWarcWriter(const InputFile& like,
                                                       const std::string& path, FileSystem& files) {
  const Codec codec = like.codec == Codec::kGzip ? Codec::kNone : like.codec;
  LOOKALIKE_ASSIGN_OR_RETURN(auto stream, OutputStream::Create(path, codec, files));
  return std::make_unique<WarcWriter>(like, path, std::move(stream));
}

}  // namespace lookalike
