// Copies of finished results in object stores.
#ifndef LOOKALIKE_STORE_COPY_H_
#define LOOKALIKE_STORE_COPY_H_

#include <string>

#include "lookalike/lookalike.h"

namespace lookalike {

/// Copies a result of this machine, a folder of Dedup or a single file, to the URI `output` (s3://
/// or gs://), as the functions do that write there themselves: manifest.json comes last. `path`
/// stays as it is. Without Options::overwrite an existing result, or object, is an Error. Heeds the
/// options of object stores.
Status CopyToStore(const std::string& path, const std::string& output, const Options& options,
                   const Observer& observer = {});

}  // namespace lookalike

#endif  // LOOKALIKE_STORE_COPY_H_
