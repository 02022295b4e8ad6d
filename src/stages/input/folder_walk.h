// A walk through all folders below a given folder. Inside this stage only.
#ifndef LOOKALIKE_STAGES_INPUT_FOLDER_WALK_H_
#define LOOKALIKE_STAGES_INPUT_FOLDER_WALK_H_

#include <sys/stat.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "stages/input/file_search.h"

namespace lookalike {

/// Collects the files below one folder. Folders and files come first under their own names;
/// symbolic links are followed only afterwards, so that no link replaces the name it leads to, and
/// no folder is entered twice.
class FolderWalk {
 public:
  /// `deep`: pattern that names must match at some depth, or null. All arguments outlive the walk.
  FolderWalk(const PathFilter& filter, bool follow_links, const std::string* deep,
             FoundFiles* found)
      : filter_(filter), follow_links_(follow_links), deep_(deep), found_(*found) {}

  /// Returns an Error if the folder itself cannot be read. `front`: the path of `folder` relative
  /// to the folder that the filter's patterns refer to; empty if that is `folder` itself.
  Status Run(const std::string& folder, const std::string& front = {});

 private:
  struct Link {
    std::string path, name;
    bool operator<(const Link& other) const { return name < other.name; }
  };

  /// Returns 0, or the errno if the folder cannot be read.
  int Visit(const std::string& path, const std::string& name);
  void VisitFolder(const std::string& path, const std::string& name);
  void VisitEntry(int folder, const char* entry, unsigned char type, const std::string& path,
                  const std::string& name);
  void VisitLinks();
  void FollowLink(const Link& link);
  [[nodiscard]] bool IsInside(const std::string& path) const;
  [[nodiscard]] std::optional<LeftOutReason> Refuses(const std::string& name, bool is_folder) const;
  [[nodiscard]] bool Wants(const std::string& name) const;
  void AddFile(const std::string& path, const std::string& name, const struct stat& status);
  void AddProblem(const std::string& path, const std::string& name, int error);

  const PathFilter& filter_;
  bool follow_links_;
  const std::string* deep_;
  FoundFiles& found_;
  std::string root_;   ///< The folder's path without links.
  std::string front_;  ///< Prefix of names passed to the filter.
  std::set<FoundFiles::Identity> visited_;
  std::vector<Link> links_;
  FoundFiles::Way way_ = FoundFiles::Way::kName;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_FOLDER_WALK_H_
