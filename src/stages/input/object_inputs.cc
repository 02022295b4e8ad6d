#include "stages/input/object_inputs.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "io/object_input.h"
#include "stages/input/file_search.h"
#include "stages/input/object_search.h"

namespace lookalike {
namespace {

constexpr std::string_view kCopyPrefix = "object-";

/// Returns the path of an object's copy, where a later attempt will find it.
std::string CopyOf(const std::string& spool_dir, const std::string& uri) {
  const XXH128_hash_t hash = XXH3_128bits(uri.data(), uri.size());
  return fmt::format("{}/{}{:016x}{:016x}", spool_dir, kCopyPrefix, hash.high64, hash.low64);
}

}  // namespace

bool IsCopyOfObject(std::string_view name) {
  return name.starts_with(kCopyPrefix) && name.find('.') == name.npos;
}

/// Returns an Error for an object that belongs to the result: it would be read, and later replaced.
Status ObjectInputs::CheckApart(const ObjectUri& uri, const std::string& path) const {
  const std::string name = uri.Name(path), &output = how_.objects.output;
  if (output.empty() || !IsPathWithin(name, output)) return {};
  return InputError("the input '" + name + "' lies inside the output; choose another prefix",
                    output);
}

Status ObjectInputs::Add(const std::string& argument, FoundInputs* inputs) {
  InputList* const files = &inputs->files;
  const ObjectReading& objects = how_.objects;
  LOOKALIKE_ASSIGN_OR_RETURN(const ObjectUri uri, ParseObjectUri(argument));
  auto store =
      objects.open ? objects.open(uri) : OpenObjectStore(uri, objects.access, objects.retry);
  if (!store) return tl::make_unexpected(std::move(store).error());
  LeftOut left_out;
  LOOKALIKE_ASSIGN_OR_RETURN(auto listed, FindObjects(*store, how_.rules, &left_out));
  inputs->left_out.Add(left_out);
  std::vector<FoundObject> found = std::move(listed).value_or(std::vector<FoundObject>());
  Group group = {*std::move(store), {}, {}};
  const bool named = found.size() == 1 && found.front().object.path == uri.path();
  for (FoundObject& each : found) {
    LOOKALIKE_RETURN_IF_ERROR(CheckApart(uri, each.object.path));
    places_.push_back(files->size());
    group.files.push_back(files->size());
    InputFile file;
    file.found = !named;
    file.uri = uri.Name(each.object.path);
    file.path = CopyOf(how_.spool_dir, file.uri);
    file.name = std::move(each.name);
    file.size = each.object.size;
    file.mtime_ns = each.object.mtime_ns;
    files->Add(file);
    group.tasks.push_back({std::move(each.object), file.path});
  }
  if (!listed) {
    InputFile file;
    file.uri = file.path = uri.Name();
    file.name = BaseName(file.path);
    file.problem = "no such object or prefix; check the name";
    files->Add(file);
  }
  groups_.push_back(std::move(group));
  return {};
}

/// True if the disk has room for the objects that are not there yet.
Result<bool> ObjectInputs::HasRoom() const {
  uint64_t needed = 0;
  for (const Group& group : groups_) {
    for (const FetchTask& task : group.tasks) {
      LOOKALIKE_ASSIGN_OR_RETURN(const bool there, IsFetched(task));
      if (!there) needed += task.object.size;
    }
  }
  if (needed == 0) return true;
  const auto space = how_.objects.space;
  LOOKALIKE_ASSIGN_OR_RETURN(
      const uint64_t free, space ? space(how_.spool_dir) : RealFileSystem().Space(how_.spool_dir));
  return needed <= free;
}

void ObjectInputs::ReadInPlace(InputList* files) const {
  for (const Group& group : groups_) {
    for (size_t i = 0; i < group.files.size(); ++i) {
      InputFile file = (*files)[group.files[i]];
      file.remote = ObjectInput::Make(group.store, group.tasks[i].object);
      file.path = file.uri;
      files->Replace(group.files[i], file);
    }
  }
}

Status ObjectInputs::FetchGroup(const Group& group, uint64_t before, uint64_t total,
                                InputList* files) const {
  FetchSettings settings;
  if (how_.objects.progress) {
    settings.progress = [this, before, total](uint64_t done) {
      how_.objects.progress(before + done, total);
    };
  }
  const bool stop = how_.unreadable == UnreadableInputs::kFail;
  LOOKALIKE_ASSIGN_OR_RETURN(const auto outcomes,
                             FetchObjects(group.store, group.tasks, stop, settings));
  for (size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i]) continue;
    InputFile file = (*files)[group.files[i]];
    file.problem = outcomes[i].error().what;
    files->Replace(group.files[i], file);
  }
  return {};
}

Status ObjectInputs::Fetch(InputList* files) const {
  if (places_.empty()) return {};
  bool has_room = false;
  if (how_.objects.use == ObjectUse::kCopy) {
    LOOKALIKE_ASSIGN_OR_RETURN(has_room, HasRoom());
  }
  if (!has_room) {
    ReadInPlace(files);
    return {};
  }
  uint64_t total = 0, before = 0;
  for (const size_t place : places_) total += files->SizeOf(place);
  for (const Group& group : groups_) {
    LOOKALIKE_RETURN_IF_ERROR(FetchGroup(group, before, total, files));
    for (const FetchTask& task : group.tasks) before += task.object.size;
  }
  return {};
}

}  // namespace lookalike
