// Runs a fuzz target over its seeds and over mutations of them, the same ones each time, for builds
// without libFuzzer.
//
// Usage: NAME_replay FILE|FOLDER... [--mutations=N]
// A mutation that breaks the target is left in NAME_replay.crash in the working folder.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using Random = std::mt19937_64;

constexpr size_t kLargest = size_t{32} << 10;
constexpr int kMostChanges = 5;

// For the signal handler, which may not allocate.
const std::string* at_hand = nullptr;
std::string crash_path;

void WriteInputAtHand(int signal_number) {
  const int file = open(crash_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0 && at_hand && write(file, at_hand->data(), at_hand->size()) >= 0) close(file);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

void Run(const std::string& input) {
  // Memory of exactly its size, so that a read past the end can be noticed.
  const std::vector<uint8_t> bytes(input.begin(), input.end());
  at_hand = &input;
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  at_hand = nullptr;
}

std::string ReadSeed(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> ReadSeeds(const std::vector<std::string>& arguments) {
  std::vector<std::filesystem::path> paths;
  for (const std::string& argument : arguments) {
    if (!std::filesystem::is_directory(argument))
      paths.emplace_back(argument);
    else
      for (const auto& entry : std::filesystem::directory_iterator(argument)) {
        paths.push_back(entry.path());
      }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds;
  for (const auto& path : paths) seeds.push_back(ReadSeed(path));
  return seeds;
}

// Returns a piece of some seed.
std::string Piece(const std::vector<std::string>& seeds, Random* random) {
  const std::string& seed = seeds[(*random)() % seeds.size()];
  if (seed.empty()) return {};
  return seed.substr((*random)() % seed.size(), 1 + (*random)() % 64);
}

void Change(const std::vector<std::string>& seeds, Random* random, std::string* input) {
  constexpr std::string_view kTelling("\0\xFF\x7F\x80\n\r\",{}[]\\:0-\xEF\xD8", 18);
  const size_t at = input->empty() ? 0 : (*random)() % input->size();
  const size_t length = 1 + (*random)() % 32;
  switch ((*random)() % 7) {
    case 0:
      if (!input->empty()) (*input)[at] = static_cast<char>((*input)[at] ^ 1 << (*random)() % 8);
      break;
    case 1:
      if (!input->empty()) (*input)[at] = static_cast<char>((*random)());
      break;
    case 2:
      input->insert(at, 1 + (*random)() % 3, kTelling[(*random)() % kTelling.size()]);
      break;
    case 3:
      input->erase(at, length);
      break;
    case 4:
      input->insert(at, input->substr(at, length));
      break;
    case 5:
      input->insert(at, Piece(seeds, random));
      break;
    default:
      input->resize(at);
  }
}

std::string Mutate(const std::vector<std::string>& seeds, Random* random) {
  std::string input = seeds[(*random)() % seeds.size()];
  for (auto changes = 1 + (*random)() % kMostChanges; changes > 0; --changes) {
    Change(seeds, random, &input);
  }
  if (input.size() > kLargest) input.resize(kLargest);
  return input;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr std::string_view kMutations = "--mutations=";
  size_t mutations = 5000;
  std::vector<std::string> arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with(kMutations)) {
      mutations = std::strtoul(argument.c_str() + kMutations.size(), nullptr, 10);
    } else {
      arguments.push_back(argument);
    }
  }
  crash_path = std::filesystem::path(argv[0]).filename().string() + ".crash";
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    signal(number, WriteInputAtHand);
  }
  const std::vector<std::string> seeds = ReadSeeds(arguments);
  if (seeds.empty()) {
    std::fprintf(stderr, "no seeds; name a file or a folder with files\n");
    return 2;
  }
  for (const std::string& seed : seeds) Run(seed);
  Random random(1);
  for (size_t i = 0; i < mutations; ++i) Run(Mutate(seeds, &random));
  std::printf("%zu seeds and %zu mutations\n", seeds.size(), mutations);
  return 0;
}
