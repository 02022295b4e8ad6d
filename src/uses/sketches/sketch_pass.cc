#include "uses/sketches/sketch_pass.h"

#include <tbb/enumerable_thread_specific.h>

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "format/sketch_file.h"
#include "io/output_stream.h"
#include "run/document_sketch.h"
#include "run/input_pass.h"
#include "run/members.h"
#include "stages/sketch/set_sketch.h"
#include "uses/sketches/sketch_file_writer.h"

namespace lookalike {
namespace {

/// The settings that a file's sketches are made with.
struct Recipe {
  const Job& job;
  std::optional<SetSketchSpec> sample;  ///< None: coordinates.
};

/// The records of one batch, one after the other.
struct BatchRecords {
  uint32_t source = 0;
  std::string bytes;
  std::vector<size_t> ends;  ///< For each record.
  std::vector<Rejection> rejections;
  uint64_t record_bytes = 0, null_text = 0, repaired_text = 0;
  std::optional<Error> bad;  ///< The input is skipped.
};

/// A maker of the records of documents. One per thread.
class RecordMaker {
 public:
  explicit RecordMaker(const Recipe& recipe)
      : recipe_(recipe),
        sketcher_(recipe.job.features, {recipe.job.sketch, recipe.job.sketch_bits, recipe.sample}) {
  }

  BatchRecords Make(PassItem item) {
    BatchRecords records;
    records.source = item.batch.source;
    for (const Document& document : item.batch.documents) {
      Add(document, &records);
      records.ends.push_back(records.bytes.size());
    }
    for (Rejection& rejection : item.batch.rejections) {
      records.record_bytes += rejection.raw.size();
      rejection.raw = {};  // the batch owns the bytes
      records.rejections.push_back(std::move(rejection));
    }
    records.bad = std::move(item.bad);
    return records;
  }

 private:
  void Add(const Document& document, BatchRecords* records) {
    SketchRecord record;
    record.row = document.row;
    const std::string fallback =
        document.has_id ? "" : FallbackId(recipe_.job.inputs.NameOf(records->source), document.row);
    record.id = document.has_id ? document.id : fallback;
    const DocumentSketch made = sketcher_.Make(document);
    record.features = made.features;
    packed_.assign(reinterpret_cast<const char*>(made.sample.data()), made.sample.size_bytes());
    AppendPacked(made.coordinates, recipe_.job.sketch_bits, &packed_);
    record.sketch = packed_;
    records->repaired_text += made.repaired;
    AppendSketchRecord(record, &records->bytes);
    records->null_text += document.null_text;
    records->record_bytes += std::max(document.raw.size(), document.text.size());
  }

  const Recipe& recipe_;
  DocumentSketcher sketcher_;
  std::string packed_;
};

/// A writer of the records of batches, in input order.
class BatchWriter {
 public:
  BatchWriter(const Job& job, const Observer& observer, SketchFileWriter* file)
      : job_(job), observer_(observer), file_(*file) {}

  Status Take(const BatchRecords& records) {
    size_t begin = 0;
    for (const size_t end : records.ends) {
      LOOKALIKE_RETURN_IF_ERROR(
          file_.Add(job_.inputs.NameOf(records.source),
                    std::string_view(records.bytes).substr(begin, end - begin)));
      begin = end;
    }
    made_.bytes += records.record_bytes;
    TakeSkipped(observer_, records.bad, &made_.records);
    made_.records.in += records.ends.size() + records.rejections.size();
    made_.records.null_text += records.null_text;
    made_.records.repaired_text += records.repaired_text;
    return Reject(records);
  }

  Result<SketchedInputs> Finish() {
    LOOKALIKE_RETURN_IF_ERROR(file_.Finish());
    made_.documents = file_.documents();
    made_.records.left_out_inputs = job_.left_out.count();
    return made_;
  }

 private:
  Status Reject(const BatchRecords& records) {
    for (const Rejection& rejection : records.rejections) {
      LOOKALIKE_RETURN_IF_ERROR(
          TakeRejection(job_, observer_, records.source, rejection, ++made_.records.rejected));
    }
    return {};
  }

  const Job& job_;
  const Observer& observer_;
  SketchFileWriter& file_;
  SketchedInputs made_;
};

/// Returns an empty sketch of the same kind as the sketches in the file.
StoredSketch Like(const Recipe& recipe) {
  const Job& job = recipe.job;
  StoredSketch like;
  like.fingerprint_version = kFingerprintVersion;
  like.seed = job.options.seed;
  like.shingle = ToString(job.features);
  if (recipe.sample) {
    like.kind = static_cast<uint8_t>(recipe.sample->kind);
    like.parameter = static_cast<uint32_t>(recipe.sample->parameter);
    return like;
  }
  like.kind = static_cast<uint8_t>(job.sketch.kind);
  like.bits = static_cast<uint8_t>(job.sketch_bits);
  like.coordinates.resize(job.sketch.coordinates);
  return like;
}

}  // namespace

Result<SketchedInputs> SketchInputs(const Job& job, const MemoryPlan& memory, Codec codec,
                                    const std::string& path, const Observer& observer) {
  const Recipe recipe = {job, job.sample};
  LOOKALIKE_ASSIGN_OR_RETURN(const auto stream, OutputStream::Create(path, codec));
  const StoredSketch like = Like(recipe);
  SketchFileWriter file(like, stream.get());
  LOOKALIKE_RETURN_IF_ERROR(file.Begin());
  PassRange range;
  range.ahead = memory.ahead;
  PassReader reader(job, nullptr, ReadColumns::kFields, "sketch", observer, range);
  BatchWriter writer(job, observer, &file);
  tbb::enumerable_thread_specific<RecordMaker> makers([&] { return RecordMaker(recipe); });
  LOOKALIKE_RETURN_IF_ERROR(RunPass(
      &reader, [&](PassItem item) { return makers.local().Make(std::move(item)); },
      [&](const BatchRecords& records) { return writer.Take(records); }, memory.batches));
  return writer.Finish();
}

}  // namespace lookalike
