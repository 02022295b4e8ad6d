#include "metrics.h"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>

namespace lookalike::server {
namespace {

constexpr std::array<std::string_view, static_cast<size_t>(Refusal::kCount)> kRefusals = {
    "malformed", "too_large", "forbidden", "overload", "timeout"};

void Head(std::string_view name, std::string_view type, std::string_view help, std::string* text) {
  fmt::format_to(std::back_inserter(*text), "# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
}

void Single(std::string_view name, std::string_view type, std::string_view help, double value,
            std::string* text) {
  Head(name, type, help, text);
  fmt::format_to(std::back_inserter(*text), "{} {}\n", name, value);
}

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

double ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  double pages = 0, resident = 0;
  file >> pages >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double OpenFiles() {
  DIR* const folder = opendir("/proc/self/fd");
  if (folder == nullptr) return 0;
  double count = -3;  // the two dots, and the folder itself
  while (readdir(folder) != nullptr) ++count;
  closedir(folder);
  return count;
}

/// The time at which the process began, in seconds since 1970.
const double kStarted = static_cast<double>(std::time(nullptr));

void WriteProcess(std::string* text) {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  Single("lookalike_process_cpu_seconds_total", "counter", "Processor time, user and system.",
         Seconds(usage.ru_utime) + Seconds(usage.ru_stime), text);
  Single("lookalike_process_resident_memory_bytes", "gauge", "Resident memory.", ResidentBytes(),
         text);
  Single("lookalike_process_open_fds", "gauge", "Open file descriptors.", OpenFiles(), text);
  Single("lookalike_process_start_time_seconds", "gauge", "Start, in seconds since 1970.", kStarted,
         text);
}

}  // namespace

void Histogram::Add(double value) {
  const auto at = std::ranges::lower_bound(bounds_, value) - bounds_.begin();
  ++counts_[static_cast<size_t>(at)];
  sum_ += value;
}

void Histogram::Write(std::string_view name, std::string_view labels, std::string* text) const {
  uint64_t count = 0;
  const std::string_view comma = labels.empty() ? "" : ",";
  for (size_t i = 0; i < counts_.size(); ++i) {
    count += counts_[i];
    const std::string bound = i < bounds_.size() ? fmt::format("{}", bounds_[i]) : "+Inf";
    fmt::format_to(std::back_inserter(*text), "{}_bucket{{{}{}le=\"{}\"}} {}\n", name, labels,
                   comma, bound, count);
  }
  const std::string braced = labels.empty() ? "" : fmt::format("{{{}}}", labels);
  fmt::format_to(std::back_inserter(*text), "{0}_sum{1} {2}\n{0}_count{1} {3}\n", name, braced,
                 sum_.load(), count);
}

void Metrics::CountRequest(std::string_view method, std::string_view route, int status,
                           double seconds) {
  const std::lock_guard lock(mutex_);
  ++requests_[{std::string(method), std::string(route), status}];
  auto at = seconds_.find(route);
  if (at == seconds_.end()) at = seconds_.try_emplace(std::string(route), kSeconds).first;
  at->second.Add(seconds);
}

void Metrics::CountQuery(uint64_t candidates, uint64_t matches) {
  candidates_.Add(static_cast<double>(candidates));
  matches_.Add(static_cast<double>(matches));
}

std::string Metrics::Text(const Gauges& gauges) const {
  std::string text;
  {
    const std::lock_guard lock(mutex_);
    Head("lookalike_http_requests_total", "counter", "Requests that were answered.", &text);
    for (const auto& [key, count] : requests_) {
      const auto& [method, route, status] = key;
      fmt::format_to(std::back_inserter(text),
                     "lookalike_http_requests_total{{method=\"{}\",route=\"{}\",code=\"{}\"}} {}\n",
                     method, route, status, count);
    }
    Head("lookalike_http_request_duration_seconds", "histogram",
         "Time from the last byte of a request to its answer.", &text);
    for (const auto& [route, histogram] : seconds_) {
      histogram.Write("lookalike_http_request_duration_seconds", fmt::format("route=\"{}\"", route),
                      &text);
    }
  }
  Head("lookalike_http_refused_total", "counter",
       "Requests that were turned away before an endpoint saw them.", &text);
  for (size_t i = 0; i < refusals_.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "lookalike_http_refused_total{{reason=\"{}\"}} {}\n",
                   kRefusals[i], refusals_[i].load());
  }
  Head("lookalike_query_candidates", "histogram", "Documents that a query compared.", &text);
  candidates_.Write("lookalike_query_candidates", "", &text);
  Head("lookalike_query_matches", "histogram", "Documents that a query found.", &text);
  matches_.Write("lookalike_query_matches", "", &text);
  Single("lookalike_http_connections", "gauge", "Open connections.",
         static_cast<double>(connections.load()), &text);
  Single("lookalike_http_requests_in_flight", "gauge", "Requests that are worked on or wait.",
         static_cast<double>(waiting.load()), &text);
  Single("lookalike_index_documents", "gauge", "Documents in the index.",
         static_cast<double>(gauges.documents), &text);
  Single("lookalike_index_bytes", "gauge", "Size of the files of the index.",
         static_cast<double>(gauges.index_bytes), &text);
  Single("lookalike_ready", "gauge", "1 if requests are taken.", gauges.ready ? 1 : 0, &text);
  WriteProcess(&text);
  return text;
}

}  // namespace lookalike::server
