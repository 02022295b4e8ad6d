#include "io/object_store.h"

#include <arrow/filesystem/filesystem.h>
#include <arrow/filesystem/s3fs.h>
#include <arrow/util/config.h>
#include <arrow/util/io_util.h>
#include <arrow/util/uri.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <any>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

#include "io/retrying_call.h"

namespace lookalike {
namespace {

/// A listing of a million objects takes a thousand requests.
constexpr std::chrono::minutes kLongestListing{20};

/// Seconds for which Google's library tries again by itself (its default is 900).
constexpr std::string_view kGoogleRetrySeconds = "20";

/// A limit on how often the AWS library tries a request again. Its timeout for a stalled request is
/// 3 seconds, and by default it would try 24 times.
class FewRetries : public arrow::fs::S3RetryStrategy {
 public:
  bool ShouldRetry(const AWSErrorDetail& error, int64_t attempted_retries) override {
    constexpr int64_t kMost = 2;
    return error.should_retry && attempted_retries < kMost;
  }
  int64_t CalculateDelayBeforeNextRetry(const AWSErrorDetail&, int64_t attempted_retries) override {
    constexpr int64_t kFirstMilliseconds = 200;
    return kFirstMilliseconds << std::min<int64_t>(attempted_retries, 4);
  }
};

/// Ends Arrow's S3 module, or the process. The AWS library crashes at the end of a process in which
/// it was not shut down, and waits for ever for a stalled request. So if an abandoned request does
/// not end soon, the process ends immediately.
void FinalizeAtExit(int status, void*) {
  constexpr std::chrono::milliseconds kStep{20}, kMost{500};
  for (auto waited = kStep; RunningCalls() > 0 && waited < kMost; waited += kStep) {
    std::this_thread::sleep_for(kStep);
  }
  if (RunningCalls() == 0) return arrow::fs::EnsureFinalized();
  (void)std::fflush(nullptr);
  _exit(status);
}

/// Registers FinalizeAtExit. Call it once the library has begun its work, so that this runs before
/// its own cleanup.
void FinalizeBeforeExit() {
  static std::once_flag once;
  std::call_once(once, [] { on_exit(FinalizeAtExit, nullptr); });
}

std::string FolderOfArrow() {
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void*>(&arrow::fs::EnsureFinalized), &info) == 0) return ".";
  const std::string path = info.dli_fname;
  return path.substr(0, path.rfind('/'));
}

arrow::Status LoadS3Now() {
  const std::string module = FolderOfArrow() + "/libarrow_s3.so." + ARROW_SO_VERSION;
  if (access(module.c_str(), R_OK) != 0) {
    return arrow::Status::Invalid("the S3 module of Arrow is missing: ", module);
  }
  ARROW_RETURN_NOT_OK(arrow::fs::LoadFileSystemFactories(module.c_str()));
  return arrow::Status::OK();
}

Status LoadS3() {
  static std::mutex mutex;
  static bool loaded = false;
  const std::lock_guard lock(mutex);
  if (loaded) return {};
  if (const arrow::Status status = LoadS3Now(); !status.ok()) {
    return InputError("s3:// cannot be used: " + status.message() +
                      "; install Lookalike again, or copy the objects to a local folder");
  }
  loaded = true;
  return {};
}

void AddParameter(std::string_view name, std::string_view value, std::string* parameters) {
  if (!parameters->empty()) *parameters += '&';
  *parameters += fmt::format("{}={}", name, arrow::util::UriEscape(value));
}

bool HasParameter(std::string_view parameters, std::string_view name) {
  return ("&" + std::string(parameters)).find("&" + std::string(name) + "=") != std::string::npos;
}

/// Adds the endpoint, which Arrow takes in two parts.
Status AddEndpoint(const std::string& endpoint, std::string* parameters) {
  std::string_view host = endpoint;
  const std::string scheme(SchemeOf(host));
  if (!scheme.empty()) host.remove_prefix(scheme.size() + 3);
  while (host.ends_with('/')) host.remove_suffix(1);
  const bool known = scheme.empty() || scheme == "http" || scheme == "https";
  if (!known || host.empty() || host.find_first_of("/?# ") != std::string_view::npos) {
    return OptionError(
        "$<object-endpoint='" + endpoint +
        "'> is not the address of a server; use an address such as https://storage.example:9000");
  }
  AddParameter("endpoint_override", host, parameters);
  if (!scheme.empty() && !HasParameter(*parameters, "scheme")) {
    AddParameter("scheme", scheme, parameters);
  }
  return {};
}

