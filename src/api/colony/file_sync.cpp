#include "api/colony/file_sync.hpp"

#include "kernel/timestamp.hpp"
#include "store/audit_ledger.hpp"
#include "store/file_tables.hpp"
#include "store/settings.hpp"

#include <future>
#include <numeric>

namespace hive::rest {
namespace {

using namespace std::chrono_literals;

constexpr Duration pulse = 50ms; // how often the audit log is looked at
constexpr Duration again_after = 1s;
constexpr std::size_t listed_max = 200; // changes in an answer
constexpr std::size_t findings_shown = 100;
constexpr std::size_t rows_at_once = 1000;

} // namespace

std::size_t SyncPass::conflicts() const {
    return std::accumulate(
        changes.begin(), changes.end(), std::size_t{0},
        [](std::size_t sum, const auto& taken) { return sum + taken.conflicts.size(); });
}

json::object to_json(const SyncPass& pass) {
    json::array changes;
    json::array conflicts;
    for (const auto& taken : pass.changes) {
        if (changes.size() < listed_max) {
            json::object one{{"path", taken.path}, {"what", taken.what}};
            if (!taken.entity.empty()) one["entity"] = taken.entity;
            changes.push_back(std::move(one));
        }
        for (const auto& conflict : taken.conflicts) {
            if (conflicts.size() >= listed_max) break;
            json::object one = colony::files::to_json(conflict);
            conflicts.push_back(
                {{"path", one["path"]},
                 {"field", one["field"]},
                 {"winner", one["winner"]},
                 {"what", conflict.field + " stays as the " +
                              (conflict.file_won ? "file" : "colony") + " has it"}});
        }
    }
    return {{"direction", pass.direction},       {"dryRun", pass.dry},
            {"files", pass.looked_at},           {"changed", pass.changes.size()},
            {"conflictCount", pass.conflicts()}, {"changes", std::move(changes)},
            {"conflicts", std::move(conflicts)}};
}

Result<std::unique_ptr<FileSync>> FileSync::make(
    const SyncOptions& options, SyncTools tools, const HiveId& hive, ColonyParts& colony) {
    const auto policy = colony::files::parse_policy(options.policy);
    if (!policy) return fail(Errc::invalid, "colony.files.policy: " + policy.error().detail);
    auto zone = colony::files::Zone::parse(options.zone);
    if (!zone) return fail(Errc::invalid, "colony.files.zone: " + zone.error().detail);
    std::unique_ptr<FileSync> sync{new FileSync{std::move(tools), hive, colony}};
    sync->policy_ = *policy;
    sync->zone_ = *std::move(zone);
    sync->options_ = options;
    return sync;
}

void FileSync::start() {
    if (transactions_ == nullptr || thread_.joinable()) return;
    if (!loaded_) (void)load(); // tried again by the thread
    thread_ = std::jthread{[this](const std::stop_token& stop) { run(stop); }};
}

void FileSync::stop() {
    thread_.request_stop();
    if (tools_.watch != nullptr) tools_.watch->wake();
    if (thread_.joinable()) thread_.join();
    std::deque<Order> left;
    {
        const std::lock_guard lock{mutex_};
        left.swap(orders_);
    }
    for (const Order& order : left) order.told(fail(Errc::closed, "the server is going down"));
}

void FileSync::ask(Direction direction, bool dry, Told told) {
    {
        const std::lock_guard lock{mutex_};
        constexpr std::size_t orders_max = 20;
        if (orders_.size() < orders_max) {
            orders_.push_back({direction, dry, std::move(told)});
            told = nullptr;
        }
    }
    if (told) told(fail(Errc::limit, "too many passes are asked for; try again in a moment"));
    if (tools_.watch != nullptr) tools_.watch->wake();
}

json::object FileSync::status() const {
    const std::lock_guard lock{mutex_};
    json::array findings;
    std::size_t count = 0;
    for (const auto& [path, flaws] : findings_) {
        for (const Flaw& flaw : flaws) {
            ++count;
            if (findings.size() < findings_shown)
                findings.push_back({{"path", path}, {"code", flaw.code}, {"reason", flaw.reason}});
        }
    }
    json::object out{
        {"enabled", true},
        {"root", tools_.root},
        {"policy", colony::files::name_of(policy_)},
        {"watching", tools_.watch != nullptr},
        {"files", files_},
        {"waiting", waiting_count_},
        {"conflicts", conflicts_},
        {"findingCount", count},
        {"findings", std::move(findings)}};
    const auto put = [&](std::string_view name, const std::optional<Timestamp>& time) {
        if (time) out[name] = format_timestamp(*time);
    };
    put("lastScan", times_.scan);
    put("lastPull", times_.pull);
    put("lastPush", times_.push);
    if (!last_error_.empty()) out["lastError"] = last_error_;
    return out;
}

void FileSync::complain(const Error& error) {
    const std::lock_guard lock{mutex_};
    if (last_error_ != error.detail)
        tools_.log.warn("files are not in step", {{"reason", error.detail}});
    last_error_ = error.detail;
}

void FileSync::recover() {
    const std::lock_guard lock{mutex_};
    if (!last_error_.empty()) tools_.log.info("files are in step again");
    last_error_.clear();
}

void FileSync::run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        try {
            step(stop);
        } catch (const std::exception& error) {
            complain({Errc::unavailable, error.what()});
            std::this_thread::sleep_for(again_after);
        }
    }
}

