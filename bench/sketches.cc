// Cost of each kind of sketch and of shingle: `bench_sketches [ROUNDS]`, one thread. Prints
// tab-separated lines, which bench/sketch_page.py reads:
//   sketch   name  features  nanoseconds per feature  bytes per document
//   shingle  name  features of the text  nanoseconds per feature  megabytes per second
// Times are CPU time of the process, medians of interleaved rounds.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "fingerprint/feature_extractor.h"
#include "lookalike/lookalike.h"
#include "lookalike/set_sketch.h"
#include "lookalike/sketch.h"
#include "stages/sketch/set_sketch.h"
#include "stages/sketch/sketch.h"

namespace lookalike {
namespace {

constexpr double kLeastSeconds = .02;  // per measurement
constexpr size_t kSizes[] = {20, 150, 1000, 10'000};
const std::string kSamples[] = {"bottom-k:128", "mod-m:16", "fracminhash:16"};

volatile uint64_t sink;

/// One measured case: `run` does it once, for `features` features.
struct Case {
  std::string front, back;  // parts of its output line
  size_t features;
  std::function<void()> run;
  std::vector<double> nanoseconds = {};  // per feature, for each round
  double bytes_a_feature = 0;            // of text; 0 if there is none
};

std::vector<uint64_t> RandomFeatures(size_t count) {
  std::mt19937_64 random(1);
  std::vector<uint64_t> features(count);
  for (uint64_t& feature : features) feature = random();
  return features;
}

size_t BytesOf(const std::string& sketch, std::span<const uint64_t> features) {
  Options options;
  options.sketch = sketch;
  if (NamesSetSketch(sketch)) return SetSketch::OfFeatures(features, options)->ToBytes().size();
  return Sketch::OfFeatures(features, options)->ToBytes().size();
}

/// Makes a case of many documents, so that branches are not memorised.
Case SketchCase(const std::string& name, size_t size, const std::vector<uint64_t>& all) {
  const size_t documents = all.size() / size;
  Case made = {fmt::format("sketch\t{}\t{}", name, size),
               std::to_string(BytesOf(name, {all.data(), size})),
               documents * size,
               {}};
  const auto each = [&all, size, documents](auto run) {
    for (size_t i = 0; i < documents; ++i) run(std::span(&all[i * size], size));
  };
  if (NamesSetSketch(name)) {
    made.run = [each, spec = *ParseSetSketch(name)] {
      each([&](auto features) { sink = SampleFeatures(spec, features).size(); });
    };
  } else {
    made.run = [each, sketcher = Sketcher(*ParseSketch(name))]() mutable {
      each([&](auto features) { sink = sketcher.Run(features).back(); });
    };
  }
  return made;
}

/// Makes words drawn by Zipf's law, the most frequent ones stop words, with punctuation between.
std::string Prose(size_t bytes) {
  constexpr const char* kFrequent[] = {"the", "of", "and", "to", "in", "a", "is", "that"};
  std::mt19937_64 random(2);
  std::vector<double> weights(20'000);
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = 1 / (static_cast<double>(i) + 3);
  std::discrete_distribution<size_t> draw(weights.begin(), weights.end());
  std::string text;
  while (text.size() < bytes) {
    const size_t rank = draw(random);
    if (rank < std::size(kFrequent)) {
      text += kFrequent[rank];
    } else {
      for (size_t rest = rank * 7919; rest > 0; rest /= 26) {
        text += static_cast<char>('a' + rest % 26);
      }
    }
    text += random() % 12 == 0 ? ". " : " ";
  }
  return text;
}

Case ShingleCase(const std::string& shingle, ShingleHash hash, const std::string& text) {
  const auto extractor = std::make_shared<FeatureExtractor>(
      FeatureSpec{.shingle = *ParseShingle(shingle), .hash = hash});
  const size_t features = extractor->Features(text).size();
  Case made = {fmt::format("shingle\t{}{}\t{}", shingle,
                           hash == ShingleHash::kRabin ? " hash=rabin" : "", features),
               "",
               features,
               {}};
  made.run = [extractor, &text] { sink = extractor->Features(text).back(); };
  made.bytes_a_feature = static_cast<double>(text.size()) / static_cast<double>(features);
  return made;
}

double Measure(const Case& given) {
  for (int times = 1;; times *= 2) {
    const std::clock_t begin = std::clock();
    for (int i = 0; i < times; ++i) given.run();
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    if (seconds >= kLeastSeconds) {
      return seconds * 1e9 / times / static_cast<double>(given.features);
    }
  }
}

void Print(Case* given) {
  std::vector<double>& all = given->nanoseconds;
  std::nth_element(all.begin(), all.begin() + static_cast<ptrdiff_t>(all.size() / 2), all.end());
  const double median = all[all.size() / 2];
  if (given->bytes_a_feature > 0) {
    given->back = fmt::format("{:.0f}", given->bytes_a_feature / median * 1e3);
  }
  fmt::print("{}\t{:.3f}\t{}\n", given->front, median, given->back);
}

void Run(int rounds) {
  const std::vector<uint64_t> features = RandomFeatures(200'000);
  const std::string text = Prose(1 << 20);
  std::vector<std::string> names;
  for (const SketchKind kind : AllKinds()) names.push_back(ToString(SketchSpec{128, kind}));
  names.insert(names.end(), std::begin(kSamples), std::end(kSamples));
  std::vector<Case> cases;
  for (const std::string& name : names) {
    for (const size_t size : kSizes) cases.push_back(SketchCase(name, size, features));
  }
  for (const char* shingle :
       {"word:1", "word:5", "char:9", "byte:9", "code:5", "stopword:2", "winnow:50,100"}) {
    cases.push_back(ShingleCase(shingle, ShingleHash::kMixer, text));
  }
  for (const char* shingle : {"word:5", "char:9"}) {
    cases.push_back(ShingleCase(shingle, ShingleHash::kRabin, text));
  }
  for (int round = 0; round < rounds; ++round) {
    for (Case& each : cases) each.nanoseconds.push_back(Measure(each));
  }
  fmt::print("# {}\n", VersionString());
  for (Case& each : cases) Print(&each);
}

}  // namespace
}  // namespace lookalike

int main(int argc, char** argv) {
  lookalike::Run(argc > 1 ? std::max(1, std::atoi(argv[1])) : 5);
  return 0;
}
