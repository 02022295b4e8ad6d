// Speed of each kernel on each instruction set of this machine, and of the path from text to
// features and sketch that they form. `make bench-kernels`; arguments are Google Benchmark's.
#include "kernels/kernels.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "fingerprint/feature_extractor.h"
#include "fingerprint/unicode_fold.h"
#include "kernels/fold.h"
#include "kernels/isa.h"
#include "kernels/sets.h"
#include "kernels/unescape.h"
#include "stages/sketch/lead_byte.h"
#include "stages/sketch/sketch.h"

namespace lookalike {
namespace {

constexpr size_t kTextBytes = 5000;  // roughly a web document
constexpr size_t kTexts = 64;        // so that branches are not memorised

struct Language {
  const char* name;
  std::string_view sample;
};

// The words of each text are drawn from the sample; Chinese, Japanese and Thai from its phrases.
constexpr Language kLanguages[] = {
    {"English",
     "The quick brown fox jumps over the lazy dog. When in the Course of human events, it becomes "
     "necessary for one people to dissolve the political bands which have connected them with "
     "another, and to assume among the powers of the earth, the separate and equal station."},
    {"French",
     "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de "
     "raison et de conscience et doivent agir les uns envers les autres dans un esprit de "
     "fraternité. Chacun peut se prévaloir de tous les droits et de toutes les libertés proclamés"},
    {"Vietnamese",
     "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền. Mọi con người "
     "đều "
     "được tạo hoá ban cho lý trí và lương tâm và cần phải đối xử với nhau trong tình bằng hữu."},
    {"Russian",
     "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и "
     "совестью и должны поступать в отношении друг друга в духе братства. Каждый человек"},
    {"Greek",
     "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι "
     "προικισμένοι με λογική και συνείδηση, και οφείλουν να συμπεριφέρονται μεταξύ τους"},
    {"Chinese",
     "人人生而自由， 在尊严和权利上一律平等。 他们赋有理性和良心， 并应以兄弟关系的精神相对待。 "
     "人人有资格享有本宣言所载的一切权利和自由， 不分种族、 肤色、 性别、 语言、 宗教、 "},
    {"Japanese",
     "すべての人間は、 生まれながらにして自由であり、 かつ、 尊厳と権利とについて平等である。 "
     "人間は、 理性と良心とを授けられており、 互いに同胞の精神をもって行動しなければならない。 "},
    {"Korean",
     "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 "
     "이성과 "
     "양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다."},
    {"Thai",
     "มนุษย์ทั้งปวงเกิดมามีอิสระ และเสมอภาคกันในศักดิ์ศรี และสิทธิ ต่างมีเหตุผลและมโนธรรม "
     "และควรปฏิบัติต่อกันด้วยเจตนารมณ์แห่งภราดรภาพ น้ำ"},
    {"Hindi",
     "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। उन्हें बुद्धि "
     "और अन्तरात्मा की देन प्राप्त है और परस्पर उन्हें भाईचारे के भाव से बर्ताव करना चाहिए। बड़ा"},
    {"Arabic",
     "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا وعليهم أن يعامل "
     "بعضهم بعضا بروح الإخاء. لكل إنسان حق التمتع بكافة الحقوق والحريات"},
};

std::vector<std::string> TextsOf(const Language& language) {
  std::vector<std::string> words;
  std::istringstream sample{std::string(language.sample)};
  for (std::string word; sample >> word;) words.push_back(word);
  std::mt19937_64 random(1);
  std::vector<std::string> texts(kTexts);
  for (std::string& text : texts) {
    while (text.size() < kTextBytes) text += words[random() % words.size()] + " ";
  }
  return texts;
}

std::vector<uint64_t> RandomValues(size_t count) {
  std::mt19937_64 random(2);
  std::vector<uint64_t> values(count);
  for (uint64_t& value : values) value = random();
  return values;
}

size_t BytesOf(const std::vector<std::string>& texts) {
  size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  return bytes;
}

void SetBytes(benchmark::State& state, size_t bytes_a_round) {
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes_a_round));
}

// A folded text and its words. A text left unfolded would appear very fast.
struct Folded {
  std::vector<char> text;
  std::vector<uint32_t> edges;
  size_t words = 0;

  void Run(std::string_view from) {
    text.resize(std::max(text.size(), FoldRoom(from.size())));
    edges.resize(text.size());
    words = FoldWords(from, UnicodeFold(), text.data(), edges.data());
  }
};

void BenchFoldWords(benchmark::State& state, const Language& language) {
  const std::vector<std::string> texts = TextsOf(language);
  Folded folded;
  for (auto _ : state) {
    for (const std::string& text : texts) {
      folded.Run(text);
      if (folded.words == kNotFolded) return state.SkipWithError("left to the normaliser");
    }
  }
  SetBytes(state, BytesOf(texts));
}

