// How object stores are reached, and how much they are waited for.
#ifndef LOOKALIKE_IO_OBJECT_ACCESS_H_
#define LOOKALIKE_IO_OBJECT_ACCESS_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "lookalike/status.h"

namespace lookalike {

struct ObjectStore;
struct ObjectUri;

/// How stores are reached, where a URI's own parameters do not say it. Credentials come from the
/// environment, as the stores' own tools take them.
struct ObjectAccess {
  std::string endpoint;    ///< "http://127.0.0.1:9000"; empty: the provider's.
  std::string region;      ///< Empty: found out.
  bool anonymous = false;  ///< Requests are not signed.
};

/// How long one operation on a store may take, and how often it is tried.
struct Patience {
  std::chrono::milliseconds deadline = std::chrono::minutes(2);  ///< Of one try.
  int tries = 3;
  std::chrono::milliseconds first_pause{250};  ///< Doubles with each further try.
  std::function<bool()> cancelled;             ///< Asked some ten times a second; null: never.

  [[nodiscard]] bool IsCancelled() const { return cancelled && cancelled(); }
};

/// How objects are found and fetched.
struct ObjectReading {
  ObjectAccess access = {};
  Patience patience = {};
  bool fetch = true;        ///< Otherwise they are only listed: name, size and time are known.
  std::string output = {};  ///< URI of the result, which no input may be part of; empty: none.
  /// Told now and then: bytes that are on the disk, and of all objects.
  std::function<void(uint64_t done, uint64_t total)> progress = {};
  /// Opens stores; null: OpenObjectStore.
  std::function<Result<ObjectStore>(const ObjectUri&)> open = {};

  /// The result as its user named it: the object that the local `place` stands for, or that itself.
  [[nodiscard]] const std::string& NamedOutput(const std::string& place) const {
    return output.empty() ? place : output;
  }
};

}  // namespace lookalike

#endif  // LOOKALIKE_IO_OBJECT_ACCESS_H_
