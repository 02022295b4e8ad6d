#include "run/workspace.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/small_workspace.h"
#include "fault/faulty_file_system.h"
#include "fault/power_cut_file_system.h"
#include "fault/small_disk_file_system.h"
#include "io/forwarding_file_system.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kStreams = 3;
constexpr size_t kUnits = 4;

/// Returns the content of stream `stream` of unit `unit`.
std::vector<uint64_t> Content(size_t unit, uint32_t stream) {
  std::vector<uint64_t> words(300 * unit * stream);
  for (size_t i = 0; i < words.size(); ++i) words[i] = unit * 1'000'003 + stream * 7919 + i;
  return words;
}

std::string UnitName(size_t unit) { return "work/" + std::to_string(unit); }

/// Fails the test if a readable run holds anything else.
Status ExpectContent(const Run& run, size_t unit) {
  for (uint32_t stream = 0; stream < kStreams; ++stream) {
    std::vector<uint64_t> words(run.bytes(stream) / sizeof(uint64_t));
    LOOKALIKE_RETURN_IF_ERROR(run.Read(stream, 0, std::as_writable_bytes(std::span(words))));
    EXPECT_EQ(words, Content(unit, stream)) << UnitName(unit);
  }
  return {};
}

/// Does a unit, or takes it over.
Result<RunPointer> DoUnit(size_t unit, Workspace* workspace) {
  LOOKALIKE_ASSIGN_OR_RETURN(RunPointer run, workspace->Finished(UnitName(unit)));
  if (run) return run;
  const auto writer = workspace->Begin(UnitName(unit), kStreams);
  for (uint32_t stream = 0; stream < kStreams; ++stream) {
    const std::vector<uint64_t> words = Content(unit, stream);
    LOOKALIKE_RETURN_IF_ERROR(writer->Append(stream, std::as_bytes(std::span(words))));
  }
  // A stage sorts something on the way, and part of it is left when the run dies.
  const auto temporary = workspace->store().Temporary(1, 4096);
  const std::vector<uint64_t> sorted = Content(2, 2);
  LOOKALIKE_RETURN_IF_ERROR(temporary->Append(0, std::as_bytes(std::span(sorted))));
  return writer->Finish();
}

/// Does all units; the numbers of those that succeeded are in `done`.
Status DoAll(Workspace* workspace, std::set<size_t>* done) {
  for (size_t unit = 0; unit < kUnits; ++unit) {
    LOOKALIKE_ASSIGN_OR_RETURN(const RunPointer run, DoUnit(unit, workspace));
    done->insert(unit);
    LOOKALIKE_RETURN_IF_ERROR(ExpectContent(*run, unit));
  }
  return {};
}

/// Saves the time of syncing to disk; PowerCutFileSystem knows what counts as synced.
class UnsyncedFileSystem : public ForwardingFileSystem {
 public:
  UnsyncedFileSystem() : ForwardingFileSystem(RealFileSystem()) {}
  Status SyncPath(const std::string&) override { return {}; }
};

class WorkspaceJournalTest : public WorkspaceTest {
 protected:
  void SetUp() override {
    WorkspaceTest::SetUp();
    fs::create_directories(root_ + "/job");
  }

  /// The journal is in a different folder from the runs, whose syncs do not affect it.
  [[nodiscard]] Workspace::Setup Durable(bool resume) const {
    Workspace::Setup setup = Setup(4096, 0);
    setup.journal = root_ + "/job/journal";
    setup.resume = resume;
    setup.files = &unsynced_;
    return setup;
  }

