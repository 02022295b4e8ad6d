// A walk through all folders below one. Inside this stage only.
#ifndef LOOKALIKE_STAGES_INPUT_FOLDER_WALK_H_
#define LOOKALIKE_STAGES_INPUT_FOLDER_WALK_H_

#include <sys/stat.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "stages/input/file_search.h"

namespace lookalike {

/// Collects the files below one folder. Folders and files come first under their own names; only
/// then are symbolic links looked at, so that none takes the place of the name it leads to, and no
/// folder is entered twice.
class FolderWalk {
 public:
  /// `deep`: what names must match at some depth, or null. All outlive the walk.
  FolderWalk(const PathFilter& filter, bool follow_links, const std::string* deep,
             FoundFiles* found)
      : filter_(filter), follow_links_(follow_links), deep_(deep), found_(*found) {}

  /// An Error where the folder itself cannot be read. `front`: the path of `folder` from the folder
  /// on that patterns of the filter are about; empty where that is `folder` itself.
  Status Run(const std::string& folder, const std::string& front = {});

 private:
  struct Link {
    std::string path, name;
    bool operator<(const Link& other) const { return name < other.name; }
  };

  /// 0, or the errno of what cannot be read.
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
  std::string front_;  ///< What stands in front of names where the filter is asked.
  std::set<FoundFiles::Identity> visited_;
  std::vector<Link> links_;
  FoundFiles::Way way_ = FoundFiles::Way::kName;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_FOLDER_WALK_H_
