#include "cluster_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace lookalike::server {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

/// Each is looked for in each document.
constexpr size_t kMostTerms = 32;

char Small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

std::string InSmallLetters(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), Small);
  return small;
}

/// True if `text` contains `small`, which has no capital ASCII letters.
bool Contains(std::string_view text, std::string_view small) {
  return std::search(text.begin(), text.end(), small.begin(), small.end(),
                     [](char a, char b) { return Small(a) == b; }) != text.end();
}

bool IsName(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
}

/// Cuts the next word off `rest`. A quote begins and ends a part in which blanks stay; the quotes
/// themselves go. `quoted`: the word began with one. Returns none if a quote is not closed.
std::optional<std::string> NextWord(std::string_view* rest, bool* quoted) {
  std::string word;
  *quoted = rest->starts_with('"');
  bool is_open = false;
  size_t i = 0;
  for (; i < rest->size(); ++i) {
    const char c = (*rest)[i];
    if (c == '"') {
      is_open = !is_open;
    } else if (!is_open && kBlanks.find(c) != kBlanks.npos) {
      break;
    } else {
      word += c;
    }
  }
  rest->remove_prefix(i);
  if (is_open) return std::nullopt;
  return word;
}

}  // namespace

std::optional<ClusterQuery::Field> ClusterQuery::FieldOf(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Field>, 6> kFields = {
      {{"id", Field::kId},
       {"source", Field::kSource},
       {"sim", Field::kScore},
       {"size", Field::kSize},
       {"kind", Field::kKind},
       {"decided", Field::kDecided}}};
  for (const auto& [known, field] : kFields) {
    if (known == name) return field;
  }
  return std::nullopt;
}

bool ClusterQuery::ReadNumber(std::string_view text, Term* term) {
  const bool with_equal = text.size() > 1 && text[1] == '=';
  if (text.starts_with('<')) term->relation = with_equal ? Relation::kAtMost : Relation::kLess;
  if (text.starts_with('>')) term->relation = with_equal ? Relation::kAtLeast : Relation::kMore;
  if (term->relation != Relation::kEqual) text.remove_prefix(with_equal ? 2 : 1);
  const char* const end = text.data() + text.size();
  const auto [stop, error] =
      std::from_chars(text.data(), end, term->number, std::chars_format::fixed);
  return error == std::errc() && stop == end && !text.empty();
}

Result<ClusterQuery::Term> ClusterQuery::ParseTerm(std::string_view word, bool quoted) {
  Term term;
  const size_t colon = quoted ? word.npos : word.find(':');
  const std::string name = InSmallLetters(word.substr(0, std::min(colon, word.size())));
  // An address is no field.
  if (colon == word.npos || !IsName(name) || word.substr(colon).starts_with("://")) {
    term.text = InSmallLetters(word);
    return term;
  }
  const std::string value = InSmallLetters(word.substr(colon + 1));
  const auto field = FieldOf(name);
  if (!field) {
    return UsageError(
        fmt::format("there is no field '{}'; the fields are id, source, sim, size, kind and "
                    "decided; to look for a text with a colon, put it in quotes",
                    name));
  }
  term.field = *field;
  term.text = value;
  if (term.field == Field::kScore || term.field == Field::kSize) {
    if (!ReadNumber(value, &term)) {
      return UsageError(fmt::format("{0}: takes a number, such as {0}:>{1}", name,
                                    term.field == Field::kScore ? ".9" : "10"));
    }
    // Few would look for one exact score.
    if (term.field == Field::kScore && term.relation == Relation::kEqual) {
      term.relation = Relation::kAtLeast;
    }
  } else if (term.field == Field::kKind && value != "near" && value != "exact" &&
             value != "identical") {
    return UsageError("kind: takes near, exact or identical");
  } else if (term.field == Field::kDecided && value != "yes" && value != "no") {
    return UsageError("decided: takes yes or no");
  } else if (value.empty()) {
    return UsageError(fmt::format("{0}: takes a text, such as {0}:abc", name));
  }
  return term;
}

