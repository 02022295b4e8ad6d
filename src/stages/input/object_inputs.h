// Objects of stores among the inputs: found first, then fetched together.
#ifndef LOOKALIKE_STAGES_INPUT_OBJECT_INPUTS_H_
#define LOOKALIKE_STAGES_INPUT_OBJECT_INPUTS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "flow/input_file.h"
#include "io/object_fetch.h"
#include "io/object_store.h"
#include "lookalike/status.h"
#include "stages/input/reader.h"

namespace lookalike {

/// Whether a file of the spool folder is the copy of an object, all of it.
bool IsCopyOfObject(std::string_view name);

/// Collects the objects that arguments mean, and copies them to the spool folder.
class ObjectInputs {
 public:
  explicit ObjectInputs(const Discovery& how) : how_(how) {}

  /// Looks for what the URI means and appends an input for each object, still without format and
  /// codec. Appends one with a `problem` where there is no such object.
  Status Add(const std::string& argument, FoundInputs* inputs);

  /// Copies all objects to their paths. One that fails gets a `problem` where such are listed, and
  /// ends all otherwise.
  Status Fetch(InputList* files) const;

  /// Positions of the inputs that are objects.
  [[nodiscard]] const std::vector<size_t>& places() const { return places_; }

 private:
  /// The objects of one argument.
  struct Group {
    ObjectStore store;
    std::vector<FetchTask> tasks;
    std::vector<size_t> files;  ///< Of each task.
  };

  Status CheckApart(const ObjectUri& uri, const std::string& path) const;
  Status CheckSpace() const;
  Status FetchGroup(const Group& group, uint64_t before, uint64_t total, InputList* files) const;

  const Discovery& how_;
  std::vector<Group> groups_;
  std::vector<size_t> places_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_OBJECT_INPUTS_H_
