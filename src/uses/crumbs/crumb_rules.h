// Session ids in URLs ("cookie crumbs"): places where URLs of one host differ but their pages do
// not.
//
// Rules are learned from groups of verified near-duplicates and tested against all other pages; a
// rule that would merge pages that are not alike is never proposed. (Broder's slides "Algorithms
// for duplicate documents" name the problem and leave the grammar open.)
#ifndef LOOKALIKE_USES_CRUMBS_CRUMB_RULES_H_
#define LOOKALIKE_USES_CRUMBS_CRUMB_RULES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lookalike {

/// The facts known about a page.
struct CrumbPage {
  std::string url;     ///< Empty: unknown; the page is ignored.
  uint64_t group = 0;  ///< Equal for pages that are near-duplicates of the same kept page.
};

/// A place in the URLs of a host.
struct CrumbPosition {
  enum class Kind : uint8_t {
    kQuery,          ///< The parameter `name` of the query; empty name: a parameter without "=".
    kPathParameter,  ///< ";name=value" after a segment of the path.
    kSegment,        ///< A segment of the path.
    kHostLabel,      ///< The part of a host name before its first dot.
    kAlias,          ///< Not a place: `name` is another name of the whole host.
  };
  /// The characters that the values of a segment or a label consist of.
  enum class Characters : uint8_t { kDigits, kHex, kAlphanumeric, kAny };
  Kind kind = Kind::kQuery;
  std::string name = {};                 ///< Name of a parameter, or the other host.
  uint32_t segment = 0;                  ///< Number of the segment, from 1.
  std::string prefix = {}, suffix = {};  ///< Parts of a segment or label around the value.
  Characters characters = Characters::kDigits;
  uint64_t shortest = UINT64_MAX, longest = 0;  ///< Bytes of a segment's or label's values.

  /// Returns "?sid=*", ";jsessionid=*", "/S-*/", "//s-*." or "//www.example.org/", for example.
  [[nodiscard]] std::string ToString() const;
};

/// The findings about some positions of a host.
struct CrumbRule {
  /// "www.example.org:8080"; empty: URLs without a host. For a host label: the part after it.
  std::string host;
  std::vector<CrumbPosition> positions;  ///< They vary together; usually just one.
  uint64_t support = 0;                  ///< Pages with a near-duplicate that differs only there.
  uint64_t contents = 0;                 ///< Groups that these pages belong to.
  uint64_t values = 0;            ///< Distinct values over all pages that have the positions.
  uint64_t counter_examples = 0;  ///< Pages that differ from another only there but are unlike it.
  uint64_t fetches_saved = 0;     ///< Distinct URLs minus distinct URLs without the varying parts.
  std::string example_a, example_b;  ///< Two URLs that it merges, or must not merge.
  /// The reason why it is not proposed; empty if it is.
  std::string objection;
};

/// Minimum of a rule's `contents` and `values`: a single page may ignore its parameters, and two
/// values may be two forms of it.
inline constexpr uint64_t kLeastCrumbContents = 2, kLeastCrumbValues = 3;

/// Minimum number of contents that two names of one host must agree on: copies of a few files are
/// on many hosts.
inline constexpr uint64_t kLeastAliasContents = 5;

/// Returns all rules that groups of pages suggest, proposed or not: first the rules of single
/// hosts, by host and position, then the rules of host labels, then aliases of hosts. Apart from
/// sorting, takes time linear in the pages times the number of suggestions for their host.
std::vector<CrumbRule> FindCrumbRules(const std::vector<CrumbPage>& pages);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_CRUMBS_CRUMB_RULES_H_
