// Reads the texts of a result's documents again, so that the explorer can show and compare them.
#ifndef LOOKALIKE_SERVER_RESULT_TEXTS_H_
#define LOOKALIKE_SERVER_RESULT_TEXTS_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include "lookalike/index.h"
#include "lookalike/inputs.h"
#include "lookalike/options.h"
#include "lookalike/status.h"

namespace lookalike::server {

/// The collections that a result was made from.
struct ResultInputs {
  Inputs inputs = Inputs(std::vector<std::string>());
  Options options;         ///< Those of the result; `against` has the names of the reference.
  uint64_t documents = 0;  ///< That the run read, those of the reference included.
  std::vector<std::string> agree;  ///< Fields whose values are stored with the texts.
};

/// Checks inputs before they are read.
using CheckInputs = std::function<Status(const Inputs& inputs, const Options& options)>;

/// Reads in a thread of its own, from construction on; the destructor ends it.
class ResultTexts {
 public:
  /// Stores documents. Their ids are their places (PlaceOf).
  using Store = std::function<Status(std::span<const IndexDocument>)>;

  enum class State : uint8_t { kReading, kReady, kFailed };
  struct Progress {
    State state = State::kReading;
    uint64_t documents = 0, of = 0;
    std::string why;  ///< For kFailed: what is wrong, and what to do.
  };

  /// `stored`: documents that are stored already. If they are all, nothing is read.
  ResultTexts(ResultInputs inputs, uint64_t stored, CheckInputs check, Store store);
  ResultTexts(const ResultTexts&) = delete;
  ResultTexts& operator=(const ResultTexts&) = delete;
  ~ResultTexts();

  [[nodiscard]] Progress progress() const;

 private:
  void Read();
  Status ReadCollection(const Inputs& inputs, std::string_view prefix);

  const ResultInputs inputs_;
  const CheckInputs check_;
  const Store store_;
  std::atomic<bool> stopping_ = false;
  std::atomic<uint64_t> read_ = 0;
  mutable std::mutex mutex_;
  State state_ = State::kReading;
  std::string why_;
  std::thread thread_;
};

}  // namespace lookalike::server

#endif  // LOOKALIKE_SERVER_RESULT_TEXTS_H_