/// Returns Arrow's URI of the bucket, with everything known about how to reach it.
Result<std::string> ArrowUri(const ObjectUri& uri, const ObjectAccess& access) {
  std::string parameters = uri.parameters, credentials = uri.credentials;
  if (!access.endpoint.empty() && !HasParameter(parameters, "endpoint_override")) {
    LOOKALIKE_RETURN_IF_ERROR(AddEndpoint(access.endpoint, &parameters));
  }
  if (uri.scheme == "gs") {
    if (access.anonymous) credentials = "anonymous";
    if (!HasParameter(parameters, "retry_limit_seconds")) {
      AddParameter("retry_limit_seconds", kGoogleRetrySeconds, &parameters);
    }
  } else if (!access.region.empty() && !HasParameter(parameters, "region")) {
    AddParameter("region", access.region, &parameters);
  }
  return fmt::format("{}://{}{}{}{}{}", uri.scheme, credentials, credentials.empty() ? "" : "@",
                     uri.bucket, parameters.empty() ? "" : "?", parameters);
}

arrow::Result<std::shared_ptr<arrow::fs::FileSystem>> Open(const std::string& uri,
                                                           const ObjectAccess& access) {
  arrow::fs::FileSystemFactoryOptions options;
  if (uri.starts_with("s3:")) {
    options.emplace_back("retry_strategy",
                         std::shared_ptr<arrow::fs::S3RetryStrategy>(new FewRetries));
    if (access.anonymous) {
      // The AWS library does not sign requests with empty keys.
      options.emplace_back("access_key", std::string());
      options.emplace_back("secret_key", std::string());
    }
  }
  return arrow::fs::FileSystemFromUriAndOptions(uri, options);
}

struct Advice {
  std::string_view sign;  ///< Text in Arrow's message.
  std::string_view what;
};

/// Advice by a text in Arrow's message, the more specific texts first.
constexpr std::array<Advice, 17> kAdvice = {{
    {"NO_SUCH_BUCKET", "there is no such bucket; check its name, and $<object-endpoint>"},
    {"NO_SUCH_KEY", "there is no such object; check its name"},
    {"INVALID_ACCESS_KEY_ID",
     "the store does not know the access key; check AWS_ACCESS_KEY_ID or the AWS profile"},
    {"SIGNATURE_DOES_NOT_MATCH",
     "the secret key is wrong; check AWS_SECRET_ACCESS_KEY or the AWS profile"},
    {"ExpiredToken", "the credentials have expired; renew them"},
    {"InvalidToken", "the session token is not valid; renew the credentials"},
    {"ACCESS_DENIED",
     "access is denied; set credentials that permit it (AWS_ACCESS_KEY_ID and "
     "AWS_SECRET_ACCESS_KEY, or AWS_PROFILE), or pass $<object-anonymous> if it is public"},
    {"PermanentRedirect", "the bucket is in another region; pass $<object-region>"},
    {"HTTP status 301", "the bucket is in another region; pass $<object-region>"},
    {"Status(PERMISSION_DENIED",
     "access is denied; set credentials that permit it (GOOGLE_APPLICATION_CREDENTIALS, or `gcloud "
     "auth application-default login`), or pass $<object-anonymous> if it is public"},
    {"Status(UNAUTHENTICATED",
     "credentials are missing or not valid; set GOOGLE_APPLICATION_CREDENTIALS, or pass "
     "$<object-anonymous> if it is public"},
    {"Could not create a OAuth2 access token",
     "no credentials were found; set GOOGLE_APPLICATION_CREDENTIALS, or pass $<object-anonymous> "
     "if it is public"},
    {"Status(NOT_FOUND", "there is no such object or bucket; check its name"},
    {"Could not connect",
     "the store cannot be reached; check the network and $<object-endpoint>, then run again"},
    {"Could not resolve",
     "the store's host name cannot be resolved; check the network and $<object-endpoint>, then run "
     "again"},
    {"Operation too slow", "the store stopped sending; run again later"},
    {"no answer within", "the store does not answer; run again later"},
}};

/// Returns Arrow's message without the parts that the Error repeats, on one line.
std::string Shortened(const arrow::Status& status) {
  constexpr size_t kMost = 300;
  std::string text = status.message();
  if (const size_t at = text.find("AWS Error "); at != std::string::npos) text = text.substr(at);
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' '; }, ' ');
  if (text.size() > kMost) text = text.substr(0, kMost) + "...";
  return text;
}

