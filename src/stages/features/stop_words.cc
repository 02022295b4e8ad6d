#include "stages/features/stop_words.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>

#include "text/utf8.h"

namespace lookalike {
namespace {

constexpr uint32_t kShort = 3;

struct List {
  std::string_view language;
  std::string_view words;  // separated by blanks
};

constexpr List kLists[] = {
#include "stages/features/stop_word_lists.inc"
};

template <class Take>
void Split(std::string_view text, char separator, const Take& take) {
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    if (end > begin) take(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

std::string_view Trim(std::string_view line) {
  const size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
}

}  // namespace

std::string StopWordLists() {
  std::string names;
  for (const List& list : kLists) {
    if (!names.empty()) names += ", ";
    names += list.language;
  }
  return names;
}

Result<std::shared_ptr<const StopWords>> StopWords::Named(std::string_view name) {
  static std::mutex& mutex = *new std::mutex;
  static auto& kept = *new std::map<std::string, std::shared_ptr<const StopWords>, std::less<>>;
  const std::lock_guard lock(mutex);
  if (const auto found = kept.find(name); found != kept.end()) return found->second;
  StopWords made;
  if (name == "short") {
    made.longest_short_ = kShort;
  } else {
    const auto* const list =
        std::find_if(std::begin(kLists), std::end(kLists),
                     [&](const List& known) { return known.language == name; });
    if (list == std::end(kLists)) {
      return OptionError("$<stop-words='" + std::string(name) + "'> is not known; use " +
                         StopWordLists() + ", short, or the path of a file, such as ./words.txt");
    }
    Split(list->words, ' ', [&](std::string_view word) { made.words_.emplace(word); });
  }
  return kept.emplace(name, std::make_shared<const StopWords>(std::move(made))).first->second;
}

StopWords StopWords::OfLines(std::string_view lines) {
  StopWords result;
  Split(lines, '\n', [&](std::string_view line) {
    const std::string_view word = Trim(line);
    if (!word.empty() && word.front() != '#') result.words_.emplace(word);
  });
  return result;
}

bool StopWords::Has(std::string_view word) const {
  if (longest_short_ > 0) return CountCodePoints(word) <= longest_short_;
  return words_.find(word) != words_.end();
}

}  // namespace lookalike
