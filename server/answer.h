// Answers to requests.
#ifndef LOOKALIKE_SERVER_ANSWER_H_
#define LOOKALIKE_SERVER_ANSWER_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lookalike/status.h"

namespace lookalike::server {

inline constexpr std::string_view kJsonType = "application/json";

struct Answer {
  int status = 200;
  std::string body;
  std::string_view content_type = kJsonType;
  std::vector<std::pair<std::string_view, std::string>> headers = {};
};

/// Returns an error in the form of RFC 9457. `detail`: one sentence that says what to do.
Answer Problem(int status, std::string_view detail);

/// Returns the answer to a request that failed, in the words of HTTP: options are members of the
/// body or parameters. Of defects, the detail is not told.
Answer ProblemOf(const Error& error);

/// Returns the phrase of a status: "Not Found".
std::string_view PhraseOf(int status);

}  // namespace lookalike::server

#endif  // LOOKALIKE_SERVER_ANSWER_H_
