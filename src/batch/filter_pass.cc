#include "batch/filter_pass.h"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "batch/document_sketch.h"
#include "batch/input_pass.h"
#include "batch/members.h"
#include "fingerprint/document_fingerprint.h"
#include "format/json_text.h"
#include "stages/input/live_lines.h"

namespace lookalike {
namespace {

constexpr uint64_t kMostRemembered = UINT32_MAX - 1;

/// What is asked about a document.
struct Question {
  std::string id;
  uint64_t row = 0;
  bool has_features = false;
};

/// What is made of a batch on any thread.
struct BatchQuestions {
  uint32_t source = 0;
  std::vector<Question> questions;
  std::vector<std::byte> records;  ///< Of those with features, one after the other.
  std::vector<Rejection> rejections;
  uint64_t null_text = 0, repaired_text = 0;
};

/// Makes records of documents. One per thread.
class QuestionMaker {
 public:
  QuestionMaker(const Job& job, const FilterRecords& maker)
      : job_(job),
        maker_(maker),
        fingerprint_(job.Fingerprint()),
        sketcher_(job.features, job.Kept()),
        key_coordinates_(job.Kept()) {}

  BatchQuestions Make(PassItem item) {
    BatchQuestions made;
    made.source = item.batch.source;
    for (const Document& document : item.batch.documents) Add(document, &made);
    made.rejections = std::move(item.batch.rejections);
    for (Rejection& rejection : made.rejections) rejection.raw = {};  // goes with the batch
    return made;
  }

 private:
  void Add(const Document& document, BatchQuestions* made) {
    Question question;
    question.id = document.has_id ? std::string(document.id)
                                  : FallbackId(job_.inputs[made->source], document.row);
    question.row = document.row;
    made->null_text += document.null_text;
    const auto sketch = job_.estimates() ? Stored(document, made) : OfText(document, made);
    question.has_features = !sketch.empty();
    if (question.has_features) maker_.Append(sketch, &made->records);
    made->questions.push_back(std::move(question));
  }

  /// What keys are made of; empty where a document has too few features.
  std::span<const uint32_t> OfText(const Document& document, BatchQuestions* made) {
    const auto features = fingerprint_.Features(document.text, document.kind);
    made->repaired_text += document.repaired || fingerprint_.replaced_invalid();
    if (!fingerprint_.IsSearched(features)) return {};
    return fingerprint_.MakeSketch(features);
  }

  /// The same of a stored sketch, or of a text that is sketched like those.
  std::span<const uint32_t> Stored(const Document& document, BatchQuestions* made) {
    const DocumentSketch sketch = sketcher_.Make(document);
    made->repaired_text += sketch.repaired;
    if (sketch.features == 0 || sketch.features < job_.options.LeastFeatures()) return {};
    return key_coordinates_.Of(sketch);
  }

  const Job& job_;
  const FilterRecords& maker_;
  DocumentFingerprint fingerprint_;
  DocumentSketcher sketcher_;
  KeyCoordinates key_coordinates_;
};

/// Answers batches in input order.
class Answerer {
 public:
  Answerer(const Job& job, const Observer& observer, const TakeLines& take, FilterMemory* filter,
           FilterCounts* counts)
      : job_(job), observer_(observer), take_(take), filter_(*filter), counts_(*counts) {}

  Status Take(const BatchQuestions& batch) {
    lines_.clear();
    std::span<const std::byte> rest(batch.records);
    for (const Question& question : batch.questions) {
      const size_t bytes = question.has_features ? filter_.maker().bytes() : 0;
      LOOKALIKE_RETURN_IF_ERROR(Answer(question, batch.source, rest.first(bytes)));
      rest = rest.subspan(bytes);
    }
    counts_.records.in += batch.questions.size() + batch.rejections.size();
    counts_.records.null_text += batch.null_text;
    counts_.records.repaired_text += batch.repaired_text;
    LOOKALIKE_RETURN_IF_ERROR(take_(lines_));
    for (const Rejection& rejection : batch.rejections) {
      LOOKALIKE_RETURN_IF_ERROR(
          TakeRejection(job_, observer_, batch.source, rejection, ++counts_.records.rejected));
    }
    return {};
  }

 private:
  Status Answer(const Question& question, uint32_t source, std::span<const std::byte> record) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto like, filter_.Ask(record, question.id));
    ++(like ? counts_.seen : counts_.fresh);
    lines_ += R"({"id": )";
    AppendJsonString(&lines_, question.id);
    lines_ += R"(, "source": )";
    AppendJsonString(&lines_, job_.inputs[source].name);
    lines_ += fmt::format(R"(, "row": {}, "decision": "{}", "like": )", question.row,
                          like ? "seen" : "new");
    if (like) {
      AppendJsonString(&lines_, *like);
    } else {
      lines_ += "null";
    }
    lines_ += ", \"exact\": false}\n";
    return {};
  }

