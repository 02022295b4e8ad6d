// Session ids in URLs ("cookie crumbs"): where URLs of one host differ while their pages do not.
//
// Rules are learned from groups of verified near-duplicates and held against all other pages; a
// rule that would merge pages which are not alike is never proposed. (Broder's slides "Algorithms
// for duplicate documents" name the problem and leave the grammar open.)
#ifndef LOOKALIKE_BATCH_CRUMB_RULES_H_
#define LOOKALIKE_BATCH_CRUMB_RULES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lookalike {

/// What is known of a page.
struct CrumbPage {
  std::string url;     ///< Empty: not known; the page plays no part.
  uint64_t group = 0;  ///< Equal for pages that are near-duplicates of the same kept page.
};

/// A place in the URLs of a host.
struct CrumbPosition {
  enum class Kind : uint8_t {
    kQuery,          ///< The parameter `name` of the query; an empty name: one without "=".
    kPathParameter,  ///< ";name=value" behind a segment of the path.
    kSegment,        ///< A segment of the path.
    kHostLabel,      ///< What stands before the first dot of a host name.
    kAlias,          ///< No place, but another name of the whole host: `name`.
  };
  /// What the values of a segment or a label consist of.
  enum class Characters : uint8_t { kDigits, kHex, kAlphanumeric, kAny };
  Kind kind = Kind::kQuery;
  std::string name = {};                 ///< Of parameters, or the other host.
  uint32_t segment = 0;                  ///< Which one, from 1.
  std::string prefix = {}, suffix = {};  ///< Of a segment or label: what is around the value.
  Characters characters = Characters::kDigits;
  uint64_t shortest = UINT64_MAX, longest = 0;  ///< Bytes of a segment's or label's values.

  /// "?sid=*", ";jsessionid=*", "/S-*/", "//s-*.", "//www.example.org/".
  [[nodiscard]] std::string ToString() const;
};

/// What was found out about some positions of a host.
struct CrumbRule {
  /// "www.example.org:8080"; empty: URLs without one. Of a host label: what follows it.
  std::string host;
  std::vector<CrumbPosition> positions;  ///< That vary together; mostly one.
  uint64_t support = 0;           ///< Pages that have a near-duplicate which differs only there.
  uint64_t contents = 0;          ///< Groups that these are of.
  uint64_t values = 0;            ///< Distinct ones, of all pages that have the positions.
  uint64_t counter_examples = 0;  ///< Pages that differ from another only there and are not alike.
  uint64_t fetches_saved = 0;     ///< Distinct URLs less distinct URLs without what varies.
  std::string example_a, example_b;  ///< Two URLs that it makes one, or that it must not.
  /// Why it is not proposed; empty: it is.
  std::string objection;
};

/// Least of a rule's `contents` and `values`: one page alone may ignore its parameters, and two
/// values may be two forms of it.
inline constexpr uint64_t kLeastCrumbContents = 2, kLeastCrumbValues = 3;

/// Least contents that two names of one host must agree on: copies of a few files are on many
/// hosts.
inline constexpr uint64_t kLeastAliasContents = 5;

/// All rules that groups of pages suggest, proposed or not: those of one host, by host and
/// position, then those of host labels, then names of one host. Linear in the pages, but for
/// sorting, times the suggestions of their host.
std::vector<CrumbRule> FindCrumbRules(const std::vector<CrumbPage>& pages);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_CRUMB_RULES_H_
