// Tables of words that options name: stop words, and weights.
//
// An index keeps its own copies. It would not mean the same without a table, or with another one,
// and files of a user may move and change.
#ifndef LOOKALIKE_INDEX_TABLES_H_
#define LOOKALIKE_INDEX_TABLES_H_

#include <filesystem>
#include <string>

#include "lookalike/options.h"
#include "lookalike/options_table.h"
#include "lookalike/status.h"

namespace lookalike {

/// True if an option names a file with a table.
bool NamesTable(const OptionRow& row, const Options& options);

/// Returns the name of a table in an index, which depends on its content: "weights-" and a hash.
/// REQUIRES: NamesTable().
Result<std::string> TableName(const OptionRow& row, const Options& options);

/// Copies all tables that options name into the folder of an index, durably, and has the options
/// name the copies.
Status KeepTables(const std::filesystem::path& folder, Options* options);

/// Returns where an index keeps a table.
std::filesystem::path PlaceOfTable(const std::filesystem::path& folder, const std::string& name);

/// Returns an Error if a table that the options of an index name is not the one that was kept.
Status CheckTables(const Options& options);

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_TABLES_H_
