// The words with which people look for clusters of a result: `id:abc size:>10 kind:near`.
#ifndef LOOKALIKE_SERVER_CLUSTER_QUERY_H_
#define LOOKALIKE_SERVER_CLUSTER_QUERY_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/result_lists.h"
#include "lookalike/status.h"

namespace lookalike::server {

/// A query as it was parsed. A cluster matches if all terms hold.
class ClusterQuery {
 public:
  /// Parses `[-]WORD`, `[-]id:TEXT`, `[-]source:TEXT`, `[-]sim:[<|<=|>|>=]NUMBER`,
  /// `[-]size:[<|<=|>|>=]NUMBER`, `[-]kind:near|exact|identical`, `[-]decided:yes|no`, with blanks
  /// between them; "" around a text keeps its blanks. The Error says what to write.
  static Result<ClusterQuery> Parse(std::string_view text);

  [[nodiscard]] bool empty() const { return terms_.empty(); }

  /// True if a term needs to know the removals of a cluster, or its text.
  [[nodiscard]] bool NeedsMembers() const;

 private:
  friend class ClusterTest;

  enum class Field : uint8_t { kWord, kId, kSource, kScore, kSize, kKind, kDecided };
  enum class Relation : uint8_t { kEqual, kLess, kAtMost, kMore, kAtLeast };
  struct Term {
    Field field = Field::kWord;
    bool negated = false;
    std::string text;  ///< In small letters.
    Relation relation = Relation::kEqual;
    double number = 0;
  };

  static Result<Term> ParseTerm(std::string_view word, bool quoted);
  static std::optional<Field> FieldOf(std::string_view name);
  static bool ReadNumber(std::string_view text, Term* term);
  static bool Holds(const Term& term, double value);

  std::vector<Term> terms_;
};

/// Tests one cluster, whose removals come in blocks.
class ClusterTest {
 public:
  /// `decided`: somebody decided about the cluster.
  ClusterTest(const ClusterQuery& query, const ListedCluster& cluster, bool decided);

  /// Looks at removals of the cluster.
  void Take(std::span<const ListedRemoval> removals);

  /// Looks at the text of a document that stays.
  void TakeText(std::string_view text);

  /// True if a word was not found, so that the text is of interest.
  [[nodiscard]] bool MissesWords() const;

  /// True if further removals cannot change the outcome.
  [[nodiscard]] bool IsSettled() const;

  /// Returns the outcome, once all was seen or it is settled.
  [[nodiscard]] bool Matches() const;

 private:
  using Field = ClusterQuery::Field;

  /// Marks all terms of the document for which `holds` is true.
  void TakeDocument(const ListedDocument& document);

  const ClusterQuery& query_;
  std::vector<bool> found_;  ///< By term, not negated.
};

}  // namespace lookalike::server

#endif  // LOOKALIKE_SERVER_CLUSTER_QUERY_H_
