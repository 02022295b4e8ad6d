// Access to object stores, and limits on waiting for them.
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

/// Access to stores, as far as a URI's own parameters do not set it. Credentials come from the
/// environment, in the form that the stores' own tools use.
struct ObjectAccess {
  std::string endpoint;    ///< "http://127.0.0.1:9000"; empty: the provider's.
  std::string region;      ///< Empty: detected.
  bool anonymous = false;  ///< Requests are not signed.
};

/// Limits on the time of one operation on a store, and on the number of tries.
struct RetryPolicy {
  std::chrono::milliseconds deadline = std::chrono::minutes(2);  ///< For one try.
  int tries = 3;
  std::chrono::milliseconds first_pause{250};  ///< Doubles with each further try.
  std::function<bool()> cancelled;             ///< Called some ten times a second; null: never.

  [[nodiscard]] bool IsCancelled() const { return cancelled && cancelled(); }
};

/// The ways to treat the objects that are found.
enum class ObjectUse {
  kCopy,     ///< They are copied to the local disk, if it has room for them.
  kInPlace,  ///< They are read in place, by ranges.
  kList,     ///< They are only listed: name, size and time are known.
};

/// The way in which objects are found and read.
struct ObjectReading {
  ObjectAccess access = {};
  RetryPolicy retry = {};
  ObjectUse use = ObjectUse::kCopy;
  std::string output = {};  ///< URI of the result, which no input may be part of; empty: none.
  /// Called now and then with the bytes that are on the disk, and the bytes of all objects.
  std::function<void(uint64_t done, uint64_t total)> progress = {};
  /// Returns the bytes that are free in a folder; null: as the system says.
  std::function<Result<uint64_t>(const std::string&)> space = {};
  /// Opens stores; null: OpenObjectStore.
  std::function<Result<ObjectStore>(const ObjectUri&)> open = {};

  /// Returns the result as its user named it: the object that the local `place` represents, or
  /// `place` itself.
  [[nodiscard]] const std::string& NamedOutput(const std::string& place) const {
    return output.empty() ? place : output;
  }

  /// Returns the same, but objects are read in place.
  [[nodiscard]] ObjectReading InPlace() const {
    ObjectReading reading = *this;
    reading.use = ObjectUse::kInPlace;
    return reading;
  }
};

}  // namespace lookalike

#endif  // LOOKALIKE_IO_OBJECT_ACCESS_H_
