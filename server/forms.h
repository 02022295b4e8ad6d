// Forms of requests that the server and agents have in common.
#ifndef LOOKALIKE_SERVER_FORMS_H_
#define LOOKALIKE_SERVER_FORMS_H_

#include <array>
#include <string_view>

#include "schema.h"

namespace lookalike::server {

/// Thresholds.
inline constexpr Range kShare = {0, 1, true};

inline constexpr std::array<std::string_view, 2> kMeasures = {"resemblance", "containment"};
inline constexpr std::array<std::string_view, 3> kDecisionKinds = {"keep", "split", "merge"};
inline constexpr std::array<std::string_view, 4> kFindingKinds = {"false_removal", "missed",
                                                                  "false_pair", "missed_pair"};

inline constexpr std::array<std::string_view, 2> kTextOrId = {"text", "id"};

/// Describes the fields that guards compare.
inline constexpr std::string_view kAboutFields =
    "The fields that the guards of the index compare (--differ FIELD, --same FIELD), if there are "
    "such guards; a field that is left out is missing, which equals missing.";

/// One side of a comparison.
inline constexpr Field kSideFields[] = {
    {"text", Field::Type::kText, false, "A text."},
    {"id", Field::Type::kText, false, "The id of a document, if the index keeps texts."},
};
inline constexpr Schema kSide = {"Side", kSideFields, kTextOrId};

}  // namespace lookalike::server

#endif  // LOOKALIKE_SERVER_FORMS_H_
