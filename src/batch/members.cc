#include "batch/members.h"

#include <algorithm>
#include <utility>

#include "batch/input_pass.h"

namespace lookalike {

MemberTable::MemberTable(std::vector<DocNumber> docs, std::vector<DocNumber> excerpts,
                         size_t excerpt_bytes)
    : members_(docs.size()), excerpts_(std::move(excerpts)), excerpt_bytes_(excerpt_bytes) {
  for (size_t i = 0; i < docs.size(); ++i) members_[i].doc = docs[i];
}

void MemberTable::TakeExcerpt(std::string_view text, Member* member) {
  size_t length = std::min(text.size(), excerpt_bytes_);
  // Not in the middle of a UTF-8 sequence.
  while (length > 0 && length < text.size() &&
         (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) {
    --length;
  }
  member->excerpt = text.substr(0, length);
  member->cut = length < text.size();
}

void MemberTable::Take(const Job& job, const DocumentBatch& batch, DocNumber first_doc) {
  const DocNumber end = first_doc + batch.documents.size();
  for (; next_ < members_.size() && members_[next_].doc < end; ++next_) {
    Member& member = members_[next_];
    const Document& document = batch.documents[member.doc - first_doc];
    member.source = batch.source;
    member.row = document.row;
    member.id = document.has_id
                    ? std::string(document.id)
                    : job.inputs[batch.source].name + ":" + std::to_string(document.row);
    if (next_excerpt_ < excerpts_.size() && excerpts_[next_excerpt_] == member.doc) {
      TakeExcerpt(document.text, &member);
      ++next_excerpt_;
    }
  }
}

const Member& MemberTable::Of(DocNumber doc) const {
  return *std::lower_bound(
      members_.begin(), members_.end(), doc,
      [](const Member& member, DocNumber wanted) { return member.doc < wanted; });
}

Status CollectMembers(const Job& job, const KnownInputs& known, const Observer& observer,
                      size_t threads, MemberTable* members) {
  PassReader reader(job, &known, ReadColumns::kFields, "names", observer);
  LOOKALIKE_RETURN_IF_ERROR(RunPass(
      &reader, [](PassItem item) { return item; },
      [&](const PassItem& item) -> Status {
        if (!item.end_of_source) members->Take(job, item.batch, item.first_doc);
        return {};
      },
      threads));
  if (members->complete()) return {};
  return Fail("the inputs changed while they were read; run again when nothing writes to them");
}

}  // namespace lookalike
