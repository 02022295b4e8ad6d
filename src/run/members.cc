#include "run/members.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "fingerprint/feature_extractor.h"

namespace lookalike {
namespace {

/// The part of a stored member before its id.
struct MemberHead {
  uint64_t row;
  uint32_t source;
  uint32_t has_id;
};

/// The part of a stored excerpt before its text.
struct ExcerptHead {
  DocNumber doc;
  uint32_t bytes;
  uint32_t cut;
};

/// Returns the length of the longest prefix of at most `most` bytes that ends between UTF-8
/// sequences.
size_t WholePrefix(std::string_view text, size_t most) {
  size_t length = std::min(text.size(), most);
  while (length > 0 && length < text.size() &&
         (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) {
    --length;
  }
  return length;
}

Member Decode(const Job& job, DocNumber doc, std::span<const std::byte> bytes) {
  MemberHead head;
  std::memcpy(&head, bytes.data(), sizeof(head));
  Member member = {doc, head.source, head.row, {}};
  const auto id = bytes.subspan(sizeof(head));
  member.id = head.has_id != 0 ? std::string(reinterpret_cast<const char*>(id.data()), id.size())
                               : FallbackId(job.inputs.NameOf(head.source), head.row);
  return member;
}

}  // namespace

std::string FallbackId(std::string_view input, uint64_t row) {
  return std::string(input) + ":" + std::to_string(row);
}

std::string IdOf(const Document& document, std::string_view input) {
  return document.has_id ? std::string(document.id) : FallbackId(input, document.row);
}

const Member& MemberList::Of(DocNumber doc) const {
  return *std::lower_bound(
      members_.begin(), members_.end(), doc,
      [](const Member& member, DocNumber wanted) { return member.doc < wanted; });
}

StoredMembers::StoredMembers(Bitmap named, std::vector<DocNumber> excerpts, size_t excerpt_bytes,
                             HtmlMode pages, ExcerptLabels labels)
    : named_(std::move(named)),
      wanted_excerpts_(std::move(excerpts)),
      excerpt_bytes_(excerpt_bytes),
      pages_(pages),
      labels_(std::move(labels)) {}

Status StoredMembers::Append(const DocumentBatch& batch, DocNumber first_doc, uint32_t first_stream,
                             RunWriter* writer) const {
  for (size_t i = 0; i < batch.documents.size(); ++i) {
    const DocNumber doc = first_doc + i;
    if (!named_.Test(doc)) continue;
    const Document& document = batch.documents[i];
    const MemberHead head = {document.row, batch.source, document.has_id ? 1U : 0U};
    LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(first_stream + 1, head));
    if (document.has_id) {
      LOOKALIKE_RETURN_IF_ERROR(
          writer->Append(first_stream + 1, std::as_bytes(std::span(document.id))));
    }
    LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(first_stream, writer->bytes(first_stream + 1)));
    if (std::binary_search(wanted_excerpts_.begin(), wanted_excerpts_.end(), doc)) {
      LOOKALIKE_RETURN_IF_ERROR(AppendExcerpt(doc, document, first_stream + 2, writer));
    }
  }
  return {};
}

StoredMembers::Excerpt StoredMembers::MakeExcerpt(const Document& document) const {
  PageReader pages(pages_);
  const size_t most = excerpt_bytes_ / std::max<size_t>(1, labels_.names.size());
  Excerpt excerpt = {{}, false};
  const auto add = [&](std::string_view text) {
    const std::string_view read = pages.Read(text, document.kind);
    const size_t length = WholePrefix(read, most);
    excerpt.text += read.substr(0, length);
    excerpt.cut |= length < read.size();
  };
  if (labels_.names.empty()) {
    add(document.text);
    return excerpt;
  }
  for (size_t field = 0; field < labels_.names.size(); ++field) {
    const size_t value = labels_.others + field - 1;
    const std::string_view text = field == 0 ? document.text
                                  : value < document.values.size()
                                      ? document.values[value].value_or(std::string_view())
                                      : std::string_view();
    if (text.empty()) continue;
    if (!excerpt.text.empty()) excerpt.text += '\n';
    excerpt.text += labels_.names[field] + ": ";
    add(text);
  }
  return excerpt;
}

