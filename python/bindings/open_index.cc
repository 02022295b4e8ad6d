#include "open_index.h"

#include <iterator>

namespace lookalike::python {
namespace {

/// Documents of a queue are so many, and have about so many bytes of text, at most.
constexpr size_t kMostHeld = 256;
constexpr size_t kMostBytes = size_t{1} << 20;

}  // namespace

bool DocumentQueue::Put(const IndexedDocument& document) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock,
                [&] { return stopped_ || (held_.size() < kMostHeld && bytes_ < kMostBytes); });
  if (stopped_) return false;
  held_.push_back(document);
  bytes_ += document.text ? document.text->size() : 0;
  changed_.notify_all();
  return true;
}

void DocumentQueue::End(Status status) {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  status_ = std::move(status);
  changed_.notify_all();
}

void DocumentQueue::Stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

Result<std::vector<IndexedDocument>> DocumentQueue::Take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stopped_ || ended_ || !held_.empty(); });
  if (stopped_) return OpenIndex::ClosedError();
  std::vector<IndexedDocument> taken(std::move_iterator(held_.begin()),
                                     std::move_iterator(held_.end()));
  held_.clear();
  bytes_ = 0;
  changed_.notify_all();
  if (taken.empty() && !status_) return tl::make_unexpected(status_.error());
  return taken;
}

Result<std::unique_ptr<OpenIndex>> OpenIndex::Open(const std::string& folder, IndexMode mode,
                                                   uint64_t memory) {
  LOOKALIKE_ASSIGN_OR_RETURN(Index index, Index::Open(folder, mode, memory));
  return std::unique_ptr<OpenIndex>(new OpenIndex(std::move(index)));
}

Result<std::unique_ptr<OpenIndex>> OpenIndex::Snapshot() const {
  return Use([](const Index& index) -> Result<std::unique_ptr<OpenIndex>> {
    LOOKALIKE_ASSIGN_OR_RETURN(Index snapshot, index.Snapshot());
    return std::unique_ptr<OpenIndex>(new OpenIndex(std::move(snapshot)));
  });
}

OpenIndex::~OpenIndex() { Close(); }

void OpenIndex::Close() {
  if (IsForked()) {
    closing_ = true;
    static_cast<void>(index_.release());  // its files and its lock belong to the other process
    return;
  }
  {
    const std::lock_guard lock(listings_mutex_);
    closing_ = true;
    for (const auto& listing : listings_) {
      if (const auto queue = listing.lock()) queue->Stop();
    }
    listings_.clear();
  }
  const std::unique_lock lock(mutex_);
  index_.reset();
}

void OpenIndex::StopWhenClosed(const std::shared_ptr<DocumentQueue>& queue) {
  const std::lock_guard lock(listings_mutex_);
  if (closing_) queue->Stop();
  std::erase_if(listings_, [](const auto& listing) { return listing.expired(); });
  listings_.push_back(queue);
}

IndexListing::IndexListing(OpenIndex* index) : index_(index) {
  if (index_->IsForked()) {
    queue_->End(index_->Use([](Index&) { return Status(); }));
    return;
  }
  index_->StopWhenClosed(queue_);
  reader_ = std::make_unique<std::thread>([index, queue = queue_] {
    queue->End(index->Use([&](const Index& opened) {
      return opened.List([&](const IndexedDocument& document) { return queue->Put(document); });
    }));
  });
}

IndexListing::~IndexListing() {
  if (!reader_) return;
  if (index_->IsForked()) {
    static_cast<void>(reader_.release());  // the thread is not in this process
    return;
  }
  queue_->Stop();
  reader_->join();
}

Result<std::vector<IndexedDocument>> IndexListing::Next() {
  if (index_->IsForked()) {
    LOOKALIKE_RETURN_IF_ERROR(index_->Use([](Index&) { return Status(); }));
  }
  return queue_->Take();
}

}  // namespace lookalike::python
