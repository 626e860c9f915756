#pragma once

#include "api/colony/sync_options.hpp"
#include "api/colony/workplace.hpp"
#include "colony/files/intake.hpp"
#include "colony/files/outgo.hpp"
#include "colony/files/tree.hpp"
#include "kernel/log.hpp"

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace hive::rest {

// What one pass did, or would do.
struct SyncPass {
    std::string direction{};
    bool dry = false;
    std::size_t looked_at = 0;
    std::vector<colony::files::Taken> changes{};
    std::size_t conflicts() const;
};
json::object to_json(const SyncPass& pass);

// One entry of the audit log for the changes of a transaction, those from `from` on.
void say_pass(Unit& unit, const SyncPass& pass, std::size_t from);

struct SyncTools {
    colony::files::Tree& tree;
    colony::files::Watch* watch = nullptr;     // none: only scans
    colony::files::History* history = nullptr; // none: files are as old as they say or look
    const Clock& clock;
    Logger log;
    std::string root; // as people know it
};

// Keeps `.deia` and the colony in step, on a thread of its own. What files say is taken in
// transactions of the colony; what happened in the colony is read from the audit log and written.
// Both are safe to repeat, so a crash between two steps costs nothing but time.
class FileSync {
public:
    static Result<std::unique_ptr<FileSync>>
    make(const SyncOptions& options, SyncTools tools, const HiveId& hive, ColonyParts& colony);
    ~FileSync() { stop(); }

    void attach(Transactions& transactions) { transactions_ = &transactions; }
    void start();
    void stop(); // before the server goes

    enum class Direction : bool { pull, push };
    using Told = std::function<void(Result<json::object>)>;
    // From any thread: a whole pass, when the one under way is done.
    void ask(Direction direction, bool dry, Told told);
    json::object status() const;
    const SyncOptions& options() const noexcept { return options_; }

private:
    using Incoming = colony::files::Incoming;
    using Taken = colony::files::Taken;
    using Flaw = colony::files::Flaw;
    struct Known { // of a file, since it was last read
        std::string digest;
        std::uint64_t size = 0;
        Timestamp changed{};
    };
    struct Order {
        Direction direction;
        bool dry;
        Told told;
    };
    enum class Depth : bool { by_time, by_hash };

    FileSync(SyncTools tools, const HiveId& hive, ColonyParts& colony)
        : tools_{std::move(tools)}, hive_{hive}, colony_{&colony} {}

    void run(const std::stop_token& stop);
    void step(const std::stop_token& stop);
    Status listen(Duration within);
    void obey_orders();
    void complain(const Error& error);
    void recover();

    // Units of work, waited for.
    Status change(std::function<Status(Unit& unit)> work);
    Status read(std::function<Status(store::Session& session)> work) const;
    Status load();
    Status refresh_aliases();

    // Files to colony; sync_pull.cpp.
    Result<SyncPass> scan(Depth depth, bool dry);
    void pull(const std::vector<std::string>& paths, SyncPass& pass);
    void drain_waiting(SyncPass& pass);
    void discard(const std::string& path);
    void look_at(const std::string& path, Depth depth, std::vector<Incoming>& incoming);
    bool unsettled(const colony::files::Entry& entry) const;
    Status apply(std::vector<Incoming> incoming, std::vector<std::string> gone, SyncPass& pass);
    Status
    apply_batch(std::span<const Incoming> batch, std::span<const std::string> gone, SyncPass& pass);
    Status take_all(
        Unit& unit, std::span<const Incoming> batch, std::span<const std::string> gone,
        SyncPass& pass);
    void note_refused(const Incoming& incoming, const Error& error, SyncPass& pass);
    Status take_strays(const std::vector<std::string>& strays);
    Incoming incoming_of(const std::string& path, std::string bytes, Timestamp changed) const;

    // Colony to files; sync_push.cpp.
    Status follow_audit();
    void hear(const audit::Entry& entry, std::set<std::string>& tasks);
    Result<SyncPass> push_all(bool dry);
    Status push_task(const std::string& id, SyncPass& pass);
    Status begin_following();
    struct Target {
        std::optional<colony::tasks::Task> task{};
        std::optional<colony::files::FileRow> row{};
        colony::files::Refs refs{};
    };
    Result<Target> target_of(const std::string& id) const;
    Status write_file(Target target, colony::files::Written file, SyncPass& pass);
    Status look_again(const Target& target, SyncPass& pass);
    Status merge_theirs(
        const colony::files::Written& ours, const std::string& task, std::string theirs,
        SyncPass& pass);
    void remember_written(
        const colony::files::Written& file, const std::string& task, std::uint64_t revision);
    Status record_written(const SyncPass& pass);

    // What bees that read files want to see besides; sync_notes.cpp.
    void note_ending(const audit::Entry& entry, const json::object& details);
    void note_message(const json::object& details);
    void note_log(const audit::Entry& entry, const json::object& details);
    void note_pause(const std::string& bee, bool paused);
    void put_note(const colony::files::Written& note);
    void note_held(const std::string& path);
    void write_presence();
    std::uint64_t last_sequence_in(const std::string& path);

    SyncTools tools_;
    HiveId hive_;
    ColonyParts* colony_;
    Transactions* transactions_ = nullptr;
    colony::files::Policy policy_{};
    colony::files::Zone zone_{};
    SyncOptions options_{};

    // Of the thread alone.
    colony::files::Aliases aliases_{};
    std::unordered_map<std::string, Known> known_{};
    std::set<std::string> waiting_{};     // paths to look at again: not settled, or refused
    std::set<std::string> just_gone_{};   // perhaps moved: to where has not been heard yet
    std::set<std::string> dirty_tasks_{}; // whose files are to be written
    std::vector<std::pair<colony::files::FileRow, std::string>> written_{}; // not recorded yet
    std::vector<std::string> vacated_{};                                    // by moves of ours
    std::unordered_map<std::string, Timestamp> beaten_{}; // heartbeats as last written
    bool first_life_ = false;
    bool keep_cursor_ = false;
    std::unordered_map<std::string, std::uint64_t> logged_{};
    std::uint64_t cursor_ = 0; // the last audit entry that was followed
    bool presence_due_ = false;
    bool loaded_ = false;
    TimePoint next_scan_{};
    TimePoint next_presence_{};
    unsigned scans_ = 0;

    mutable std::mutex mutex_; // of what follows
    std::deque<Order> orders_{};
    std::map<std::string, std::vector<Flaw>> findings_{};
    struct Times {
        std::optional<Timestamp> scan{};
        std::optional<Timestamp> pull{};
        std::optional<Timestamp> push{};
    } times_{};
    std::size_t files_ = 0;
    std::size_t waiting_count_ = 0;
    std::uint64_t conflicts_ = 0;
    std::string last_error_{};

    std::jthread thread_; // last: it uses everything above
};

} // namespace hive::rest
