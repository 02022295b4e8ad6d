#include "io/object_uri.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace lookalike {
namespace {

constexpr std::string_view kSeparator = "://";

bool IsWord(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
  });
}

/// True if a text is name=value, or several of them with & between.
bool IsParameters(std::string_view text) {
  while (true) {
    const std::string_view one = text.substr(0, text.find('&'));
    const size_t equals = one.find('=');
    if (equals == one.npos || !IsWord(one.substr(0, equals))) return false;
    if (one.size() == text.size()) return true;
    text.remove_prefix(one.size() + 1);
  }
}

std::string_view WithoutSlashesAround(std::string_view text) {
  while (text.ends_with('/')) text.remove_suffix(1);
  while (text.starts_with('/')) text.remove_prefix(1);
  return text;
}

}  // namespace

std::string ObjectUri::path() const {
  std::string path = bucket;
  if (!key.empty()) path.append("/").append(WithoutSlashesAround(key));
  return path;
}

std::string ObjectUri::Name(std::string_view path) const {
  return scheme + std::string(kSeparator) + std::string(path);
}

std::string_view SchemeOf(std::string_view text) {
  const std::string_view scheme = text.substr(0, text.find(kSeparator));
  const bool found =
      scheme.size() < text.size() && std::all_of(scheme.begin(), scheme.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '+' || c == '.' || c == '-';
      });
  return found ? scheme : std::string_view();
}

bool IsObjectUri(std::string_view text) {
  const std::string_view scheme = SchemeOf(text);
  return scheme == "s3" || scheme == "gs" || scheme == "gcs";
}

Result<ObjectUri> ParseObjectUri(std::string_view text) {
  ObjectUri uri;
  uri.scheme = SchemeOf(text);
  std::string_view rest = text.substr(uri.scheme.size() + kSeparator.size());
  if (uri.scheme == "gcs") uri.scheme = "gs";
  if (const size_t mark = rest.rfind('?');
      mark != rest.npos && IsParameters(rest.substr(mark + 1))) {
    uri.parameters = rest.substr(mark + 1);
    rest = rest.substr(0, mark);
  }
  std::string_view bucket = rest.substr(0, rest.find('/'));
  if (bucket.size() < rest.size()) uri.key = rest.substr(bucket.size() + 1);
  if (const size_t at = bucket.rfind('@'); at != bucket.npos) {
    uri.credentials = bucket.substr(0, at);
    bucket.remove_prefix(at + 1);
  }
  uri.bucket = bucket;
  const bool plain =
      !bucket.empty() && bucket.find_first_of("*?[]:\\ \t") == std::string_view::npos;
  if (!plain) {
    return InputError("does not name a bucket; expected " + uri.scheme + "://BUCKET/KEY, found '" +
                          uri.bucket + "' for the bucket",
                      uri.Name(uri.path()));
  }
  return uri;
}

std::string PublicName(const std::string& text) {
  if (!IsObjectUri(text)) return text;
  const auto uri = ParseObjectUri(text);
  return uri ? uri->Name() : uri.error().where;
}

Result<std::string> PathOfFileUri(std::string_view uri) {
  const std::string_view rest = uri.substr(SchemeOf(uri).size() + kSeparator.size());
  const std::string_view host = rest.substr(0, rest.find('/'));
  if (!host.empty() && host != "localhost") {
    return InputError(
        "names the host '" + std::string(host) +
            "', but only files on this machine can be read; use file:///PATH, or just the path",
        std::string(uri));
  }
  std::string path;
  for (size_t i = host.size(); i < rest.size(); ++i) {
    unsigned code = 0;
    const char* const digits = rest.data() + i + 1;
    if (rest[i] == '%' && i + 2 < rest.size() &&
        std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2) {
      path += static_cast<char>(code);
      i += 2;
    } else {
      path += rest[i];
    }
  }
  if (path.empty()) return InputError("does not name a file; use file:///PATH", std::string(uri));
  return path;
}

bool IsPathWithin(std::string_view inner, std::string_view outer) {
  if (!inner.starts_with(outer)) return false;
  return inner.size() == outer.size() || inner[outer.size()] == '/';
}

}  // namespace lookalike
