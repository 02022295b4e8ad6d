#include "uses/passages/annotate.h"

#include <span>
#include <utility>
#include <vector>

#include "uses/passages/kept_records.h"
#include "uses/passages/locate.h"

namespace lookalike {
namespace {

/// A batch, and the passages of its documents.
struct AnnotatedBatch {
  PassItem item;
  std::vector<PassageSpan> spans;
  std::vector<size_t> begins;  ///< The first span of each document, and the number of all.
  Status status;
};

class Annotator {
 public:
  Annotator(const Job& job, const PagedRecords<NumberedPlace>& places)
      : job_(job), places_(places) {}

  AnnotatedBatch Annotate(PassItem item) const {
    AnnotatedBatch annotated;
    annotated.item = std::move(item);
    if (!annotated.item.end_of_source) annotated.status = FindSpans(&annotated);
    return annotated;
  }

 private:
  Status FindSpans(AnnotatedBatch* annotated) const {
    const PassItem& item = annotated->item;
    const std::vector<Document>& documents = item.batch.documents;
    LOOKALIKE_ASSIGN_OR_RETURN(
        const auto all, ReadDocuments(places_, item.first_doc, item.first_doc + documents.size(),
                                      [](const NumberedPlace& place) { return place.run.doc; }));
    auto place = all.records.begin();
    for (size_t i = 0; i < documents.size(); ++i) {
      annotated->begins.push_back(annotated->spans.size());
      const auto begin = place;
      while (place != all.records.end() && place->run.doc == item.first_doc + i) ++place;
      LOOKALIKE_RETURN_IF_ERROR(FindIn(documents[i], {begin, place}, &annotated->spans));
    }
    annotated->begins.push_back(annotated->spans.size());
    return {};
  }

  Status FindIn(const Document& document, std::span<const NumberedPlace> places,
                std::vector<PassageSpan>* spans) const {
    if (places.empty()) return {};
    std::vector<RunToLocate> runs;
    for (const NumberedPlace& place : places) runs.push_back({place.run, place.passage, 0});
    std::vector<LocatedRun> located;
    LOOKALIKE_RETURN_IF_ERROR(LocateIn(job_, document, runs, 0, &located));
    for (size_t i = 0; i < located.size(); ++i) {
      spans->push_back({located[i].owner, located[i].begin, located[i].end, places[i].is_first});
    }
    return {};
  }

  const Job& job_;
  const PagedRecords<NumberedPlace>& places_;
};

Status Write(const AnnotatedBatch& annotated, KeptRecords* records) {
  LOOKALIKE_RETURN_IF_ERROR(annotated.status);
  std::vector<PassageSpans> documents;
  const std::span<const PassageSpan> spans = annotated.spans;
  for (size_t i = 0; i + 1 < annotated.begins.size(); ++i) {
    const size_t begin = annotated.begins[i];
    documents.push_back(spans.subspan(begin, annotated.begins[i + 1] - begin));
  }
  return records->TakeWithPassages(annotated.item, documents);
}

}  // namespace

Status CheckCanAnnotate(const Job& job) {
  for (size_t i = job.reference_inputs; i < job.inputs.size(); ++i) {
    const Format format = job.inputs.FormatOf(i);
    if (format == Format::kText || format == Format::kHtml || format == Format::kWarc) {
      return InputError(
          "has no records with fields, to which $<action=annotate> could add one; use "
          "$<action=report>",
          job.inputs[i].place());
    }
  }
  return {};
}

Status WriteAnnotated(const PassageContext& context, const KnownInputs& known, DocNumber documents,
                      const PagedRecords<NumberedPlace>& places, const std::string& folder) {
  Bitmap wanted(documents);
  PagedScan<NumberedPlace> all(places);
  while (const NumberedPlace* place = all.Next()) wanted.Set(place->run.doc);
  LOOKALIKE_RETURN_IF_ERROR(all.status());
  LOOKALIKE_ASSIGN_OR_RETURN(KeptRecords records, KeptRecords::Begin(context.job, folder));
  const Annotator annotator(context.job, places);
  LOOKALIKE_RETURN_IF_ERROR(ReadToWrite(
      context, known, wanted, [&](PassItem item) { return annotator.Annotate(std::move(item)); },
      [&](const AnnotatedBatch& batch) { return Write(batch, &records); }));
  return records.End();
}

}  // namespace lookalike
