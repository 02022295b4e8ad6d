// The minimum that any run must do, with the means of this program: read and parse every record,
// and write every record out. `make bench` compares `lookalike dedup` with it.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stages/input/reader.h"
#include "stages/output/writer.h"

namespace lookalike {
namespace {

/// Copies `source` record by record to `target`; without a target, only reads and parses. Returns
/// the number of documents.
Result<uint64_t> Copy(const std::string& source, const std::string& target) {
  const std::vector<std::string> arguments = {source};
  LOOKALIKE_ASSIGN_OR_RETURN(const FoundInputs found, DiscoverInputs(arguments, {}));
  const InputList& inputs = found.files;
  const ReadColumns columns = target.empty() ? ReadColumns::kFields : ReadColumns::kAll;
  LOOKALIKE_ASSIGN_OR_RETURN(const std::unique_ptr<InputReader> reader,
                             OpenInput(inputs[0], 0, FieldPaths{}, ReadLimits{}, columns));
  std::unique_ptr<RecordWriter> writer;
  if (!target.empty()) {
    LOOKALIKE_ASSIGN_OR_RETURN(writer, CreateWriter(inputs[0], target));
  }
  DocumentBatch batch;
  std::vector<uint8_t> keep;
  uint64_t documents = 0;
  while (true) {
    LOOKALIKE_ASSIGN_OR_RETURN(const bool more, reader->Next(&batch));
    if (!more) break;
    documents += batch.documents.size();
    if (writer == nullptr) continue;
    keep.assign(batch.documents.size(), 1);
    LOOKALIKE_RETURN_IF_ERROR(writer->AppendKept(batch, keep));
  }
  if (writer != nullptr) LOOKALIKE_RETURN_IF_ERROR(writer->Close());
  return documents;
}

}  // namespace
}  // namespace lookalike

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3 || std::string_view(argv[1]).substr(0, 1) == "-") {
    std::fputs("usage: bench_floor IN [OUT]: reads IN and writes every record to OUT\n", stderr);
    return 2;
  }
  const auto documents = lookalike::Copy(argv[1], argc == 3 ? argv[2] : "");
  if (!documents) {
    std::fprintf(stderr, "%s\n", documents.error().ToString().c_str());
    return 2;
  }
  std::printf("%llu documents\n", static_cast<unsigned long long>(*documents));
  return 0;
}
