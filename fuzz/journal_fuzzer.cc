// The journal of an interrupted run.
#include <string>

#include "format/journal.h"
#include "laws.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lookalike;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string sound;
  for (const RunRecord& entry : DecodeJournal(text)) sound += EncodeJournalLine(entry);
  fuzz::Require(text.starts_with(sound), "entries are the sound lines at the front");
  fuzz::Require(DecodeJournal(text.substr(sound.size())).empty(), "and all of them");
  return 0;
}
