#include "uses/audit/collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <unordered_map>
#include <utility>

#include "format/json_text.h"
#include "io/output_stream.h"
#include "lookalike/reader.h"

namespace lookalike {

void AppendLine(AuditedDoc doc, std::string_view text, GuardValues values, std::string* lines) {
  fmt::format_to(std::back_inserter(*lines), R"({{"id": "{}", "text": )", doc);
  AppendJsonString(lines, text);
  for (size_t i = 0; i < values.size(); ++i) {
    fmt::format_to(std::back_inserter(*lines), R"(, "{}": )", FieldOfGuard(i));
    if (values[i]) {
      AppendJsonString(lines, *values[i]);
    } else {
      *lines += "null";
    }
  }
  *lines += "}\n";
}

std::string FieldOfGuard(size_t position) { return fmt::format("guard{}", position); }

/// Takes documents in input order.
class AuditedCollection::Splitter {
 public:
  static Result<Splitter> Begin(ListKind kind, const Listed& listed, const std::string& folder,
                                size_t workers, AuditedCollection* made) {
    Splitter splitter(kind, listed, workers, made);
    made->stays_ = folder + "/stays.jsonl.zst";
    made->gone_ = folder + "/gone.jsonl.zst";
    LOOKALIKE_ASSIGN_OR_RETURN(splitter.stays_, OutputStream::Create(made->stays_, Codec::kZstd));
    LOOKALIKE_ASSIGN_OR_RETURN(splitter.gone_, OutputStream::Create(made->gone_, Codec::kZstd));
    LOOKALIKE_ASSIGN_OR_RETURN(splitter.names_,
                               OutputStream::Create(folder + "/names", Codec::kNone));
    const size_t entries = listed.in_list.size();
    made->docs_.assign(entries, kNoDoc);
    made->clusters_ = listed.cluster;
    made->kept_.assign(listed.clusters, kNoDoc);
    return splitter;
  }

  Status Take(const DocumentColumns& columns, size_t i, ListAudit* audit) {
    const std::string_view text = columns.Text(i);
    const AuditedDoc doc = audit->documents++;
    const uint32_t entry = listed_.Find(NameIn(columns, i, doc));
    if (entry != kNoEntry && made_.docs_[entry] == kNoDoc) {
      made_.docs_[entry] = doc;
    } else if (entry != kNoEntry) {
      ++audit->repeated;
    }
    const bool is_gone = IsGone(entry, doc);
    audit->removed += is_gone;
    made_.entries_.push_back(entry);
    line_.clear();
    AppendLine(doc, text, columns.GuardValues(i), &line_);
    LOOKALIKE_RETURN_IF_ERROR((is_gone ? gone_ : stays_)->Write(line_));
    return Name(columns, i);
  }

  Status End() {
    LOOKALIKE_RETURN_IF_ERROR(stays_->Close());
    LOOKALIKE_RETURN_IF_ERROR(gone_->Close());
    return names_->Close();
  }

 private:
  Splitter(ListKind kind, const Listed& listed, size_t workers, AuditedCollection* made)
      : kind_(kind), listed_(listed), made_(*made), workers_(std::max<uint64_t>(1, workers)) {}

  /// Returns the name that the list has for a document.
  std::string NameIn(const DocumentColumns& columns, size_t i, AuditedDoc doc) {
    switch (listed_.naming) {
      case Naming::kIds:
        return std::string(columns.Id(i));
      case Naming::kNumbers:
        return std::to_string(doc);
      case Naming::kWorkerNumbers:
        break;
    }
    if (columns.Text(i).empty()) return {};  // its readers leave these out
    const uint64_t worker = columns.input_number % workers_;
    return WorkerName(worker, read_by_[worker]++);
  }

  bool IsGone(uint32_t entry, AuditedDoc doc) {
    if (kind_ == ListKind::kPairs) return false;
    if (entry == kNoEntry) return kind_ == ListKind::kKept;
    bool is_gone = listed_.in_list[entry] != (kind_ == ListKind::kKept);
    if (listed_.cluster.empty() || listed_.cluster[entry] == kNoEntry) return is_gone;
    AuditedDoc& kept = made_.kept_[listed_.cluster[entry]];
    if (listed_.first_stays) is_gone = kept != kNoDoc;
    if (!is_gone && kept == kNoDoc) kept = doc;
    return is_gone;
  }

