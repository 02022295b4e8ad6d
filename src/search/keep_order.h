// Turns `--keep`, the rule for which document of a group stays, into ranks.
#ifndef LOOKALIKE_SEARCH_KEEP_ORDER_H_
#define LOOKALIKE_SEARCH_KEEP_ORDER_H_

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "options/keep_option.h"
#include "records/document_batch.h"
#include "records/records.h"

namespace lookalike {

struct Job;
struct DocumentUnits;
class Workspace;

/// A document's value in a form that sorts as plain integers: smaller values are preferred. Strings
/// are cut to their first 16 bytes, so that strings with equal words need a second comparison.
struct KeepWords {
  std::array<uint64_t, 3> words = {};
  auto operator<=>(const KeepWords&) const = default;

  [[nodiscard]] bool IsMissing() const { return words[0] == 2; }
};

/// The values of some documents. Orders by length need only the words, orders by field the texts as
/// well, and all other orders nothing.
struct KeepColumn {
  std::vector<KeepWords> words;
  std::vector<uint64_t> ends;  ///< Where each text ends in `texts`.
  std::string texts;
};

/// Appends the value of a document that `keep` compares. Documents without the field come last in
/// either direction. Numbers come before strings (descending: after them); strings compare as
/// bytes.
void AppendKeepValue(const KeepOption& keep, const Document& document, KeepColumn* column);

/// Returns the value that --keep field compares as bytes that sort like it: those of the preferred
/// document are smaller. Empty if it has none.
std::string KeepKey(const FieldValue& value, bool descending);

/// Ranks and document numbers, in both directions; both are empty if ranks equal document numbers.
struct Ranking {
  std::vector<DocNumber> order;  ///< Rank -> document.
  std::vector<Rank> ranks;       ///< Document -> rank.

  [[nodiscard]] DocNumber DocOf(Rank rank) const { return order.empty() ? rank : order[rank]; }
  [[nodiscard]] Rank RankOf(DocNumber doc) const { return ranks.empty() ? doc : ranks[doc]; }
};

/// Ranks all documents: first the documents of a reference collection, then the others by --keep.
/// Ties are ranked in input order; documents without the field, and inputs that are not named, come
/// last. Returns an Error if no document has the field.
Result<Ranking> RankDocuments(const Job& job, const DocumentUnits& units, Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_KEEP_ORDER_H_