Status StoredMembers::AppendExcerpt(DocNumber doc, const Document& document, uint32_t stream,
                                    RunWriter* writer) const {
  const Excerpt excerpt = MakeExcerpt(document);
  const ExcerptHead head = {doc, static_cast<uint32_t>(excerpt.text.size()), excerpt.cut ? 1U : 0U};
  LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(stream, head));
  return writer->Append(stream, std::as_bytes(std::span(excerpt.text)));
}

Status StoredMembers::AddPart(const RunPointer& run, uint32_t first_stream, DocNumber end) {
  const uint64_t count = named_.Rank(end) - column_.size();
  if (run->bytes(first_stream) != count * sizeof(uint64_t)) {
    return InputError(
        "the inputs changed while they were read; run again when nothing writes to them");
  }
  column_.AddPart(run, first_stream, first_stream + 1, count);
  const uint32_t stream = first_stream + 2;
  for (uint64_t at = 0; at < run->bytes(stream);) {
    ExcerptHead head;
    LOOKALIKE_RETURN_IF_ERROR(run->Read(stream, at, std::as_writable_bytes(std::span(&head, 1))));
    at += sizeof(head);
    found_[head.doc] = {run, stream, at, head.bytes, head.cut != 0};
    at += head.bytes;
  }
  return {};
}

Result<StoredMembers::Excerpt> StoredMembers::ExcerptOf(DocNumber doc) const {
  const ExcerptPlace& place = found_.at(doc);
  Excerpt excerpt = {std::string(place.bytes, '\0'), place.cut};
  LOOKALIKE_RETURN_IF_ERROR(
      place.run->Read(place.stream, place.begin, std::as_writable_bytes(std::span(excerpt.text))));
  return excerpt;
}

Result<MemberList> StoredMembers::Gather(const Job& job, std::vector<DocNumber> docs) const {
  std::sort(docs.begin(), docs.end());
  docs.erase(std::unique(docs.begin(), docs.end()), docs.end());
  std::vector<uint64_t> positions;
  for (const DocNumber doc : docs) positions.push_back(named_.Rank(doc));
  GatheredValues values;
  LOOKALIKE_RETURN_IF_ERROR(column_.Gather(positions, &values));
  std::vector<Member> members;
  for (size_t i = 0; i < docs.size(); ++i) {
    members.push_back(Decode(job, docs[i], values.Value(i)));
  }
  return MemberList(std::move(members));
}

Status CollectMembers(const Job& job, const KnownInputs& known, const Observer& observer,
                      Workspace* workspace, StoredMembers* members) {
  auto writer = workspace->store().Temporary(StoredMembers::kStreams);
  PassReader reader(job, &known, ReadColumns::kFields, "names", observer,
                    {.wanted = &members->named().bits(), .ahead = workspace->memory().ahead});
  LOOKALIKE_RETURN_IF_ERROR(RunPass(
      &reader, [](PassItem item) { return item; },
      [&](const PassItem& item) -> Status {
        if (item.end_of_source) return {};
        return members->Append(item.batch, item.first_doc, 0, writer.get());
      },
      workspace->memory().batches));
  LOOKALIKE_ASSIGN_OR_RETURN(const RunPointer run, writer->Finish());
  return members->AddPart(run, 0, members->named().size());
}

Result<StoredMembers> CollectMembers(const Job& job, const KnownInputs& known, Bitmap named,
                                     const Observer& observer, Workspace* workspace) {
  StoredMembers members(std::move(named), {}, 0);
  LOOKALIKE_RETURN_IF_ERROR(CollectMembers(job, known, observer, workspace, &members));
  return members;
}

}  // namespace lookalike
