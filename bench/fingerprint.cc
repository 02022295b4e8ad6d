// Rows and megabytes per second of the batch fingerprinter, using only the public API: the
// reference for the Python binding. `make bench-fingerprint`; arguments are Google Benchmark's.
#include "lookalike/fingerprint.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace lookalike {
namespace {

constexpr size_t kBytes = size_t{16} << 20;  // per batch

enum Wanted { kSketches = 1, kKeys = 2, kCounts = 4 };

// Rows of words drawn by Zipf's law from 50,000, back to back as in an Arrow column.
struct Column {
  explicit Column(size_t row_bytes) {
    std::mt19937_64 random(1);
    std::vector<double> weights(50'000);
    for (size_t i = 0; i < weights.size(); ++i) weights[i] = 1 / (static_cast<double>(i) + 3);
    std::discrete_distribution<size_t> draw(weights.begin(), weights.end());
    std::vector<size_t> ends;
    while (bytes.size() < kBytes) {
      const size_t begin = bytes.size();
      while (bytes.size() < begin + row_bytes) bytes += fmt::format("w{:x} ", draw(random) * 7919);
      ends.push_back(bytes.size());
    }
    size_t begin = 0;
    for (const size_t end : ends) {
      rows.emplace_back(bytes.data() + begin, end - begin);
      begin = end;
    }
  }

  std::string bytes;
  std::vector<std::string_view> rows;
};

void BenchFingerprinter(benchmark::State& state, const Options& options, size_t row_bytes,
                        int wanted) {
  const auto fingerprinter = Fingerprinter::Create(options);
  if (!fingerprinter) return state.SkipWithError(fingerprinter.error().what.c_str());
  const Column column(row_bytes);
  const size_t rows = column.rows.size();
  std::vector<uint32_t> sketches((wanted & kSketches) != 0 ? rows * fingerprinter->coordinates()
                                                           : 0);
  std::vector<uint64_t> keys((wanted & kKeys) != 0 ? rows * fingerprinter->keys() : 0);
  std::vector<uint32_t> counts((wanted & kCounts) != 0 ? rows : 0);
  for (auto _ : state) {
    const Status status = fingerprinter->Run(column.rows, {sketches, keys, counts});
    if (!status) return state.SkipWithError(status.error().what.c_str());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(column.bytes.size()));
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(rows));
}

void RegisterAll() {
  const struct {
    const char* name;
    int wanted;
  } outputs[] = {{"sketches", kSketches},
                 {"keys", kKeys},
                 {"sketches+keys", kSketches | kKeys},
                 {"all", kSketches | kKeys | kCounts}};
  for (const char* sketch : {"fss:128", "permutations:128", "one-permutation:128"}) {
    for (const size_t row_bytes : {200, 5000, 100'000}) {
      for (const auto& [name, wanted] : outputs) {
        Options options;
        options.sketch = sketch;
        options.threads = 1;
        const std::string title = fmt::format("{}/{}_bytes/{}", sketch, row_bytes, name);
        benchmark::RegisterBenchmark(title.c_str(), BenchFingerprinter, options, row_bytes, wanted)
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
}

}  // namespace
}  // namespace lookalike

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  std::printf("%s\n", lookalike::VersionString().c_str());
  lookalike::RegisterAll();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
