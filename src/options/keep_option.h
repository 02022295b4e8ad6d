// The value of `--keep`, parsed: which document of a group stays.
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
  std::string field;                 ///< kField: dotted path.
  bool descending = false;           ///< kField.
  std::vector<std::string> sources;  ///< kSource: input names, best first.
};

/// "first", "longest", "shortest", "field:NAME[:asc|desc]", "source:A,B,...".
Result<KeepOption> ParseKeepOption(std::string_view text);

}  // namespace lookalike

#endif  // LOOKALIKE_OPTIONS_KEEP_OPTION_H_
