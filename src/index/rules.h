// The rules of an index: what is stored at its creation, and everything that follows from it.
#ifndef LOOKALIKE_INDEX_RULES_H_
#define LOOKALIKE_INDEX_RULES_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "index/index_guards.h"
#include "index/index_keys.h"
#include "lookalike/engine.h"
#include "lookalike/index.h"
#include "lookalike/options_table.h"
#include "lookalike/status.h"
#include "measures/threshold.h"

namespace lookalike {

Measure MeasureOf(const Options& options);

/// Immutable and safe to use from several threads.
struct IndexRules {
  IndexSettings settings;
  Engine engine;
  IndexKeys keys;
  IndexGuards guards;

  [[nodiscard]] double threshold() const { return settings.options.threshold; }
  [[nodiscard]] Measure measure() const { return MeasureOf(settings.options); }

  /// True if the features of such a document are kept. Those of documents that are found by their
  /// features always are, because they have no codes.
  [[nodiscard]] bool KeepsSet(SearchedBy searched, uint64_t size) const {
    if (searched == SearchedBy::kNothing) return false;
    return settings.kept == Kept::kFeatures || keys.NeedsFeatures(searched, size);
  }
};

/// Sets the options that an index fixes to those of another set of options.
void TakeIndexOptions(const Options& from, Options* options);

/// Returns an Error if an option is not allowed, or cannot be used by an index.
Result<IndexRules> MakeRules(const IndexSettings& settings, uint64_t one_in = 0);

/// Returns the rules as text, to be stored.
std::string EncodeSettings(const IndexRules& rules);

/// Returns an Error if this is no such text, or other keys follow from it than when it was stored.
/// `folder`: that of the index, which has the tables that options name.
Result<IndexRules> DecodeSettings(std::string_view text, const std::filesystem::path& folder);

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_RULES_H_