Result<ClusterQuery> ClusterQuery::Parse(std::string_view text) {
  ClusterQuery query;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    if (text.empty()) return query;
    // A minus alone is a word.
    const bool negated = text.size() > 1 && text[0] == '-' && kBlanks.find(text[1]) == kBlanks.npos;
    if (negated) text.remove_prefix(1);
    bool quoted = false;
    const auto word = NextWord(&text, &quoted);
    if (!word) return UsageError("a quote is not closed");
    if (word->empty()) continue;
    if (query.terms_.size() == kMostTerms) {
      return UsageError(fmt::format("there are more than {} words to look for", kMostTerms));
    }
    LOOKALIKE_ASSIGN_OR_RETURN(Term term, ParseTerm(*word, quoted));
    term.negated = negated;
    query.terms_.push_back(std::move(term));
  }
}

bool ClusterQuery::NeedsMembers() const {
  return std::ranges::any_of(terms_, [](const Term& term) {
    return term.field != Field::kSize && term.field != Field::kDecided;
  });
}

bool ClusterQuery::Holds(const Term& term, double value) {
  switch (term.relation) {
    case Relation::kEqual:
      return value == term.number;
    case Relation::kLess:
      return value < term.number;
    case Relation::kAtMost:
      return value <= term.number;
    case Relation::kMore:
      return value > term.number;
    case Relation::kAtLeast:
      break;
  }
  return value >= term.number;
}

ClusterTest::ClusterTest(const ClusterQuery& query, const ListedCluster& cluster, bool decided)
    : query_(query), found_(query.terms_.size()) {
  for (size_t i = 0; i < found_.size(); ++i) {
    const ClusterQuery::Term& term = query_.terms_[i];
    if (term.field == Field::kSize) {
      found_[i] = ClusterQuery::Holds(term, static_cast<double>(cluster.size));
    } else if (term.field == Field::kDecided) {
      found_[i] = decided == (term.text == "yes");
    }
  }
  for (const ListedDocument& document : cluster.kept) TakeDocument(document);
}

void ClusterTest::TakeDocument(const ListedDocument& document) {
  for (size_t i = 0; i < found_.size(); ++i) {
    const ClusterQuery::Term& term = query_.terms_[i];
    const bool of_id = term.field == Field::kId || term.field == Field::kWord;
    const bool of_source = term.field == Field::kSource || term.field == Field::kWord;
    if (found_[i]) continue;
    found_[i] = (of_id && Contains(document.id, term.text)) ||
                (of_source && Contains(document.source, term.text));
  }
}

void ClusterTest::Take(std::span<const ListedRemoval> removals) {
  for (const ListedRemoval& removal : removals) {
    TakeDocument(removal.document);
    for (size_t i = 0; i < found_.size(); ++i) {
      const ClusterQuery::Term& term = query_.terms_[i];
      if (term.field == Field::kKind && KindName(removal.kind) == term.text) found_[i] = true;
      if (term.field == Field::kScore && ClusterQuery::Holds(term, removal.score())) {
        found_[i] = true;
      }
    }
  }
}

void ClusterTest::TakeText(std::string_view text) {
  for (size_t i = 0; i < found_.size(); ++i) {
    const ClusterQuery::Term& term = query_.terms_[i];
    if (term.field == Field::kWord && !found_[i]) found_[i] = Contains(text, term.text);
  }
}

bool ClusterTest::MissesWords() const {
  for (size_t i = 0; i < found_.size(); ++i) {
    if (query_.terms_[i].field == Field::kWord && !found_[i]) return true;
  }
  return false;
}

bool ClusterTest::IsSettled() const {
  bool all_found = true;
  for (size_t i = 0; i < found_.size(); ++i) {
    const ClusterQuery::Term& term = query_.terms_[i];
    if (found_[i] && term.negated) return true;
    const bool is_known = term.field == Field::kSize || term.field == Field::kDecided;
    if (is_known && !found_[i] && !term.negated) return true;
    all_found = all_found && (found_[i] || is_known);
  }
  return all_found;
}

bool ClusterTest::Matches() const {
  for (size_t i = 0; i < found_.size(); ++i) {
    if (found_[i] == query_.terms_[i].negated) return false;
  }
  return true;
}

}  // namespace lookalike::server
