// Entries that a search for inputs left out, counted by reason, with the first few paths of each.
#ifndef LOOKALIKE_RECORDS_LEFT_OUT_H_
#define LOOKALIKE_RECORDS_LEFT_OUT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lookalike {

enum class LeftOutReason : uint8_t {
  kHidden,    ///< The name begins with a dot.
  kMarker,    ///< A file or folder that data sets keep beside their data.
  kLink,      ///< A symbolic link that leads out of the folder.
  kSameFile,  ///< Another name of a file that is already read.
  kSpecial,   ///< A pipe, socket or device.
  kFiltered,  ///< Excluded by --include or --exclude.
};

/// Counts and first paths of the entries left out. Folders count once, with everything in them.
class LeftOut {
 public:
  static constexpr size_t kReasons = 6;
  static constexpr size_t kNamed = 10;

  struct Group {
    uint64_t count = 0;
    std::vector<std::string> first;  ///< At most kNamed.
  };

  void Add(LeftOutReason reason, std::string_view path) {
    Group& group = groups_[static_cast<size_t>(reason)];
    ++group.count;
    if (group.first.size() < kNamed) group.first.emplace_back(path);
  }

  void Add(const LeftOut& other) {
    for (size_t i = 0; i < kReasons; ++i) {
      groups_[i].count += other.groups_[i].count;
      for (const std::string& path : other.groups_[i].first) {
        if (groups_[i].first.size() < kNamed) groups_[i].first.push_back(path);
      }
    }
  }

  [[nodiscard]] const Group& Of(LeftOutReason reason) const {
    return groups_[static_cast<size_t>(reason)];
  }

  [[nodiscard]] uint64_t count() const {
    uint64_t count = 0;
    for (const Group& group : groups_) count += group.count;
    return count;
  }

  /// Returns the name of a reason in the manifest.
  static std::string_view NameOf(LeftOutReason reason) {
    constexpr std::array<std::string_view, kReasons> kNames = {
        "hidden", "data_set_markers", "links", "same_file", "special", "filtered"};
    return kNames[static_cast<size_t>(reason)];
  }

  /// Returns a line for each reason other than the user's own filters: how many entries, which, and
  /// what to do.
  [[nodiscard]] std::vector<std::string> Messages() const {
    struct Text {
      std::string_view what, how;
    };
    constexpr std::array<Text, kReasons> kTexts = {
        {{" with a hidden name (it begins with a dot)", "; name the path itself to read it"},
         {" that data sets keep beside their data", "; name the path itself to read it"},
         {" behind a symbolic link that leads out of the folder",
          "; pass $<follow-links> to read it"},
         {" repeating a file under another name", ""},
         {" of another kind (pipe, socket or device)", ""},
         {"", ""}}};
    std::vector<std::string> messages;
    for (size_t i = 0; i < kReasons; ++i) {
      const auto& [what, how] = kTexts[i];
      if (groups_[i].count == 0 || what.empty()) continue;
      std::string line = "lookalike: left out " + std::to_string(groups_[i].count) +
                         (groups_[i].count == 1 ? " entry" : " entries");
      line.append(what).append(": ");
      for (const std::string& path : groups_[i].first) {
        if (&path != &groups_[i].first.front()) line += ", ";
        line += path;
      }
      if (groups_[i].count > groups_[i].first.size()) line += ", ...";
      messages.push_back(line.append(how));
    }
    return messages;
  }

 private:
  std::array<Group, kReasons> groups_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_RECORDS_LEFT_OUT_H_
