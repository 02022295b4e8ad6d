// The settings of a run store.
#ifndef LOOKALIKE_SPILL_RUN_OPTIONS_H_
#define LOOKALIKE_SPILL_RUN_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <string>

#include "lookalike/status.h"
#include "records/run_record.h"

namespace lookalike {

/// The settings of a RunStore.
struct RunStoreOptions {
  std::string folder;          ///< Folder for files; made with the first file. Must not be shared.
  uint64_t held_bytes = 0;     ///< Memory that all runs together may hold; the rest is in files.
  bool durable_units = false;  ///< Unit() writes files immediately, synced, for --resume.
  /// Folder for the files of finished units, which other processes may share. A file is moved there
  /// whole, under a name that ends in its hash, so that files of equal names are equal. Empty: it
  /// stays in `folder`.
  std::string units_folder = {};
  /// Called, one call at a time, when a durable run is on disk. An Error fails Finish(); the file
  /// then stays, because the journal may or may not have its line.
  std::function<Status(const RunRecord&)> finished;
};

}  // namespace lookalike

#endif  // LOOKALIKE_SPILL_RUN_OPTIONS_H_
