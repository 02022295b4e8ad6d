#include "lookalike/status.h"

#include <array>
#include <vector>

#include "lookalike/messages.h"

namespace lookalike {
namespace {

Failure Fail(ErrorCode code, std::string what, std::string where) {
  return Failure(Error{code, {}, std::move(what), std::move(where)});
}

}  // namespace

std::string_view NameOf(ErrorCode code) {
  constexpr std::array<std::string_view, 8> kNames = {"usage",  "option", "input",     "corrupt",
                                                      "memory", "disk",   "cancelled", "bug"};
  return kNames[static_cast<size_t>(code)];
}

std::string Error::ToString() const { return InPlainWords(Marked()); }

std::string Error::Marked() const {
  return (where.empty() ? std::string("lookalike") : where) + ": " + what;
}

Failure UsageError(std::string what, std::string where) {
  return Fail(ErrorCode::kUsage, std::move(what), std::move(where));
}

Failure OptionError(std::string what, std::string where) {
  const std::vector<std::string> named = MarkedOptions(what);
  return Failure(Error{ErrorCode::kOption, named.empty() ? std::string() : named.front(),
                       std::move(what), std::move(where)});
}

Failure InputError(std::string what, std::string where) {
  return Fail(ErrorCode::kInput, std::move(what), std::move(where));
}

Failure CorruptError(std::string what, std::string where) {
  return Fail(ErrorCode::kCorrupt, std::move(what), std::move(where));
}

Failure MemoryError(std::string what, std::string where) {
  return Fail(ErrorCode::kMemory, std::move(what), std::move(where));
}

Failure DiskError(std::string what, std::string where) {
  return Fail(ErrorCode::kDisk, std::move(what), std::move(where));
}

Failure BugError(std::string what, std::string where) {
  return Fail(ErrorCode::kBug, std::move(what), std::move(where));
}

Failure Cancelled() { return Fail(ErrorCode::kCancelled, "interrupted", {}); }

Failure AtPlace(Error error, std::string where) {
  error.where = std::move(where);
  return Failure(std::move(error));
}

}  // namespace lookalike
