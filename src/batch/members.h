// Ids, rows and excerpts of the documents that a result names.
#ifndef LOOKALIKE_BATCH_MEMBERS_H_
#define LOOKALIKE_BATCH_MEMBERS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "batch/input_pass.h"
#include "batch/job.h"
#include "flow/document_batch.h"
#include "flow/records.h"

namespace lookalike {

/// What a result says of one document.
struct Member {
  DocNumber doc = 0;
  uint32_t source = 0;
  uint64_t row = 0;
  std::string id;       ///< The id field's value, else "<input name>:<row>".
  std::string excerpt;  ///< The text, cut; only of documents that were asked for it.
  bool cut = false;     ///< The excerpt is not the whole text.
};

/// The members of a result; filled while the inputs are read in order.
class MemberTable {
 public:
  /// `docs` and `excerpts` (a subset) ascending and distinct.
  MemberTable(std::vector<DocNumber> docs, std::vector<DocNumber> excerpts,
              size_t excerpt_bytes = 0);

  /// Takes what is wanted from a batch that begins with document `first_doc`. Batches must come
  /// in input order.
  void Take(const Job& job, const DocumentBatch& batch, DocNumber first_doc);

  /// REQUIRES: doc is among the docs, and its batch was taken.
  [[nodiscard]] const Member& Of(DocNumber doc) const;

  /// Whether every document was met; otherwise the inputs changed under the run.
  [[nodiscard]] bool complete() const { return next_ == members_.size(); }

 private:
  void TakeExcerpt(std::string_view text, Member* member);

  std::vector<Member> members_;
  std::vector<DocNumber> excerpts_;
  size_t excerpt_bytes_;
  size_t next_ = 0, next_excerpt_ = 0;
};

/// Reads the inputs for the sake of the members alone.
Status CollectMembers(const Job& job, const KnownInputs& known, const Observer& observer,
                      size_t threads, MemberTable* members);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_MEMBERS_H_