  [[nodiscard]] std::set<std::string> FilesIn(const std::string& folder) const {
    std::set<std::string> names;
    if (!fs::exists(folder)) return names;
    for (const auto& entry : fs::directory_iterator(folder)) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

  /// Expects another attempt to find, for each unit, either nothing or what was written. Then it
  /// does the rest. `at_least` are units that were reported as finished.
  void ExpectResumes(const std::set<size_t>& at_least, const std::string& trace) {
    SCOPED_TRACE(trace);
    auto opened = Workspace::Open(Durable(true));
    ASSERT_TRUE(opened) << opened.error().ToString();
    Workspace& workspace = **opened;
    std::set<size_t> found;
    for (size_t unit = 0; unit < kUnits; ++unit) {
      const auto run = workspace.Finished(UnitName(unit));
      ASSERT_TRUE(run) << run.error().ToString();
      if (*run == nullptr) continue;
      found.insert(unit);
      EXPECT_TRUE(ExpectContent(**run, unit));
    }
    for (const size_t unit : at_least) EXPECT_TRUE(found.contains(unit)) << UnitName(unit);
    EXPECT_EQ(workspace.resumed_units(), found.size());
    EXPECT_EQ(workspace.journaled_units(), found.size());
    EXPECT_EQ(FilesIn(root_ + "/scratch").size(), found.size()) << "strays are removed";
    std::set<size_t> done;
    const Status status = DoAll(&workspace, &done);
    EXPECT_TRUE(status) << status.error().ToString();
    EXPECT_EQ(workspace.journaled_units(), kUnits);
    EXPECT_EQ(FilesIn(root_ + "/job"), (std::set<std::string>{"journal"}));
  }

  /// Removes everything, as if no attempt had been made.
  void Forget() {
    fs::remove_all(root_);
    fs::create_directories(root_ + "/job");
  }

  mutable UnsyncedFileSystem unsynced_;
};

TEST_F(WorkspaceJournalTest, UnitsAreFoundAgainByALaterAttempt) {
  std::set<size_t> done;
  {
    Workspace::Setup setup = Durable(false);
    setup.files = nullptr;  // the real one
    const auto workspace = Got(Workspace::Open(setup));
    EXPECT_TRUE(workspace->durable());
    ASSERT_TRUE(DoUnit(0, workspace.get()));
    ASSERT_TRUE(DoUnit(2, workspace.get()));
    EXPECT_EQ(workspace->journaled_units(), 2u);
    EXPECT_EQ(workspace->resumed_units(), 0u);
    EXPECT_EQ(Got(workspace->Finished(UnitName(0))), nullptr) << "of an earlier attempt only";
  }
  {
    const auto workspace = Got(Workspace::Open(Durable(true)));
    EXPECT_EQ(workspace->journaled_units(), 2u);
    ASSERT_TRUE(DoAll(workspace.get(), &done));
    EXPECT_EQ(workspace->resumed_units(), 2u);
    EXPECT_EQ(workspace->journaled_units(), kUnits);
  }
  ExpectResumes({0, 1, 2, 3}, "a third attempt");
}

TEST_F(WorkspaceJournalTest, NothingIsTakenOverWithoutResume) {
  std::set<size_t> done;
  ASSERT_TRUE(DoAll(Got(Workspace::Open(Durable(false))).get(), &done));
  const auto workspace = Got(Workspace::Open(Durable(false)));
  EXPECT_EQ(workspace->journaled_units(), 0u);
  EXPECT_TRUE(FilesIn(root_ + "/scratch").empty()) << "old runs are strays";
  for (size_t unit = 0; unit < kUnits; ++unit) {
    EXPECT_EQ(Got(workspace->Finished(UnitName(unit))), nullptr);
  }
  EXPECT_EQ(workspace->resumed_units(), 0u);
}

TEST_F(WorkspaceJournalTest, WithoutAJournalNothingIsWrittenDown) {
  Workspace::Setup setup = Durable(false);
  setup.journal.clear();
  std::set<size_t> done;
  {
    const auto workspace = Got(Workspace::Open(setup));
    EXPECT_FALSE(workspace->durable());
    ASSERT_TRUE(DoAll(workspace.get(), &done));
    EXPECT_EQ(workspace->journaled_units(), 0u);
  }
  EXPECT_FALSE(fs::exists(root_ + "/job/journal"));
  EXPECT_TRUE(FilesIn(root_ + "/scratch").empty());
  EXPECT_EQ(Got(Workspace::Open(Durable(true)))->journaled_units(), 0u)
      << "resuming where there is no journal starts at the front";
}

TEST_F(WorkspaceJournalTest, ADamagedRunFileIsAnErrorThatNamesIt) {
  std::set<size_t> done;
  ASSERT_TRUE(DoAll(Got(Workspace::Open(Durable(false))).get(), &done));
  for (const auto& entry : fs::directory_iterator(root_ + "/scratch")) {
    const fs::path file = entry.path();
    fs::path copy = root_ + "/copy";
    fs::copy_file(file, copy, fs::copy_options::overwrite_existing);
    const auto expect_one_error = [&] {
      const auto workspace = Got(Workspace::Open(Durable(true)));
      size_t errors = 0;
      for (size_t unit = 0; unit < kUnits; ++unit) {
        const auto run = workspace->Finished(UnitName(unit));
        if (run) continue;
        ++errors;
        EXPECT_EQ(run.error().where, file.string());
        EXPECT_FALSE(DoUnit(unit, workspace.get())) << "what was built on it cannot be told";
      }
      EXPECT_EQ(errors, 1u) << file;
    };
    std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).put('x');
    expect_one_error();
    fs::copy_file(copy, file, fs::copy_options::overwrite_existing);
    fs::resize_file(file, fs::file_size(file) - 1);
    expect_one_error();
    fs::remove(file);
    expect_one_error();
    fs::copy_file(copy, file);
  }
  fs::remove(root_ + "/copy");
  ExpectResumes({0, 1, 2, 3}, "mended");
}

