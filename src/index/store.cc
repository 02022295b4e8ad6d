#include "index/store.h"

#include <dlfcn.h>
#include <link.h>

#include <filesystem>

namespace lookalike {
namespace {

constexpr const char* kLibrary = "lookalike_store.so";
constexpr const char* kFunction = "lookalike_open_store";

using OpenFunction = void (*)(const std::string&, StoreMode, uint64_t,
                              Result<std::unique_ptr<Store>>*);

/// Returns the folder of the program, or of the library, that this function is part of.
std::filesystem::path OwnFolder() {
  Dl_info info = {};
  void* found = nullptr;
  const auto* const function = reinterpret_cast<const void*>(&OpenStore);
  if (dladdr1(function, &info, &found, RTLD_DL_LINKMAP) == 0) return {};
  // The program itself has no name there, but the word that it was called by, which need not say
  // where it lies.
  const auto* const object = static_cast<const link_map*>(found);
  const char* const name = *object->l_name == '\0' ? "/proc/self/exe" : object->l_name;
  std::error_code ignored;
  const auto path = std::filesystem::canonical(name, ignored);
  return ignored ? std::filesystem::path(name).parent_path() : path.parent_path();
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

Result<std::unique_ptr<Store>> OpenStore(const std::string& folder, StoreMode mode,
                                         uint64_t cache) {
  static const Result<OpenFunction> open = LoadFunction();
  if (!open) return tl::make_unexpected(open.error());
  Result<std::unique_ptr<Store>> store = tl::make_unexpected(Error());
  (*open)(folder, mode, cache, &store);
  return store;
}

}  // namespace lookalike
