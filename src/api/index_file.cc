// Index::QueryFile: reads a file as the index reads documents.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "lookalike/index.h"
#include "lookalike/reader.h"
#include "records/format.h"

namespace lookalike {
namespace {

/// True for a web page, compressed or not, by its name, as inputs are told apart.
bool IsPage(std::string_view name) {
  if (IsCodecEnding(LowerEnding(name))) name = name.substr(0, name.rfind('.'));
  return FormatOfEnding(LowerEnding(name)) == Format::kHtml;
}

Result<std::string> ReadPage(const std::string& path, const Options& reading) {
  LOOKALIKE_ASSIGN_OR_RETURN(DocumentReader reader,
                             DocumentReader::Open(std::vector<std::string>{path}, reading));
  std::string text;
  for (bool more = true; more;) {
    DocumentColumns columns;
    LOOKALIKE_ASSIGN_OR_RETURN(more, reader.Next(&columns));
    text += columns.texts;
  }
  return text;
}

Result<std::string> ReadFile(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return InputError("is no file that can be read; name a file with a text", path);
  }
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad() || !file.is_open()) return InputError("cannot be read", path);
  return text;
}

}  // namespace

Result<IndexAnswer> Index::QueryFile(const std::string& path, const Options& reading,
                                     const IndexQuery& query) const {
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string text,
                             IsPage(path) ? ReadPage(path, reading) : ReadFile(path));
  return QueryText(text, query);
}

}  // namespace lookalike