TEST_F(WorkspaceJournalTest, StraysAreRemovedAndOtherFilesAreNot) {
  std::set<size_t> done;
  ASSERT_TRUE(DoAll(Got(Workspace::Open(Durable(false))).get(), &done));
  const auto before = FilesIn(root_ + "/scratch");
  std::ofstream(root_ + "/scratch/tmp-17") << "of a dead attempt";
  fs::create_directories(root_ + "/scratch/folder/deep");
  std::ofstream(root_ + "/job.json") << "not ours";
  { const auto workspace = Got(Workspace::Open(Durable(true))); }
  EXPECT_EQ(FilesIn(root_ + "/scratch"), before);
  EXPECT_TRUE(fs::exists(root_ + "/job.json"));
}

TEST_F(WorkspaceJournalTest, WhatFollowsATornLineIsAsIfItHadNotBeenWritten) {
  std::set<size_t> done;
  ASSERT_TRUE(DoAll(Got(Workspace::Open(Durable(false))).get(), &done));
  const uint64_t whole = fs::file_size(root_ + "/job/journal");
  fs::resize_file(root_ + "/job/journal", whole - 5);
  {
    const auto workspace = Got(Workspace::Open(Durable(true)));
    EXPECT_EQ(workspace->journaled_units(), kUnits - 1);
    EXPECT_EQ(FilesIn(root_ + "/scratch").size(), kUnits - 1);
    ASSERT_TRUE(DoAll(workspace.get(), &done));
  }
  EXPECT_EQ(fs::file_size(root_ + "/job/journal"), whole) << "the torn line is not built upon";
  ExpectResumes({0, 1, 2, 3}, "after the torn line");
}

TEST_F(WorkspaceJournalTest, StopsOnPurposeOnceSoManyUnitsAreFinished) {
  for (uint64_t stop_after = 1; stop_after <= kUnits; ++stop_after) {
    Forget();
    Workspace::Setup setup = Durable(false);
    setup.stress.stop_after = stop_after;
    std::set<size_t> done;
    {
      const auto workspace = Got(Workspace::Open(setup));
      const Status status = DoAll(workspace.get(), &done);
      ASSERT_FALSE(status);
      EXPECT_EQ(status.error().what, kStoppedOnPurpose);
      EXPECT_EQ(workspace->journaled_units(), stop_after);
    }
    const auto workspace = Got(Workspace::Open(Durable(true)));
    EXPECT_EQ(workspace->journaled_units(), stop_after);
    ASSERT_TRUE(DoAll(workspace.get(), &done));
    EXPECT_EQ(workspace->resumed_units(), stop_after);
  }
}

TEST_F(WorkspaceJournalTest, SpillingEverythingHoldsNothing) {
  Workspace::Setup setup = Setup(4096, kAmpleMemory);
  setup.stress.spill_everything = true;
  const auto workspace = Got(Workspace::Open(setup));
  const RunPointer run = Got(DoUnit(3, workspace.get()));
  EXPECT_FALSE(run->in_memory());
  EXPECT_EQ(workspace->store().held_bytes(), 0u);
  EXPECT_TRUE(ExpectContent(*run, 3));
  EXPECT_TRUE(Got(DoUnit(3, Ample().get()))->in_memory());
}