// One turn: look, take, write, wait.
void FileSync::step(const std::stop_token& stop) {
    const auto give_up = [&](const Error& error) {
        complain(error);
        if (stop.stop_requested()) return;
        std::this_thread::sleep_for(100ms);
        next_scan_ = tools_.clock.now() + again_after;
    };
    if (!loaded_) {
        if (auto ok = load(); !ok) return give_up(ok.error());
    }
    if (tools_.clock.now() >= next_scan_) {
        constexpr unsigned by_hash_each = 10;
        const auto pass =
            scan(scans_++ % by_hash_each == 0 ? Depth::by_hash : Depth::by_time, false);
        if (!pass) return give_up(pass.error());
        next_scan_ = tools_.clock.now() + options_.scan_every;
    }
    // What was moved is known before anything is written: a file must not be missed where it was.
    if (auto heard = listen(pulse); !heard) return give_up(heard.error());
    if (stop.stop_requested() || tools_.clock.now() >= next_scan_) return;
    if (first_life_) {
        if (auto ok = begin_following(); !ok) return give_up(ok.error());
    }
    if (auto ok = follow_audit(); !ok) return give_up(ok.error());
    recover();
    obey_orders();
}

// Takes what the watch has to tell, and what has settled since.
Status FileSync::listen(Duration within) {
    colony::files::Notice notice;
    if (tools_.watch != nullptr) {
        just_gone_.clear(); // where they went is told now
        auto heard = tools_.watch->wait(within);
        if (!heard) return fail(heard.error());
        notice = *std::move(heard);
    } else {
        std::this_thread::sleep_for(within);
    }
    if (notice.everything) {
        next_scan_ = tools_.clock.now();
        scans_ = 0; // by hash
        return {};
    }
    std::set<std::string> paths{notice.paths.begin(), notice.paths.end()};
    paths.merge(waiting_);
    waiting_.clear();
    SyncPass pass{.direction = "pull"};
    pull({paths.begin(), paths.end()}, pass);
    return {};
}

void FileSync::obey_orders() {
    for (;;) {
        std::optional<Order> order;
        {
            const std::lock_guard lock{mutex_};
            if (orders_.empty()) return;
            order = std::move(orders_.front());
            orders_.pop_front();
        }
        const bool pulls = order->direction == Direction::pull;
        if (auto heard = listen(Duration::zero()); !heard) complain(heard.error());
        auto done = pulls ? scan(Depth::by_hash, order->dry) : push_all(order->dry);
        if (done && pulls && !order->dry) drain_waiting(*done);
        if (done) {
            order->told(to_json(*done));
        } else {
            order->told(fail(done.error()));
        }
    }
}

Status FileSync::change(std::function<Status(Unit& unit)> work) {
    std::promise<Status> ended;
    auto answer = ended.get_future();
    const auto taken = transactions_->change(
        Cause{.actor = "system:files"}, as_chore(hive_, std::move(work)),
        [&ended](const Status& status) { ended.set_value(status); });
    return taken ? answer.get() : taken;
}

Status FileSync::read(std::function<Status(store::Session& session)> work) const {
    std::promise<Status> ended;
    auto answer = ended.get_future();
    const auto taken = transactions_->chronicle().database().read(
        {.work = std::move(work)}, [&ended](const Status& status) { ended.set_value(status); });
    return taken ? answer.get() : taken;
}

// What was in step in the life before.
Status FileSync::load() {
    std::vector<colony::files::FileRow> rows;
    std::optional<std::string> cursor;
    const auto loaded = read([&](store::Session& session) -> Status {
        rows.clear();
        const store::FileTable files{session, hive_};
        std::string after;
        for (;;) {
            auto some = files.list(after, rows_at_once);
            if (!some) return fail(some.error());
            if (some->empty()) break;
            after = some->back().path;
            rows.insert(rows.end(), some->begin(), some->end());
        }
        auto kept = store::setting(session, hive_, "files.cursor");
        if (!kept) return fail(kept.error());
        cursor = *std::move(kept);
        const auto head = store::AuditLedger{session, hive_}.head();
        if (!head) return fail(head.error());
        cursor_ = head->size(); // without files before, history is history
        return {};
    });
    if (!loaded) return loaded;
    const std::lock_guard lock{mutex_};
    known_.clear();
    for (auto& row : rows) {
        if (!row.flaws.empty() && !row.gone) findings_[row.path] = row.flaws;
        if (!row.gone) known_[row.path] = {row.digest, row.size, row.changed};
    }
    if (cursor) cursor_ = std::stoull(*cursor);
    first_life_ = !cursor;
    loaded_ = true;
    return {};
}

} // namespace hive::rest
