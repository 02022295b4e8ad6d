// The explorer, the page of the server for people (web/explorer).
#ifndef LOOKALIKE_SERVER_EXPLORER_H_
#define LOOKALIKE_SERVER_EXPLORER_H_

#include <cstdint>

#include "answer.h"

namespace lookalike::server {

enum class ExplorerFile : uint8_t { kPage, kScript, kStyle };

/// Returns the answer with a file of the explorer. Its policy lets the page load and ask for
/// nothing from elsewhere, and run nothing but this script.
Answer FileOfExplorer(ExplorerFile file);

}  // namespace lookalike::server

#endif  // LOOKALIKE_SERVER_EXPLORER_H_