  const Job& job_;
  const Observer& observer_;
  const TakeLines& take_;
  FilterMemory& filter_;
  FilterCounts& counts_;
  std::string lines_;
};

/// Everything that decides the answers of a filter.
std::string SettingsOf(const Job& job, uint32_t bits) {
  return fmt::format("fingerprint {} seed {} min-features {} sketch {} design {} bits {} {}",
                     kFingerprintVersion, job.options.seed, job.options.LeastFeatures(),
                     FilterSketchName(job), job.DesignName(), bits, job.FeaturesName());
}

}  // namespace

std::string FilterSketchName(const Job& job) {
  const KeptSketch kept = job.Kept();
  if (kept.sample)
    return fmt::format("{} of {}", ToString(kept.KeySketch()), ToString(*kept.sample));
  if (kept.bits == kWholeCoordinate && kept.HasKeys()) return ToString(kept.sketch);
  const std::string whole = fmt::format("{} with {} bits", ToString(kept.sketch), kept.bits);
  return kept.HasKeys() ? whole : fmt::format("{} of {}", ToString(kept.KeySketch()), whole);
}

FilterMemory::FilterMemory(const Job& job, uint32_t bits)
    : settings_(SettingsOf(job, bits)), maker_(*job.design, bits), filter_(*job.design, bits) {}

Status FilterMemory::Load(StoredFilter stored) {
  if (stored.settings != settings_) {
    return Fail("is the state of a filter with other options (" + stored.settings + ", but now " +
                settings_ + "); give the same options, or another --state");
  }
  if (stored.record_bytes != filter_.record_bytes()) {
    return Fail("is no state of a filter that can be read: its records have a wrong length");
  }
  const std::span<const std::byte> all(stored.records);
  for (size_t i = 0; i < stored.id_ends.size(); ++i) {
    filter_.Remember(all.subspan(i * filter_.record_bytes(), filter_.record_bytes()));
  }
  asked_ = stored.asked;
  ids_ = std::move(stored.ids);
  id_ends_ = std::move(stored.id_ends);
  return {};
}

FilterView FilterMemory::View() const {
  return {settings_,         asked_,   static_cast<uint32_t>(filter_.record_bytes()),
          filter_.records(), id_ends_, ids_};
}

Result<std::optional<std::string_view>> FilterMemory::Ask(std::span<const std::byte> record,
                                                          std::string_view id) {
  ++asked_;
  if (record.empty()) return std::optional<std::string_view>();
  if (const auto like = filter_.Find(record)) return std::optional(IdOf(*like));
  if (remembered() >= kMostRemembered) {
    return Fail("the filter is full: it remembers " + std::to_string(kMostRemembered) +
                " documents; begin another --state");
  }
  filter_.Remember(record);
  ids_ += id;
  id_ends_.push_back(ids_.size());
  return std::optional<std::string_view>();
}

std::string_view FilterMemory::IdOf(uint64_t number) const {
  const uint64_t begin = number == 0 ? 0 : id_ends_[number - 1];
  return std::string_view(ids_).substr(begin, id_ends_[number] - begin);
}

Status FilterInputs(const Job& job, const MemoryPlan& memory, const Observer& observer,
                    const TakeLines& take, FilterMemory* filter, FilterCounts* counts) {
  PassRange range;
  range.ahead = memory.ahead;
  PassReader reader(job, nullptr, ReadColumns::kFields, "filter", observer, range);
  Answerer answerer(job, observer, take, filter, counts);
  tbb::enumerable_thread_specific<QuestionMaker> makers(
      [&] { return QuestionMaker(job, filter->maker()); });
  return RunPass(
      &reader, [&](PassItem item) { return makers.local().Make(std::move(item)); },
      [&](const BatchQuestions& batch) { return answerer.Take(batch); }, memory.batches);
}

Status FilterLiveLines(const Job& job, const Observer& observer, const TakeLines& take,
                       FilterMemory* filter, FilterCounts* counts) {
  const auto reader = OpenLiveLines(job.fields, job.limits);
  Answerer answerer(job, observer, take, filter, counts);
  QuestionMaker maker(job, filter->maker());
  while (true) {
    if (observer.cancelled && observer.cancelled()) return Fail("interrupted");
    PassItem item;
    LOOKALIKE_ASSIGN_OR_RETURN(const bool more, reader->Next(&item.batch));
    if (!more) return {};
    LOOKALIKE_RETURN_IF_ERROR(answerer.Take(maker.Make(std::move(item))));
  }
}

}  // namespace lookalike
