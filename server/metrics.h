// Counters of the server in the text format of Prometheus.
#ifndef LOOKALIKE_SERVER_METRICS_H_
#define LOOKALIKE_SERVER_METRICS_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace lookalike::server {

/// Counts values by upper bounds. Safe from several threads.
class Histogram {
 public:
  /// `bounds`: ascending; they outlive the histogram.
  explicit Histogram(std::span<const double> bounds)
      : bounds_(bounds), counts_(bounds.size() + 1) {}

  void Add(double value);

  /// Appends the lines of the histogram. `labels`: `route="/v1/query"`, or empty.
  void Write(std::string_view name, std::string_view labels, std::string* text) const;

 private:
  std::span<const double> bounds_;
  std::vector<std::atomic<uint64_t>> counts_;
  std::atomic<double> sum_ = 0;
};

/// The kinds of requests that are turned away before an endpoint sees them.
enum class Refusal : uint8_t { kMalformed, kTooLarge, kForbidden, kOverload, kTimeout, kCount };

class Metrics {
 public:
  /// Counts an answered request. `route`: as in the table of endpoints, without ids.
  void CountRequest(std::string_view method, std::string_view route, int status, double seconds);
  void CountRefusal(Refusal refusal) { ++refusals_[static_cast<size_t>(refusal)]; }
  void CountQuery(uint64_t candidates, uint64_t matches);

  std::atomic<int64_t> connections = 0;  ///< Open ones.
  std::atomic<int64_t> waiting = 0;      ///< Requests that are worked on, or wait for it.

  /// The state of the index, which is read for each call.
  struct Gauges {
    uint64_t documents = 0, index_bytes = 0;
    bool ready = false;
  };
  [[nodiscard]] std::string Text(const Gauges& gauges) const;

 private:
  static constexpr std::array<double, 12> kSeconds = {.0005, .001, .0025, .005, .01, .025,
                                                      .05,   .1,   .25,   1,    5,   30};
  static constexpr std::array<double, 8> kCounts = {0, 1, 3, 10, 30, 100, 1000, 10000};

  mutable std::mutex mutex_;
  std::map<std::tuple<std::string, std::string, int>, uint64_t, std::less<>> requests_;
  std::map<std::string, Histogram, std::less<>> seconds_;  // by route
  std::array<std::atomic<uint64_t>, static_cast<size_t>(Refusal::kCount)> refusals_ = {};
  Histogram candidates_{kCounts}, matches_{kCounts};
};

}  // namespace lookalike::server

#endif  // LOOKALIKE_SERVER_METRICS_H_
