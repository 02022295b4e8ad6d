// The passages that two texts share, side by side in a terminal.
#ifndef LOOKALIKE_CLI_COMPARISON_VIEW_H_
#define LOOKALIKE_CLI_COMPARISON_VIEW_H_

#include <string>

#include "lookalike/lookalike.h"

namespace lookalike::cli {

struct ViewStyle {
  size_t width = 100;   ///< Columns of the terminal.
  bool colour = false;  ///< Shared text in green; otherwise in [brackets].
};

/// Shows the measures, then the shared passages with a little text around them, A on the left. Long
/// passages are cut in the middle. `a` and `b` are the names to show. REQUIRES: a UTF-8 locale
/// (setlocale), needed for the width of wide characters.
std::string ViewComparison(const Comparison& comparison, const std::string& a, const std::string& b,
                           const ViewStyle& style);

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_COMPARISON_VIEW_H_
