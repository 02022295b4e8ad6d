// Errors are values: every function that can fail returns a Status or a Result<T>.
//
// An Error says what is wrong and what to do about it. `where` names a place that a person can open
// ("corpus.jsonl:17"); if it is empty, the message is about the whole run. Programs should rely on
// the code and the option: messages may change. Messages name options with the marks of messages.h.
#ifndef LOOKALIKE_STATUS_H_
#define LOOKALIKE_STATUS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace lookalike {

/// The kind of an error.
enum class ErrorCode : uint8_t {
  kUsage,      ///< The call: its operands, its output, or something in the output's place.
  kOption,     ///< The value of an option, or options that cannot be combined.
  kInput,      ///< An input: missing, changed, or malformed.
  kCorrupt,    ///< Data that was once intact: a truncated file, a damaged result, a wrong checksum.
  kMemory,     ///< Too little memory.
  kDisk,       ///< A disk, file system or object store: full, read-only, out of reach.
  kCancelled,  ///< The observer asked to stop.
  kBug,        ///< A defect of Lookalike, or an unexpected exception.
};

/// Returns the name of a code, such as "option".
std::string_view NameOf(ErrorCode code);

/// A description of what went wrong, where, and what to do. Plain data; safe to copy across
/// threads.
struct Error {
  ErrorCode code = ErrorCode::kBug;
  std::string option;  ///< Name (in the options table) of the refused option, else empty.
  std::string what;    ///< One line, with the marks of messages.h: "no such file; check the path".
  std::string where;   ///< "file:row", "file", or empty for the whole run.

  /// Returns "where: what", or "lookalike: what" without a place, in plain words. Never ends in a
  /// newline.
  [[nodiscard]] std::string ToString() const;

  /// Returns the same text with its option marks left in, for a front end to replace.
  [[nodiscard]] std::string Marked() const;
};

/// A value or an Error. Ignoring a Result is a compiler warning, and warnings are errors here.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
};

/// Success or an Error.
using Status = Result<void>;

/// The error side of any Result: `return InputError("what is wrong; what to do", "file:3");`
using Failure = tl::unexpected<Error>;

// One function for each code.
[[nodiscard]] Failure UsageError(std::string what, std::string where = {});
/// Sets Error::option to the first option that the message marks.
[[nodiscard]] Failure OptionError(std::string what, std::string where = {});
[[nodiscard]] Failure InputError(std::string what, std::string where = {});
[[nodiscard]] Failure CorruptError(std::string what, std::string where = {});
[[nodiscard]] Failure MemoryError(std::string what, std::string where = {});
[[nodiscard]] Failure DiskError(std::string what, std::string where = {});
[[nodiscard]] Failure BugError(std::string what, std::string where = {});
/// Returns the Error "interrupted".
[[nodiscard]] Failure Cancelled();

/// Returns the error with `where` as its place.
[[nodiscard]] Failure AtPlace(Error error, std::string where);

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
