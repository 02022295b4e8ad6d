#include <string>
#include <utility>

#include "io/output_stream.h"
#include "stages/output/annotated_rows.h"
#include "stages/output/record_writers.h"

namespace lookalike {
namespace {

class RowWriter : public RecordWriter {
 public:
  RowWriter(const InputFile& like, std::unique_ptr<OutputStream> stream)
      : csv_(like.format == Format::kCsv),
        array_(like.format == Format::kJsonArray),
        delimiter_(like.delimiter),
        name_(like.name),
        stream_(std::move(stream)) {}

  Status AppendKept(const DocumentBatch& batch, std::span<const uint8_t> keep) override {
    if (array_) return AppendElements(batch, keep);
    if (!std::exchange(header_done_, true)) {
      LOOKALIKE_RETURN_IF_ERROR(stream_->Write(batch.header));
    }
    // Records that were adjacent in the input are written as one.
    std::string_view run;
    for (size_t i = 0; i < batch.documents.size(); ++i) {
      if (keep[i] == 0) continue;
      const std::string_view raw = batch.documents[i].raw;
      if (run.data() + run.size() == raw.data()) {
        run = {run.data(), run.size() + raw.size()};
        continue;
      }
      LOOKALIKE_RETURN_IF_ERROR(stream_->Write(run));
      run = raw;
    }
    return stream_->Write(run);
  }

  Status AppendAnnotated(const DocumentBatch& batch,
                         std::span<const Annotation> annotations) override {
    return AppendWith(
        batch, kAnnotation,
        [&](const Document& document, size_t i) {
          AppendAnnotatedCsvRow(&row_, document.raw, delimiter_, annotations[i]);
        },
        [&](const Document& document, size_t i, const std::string& where) {
          return AppendAnnotatedJson(&row_, document.raw, annotations[i], where);
        });
  }

  Status AppendWithPassages(const DocumentBatch& batch,
                            std::span<const PassageSpans> passages) override {
    return AppendWith(
        batch, kAddedPassages,
        [&](const Document& document, size_t i) {
          AppendCsvRowWithPassages(&row_, document.raw, delimiter_, passages[i]);
        },
        [&](const Document& document, size_t i, const std::string& where) {
          return AppendJsonWithPassages(&row_, document.raw, passages[i], where);
        });
  }

  Status AppendRejected(const DocumentBatch& batch) override {
    for (const Rejection& rejection : batch.rejections) {
      LOOKALIKE_RETURN_IF_ERROR(stream_->Write(rejection.raw));
      // A record cut at --max-record, or the last one of a file, may have no line end.
      if (rejection.raw.empty() || rejection.raw.back() == '\n') continue;
      LOOKALIKE_RETURN_IF_ERROR(stream_->Write("\n"));
    }
    return {};
  }

  Status Close() override {
    if (array_ && began_) {
      LOOKALIKE_RETURN_IF_ERROR(stream_->Write(elements_ == 0 ? "[]\n" : "\n]\n"));
    }
    return stream_->Close();
  }

 private:
  // Appends all rows with fields added: to a row of CSV by `csv(document, i)`, to an object by
  // `json(document, i, where)`.
  template <class Csv, class Json>
  Status AppendWith(const DocumentBatch& batch, const AddedFields& fields, Csv csv, Json json) {
    began_ = true;
    if (csv_ && !std::exchange(header_done_, true) && !batch.header.empty()) {
      LOOKALIKE_RETURN_IF_ERROR(
          AppendAnnotatedCsvHeader(&row_, batch.header, delimiter_, fields, name_));
      LOOKALIKE_RETURN_IF_ERROR(WriteRow());
    }
    for (size_t i = 0; i < batch.documents.size(); ++i) {
      const Document& document = batch.documents[i];
      if (array_) BeginElement();
      if (csv_) {
        csv(document, i);
      } else {
        LOOKALIKE_RETURN_IF_ERROR(json(document, i, name_ + ":" + std::to_string(document.row)));
      }
      LOOKALIKE_RETURN_IF_ERROR(WriteRow());
    }
    return {};
  }

  // Appends the elements byte for byte, starting each on a line.
  Status AppendElements(const DocumentBatch& batch, std::span<const uint8_t> keep) {
    began_ = true;
    for (size_t i = 0; i < batch.documents.size(); ++i) {
      if (keep[i] == 0) continue;
      BeginElement();
      row_.append(batch.documents[i].raw);
      LOOKALIKE_RETURN_IF_ERROR(WriteRow());
    }
    return {};
  }

  void BeginElement() { row_.append(elements_++ == 0 ? "[\n" : ",\n"); }

  Status WriteRow() {
    Status status = stream_->Write(row_);
    row_.clear();
    return status;
  }

  bool csv_, array_;
  char delimiter_;
  std::string name_;
  std::unique_ptr<OutputStream> stream_;
  std::string row_;
  bool header_done_ = false;
  bool began_ = false;     ///< Documents are being written, not rejections.
  uint64_t elements_ = 0;  ///< Elements of an array written so far.
};

class TextWriter : public RecordWriter {
 public:
  TextWriter(const InputFile& like, std::string path, FileSystem& files)
      : codec_(like.codec), name_(like.name), path_(std::move(path)), files_(files) {}

  Status AppendKept(const DocumentBatch& batch, std::span<const uint8_t> keep) override {
    for (size_t i = 0; i < batch.documents.size(); ++i) {
      if (keep[i] != 0) LOOKALIKE_RETURN_IF_ERROR(Write(batch.documents[i].raw));
      left_out_ = left_out_ || keep[i] == 0;
    }
    left_out_ = left_out_ || !batch.rejections.empty();
    return {};
  }

  Status AppendAnnotated(const DocumentBatch&, std::span<const Annotation>) override {
    return OptionError(
        "annotated output needs records with fields, and a text file has none; use "
        "$<output=copies>",
        name_);
  }

  Status AppendWithPassages(const DocumentBatch&, std::span<const PassageSpans>) override {
    return OptionError(
        "$<action=annotate> needs records with fields, and a text file has none; use "
        "$<action=report>",
        name_);
  }

  Status AppendRejected(const DocumentBatch& batch) override {
    for (const Rejection& rejection : batch.rejections) {
      LOOKALIKE_RETURN_IF_ERROR(Write(rejection.raw));
    }
    return {};
  }

  Status Close() override {
    if (!stream_ && !left_out_) LOOKALIKE_RETURN_IF_ERROR(Write({}));
    return stream_ ? stream_->Close() : Status{};
  }

 private:
  Status Write(std::string_view bytes) {
    if (!stream_) {
      LOOKALIKE_ASSIGN_OR_RETURN(stream_, OutputStream::Create(path_, codec_, files_));
    }
    return stream_->Write(bytes);
  }

  Codec codec_;
  std::string name_, path_;
  FileSystem& files_;
  std::unique_ptr<OutputStream> stream_;
  bool left_out_ = false;  ///< A document was removed or rejected: not writing a file is correct.
};

}  // namespace

Result<std::unique_ptr<RecordWriter>> CreateRowWriter(const InputFile& like,
                                                      const std::string& path, FileSystem& files) {
  LOOKALIKE_ASSIGN_OR_RETURN(auto stream, OutputStream::Create(path, like.codec, files));
  return std::make_unique<RowWriter>(like, std::move(stream));
}

Result<std::unique_ptr<RecordWriter>> CreateTextWriter(const InputFile& like,
                                                       const std::string& path, FileSystem& files) {
  return std::make_unique<TextWriter>(like, path, files);
}

}  // namespace lookalike
