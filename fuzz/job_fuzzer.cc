// The job.json of an interrupted run.
#include <string>

#include "laws.h"
#include "run/job_description.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lookalike;
  const std::string now =
      R"({"version":"1","options":{"threshold":"0.8"},"options_digest":"d","partitions":64,)"
      R"("reference_inputs":0,"inputs":[{"path":"a","size":1},{"path":"b","size":2}]})";
  const auto same = CheckSameJob({std::string(reinterpret_cast<const char*>(data), size)}, now);
  fuzz::Require(same || !same.error().what.empty(), "an error says what is wrong");
  return 0;
}
