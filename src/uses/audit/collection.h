// The documents of an audit, in files of our own: those that stay, those that were removed, and
// what people call each.
#ifndef LOOKALIKE_USES_AUDIT_COLLECTION_H_
#define LOOKALIKE_USES_AUDIT_COLLECTION_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/mapped_file.h"
#include "lookalike/inputs.h"
#include "lookalike/list_audit.h"
#include "lookalike/options.h"
#include "lookalike/reader.h"
#include "uses/audit/listed.h"

namespace lookalike {

/// The number of a document: its place among all that were read, from 0.
using AuditedDoc = uint64_t;
inline constexpr AuditedDoc kNoDoc = UINT64_MAX;

/// The inputs that are read, and by which rules it is compared.
struct AuditedInputs {
  const Inputs& inputs;
  const Options& reading;    ///< Those of the result.
  const Options& comparing;  ///< For files of this collection.
  const Observer& observer;
};

/// The values of the fields that guards compare, in the order of GuardSpec::fields.
using GuardValues = std::span<const FieldText>;

/// A collection split by a list. The files have lines {"id": "NUMBER", "text": ...}, and a field
/// FieldOfGuard() for each that guards compare.
class AuditedCollection {
 public:
  /// Reads the inputs once and writes files into an existing folder. With a list of pairs nothing
  /// is removed. Adds what it counts to `audit`.
  static Result<AuditedCollection> Split(const AuditedInputs& inputs, ListKind kind,
                                         const Listed& listed, const std::string& folder,
                                         ListAudit* audit);

  [[nodiscard]] const std::string& stays() const { return stays_; }
  [[nodiscard]] const std::string& gone() const { return gone_; }
  /// Returns the document of an entry; kNoDoc if there is none.
  [[nodiscard]] AuditedDoc DocOf(uint32_t entry) const { return docs_[entry]; }
  /// Returns the document that the list names as the reason for a removal; kNoDoc: none.
  [[nodiscard]] AuditedDoc ReasonFor(AuditedDoc doc) const;
  /// Returns {"id": ..., "place": ...}: the names of a document. Valid as long as this is.
  [[nodiscard]] std::string_view NamesOf(AuditedDoc doc) const;

 private:
  class Splitter;
  AuditedCollection() = default;

  std::string stays_, gone_;
  std::vector<uint32_t> entries_;    // by document
  std::vector<AuditedDoc> docs_;     // by entry: the first document of this name
  std::vector<AuditedDoc> reasons_;  // by entry: what the list removed it for
  std::vector<uint32_t> clusters_;   // by entry; empty: none
  std::vector<AuditedDoc> kept_;     // by cluster: its first document that stays
  std::vector<uint64_t> name_ends_;  // by document
  std::vector<MappedFile> names_;    // one; none if there is no document
};

/// Refuses to judge by files of a collection that were not read as a whole.
Status CheckWhole(const RecordCounts& records);

/// Calls `take(number, text, values)` with each document of a file of a collection.
using TakeDocument = std::function<Status(AuditedDoc, std::string_view, GuardValues)>;
Status ForEachDocument(const std::string& file, const AuditedInputs& inputs,
                       const TakeDocument& take);

/// Appends a line of such a file.
void AppendLine(AuditedDoc doc, std::string_view text, GuardValues values, std::string* lines);

/// Returns the name that a field of guards has in such a file.
std::string FieldOfGuard(size_t position);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_AUDIT_COLLECTION_H_
