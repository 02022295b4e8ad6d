#include "index/store.h"

#include <dlfcn.h>

#include <filesystem>

namespace lookalike {
namespace {

constexpr const char* kLibrary = "lookalike_store.so";
constexpr const char* kFunction = "lookalike_open_store";

using OpenFunction = void (*)(const std::string&, StoreMode, Result<std::unique_ptr<Store>>*);

/// Returns the folder of the program, or of the library, that this function is part of.
std::filesystem::path OwnFolder() {
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void*>(&OpenStore), &info) == 0) return {};
  std::error_code ignored;
  const auto path = std::filesystem::canonical(info.dli_fname, ignored);
  return ignored ? std::filesystem::path(info.dli_fname).parent_path() : path.parent_path();
}

Result<OpenFunction> LoadFunction() {
  const std::filesystem::path own = OwnFolder();
  std::string tried;
  for (const auto& folder : {own, own / "bin", own / "../lib/lookalike"}) {
    const std::string path = (folder / kLibrary).lexically_normal();
    if (!std::filesystem::exists(path)) {
      tried += (tried.empty() ? "" : ", ") + path;
      continue;
    }
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return BugError(std::string("cannot be loaded: ") + dlerror(), path);
    void* const function = dlsym(library, kFunction);
    if (function == nullptr) return BugError(std::string("is of another version: ") + dlerror());
    return reinterpret_cast<OpenFunction>(function);
  }
  return BugError("the library of the index is not installed: " + tried);
}

}  // namespace

Result<std::unique_ptr<Store>> OpenStore(const std::string& folder, StoreMode mode) {
  static const Result<OpenFunction> open = LoadFunction();
  if (!open) return tl::make_unexpected(open.error());
  Result<std::unique_ptr<Store>> store = tl::make_unexpected(Error());
  (*open)(folder, mode, &store);
  return store;
}

}  // namespace lookalike