/// Returns the reason why a request about an object was refused. S3's responses to such requests
/// have no body with the reason, but responses to requests about a folder have one.
arrow::Status ReasonOf(const arrow::Status& refusal, const ObjectStore& store,
                       const std::string& path) {
  if (refusal.message().find("No response body") == std::string::npos) return refusal;
  arrow::fs::FileSelector folder;
  folder.base_dir = path;
  folder.allow_not_found = true;
  const auto listed = CallWithRetries<arrow::fs::FileInfoVector>(
      store.retry, [files = store.files, folder] { return files->GetFileInfo(folder); });
  return listed.ok() ? refusal : listed.status();
}

}  // namespace

Result<ObjectStore> OpenObjectStore(const ObjectUri& uri, const ObjectAccess& access,
                                    RetryPolicy retry) {
  if (uri.scheme == "s3") LOOKALIKE_RETURN_IF_ERROR(LoadS3());
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string arrow_uri, ArrowUri(uri, access));
  ObjectStore store = {nullptr, uri, std::move(retry)};
  // Opening may look for the bucket's region.
  auto files = CallWithRetries<std::shared_ptr<arrow::fs::FileSystem>>(
      store.retry, [arrow_uri, access] { return Open(arrow_uri, access); });
  if (uri.scheme == "s3") FinalizeBeforeExit();
  if (!files.ok()) {
    return tl::make_unexpected(StoreError(files.status(), "cannot be opened", uri.Name()));
  }
  store.files = *std::move(files);
  return store;
}

Result<arrow::fs::FileInfo> StatObject(const ObjectStore& store, const std::string& path) {
  auto info = CallWithRetries<arrow::fs::FileInfo>(
      store.retry, [files = store.files, path] { return files->GetFileInfo(path); });
  if (info.ok()) return *std::move(info);
  const arrow::Status reason = ReasonOf(info.status(), store, path);
  return tl::make_unexpected(StoreError(reason, "cannot be read", store.uri.Name(path)));
}

Result<std::vector<StoredObject>> ListObjects(const ObjectStore& store, const std::string& path) {
  arrow::fs::FileSelector below;
  below.base_dir = path;
  below.recursive = true;
  below.allow_not_found = true;
  RetryPolicy retry = store.retry;
  retry.deadline = std::max<std::chrono::milliseconds>(retry.deadline, kLongestListing);
  const auto found = CallWithRetries<arrow::fs::FileInfoVector>(
      retry, [files = store.files, below] { return files->GetFileInfo(below); });
  if (!found.ok()) {
    return tl::make_unexpected(
        StoreError(found.status(), "cannot be listed", store.uri.Name(path)));
  }
  std::vector<StoredObject> objects;
  for (const arrow::fs::FileInfo& info : *found) {
    if (info.IsFile()) objects.push_back(ObjectOf(info));
  }
  std::sort(objects.begin(), objects.end(),
            [](const StoredObject& a, const StoredObject& b) { return a.path < b.path; });
  return objects;
}

StoredObject ObjectOf(const arrow::fs::FileInfo& info) {
  return {info.path(), static_cast<uint64_t>(std::max<int64_t>(info.size(), 0)),
          info.mtime().time_since_epoch().count()};
}

bool IsSameTime(int64_t a_ns, int64_t b_ns) {
  constexpr int64_t kSecond = 1'000'000'000;
  return a_ns / kSecond == b_ns / kSecond;
}

Error StoreError(const arrow::Status& status, std::string_view doing, const std::string& name) {
  if (status.IsCancelled()) return Cancelled().value();
  if (arrow::internal::ErrnoFromStatus(status) == ENOENT) {
    return {ErrorCode::kInput,
            {},
            fmt::format("{}: there is no such object; check its name", doing),
            name};
  }
  for (const Advice& advice : kAdvice) {
    if (status.message().find(advice.sign) == std::string::npos) continue;
    return {ErrorCode::kDisk,
            {},
            fmt::format("{}: {} ({})", doing, advice.what, Shortened(status)),
            name};
  }
  if (status.IsInvalid())
    return {ErrorCode::kInput, {}, fmt::format("{}: {}", doing, Shortened(status)), name};
  return {ErrorCode::kDisk,
          {},
          fmt::format("{}: {}; run again, or check the store", doing, Shortened(status)),
          name};
}

}  // namespace lookalike