TEST_F(WorkspaceJournalTest, ClearRemovesTheFolder) {
  std::set<size_t> done;
  const auto workspace = Got(Workspace::Open(Durable(false)));
  ASSERT_TRUE(DoAll(workspace.get(), &done));
  ASSERT_TRUE(workspace->Clear());
  EXPECT_EQ(FilesIn(root_), (std::set<std::string>{"job"}));
}

/// Counts the operations of an undisturbed attempt.
uint64_t CountOperations(Workspace::Setup setup) {
  FaultyFileSystem files(*setup.files, {});
  setup.files = &files;
  std::set<size_t> done;
  EXPECT_TRUE(DoAll(Got(Workspace::Open(setup)).get(), &done));
  return files.operations();
}

// The program stops at an operation, and the power fails: nothing that was not synced is sure to be
// there, and any prefix of it may be.
TEST_F(WorkspaceJournalTest, APowerCutAtAnyStepLosesNoFinishedUnit) {
  const uint64_t operations = CountOperations(Durable(false));
  ASSERT_GT(operations, 30u);
  for (uint64_t at = 1; at <= operations + 1; ++at) {
    for (uint64_t seed = 0; seed < 4; ++seed) {
      Forget();
      PowerCutFileSystem durable(unsynced_);
      std::set<size_t> done;
      {
        FaultyFileSystem files(durable, {at, EIO, true});
        Workspace::Setup setup = Durable(false);
        setup.files = &files;
        auto workspace = Workspace::Open(setup);
        if (workspace) static_cast<void>(DoAll(workspace->get(), &done).has_value());
      }
      ASSERT_TRUE(durable.PowerCut(seed));
      ExpectResumes(done, "operation " + std::to_string(at) + ", seed " + std::to_string(seed));
      if (HasFailure()) return;
    }
  }
}

// This also holds if the attempt that dies had taken over the units of another.
TEST_F(WorkspaceJournalTest, APowerCutDuringAResumedAttemptLosesNoFinishedUnit) {
  const auto half = [&] {
    Forget();
    Workspace::Setup setup = Durable(false);
    setup.stress.stop_after = 2;
    std::set<size_t> done;
    EXPECT_FALSE(DoAll(Got(Workspace::Open(setup)).get(), &done));
  };
  half();
  const uint64_t operations = CountOperations(Durable(true));
  for (uint64_t at = 1; at <= operations + 1; ++at) {
    for (uint64_t seed = 0; seed < 4; ++seed) {
      half();
      PowerCutFileSystem durable(unsynced_);
      std::set<size_t> done = {0, 1};
      {
        FaultyFileSystem files(durable, {at, EIO, true});
        Workspace::Setup setup = Durable(true);
        setup.files = &files;
        auto workspace = Workspace::Open(setup);
        if (workspace) static_cast<void>(DoAll(workspace->get(), &done).has_value());
      }
      ASSERT_TRUE(durable.PowerCut(seed));
      ExpectResumes(done, "operation " + std::to_string(at) + ", seed " + std::to_string(seed));
      if (HasFailure()) return;
    }
  }
}

TEST_F(WorkspaceJournalTest, AFailingOperationIsAnErrorAfterWhichTheRestCanBeDone) {
  const uint64_t operations = CountOperations(Durable(false));
  for (uint64_t at = 1; at <= operations; ++at) {
    for (const int error_number : {EIO, ENOSPC}) {
      Forget();
      std::set<size_t> done;
      {
        FaultyFileSystem files(unsynced_, {at, error_number, false});
        Workspace::Setup setup = Durable(false);
        setup.files = &files;
        auto workspace = Workspace::Open(setup);
        Status status;
        if (workspace) {
          status = DoAll(workspace->get(), &done);
        } else {
          status = tl::make_unexpected(workspace.error());
        }
        if (!status) {
          EXPECT_FALSE(status.error().where.empty()) << status.error().ToString();
        } else {
          EXPECT_EQ(done.size(), kUnits);
        }
      }
      ExpectResumes(done, "operation " + std::to_string(at));
      if (HasFailure()) return;
    }
  }
}

