// The access log of the server: lines on standard output, which may be read slowly or not at all.
#ifndef LOOKALIKE_CLI_ACCESS_LOG_H_
#define LOOKALIKE_CLI_ACCESS_LOG_H_

#include <memory>
#include <string>
#include <thread>

namespace lookalike::cli {

/// Writes lines on a thread of its own. Where they come faster than they are read, some are left
/// out, and a line says how many: {"left_out": n}. Safe from several threads.
class AccessLog {
 public:
  AccessLog();
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;
  /// Waits until all lines are written, but no longer than two seconds.
  ~AccessLog();

  /// Takes a line that ends in a newline. Never waits for the reader.
  void Add(std::string line);

 private:
  struct Waiting;
  std::shared_ptr<Waiting> waiting_;  // with the thread, which may outlive this
  std::thread thread_;
};

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_ACCESS_LOG_H_
