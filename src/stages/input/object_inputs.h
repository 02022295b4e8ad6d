// The inputs that are objects in stores: all are found first, then fetched together.
#ifndef LOOKALIKE_STAGES_INPUT_OBJECT_INPUTS_H_
#define LOOKALIKE_STAGES_INPUT_OBJECT_INPUTS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/object_fetch.h"
#include "io/object_store.h"
#include "lookalike/status.h"
#include "records/input_file.h"
#include "stages/input/reader.h"

namespace lookalike {

/// True if a file of the spool folder is the complete copy of an object.
bool IsCopyOfObject(std::string_view name);

/// Collects the objects that arguments refer to, and copies them to the spool folder, or has them
/// read in place.
class ObjectInputs {
 public:
  explicit ObjectInputs(const Discovery& how) : how_(how) {}

  /// Looks up the URI and appends an input for each object, still without format and codec.
  /// Appends an input with a `problem` if there is no matching object.
  Status Add(const std::string& argument, FoundInputs* inputs);

  /// Copies all objects to their paths, if that is what is done with them and the disk has room;
  /// otherwise has them read in place. An object that fails gets a `problem` if unreadable inputs
  /// are listed; otherwise it ends the copying.
  Status Fetch(InputList* files) const;

  /// Returns the positions of the inputs that are objects.
  [[nodiscard]] const std::vector<size_t>& places() const { return places_; }

 private:
  /// The objects of one argument.
  struct Group {
    ObjectStore store;
    std::vector<FetchTask> tasks;
    std::vector<size_t> files;  ///< The position of each task's file.
  };

  Status CheckApart(const ObjectUri& uri, const std::string& path) const;
  [[nodiscard]] Result<bool> HasRoom() const;
  void ReadInPlace(InputList* files) const;
  Status FetchGroup(const Group& group, uint64_t before, uint64_t total, InputList* files) const;

  const Discovery& how_;
  std::vector<Group> groups_;
  std::vector<size_t> places_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_OBJECT_INPUTS_H_
