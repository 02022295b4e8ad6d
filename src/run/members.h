// Ids, rows and excerpts of the documents that a result names.
#ifndef LOOKALIKE_RUN_MEMBERS_H_
#define LOOKALIKE_RUN_MEMBERS_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "records/bitmap.h"
#include "records/document_batch.h"
#include "records/records.h"
#include "run/input_pass.h"
#include "run/job.h"
#include "run/workspace.h"
#include "spill/columns.h"

namespace lookalike {

/// A document as a result names it.
struct Member {
  DocNumber doc = 0;
  uint32_t source = 0;
  uint64_t row = 0;
  std::string id;  ///< The id field's value, else "<input name>:<row>".
};

/// Returns the id of a document whose record has none.
std::string FallbackId(std::string_view input, uint64_t row);

/// Returns the id that a document of an input has in results: its own, or the fallback.
std::string IdOf(const Document& document, std::string_view input);

/// Some members in memory.
class MemberList {
 public:
  explicit MemberList(std::vector<Member> members = {}) : members_(std::move(members)) {}

  /// REQUIRES: doc is among the members.
  [[nodiscard]] const Member& Of(DocNumber doc) const;

 private:
  std::vector<Member> members_;  // sorted by document
};

/// The names of several text fields, which label their texts in excerpts.
struct ExcerptLabels {
  std::vector<std::string> names;  ///< Empty: there is one text, without a label.
  size_t others = 0;               ///< Number of values of a document before its further texts.
};

/// The members of a result, wherever they are kept. Filled part by part in input order; a part is a
/// run over consecutive documents.
class StoredMembers {
 public:
  /// Streams of a part: where each member ends, the members, and the excerpts.
  static constexpr uint32_t kStreams = 3;

  StoredMembers() = default;
  /// `named`: flags by document. `excerpts`: a few of those documents, ascending, whose first
  /// `excerpt_bytes` of text are kept as well; for a page, of the text that is compared, according
  /// to `pages`. With `labels`, of each text field an equal part of these bytes.
  StoredMembers(Bitmap named, std::vector<DocNumber> excerpts, size_t excerpt_bytes,
                HtmlMode pages = HtmlMode::kAuto, ExcerptLabels labels = {});

  /// Appends the wanted data of a batch to three streams of a writer, starting at `first_stream`.
  /// Batches must come in input order.
  Status Append(const DocumentBatch& batch, DocNumber first_doc, uint32_t first_stream,
                RunWriter* writer) const;

  /// Adds a finished part, which covers the next documents up to `end`. Returns an Error if it has
  /// not seen all of them: the inputs changed during the run.
  Status AddPart(const RunPointer& run, uint32_t first_stream, DocNumber end);

  /// Reads the members that are in files into memory, if the store has room for them.
  Status MoveToMemory(RunStore* store) { return column_.MoveToMemory(store); }

  /// Returns the members of some documents, in any order, repetitions allowed. REQUIRES: all are
  /// named.
  Result<MemberList> Gather(const Job& job, std::vector<DocNumber> docs) const;

  [[nodiscard]] const RankedBitmap& named() const { return named_; }

  struct Excerpt {
    std::string text;  ///< TextKind::kPlain, whatever the document is.
    bool cut = false;  ///< True if it is not the whole text.
  };
  /// Returns the excerpt of a document. REQUIRES: it was requested, and its part was added.
  [[nodiscard]] Result<Excerpt> ExcerptOf(DocNumber doc) const;

 private:
  /// The place of an excerpt.
  struct ExcerptPlace {
    RunPointer run;
    uint32_t stream;
    uint64_t begin;
    uint32_t bytes;
    bool cut;
  };
  [[nodiscard]] Excerpt MakeExcerpt(const Document& document) const;
  Status AppendExcerpt(DocNumber doc, const Document& document, uint32_t stream,
                       RunWriter* writer) const;

  RankedBitmap named_;
  std::vector<DocNumber> wanted_excerpts_;
  size_t excerpt_bytes_ = 0;
  HtmlMode pages_ = HtmlMode::kAuto;
  ExcerptLabels labels_;
  VariableColumn column_;
  std::map<DocNumber, ExcerptPlace> found_;
};

/// Reads the inputs only to collect the members.
Status CollectMembers(const Job& job, const KnownInputs& known, const Observer& observer,
                      Workspace* workspace, StoredMembers* members);

/// Does the same for members without excerpts; `named` has flags by document.
Result<StoredMembers> CollectMembers(const Job& job, const KnownInputs& known, Bitmap named,
                                     const Observer& observer, Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_MEMBERS_H_
