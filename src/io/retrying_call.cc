#include "io/retrying_call.h"

#include <arrow/util/io_util.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <string_view>

namespace lookalike {
namespace {

std::atomic<int> running_calls = 0;

/// Errors that stores would repeat.
constexpr std::array<std::string_view, 17> kLasting = {"ACCESS_DENIED",
                                                       "NO_SUCH_BUCKET",
                                                       "NO_SUCH_KEY",
                                                       "RESOURCE_NOT_FOUND",
                                                       "INVALID_ACCESS_KEY_ID",
                                                       "INVALID_CLIENT_TOKEN_ID",
                                                       "UNRECOGNIZED_CLIENT",
                                                       "MISSING_AUTHENTICATION_TOKEN",
                                                       "SIGNATURE_DOES_NOT_MATCH",
                                                       "InvalidToken",
                                                       "ExpiredToken",
                                                       "NotImplemented",
                                                       "PermanentRedirect",
                                                       "Status(NOT_FOUND",
                                                       "Status(PERMISSION_DENIED",
                                                       "Status(UNAUTHENTICATED",
                                                       "Status(INVALID_ARGUMENT"};

}  // namespace

RunningCall::RunningCall() { ++running_calls; }

RunningCall::~RunningCall() { --running_calls; }

int RunningCalls() { return running_calls; }

bool IsRetryable(const arrow::Status& status) {
  if (!status.IsIOError()) return false;
  if (arrow::internal::ErrnoFromStatus(status) == ENOENT) return false;
  for (const std::string_view lasting : kLasting) {
    if (status.message().find(lasting) != std::string::npos) return false;
  }
  return true;
}

bool PauseBefore(int next, const RetryPolicy& retry) {
  constexpr std::chrono::milliseconds kBetweenQuestions{50};
  const auto end = std::chrono::steady_clock::now() + retry.first_pause * (1 << (next - 2));
  while (!retry.IsCancelled()) {
    const auto left = end - std::chrono::steady_clock::now();
    if (left <= left.zero()) return true;
    std::this_thread::sleep_for(
        std::min<std::chrono::steady_clock::duration>(left, kBetweenQuestions));
  }
  return false;
}

arrow::Status Interrupted() { return arrow::Status::Cancelled("interrupted"); }

arrow::Status DeadlineExceeded(const RetryPolicy& retry) {
  const auto seconds = std::chrono::duration<double>(retry.deadline).count();
  return arrow::Status::IOError("no answer within ", seconds, " s");
}

arrow::Status CallWithRetries(const RetryPolicy& retry,
                              const std::function<arrow::Status()>& body) {
  return CallWithRetries<bool>(retry,
                               [body]() -> arrow::Result<bool> {
                                 ARROW_RETURN_NOT_OK(body());
                                 return true;
                               })
      .status();
}

}  // namespace lookalike