void BenchHashWords(benchmark::State& state, const Language& language) {
  const std::vector<std::string> texts = TextsOf(language);
  std::vector<Folded> folded(texts.size());
  for (size_t i = 0; i < texts.size(); ++i) folded[i].Run(texts[i]);
  std::vector<uint64_t> hashes(2 * kTextBytes);
  for (auto _ : state) {
    for (const Folded& text : folded) {
      HashWords(text.text.data(), text.edges.data(), text.words, hashes.data());
      benchmark::ClobberMemory();
    }
  }
  SetBytes(state, BytesOf(texts));
}

void BenchFeatures(benchmark::State& state, const Language& language) {
  const std::vector<std::string> texts = TextsOf(language);
  FeatureExtractor extractor{FeatureSpec{}};
  for (auto _ : state) {
    for (const std::string& text : texts) {
      benchmark::DoNotOptimize(extractor.Features(text).data());
    }
  }
  SetBytes(state, BytesOf(texts));
}

void BenchFeaturesAndSketch(benchmark::State& state, const Language& language) {
  const std::vector<std::string> texts = TextsOf(language);
  FeatureExtractor extractor{FeatureSpec{}};
  Sketcher sketcher{SketchSpec{}};
  for (auto _ : state) {
    for (const std::string& text : texts) {
      benchmark::DoNotOptimize(sketcher.Run(extractor.Features(text)).data());
    }
  }
  SetBytes(state, BytesOf(texts));
}

void BenchHashWindows(benchmark::State& state) {
  const std::vector<uint64_t> units = RandomValues(800);
  std::vector<uint64_t> out(units.size() + 8);
  for (auto _ : state) {
    HashWindows(units.data(), units.size(), 5, 0, out.data());
    benchmark::ClobberMemory();
  }
  SetBytes(state, units.size() * sizeof units[0]);
}

void BenchSketch(benchmark::State& state, const SketchSpec& spec, size_t features_each) {
  // A few thousand branches are soon memorised: short documents would appear too fast.
  const size_t documents = 32 + 200'000 / features_each;
  const std::vector<uint64_t> features = RandomValues(documents * features_each);
  Sketcher sketcher(spec);
  for (auto _ : state) {
    for (size_t at = 0; at < features.size(); at += features_each) {
      benchmark::DoNotOptimize(sketcher.Run({&features[at], features_each}).data());
    }
  }
  SetBytes(state, features.size() * sizeof features[0]);
}

// tails: the number per coordinate; it should be below the number of features to be worthwhile.
void BenchLeadByte(benchmark::State& state, uint32_t lead_bits, size_t features_each) {
  constexpr uint32_t kCoordinates = 128;
  const LeadBytes sketches(lead_bits == 8 ? SketchKind::kLeadByte : SketchKind::kLeadNibble,
                           lead_bits, kCoordinates);
  const std::vector<uint64_t> features = RandomValues(100 * features_each);
  std::vector<uint32_t> sketch(kCoordinates);
  double tails = 0, documents = 0;
  for (auto _ : state) {
    for (size_t at = 0; at < features.size(); at += features_each, ++documents) {
      tails += static_cast<double>(sketches.Run({&features[at], features_each}, sketch));
    }
  }
  state.counters["tails"] = tails / documents / kCoordinates;
  SetBytes(state, features.size() * sizeof features[0]);
}

void BenchCountEqualRows(benchmark::State& state) {
  constexpr size_t kWidth = 128, kRows = 1000;
  const std::vector<uint64_t> values = RandomValues(kRows * kWidth / 8);
  const auto* table = reinterpret_cast<const uint8_t*>(values.data());
  std::vector<uint32_t> rows(kRows), equal(kRows);
  for (size_t i = 0; i < kRows; ++i) rows[i] = static_cast<uint32_t>(i * 389 % kRows);
  for (auto _ : state) {
    CountEqualRows(table, table, rows.data(), kRows, kWidth, equal.data());
    benchmark::ClobberMemory();
  }
  SetBytes(state, kRows * kWidth);
}

void BenchSortValues(benchmark::State& state) {
  const std::vector<uint64_t> values = RandomValues(800);
  std::vector<uint64_t> sorted;
  for (auto _ : state) {
    sorted = values;
    SortValues(sorted.data(), sorted.size());
    benchmark::ClobberMemory();
  }
  SetBytes(state, values.size() * sizeof values[0]);
}

void BenchSortKeyedValues(benchmark::State& state) {
  const std::vector<uint64_t> values = RandomValues(20000);
  std::vector<uint64_t> sorted;
  for (auto _ : state) {
    sorted = values;
    SortKeyedValues(sorted.data(), sorted.size() / 2);
    benchmark::ClobberMemory();
  }
  SetBytes(state, values.size() * sizeof values[0]);
}

// Measures two sets of a document's size with four fifths in common.
void BenchCountCommonValues(benchmark::State& state) {
  std::vector<uint64_t> both = RandomValues(800);
  std::vector<uint64_t> a(both.begin(), both.end() - 80), b(both.begin() + 80, both.end());
  SortValues(a.data(), a.size());
  SortValues(b.data(), b.size());
  for (auto _ : state) {
    benchmark::DoNotOptimize(CountCommonValues(a.data(), a.size(), b.data(), b.size(), 0));
  }
  SetBytes(state, (a.size() + b.size()) * sizeof a[0]);
}

