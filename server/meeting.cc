#include "meeting.h"

#include <algorithm>
#include <array>
#include <vector>

#include "lookalike/lookalike.h"

namespace lookalike::server {

std::optional<Meeting> Meeting::Of(Options options, const std::string& design) {
  if (options.measure != "resemblance" || options.distance != "off") return std::nullopt;
  if (design == "exact") {
    options.method = "exact";
  } else {
    options.design = design;
  }
  auto fingerprinter = Fingerprinter::Create(options);
  if (!fingerprinter) return std::nullopt;
  return Meeting(*std::move(fingerprinter));
}

Result<Json> Meeting::Explain(std::string_view a, std::string_view b, double resemblance) const {
  const std::array<std::string_view, 2> texts = {a, b};
  const size_t count = fingerprinter_.keys();
  std::vector<uint64_t> keys(2 * count);
  std::array<SearchedBy, 2> searched = {};
  FingerprintColumns columns;
  columns.keys = keys;
  columns.searched = searched;
  LOOKALIKE_RETURN_IF_ERROR(fingerprinter_.Run(texts, columns));
  const auto is = [&](SearchedBy by) { return std::ranges::count(searched, by) > 0; };
  if (is(SearchedBy::kNothing)) return Json{{"by", "nothing"}};
  if (is(SearchedBy::kFeatures)) return Json{{"by", "features"}};
  if (count == 0) return Json{{"by", "comparison"}};
  size_t shared = 0;
  for (size_t key = 0; key < count; ++key) shared += keys[key] == keys[count + key];
  LOOKALIKE_ASSIGN_OR_RETURN(const DesignReport report,
                             EvaluateDesign(fingerprinter_.options(), {resemblance}));
  return Json{{"by", "keys"},
              {"shared", shared},
              {"keys", count},
              {"probability", report.acceptance.front().second}};
}

}  // namespace lookalike::server
