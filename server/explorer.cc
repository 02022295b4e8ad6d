#include "explorer.h"

#include <string>
#include <string_view>

// The build puts the files here (CMakeLists.txt).
extern "C" const char kExplorerPageBegin[];
extern "C" const char kExplorerPageEnd[];
extern "C" const char kExplorerScriptBegin[];
extern "C" const char kExplorerScriptEnd[];
extern "C" const char kExplorerStyleBegin[];
extern "C" const char kExplorerStyleEnd[];

namespace lookalike::server {
namespace {

constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::string Bytes(const char* begin, const char* end) {
  return {begin, static_cast<size_t>(end - begin)};
}

}  // namespace

Answer FileOfExplorer(ExplorerFile file) {
  switch (file) {
    case ExplorerFile::kScript:
      return {200, Bytes(kExplorerScriptBegin, kExplorerScriptEnd),
              "text/javascript; charset=utf-8"};
    case ExplorerFile::kStyle:
      return {200, Bytes(kExplorerStyleBegin, kExplorerStyleEnd), "text/css; charset=utf-8"};
    case ExplorerFile::kPage:
      break;
  }
  return {200,
          Bytes(kExplorerPageBegin, kExplorerPageEnd),
          "text/html; charset=utf-8",
          {{"Content-Security-Policy", std::string(kPolicy)},
           {"Referrer-Policy", "no-referrer"},
           {"Cross-Origin-Opener-Policy", "same-origin"}}};
}

}  // namespace lookalike::server
