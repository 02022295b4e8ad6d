#include "io/utf8.h"

#include <simdjson.h>

namespace lookalike {

bool IsUtf8(std::string_view bytes) { return simdjson::validate_utf8(bytes.data(), bytes.size()); }

}  // namespace lookalike
