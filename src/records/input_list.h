// The inputs of a run, which may be very many.
#ifndef LOOKALIKE_RECORDS_INPUT_LIST_H_
#define LOOKALIKE_RECORDS_INPUT_LIST_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "records/input_file.h"
#include "records/text_pool.h"

namespace lookalike {

/// Inputs in order; each takes about forty bytes plus its path. Reading one makes an InputFile.
class InputList {
 public:
  InputList() = default;
  InputList(std::initializer_list<InputFile> files) {
    for (const InputFile& file : files) Add(file);
  }
  // Implicit, because most callers have a few files.
  InputList(const std::vector<InputFile>& files) {  // NOLINT
    for (const InputFile& file : files) Add(file);
  }

  void Add(const InputFile& file) { entries_.push_back(Pack(entries_.size(), file)); }

  /// Replaces an input.
  void Replace(size_t i, const InputFile& file) {
    extras_.erase(static_cast<uint32_t>(i));
    entries_[i] = Pack(i, file);
  }

  [[nodiscard]] size_t size() const { return entries_.size(); }
  [[nodiscard]] bool empty() const { return entries_.empty(); }

  [[nodiscard]] InputFile operator[](size_t i) const {
    const Entry& entry = entries_[i];
    InputFile file;
    file.path = texts_.Get(entry.text, entry.path_size);
    file.name = NameOf(i);
    file.format = entry.format;
    file.codec = entry.codec;
    file.delimiter = entry.delimiter;
    file.size = entry.size;
    file.mtime_ns = entry.mtime_ns;
    file.found = entry.found;
    file.is_stdin = entry.is_stdin;
    if (!entry.has_extra) return file;
    const Extra& extra = extras_.at(static_cast<uint32_t>(i));
    if (extra.problem) file.problem = *extra.problem;
    file.uri = extra.uri;
    file.table = extra.table;
    file.remote = extra.remote;
    return file;
  }

  [[nodiscard]] InputFile at(size_t i) const { return (*this)[i]; }
  [[nodiscard]] InputFile front() const { return (*this)[0]; }

  /// Returns the name of input `i`. Valid until the list is changed or destroyed.
  [[nodiscard]] std::string_view NameOf(size_t i) const {
    const Entry& entry = entries_[i];
    const size_t stored = entry.path_size + (entry.is_suffix ? 0 : entry.name_size);
    return texts_.Get(entry.text, stored).substr(stored - entry.name_size);
  }

  [[nodiscard]] Format FormatOf(size_t i) const { return entries_[i].format; }
  [[nodiscard]] Codec CodecOf(size_t i) const { return entries_[i].codec; }
  void SetFormat(size_t i, Format format) { entries_[i].format = format; }
  [[nodiscard]] uint64_t SizeOf(size_t i) const { return entries_[i].size; }

  /// Returns the inputs that are read in place.
  [[nodiscard]] std::vector<std::shared_ptr<const RemoteInput>> Remotes() const {
    std::vector<std::shared_ptr<const RemoteInput>> remotes;
    for (const auto& [at, extra] : extras_) {
      if (extra.remote) remotes.push_back(extra.remote);
    }
    return remotes;
  }

  /// An iterator from front to back.
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = InputFile;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = InputFile;

    Iterator(const InputList* list, size_t at) : list_(list), at_(at) {}
    InputFile operator*() const { return (*list_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const InputList* list_;
    size_t at_;
  };

  [[nodiscard]] Iterator begin() const { return {this, 0}; }
  [[nodiscard]] Iterator end() const { return {this, size()}; }

 private:
  struct Entry {
    uint64_t size;
    int64_t mtime_ns;
    TextPool::Place text;  ///< The path, then the name, unless the path ends in it.
    uint32_t path_size, name_size;
    Format format;
    Codec codec;
    char delimiter;
    bool is_suffix, found, is_stdin, has_extra;
  };

  /// Fields that few inputs have.
  struct Extra {
    std::shared_ptr<const std::string> problem;  ///< Shared by inputs with the same problem.
    std::string uri;
    std::shared_ptr<arrow::Table> table;
    std::shared_ptr<const RemoteInput> remote;
  };

  Entry Pack(size_t i, const InputFile& file) {
    const bool is_suffix = file.path.ends_with(file.name);
    const bool has_extra = !file.problem.empty() || !file.uri.empty() || file.table;
    if (has_extra) {
      if (!file.problem.empty() && (!last_problem_ || *last_problem_ != file.problem)) {
        last_problem_ = std::make_shared<const std::string>(file.problem);
      }
      extras_[static_cast<uint32_t>(i)] = {file.problem.empty() ? nullptr : last_problem_, file.uri,
                                           file.table, file.remote};
    }
    const TextPool::Place text = texts_.Add(file.path, is_suffix ? "" : file.name);
    return {file.size,
            file.mtime_ns,
            text,
            static_cast<uint32_t>(file.path.size()),
            static_cast<uint32_t>(file.name.size()),
            file.format,
            file.codec,
            file.delimiter,
            is_suffix,
            file.found,
            file.is_stdin,
            has_extra};
  }

  TextPool texts_;
  std::deque<Entry> entries_;
  std::map<uint32_t, Extra> extras_;
  std::shared_ptr<const std::string> last_problem_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_RECORDS_INPUT_LIST_H_