TEST_F(WorkspaceJournalTest, ShortReadsAndWritesChangeNothing) {
  for (uint64_t at = 1; at <= 40; at += 3) {
    Forget();
    std::set<size_t> done;
    FaultyFileSystem files(unsynced_, {at, 0, true});
    Workspace::Setup setup = Durable(false);
    setup.files = &files;
    ASSERT_TRUE(DoAll(Got(Workspace::Open(setup)).get(), &done));
    ExpectResumes({0, 1, 2, 3}, "from operation " + std::to_string(at));
  }
}

TEST_F(WorkspaceJournalTest, AFullDiskIsAnErrorAfterWhichTheRestCanBeDone) {
  uint64_t needed = 0;
  {
    SmallDiskFileSystem disk(unsynced_, uint64_t{1} << 40);
    Workspace::Setup setup = Durable(false);
    setup.files = &disk;
    std::set<size_t> done;
    ASSERT_TRUE(DoAll(Got(Workspace::Open(setup)).get(), &done));
    needed = disk.peak();
  }
  for (uint64_t capacity = 0; capacity < needed; capacity += 251) {
    Forget();
    SmallDiskFileSystem disk(unsynced_, capacity);
    std::set<size_t> done;
    {
      Workspace::Setup setup = Durable(false);
      setup.files = &disk;
      const auto workspace = Got(Workspace::Open(setup));
      const Status status = DoAll(workspace.get(), &done);
      ASSERT_FALSE(status) << capacity;
      EXPECT_NE(status.error().what.find("space"), std::string::npos) << status.error().what;
    }
    ExpectResumes(done, std::to_string(capacity) + " bytes");
    if (HasFailure()) return;
  }
}

/// Tasks that share a folder for records and one for the files of units.
class WorkspaceTaskTest : public WorkspaceTest {
 protected:
  void SetUp() override {
    WorkspaceTest::SetUp();
    fs::create_directories(root_ + "/records");
    fs::create_directories(root_ + "/units");
  }

  /// Returns the workspace of a new task, which has its own scratch folder.
  [[nodiscard]] std::unique_ptr<Workspace> Task(std::string_view stage, uint64_t index = 0,
                                                uint64_t count = 1) {
    Workspace::Setup setup = Setup(4096, 0);
    setup.scratch += "-" + std::to_string(tasks_++);
    setup.share = TaskShare{std::string(stage), index, count};
    setup.records = root_ + "/records";
    setup.units = root_ + "/units";
    setup.files = &unsynced_;
    return Got(Workspace::Open(setup));
  }

  /// Makes a unit of any name; it has the content of unit `content`.
  static Status Make(const std::string& name, size_t content, Workspace* workspace) {
    const auto writer = workspace->Begin(name, kStreams);
    for (uint32_t stream = 0; stream < kStreams; ++stream) {
      const std::vector<uint64_t> words = Content(content, stream);
      LOOKALIKE_RETURN_IF_ERROR(writer->Append(stream, std::as_bytes(std::span(words))));
    }
    LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] const RunPointer run, writer->Finish());
    return {};
  }

  /// Returns the path of the only file in the folder of units.
  [[nodiscard]] std::string OnlyUnitFile() const {
    std::string path;
    for (const auto& entry : fs::directory_iterator(root_ + "/units")) {
      EXPECT_EQ(path, "") << "another file";
      path = entry.path().string();
    }
    return path;
  }

  UnsyncedFileSystem unsynced_;
  int tasks_ = 0;
};