// Measures the smallest hashes of many documents, as the audit's sketch takes them.
void BenchSmallestHashes(benchmark::State& state) {
  constexpr size_t kFeatures = 800, kDocuments = 250;
  const std::vector<uint64_t> features = RandomValues(kDocuments * kFeatures);
  std::vector<uint32_t> found(kFeatures + kCollectRoom);
  for (auto _ : state) {
    for (size_t at = 0; at < features.size(); at += kFeatures) {
      const size_t count =
          CollectBelow(&features[at], kFeatures, UINT32_MAX / kFeatures * 56, found.data());
      benchmark::DoNotOptimize(SortFewDistinct(found.data(), std::min(count, kMostFew)));
    }
  }
  SetBytes(state, features.size() * sizeof features[0]);
}

// Measures English with an escaped line end after each `line` bytes.
void BenchUnescapeShort(benchmark::State& state, size_t line) {
  std::vector<std::string> texts = TextsOf(kLanguages[0]);
  for (std::string& text : texts) {
    for (size_t at = line; at + 2 <= text.size(); at += line) text.replace(at, 2, "\\n");
  }
  const size_t bytes = BytesOf(texts);
  std::vector<char> out(2 * kTextBytes + kUnescapeRoom);
  for (std::string& text : texts) text.append(kUnescapeRoom, ' ');
  for (auto _ : state) {
    for (const std::string& text : texts) {
      benchmark::DoNotOptimize(UnescapeShort(text.data(), text.size() - kUnescapeRoom, out.data()));
    }
  }
  SetBytes(state, bytes);
}

using Bench = std::function<void(benchmark::State&)>;

// Runs `bench` on one instruction set, which prefixes its name.
void Register(const std::string& isa, const std::string& name, const Bench& bench) {
  const auto forced = [isa, bench](benchmark::State& state) {
    if (!SelectIsa(isa).has_value()) return state.SkipWithError("no such instruction set");
    bench(state);
    (void)SelectIsa("");
  };
  benchmark::RegisterBenchmark((isa + "/" + name).c_str(), forced);
}

void RegisterSketches(const std::string& isa) {
  for (const char* name : {"fss", "permutations", "one-permutation"}) {
    for (const uint32_t coordinates : {128U, 1024U}) {
      const std::string text = fmt::format("{}:{}", name, coordinates);
      for (const size_t features : {5, 20, 60, 150, 700, 5000}) {
        Register(isa, fmt::format("Sketch/{}/{}_features", text, features),
                 std::bind(BenchSketch, std::placeholders::_1, *ParseSketch(text), features));
      }
    }
  }
}

// Registers the sketches that are the same on every instruction set.
void RegisterScalarSketches() {
  for (const SketchKind kind : AllKinds()) {
    if (kind <= SketchKind::kOnePermutation) continue;
    const SketchSpec spec{128, kind};
    for (const size_t features : {20, 150, 1000}) {
      benchmark::RegisterBenchmark(
          fmt::format("Sketch/{}/{}_features", ToString(spec), features).c_str(), BenchSketch, spec,
          features);
    }
  }
  for (const uint32_t lead_bits : {4, 8}) {
    for (const size_t features : {100, 1000, 10000}) {
      benchmark::RegisterBenchmark(
          fmt::format("LeadBits/{}/{}_features", lead_bits, features).c_str(), BenchLeadByte,
          lead_bits, features);
    }
  }
}

void RegisterKernels(const std::string& isa) {
  using std::placeholders::_1;
  for (const Language& language : kLanguages) {
    const std::string name = std::string("/") + language.name;
    Register(isa, "FoldWords" + name, std::bind(BenchFoldWords, _1, language));
    Register(isa, "HashWords" + name, std::bind(BenchHashWords, _1, language));
    Register(isa, "Features" + name, std::bind(BenchFeatures, _1, language));
    Register(isa, "FeaturesAndSketch" + name, std::bind(BenchFeaturesAndSketch, _1, language));
  }
  Register(isa, "HashWindows/5", BenchHashWindows);
  RegisterSketches(isa);
  Register(isa, "CountEqualRows/128", BenchCountEqualRows);
  Register(isa, "CountCommonValues/720", BenchCountCommonValues);
  Register(isa, "SmallestHashes/800", BenchSmallestHashes);
  for (const size_t line : {20, 80, 1000}) {
    Register(isa, fmt::format("UnescapeShort/{}", line), std::bind(BenchUnescapeShort, _1, line));
  }
  Register(isa, "SortValues/800", BenchSortValues);
  Register(isa, "SortKeyedValues/10000", BenchSortKeyedValues);
}

}  // namespace
}  // namespace lookalike

int main(int argc, char** argv) {
  std::istringstream names(lookalike::AvailableIsaNames());
  for (std::string name; std::getline(names >> std::ws, name, ',');) {
    lookalike::RegisterKernels(name);
  }
  lookalike::RegisterScalarSketches();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
