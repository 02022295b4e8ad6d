// Names of objects in stores: s3://bucket/key, gs://bucket/key.
#ifndef LOOKALIKE_IO_OBJECT_URI_H_
#define LOOKALIKE_IO_OBJECT_URI_H_

#include <string>
#include <string_view>

#include "lookalike/status.h"

namespace lookalike {

/// A URI of an object store in its parts. The key is taken literally, as the stores' own tools do:
/// `%20` is three characters, and a blank is fine.
struct ObjectUri {
  std::string scheme;       ///< "s3" or "gs".
  std::string credentials;  ///< "user:secret" of user:secret@bucket; percent-encoded, often empty.
  std::string bucket;
  std::string key;         ///< Without a slash in front; empty for the bucket itself.
  std::string parameters;  ///< "region=eu-west-1&scheme=http"; percent-encoded, often empty.

  /// Returns bucket/key, the name in Arrow's file systems. No slash at the end.
  [[nodiscard]] std::string path() const;

  /// Returns the name that messages and files use for the object at `path` (bucket/key) in the same
  /// store. It has no credentials and parameters, which must not appear there.
  [[nodiscard]] std::string Name(std::string_view path) const;
  [[nodiscard]] std::string Name() const { return Name(path()); }
};

/// True if a text begins like a URI of an object store: s3://, gs:// or gcs://.
bool IsObjectUri(std::string_view text);

/// Returns `text` as messages and files show it: the Name() of a URI of an object store, else all
/// of it.
std::string PublicName(const std::string& text);

/// Returns the part before "://" if it has the form of a scheme; else nothing.
std::string_view SchemeOf(std::string_view text);

/// Takes a URI apart. The part after the last '?' is taken as parameters if it has the form
/// name=value, and as part of the pattern otherwise. Returns an Error if there is no bucket.
Result<ObjectUri> ParseObjectUri(std::string_view text);

/// Returns the path that a file:// URI names, percent-decoded. Returns an Error if it names another
/// host.
Result<std::string> PathOfFileUri(std::string_view uri);

/// True if `inner` is `outer` or lies below it; both are paths without a slash at the end.
bool IsPathWithin(std::string_view inner, std::string_view outer);

}  // namespace lookalike

#endif  // LOOKALIKE_IO_OBJECT_URI_H_