TEST_F(WorkspaceTaskTest, OnlyRecordedUnitsAreFoundByOtherTasks) {
  const auto maker = Task(kSetsStage);
  EXPECT_TRUE(maker->durable());
  for (const size_t unit : {1, 2, 3}) ASSERT_TRUE(DoUnit(unit, maker.get()));
  ASSERT_TRUE(maker->Record(kSetsStage, 0, {UnitName(1), UnitName(3)}));
  EXPECT_FALSE(maker->Record(kSetsStage, 1, {"work/never_made"}));
  EXPECT_FALSE(fs::exists(root_ + "/records/" + RecordName(kSetsStage, 1)));

  const auto other = Task(kVerifyStage);
  for (const size_t unit : {1, 3}) {
    const RunPointer run = Got(other->Finished(UnitName(unit)));
    ASSERT_NE(run, nullptr) << UnitName(unit);
    EXPECT_TRUE(ExpectContent(*run, unit));
  }
  EXPECT_EQ(Got(other->Finished(UnitName(2))), nullptr)
      << "its share is not complete, so its maker may have died";
  EXPECT_EQ(other->resumed_units(), 2u);
}

TEST_F(WorkspaceTaskTest, TheFirstRecordOfAShareStays) {
  const auto first = Task(kSetsStage), second = Task(kSetsStage);
  EXPECT_TRUE(second->IsToDo(kSetsStage, 5)) << "when it began";
  ASSERT_TRUE(Make("sets/5", 1, first.get()));
  ASSERT_TRUE(first->Record(kSetsStage, 5, {"sets/5"}));
  // With other content, which tells the two apart.
  ASSERT_TRUE(Make("sets/5", 2, second.get()));
  const Status again = second->Record(kSetsStage, 5, {"sets/5"});
  EXPECT_TRUE(again) << "that another task was faster is no Error: " << again.error().ToString();
  EXPECT_FALSE(fs::exists(root_ + "/scratch-1/" + RecordName(kSetsStage, 5)));

  const RunPointer run = Got(Task(kDecideStage)->Finished("sets/5"));
  ASSERT_NE(run, nullptr);
  EXPECT_TRUE(ExpectContent(*run, 1)) << "a third task may have read the first record";
}

TEST_F(WorkspaceTaskTest, EveryShareIsToDoForOneTask) {
  for (uint64_t count = 1; count <= 5; ++count) {
    for (uint64_t shares = 0; shares <= 7; ++shares) {
      std::multiset<size_t> all, expected;
      for (uint64_t share = 0; share < shares; ++share) expected.insert(share);
      for (uint64_t index = 0; index < count; ++index) {
        const auto task = Task(kSetsStage, index, count);
        for (const size_t share : task->ToDo(kSetsStage, shares)) {
          EXPECT_TRUE(task->IsToDo(kSetsStage, share));
          all.insert(share);
        }
        EXPECT_TRUE(task->ToDo(kVerifyStage, shares).empty()) << "a task is of one stage";
      }
      EXPECT_EQ(all, expected) << count;
    }
  }
  EXPECT_TRUE(Ample()->ToDo(kSetsStage, 7).empty()) << "not a task";
}

TEST_F(WorkspaceTaskTest, RecordedSharesAreNotToDo) {
  const auto before = Task(kSetsStage);
  ASSERT_TRUE(before->Record(kSetsStage, 1, {}));
  ASSERT_TRUE(before->Record(kSetsStage, 4, {}));
  EXPECT_EQ(Task(kSetsStage)->ToDo(kSetsStage, 6), (std::vector<size_t>{0, 2, 3, 5}));
  EXPECT_EQ(Task(kSetsStage, 0, 2)->ToDo(kSetsStage, 6), (std::vector<size_t>{0, 2}));
  EXPECT_EQ(Task(kSetsStage, 1, 2)->ToDo(kSetsStage, 6), (std::vector<size_t>{3, 5}));
  EXPECT_FALSE(Task(kSetsStage)->IsToDo(kSetsStage, 4));
  EXPECT_TRUE(Task(kVerifyStage)->IsToDo(kVerifyStage, 4)) << "a record is of one stage";
}

TEST_F(WorkspaceTaskTest, EndStageEndsOnlyTheStageOfTheTask) {
  const auto task = Task(kSetsStage);
  for (const std::string_view stage : {kFingerprintStage, kSurveyStage, kJoinStage, kVerifyStage,
                                       kDecideStage, kWriteStage, kNoStage}) {
    EXPECT_TRUE(task->EndStage(stage)) << stage;
    EXPECT_TRUE(Ample()->EndStage(stage)) << stage;
  }
  EXPECT_TRUE(Ample()->EndStage(kSetsStage)) << "not a task";
  const Status ended = task->EndStage(kSetsStage);
  ASSERT_FALSE(ended);
  EXPECT_TRUE(IsTaskDone(ended.error()));
  // A run that was interrupted is not done.
  EXPECT_FALSE(IsTaskDone({ErrorCode::kCancelled, {}, kStoppedOnPurpose, {}}));
}

