// Errors are values: every function that can fail returns a Status or a Result<T>.
//
// An Error says what is wrong and what to do about it. `where` names a place a person can open
// ("corpus.jsonl:17"); if it is empty, the message is about the whole run.
#ifndef LOOKALIKE_STATUS_H_
#define LOOKALIKE_STATUS_H_

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace lookalike {

/// A description of what went wrong, where, and what to do. Plain data; safe to copy across
/// threads.
struct Error {
  std::string what;   ///< One line: "no such file; check the path".
  std::string where;  ///< "file:row", "file", or empty for the whole run.

  /// Returns "where: what", or "lookalike: what" without a place. Never ends in a newline.
  [[nodiscard]] std::string ToString() const {
    return (where.empty() ? std::string("lookalike") : where) + ": " + what;
  }
};

/// A value or an Error. Ignoring a Result is a compiler warning, and warnings are errors here.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
};

/// Success or an Error.
using Status = Result<void>;

/// Makes the error side of any Result: `return Fail("what is wrong; what to do", "file:3");`
[[nodiscard]] inline tl::unexpected<Error> Fail(std::string what, std::string where = {}) {
  return tl::make_unexpected(Error{std::move(what), std::move(where)});
}

}  // namespace lookalike

#define LOOKALIKE_CONCAT_INNER(a, b) a##b
#define LOOKALIKE_CONCAT(a, b) LOOKALIKE_CONCAT_INNER(a, b)

/// Returns the error of `expr` from the enclosing function, if it has one.
#define LOOKALIKE_RETURN_IF_ERROR(expr)                                \
  do {                                                                 \
    if (auto lookalike_status = (expr); !lookalike_status)             \
      return tl::make_unexpected(std::move(lookalike_status).error()); \
  } while (false)

/// Declares `lhs` from the value of `expr`, or returns its error.
#define LOOKALIKE_ASSIGN_OR_RETURN(lhs, expr) \
  LOOKALIKE_ASSIGN_OR_RETURN_IMPL(LOOKALIKE_CONCAT(lookalike_result_, __LINE__), lhs, expr)
#define LOOKALIKE_ASSIGN_OR_RETURN_IMPL(result, lhs, expr)            \
  auto result = (expr);                                               \
  if (!result) return tl::make_unexpected(std::move(result).error()); \
  lhs = std::move(*result)

#endif  // LOOKALIKE_STATUS_H_
