// Copies of finished results in object stores.
#ifndef LOOKALIKE_STORE_COPY_H_
#define LOOKALIKE_STORE_COPY_H_

#include <string>

#include "lookalike/lookalike.h"

namespace lookalike {

/// Copies a local result, a Dedup folder or a single file, to the URI `output` (s3:// or gs://), in
/// the same way as the functions that write there directly: manifest.json is uploaded last. `path`
/// is left unchanged. Without Options::overwrite, an existing result or object is an Error. Uses
/// the object-store options.
Status CopyToStore(const std::string& path, const std::string& output, const Options& options,
                   const Observer& observer = {});

}  // namespace lookalike

#endif  // LOOKALIKE_STORE_COPY_H_
