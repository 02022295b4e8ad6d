// Names of objects in stores: s3://bucket/key, gs://bucket/key.
#ifndef LOOKALIKE_IO_OBJECT_URI_H_
#define LOOKALIKE_IO_OBJECT_URI_H_

#include <string>
#include <string_view>

#include "lookalike/status.h"

namespace lookalike {

/// A URI of an object store in its parts. The key is taken as it stands, as the stores' own tools
/// take it: `%20` is three characters, and a blank is fine.
struct ObjectUri {
  std::string scheme;       ///< "s3" or "gs".
  std::string credentials;  ///< "user:secret" of user:secret@bucket; percent-encoded, often empty.
  std::string bucket;
  std::string key;         ///< Without a slash in front; empty for the bucket itself.
  std::string parameters;  ///< "region=eu-west-1&scheme=http"; percent-encoded, often empty.

  /// bucket/key, which is how Arrow's file systems name it. No slash at the end.
  [[nodiscard]] std::string path() const;

  /// What messages and files call the object at `path` (bucket/key) of the same store. Without
  /// credentials and parameters, which nobody wants to see there.
  [[nodiscard]] std::string Name(std::string_view path) const;
  [[nodiscard]] std::string Name() const { return Name(path()); }
};

/// Whether a text begins like a URI of an object store: s3://, gs:// or gcs://.
bool IsObjectUri(std::string_view text);

/// `text` as messages and files show it: of a URI of an object store its Name(), else all of it.
std::string PublicName(const std::string& text);

/// What stands before "://" where that is the form of a scheme; else nothing.
std::string_view SchemeOf(std::string_view text);

/// Takes a URI apart. What follows the last '?' is parameters where it has the form name=value,
/// and a part of the pattern otherwise. An Error without a bucket.
Result<ObjectUri> ParseObjectUri(std::string_view text);

/// The path that a file:// URI names, percent-decoded. An Error where it names another host.
Result<std::string> PathOfFileUri(std::string_view uri);

/// True when `inner` is `outer` or lies below it; both are paths without a slash at the end.
bool IsPathWithin(std::string_view inner, std::string_view outer);

}  // namespace lookalike

#endif  // LOOKALIKE_IO_OBJECT_URI_H_