TEST_F(WorkspaceTaskTest, ElsewhereNothingIsRecorded) {
  const auto workspace = Ample();
  EXPECT_FALSE(workspace->in_tasks());
  EXPECT_TRUE(workspace->Record(kSetsStage, 0, {"work/never_made"}));
  EXPECT_TRUE(fs::is_empty(root_ + "/records"));
}

TEST_F(WorkspaceTaskTest, ATaskEndsWithItsStageAndTheLastOneWithAResult) {
  EXPECT_FALSE(Task(kSetsStage)->MakesResult());
  EXPECT_FALSE(Task(kDecideStage)->MakesResult());
  EXPECT_TRUE(Task(kNoStage)->MakesResult());
  EXPECT_TRUE(Ample()->MakesResult());
  EXPECT_FALSE(Ample()->adopts_units());
}

TEST_F(WorkspaceTaskTest, UnitsOfASecondSearchAreNotAdopted) {
  const auto maker = Task(kDecideStage);
  for (const char* unit : {"sets/0", "decide/0"}) ASSERT_TRUE(Make(unit, 1, maker.get()));
  ASSERT_TRUE(maker->Record(kDecideStage, 0, {"sets/0", "decide/0"}));
  const auto task = Task(kWriteStage);
  EXPECT_TRUE(task->adopts_units());
  EXPECT_NE(Got(task->Finished("sets/0")), nullptr);
  task->BeginAgain();
  EXPECT_FALSE(task->adopts_units());
  EXPECT_EQ(Got(task->Finished("sets/0")), nullptr) << "it is of the first search";
  EXPECT_NE(Got(task->Finished("decide/0")), nullptr) << "decisions are of the last search";
}

// Each file is hashed before the result depends on it, but not by each of a thousand tasks.
TEST_F(WorkspaceTaskTest, ADamagedFileIsRefusedByTheTaskThatHashesIt) {
  struct Row {
    const char* unit;
    std::set<std::string_view> refused_by;
  };
  const std::vector<std::string_view> stages = {kFingerprintStage, kSurveyStage, kJoinStage,
                                                kSetsStage,        kVerifyStage, kDecideStage,
                                                kWriteStage};
  for (const auto& [unit, refused_by] :
       {Row{"fingerprint/0", {kSurveyStage}}, Row{"join/0", {kDecideStage}},
        Row{"sets/0", {kDecideStage}}, Row{"verify/0", {kDecideStage}},
        Row{"decide/0", {stages.begin(), stages.end()}},
        Row{"write/0", {stages.begin(), stages.end()}}}) {
    fs::remove_all(root_ + "/records");
    fs::remove_all(root_ + "/units");
    SetUp();
    const auto maker = Task(kFingerprintStage);
    ASSERT_TRUE(Make(unit, 1, maker.get()));
    ASSERT_TRUE(maker->Record(kFingerprintStage, 0, {unit}));
    for (const std::string_view stage : stages) {
      EXPECT_NE(Got(Task(stage)->Finished(unit)), nullptr) << unit << " " << stage;
    }
    const std::string file = OnlyUnitFile();
    std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).put('x');
    for (const std::string_view stage : stages) {
      const auto task = Task(stage);
      const auto run = task->Finished(unit, task->IsToDo(kSurveyStage, 0));
      EXPECT_EQ(!run, refused_by.contains(stage)) << unit << " " << stage;
      EXPECT_EQ(task->damaged(), !run);
      if (!run) {
        EXPECT_EQ(run.error().where, file);
      }
    }
    fs::resize_file(file, fs::file_size(file) - 1);
    for (const std::string_view stage : stages) {
      EXPECT_FALSE(Task(stage)->Finished(unit)) << "that costs nothing to see: " << stage;
    }
  }
}

}  // namespace
}  // namespace lookalike