  Status Name(const DocumentColumns& columns, size_t i) {
    line_ = R"({"id": )";
    AppendJsonString(&line_, columns.Id(i));
    line_ += R"(, "place": )";
    AppendJsonString(&line_, columns.PlaceOf(i));
    line_ += '}';
    LOOKALIKE_RETURN_IF_ERROR(names_->Write(line_));
    made_.name_ends_.push_back(names_->plain_bytes());
    return {};
  }

  ListKind kind_;
  const Listed& listed_;
  AuditedCollection& made_;
  std::unique_ptr<OutputStream> stays_, gone_, names_;
  std::string line_;
  uint64_t workers_;
  std::unordered_map<uint64_t, uint64_t> read_by_;  // by worker: documents
};

Result<AuditedCollection> AuditedCollection::Split(const AuditedInputs& inputs, ListKind kind,
                                                   const Listed& listed, const std::string& folder,
                                                   ListAudit* audit) {
  AuditedCollection made;
  LOOKALIKE_ASSIGN_OR_RETURN(auto reader,
                             DocumentReader::Open(inputs.inputs, inputs.reading, inputs.observer));
  const size_t workers = listed.workers != 0 ? listed.workers : reader.inputs();
  LOOKALIKE_ASSIGN_OR_RETURN(Splitter splitter,
                             Splitter::Begin(kind, listed, folder, workers, &made));
  DocumentColumns columns;
  while (true) {
    LOOKALIKE_ASSIGN_OR_RETURN(const bool more, reader.Next(&columns));
    if (!more) break;
    for (size_t i = 0; i < columns.size(); ++i) {
      LOOKALIKE_RETURN_IF_ERROR(splitter.Take(columns, i, audit));
    }
  }
  LOOKALIKE_RETURN_IF_ERROR(splitter.End());
  audit->rejected = reader.records().rejected;
  if (!made.name_ends_.empty() && made.name_ends_.back() > 0) {
    LOOKALIKE_ASSIGN_OR_RETURN(MappedFile names, MappedFile::Open(folder + "/names"));
    made.names_.push_back(std::move(names));
  }
  made.reasons_.assign(listed.in_list.size(), kNoDoc);
  for (const auto& [removed, reason] : listed.pairs) {
    if (made.docs_[reason] != kNoDoc) made.reasons_[removed] = made.docs_[reason];
  }
  return made;
}

AuditedDoc AuditedCollection::ReasonFor(AuditedDoc doc) const {
  const uint32_t entry = entries_[doc];
  if (entry == kNoEntry) return kNoDoc;
  if (reasons_[entry] != kNoDoc) return reasons_[entry];
  if (clusters_.empty() || clusters_[entry] == kNoEntry) return kNoDoc;
  return kept_[clusters_[entry]];
}

std::string_view AuditedCollection::NamesOf(AuditedDoc doc) const {
  const uint64_t begin = doc == 0 ? 0 : name_ends_[doc - 1];
  return std::string_view(reinterpret_cast<const char*>(names_[0].bytes().data()) + begin,
                          name_ends_[doc] - begin);
}

Status CheckWhole(const RecordCounts& records) {
  if (records.rejected + records.rejected_reference + records.skipped_inputs == 0) return {};
  return MemoryError(
      "some texts are too long for the memory; pass more with $<memory>, so that all are judged");
}

Status ForEachDocument(const std::string& file, const AuditedInputs& inputs,
                       const TakeDocument& take) {
  LOOKALIKE_ASSIGN_OR_RETURN(auto reader,
                             DocumentReader::Open({file}, inputs.comparing, inputs.observer));
  DocumentColumns columns;
  while (true) {
    LOOKALIKE_ASSIGN_OR_RETURN(const bool more, reader.Next(&columns));
    LOOKALIKE_RETURN_IF_ERROR(CheckWhole(reader.records()));
    if (!more) return {};
    for (size_t i = 0; i < columns.size(); ++i) {
      AuditedDoc doc = 0;
      const std::string_view id = columns.Id(i);
      (void)std::from_chars(id.data(), id.data() + id.size(), doc);
      LOOKALIKE_RETURN_IF_ERROR(take(doc, columns.Text(i), columns.GuardValues(i)));
    }
  }
}

}  // namespace lookalike
