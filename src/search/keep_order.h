// Turns `--keep`, the rule for which document of a group stays, into ranks.
#ifndef LOOKALIKE_SEARCH_KEEP_ORDER_H_
#define LOOKALIKE_SEARCH_KEEP_ORDER_H_

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "options/keep_option.h"
#include "records/document_batch.h"
#include "records/records.h"
#include "search/keep_levels.h"

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

/// The values of some documents.
struct KeepColumn {
  /// For each document, those of the criteria that compare values (KeepCriterion::IsOfValues).
  std::vector<KeepWords> words;
  std::vector<uint64_t> ends;  ///< For each document and field, where its text ends in `texts`.
  std::string texts;
};

/// The texts of the text fields after the first; nothing where a document lacks one.
using FurtherTexts = std::span<const std::optional<std::string_view>>;

/// Appends the values of a document that `policy` compares. Lengths are those of all texts.
/// Documents without a field come last in either direction. Numbers come before strings
/// (descending: after them); strings compare as bytes.
void AppendKeepValues(const KeepPolicy& policy, const Document& document, FurtherTexts further,
                      KeepColumn* column);

/// Returns the value that --keep field compares as bytes that sort like it: those of the preferred
/// document are smaller. Empty if it has none.
std::string KeepKey(const FieldValue& value, bool descending);

/// Ranks and document numbers, in both directions; both are empty if ranks equal document numbers.
struct Ranking {
  std::vector<DocNumber> order;  ///< Rank -> document.
  std::vector<Rank> ranks;       ///< Document -> rank.
  KeepLevels levels;             ///< The levels that decide between ranks.

  [[nodiscard]] DocNumber DocOf(Rank rank) const { return order.empty() ? rank : order[rank]; }
  [[nodiscard]] Rank RankOf(DocNumber doc) const { return ranks.empty() ? doc : ranks[doc]; }
};

/// Ranks all documents: first the documents of a reference collection, then the others by the first
/// criterion of --keep that tells them apart. Ties are ranked in input order; documents without a
/// field, and inputs that are not named, come last. Returns an Error if no document has a field.
Result<Ranking> RankDocuments(const Job& job, const DocumentUnits& units, Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_KEEP_ORDER_H_
