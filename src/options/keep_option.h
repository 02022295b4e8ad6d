// The value of `--keep`, parsed: the document of a group to keep.
#ifndef LOOKALIKE_OPTIONS_KEEP_OPTION_H_
#define LOOKALIKE_OPTIONS_KEEP_OPTION_H_

#include <string>
#include <string_view>
#include <vector>

#include "lookalike/status.h"

namespace lookalike {

/// The parsed option.
struct KeepOption {
  enum class By { kFirst, kLongest, kShortest, kField, kSource };
  By by = By::kFirst;
  std::string field;                 ///< For kField: dotted path.
  bool descending = false;           ///< For kField.
  std::vector<std::string> sources;  ///< For kSource: input names, best first.
};

/// Parses "first", "longest", "shortest", "field:NAME[:asc|desc]", "source:A,B,...".
Result<KeepOption> ParseKeepOption(std::string_view text);

}  // namespace lookalike

#endif  // LOOKALIKE_OPTIONS_KEEP_OPTION_H_
