// The API and files write the same tasks while the server is killed again and again.
#include "colony/files/outgo.hpp"
#include "kernel/json.hpp"
#include "kernel/random.hpp"
#include "kernel/timestamp.hpp"
#include "store/audit_ledger.hpp"
#include "store/file_tables.hpp"
#include "store/task_tables.hpp"
#include "store/wait.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/system/crash_scene.hpp"
#include "tests/system/files_directory.hpp"
#include "tests/system/http_client.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <map>
#include <mutex>
#include <set>
#include <thread>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;
using colony::tasks::Task;

namespace {

// What both writers have done, over all lives of the server.
struct Told {
    std::mutex mutex;
    std::vector<std::string> ids; // of tasks that the API acknowledged
    std::set<std::string> marks;  // each in the title of one task, whoever made it
    std::atomic<unsigned> next = 0;
};

std::optional<Answer>
ask(const std::string& address, const std::string& key, std::string_view head,
    const json::object& body) {
    try {
        Client client = Client::tcp(address);
        const std::string text = to_text(body);
        client.send(fmt::format(
            "{} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {}\r\n"
            "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
            head, key, text.size(), text));
        return client.receive();
    } catch (const std::exception&) {
        return std::nullopt; // killed
    }
}

// Makes tasks and changes them, until the server is gone.
void write_by_api(const std::string& address, const std::string& key, Told& told, Random random) {
    for (;;) {
        const unsigned n = told.next++;
        std::string id;
        {
            const std::lock_guard lock{told.mutex};
            if (!told.ids.empty()) id = told.ids[random.below(told.ids.size())];
        }
        std::optional<Answer> answer;
        if (id.empty() || random.chance(0.3)) {
            const std::string mark = fmt::format("mark-{}-", n);
            answer = ask(
                address, key, "POST /api/v1/tasks", {{"title", mark}, {"description", "by api"}});
            if (answer && answer->status == 201) {
                const std::lock_guard lock{told.mutex};
                told.marks.insert(mark);
                told.ids.emplace_back(parse_json(answer->body)->at("id").as_string());
            }
        } else if (random.chance(0.5)) {
            answer =
                ask(address, key, "PATCH /api/v1/tasks/" + id,
                    {{"priority", random.below(5)}, {"description", fmt::format("api {}", n)}});
        } else {
            answer =
                ask(address, key,
                    "POST /api/v1/tasks/" + id + (random.chance(0.5) ? "/claim" : "/complete"), {});
        }
        if (!answer) return;
    }
}

// Makes files, edits them and moves them; never knows whether a server is there.
void write_by_files(
    const Directory& files, Told& told, const std::stop_token& stop, Random random) {
    while (!stop.stop_requested()) {
        const unsigned n = told.next++;
        const auto all = files.find("hive/tasks");
        try {
            if (all.empty() || random.chance(0.25)) {
                const std::string mark = fmt::format("mark-{}-", n);
                files.write(
                    fmt::format("hive/tasks/file-{}.md", n),
                    fmt::format("# {}\n\n**From:** Q33N\n**Priority:** P3\n\nBy file.\n", mark));
                const std::lock_guard lock{told.mutex};
                told.marks.insert(mark);
            } else {
                const std::string path = all[random.below(all.size())];
                const std::string name = path.substr(path.rfind('/') + 1);
                if (random.chance(0.6)) {
                    std::string text = files.read(path);
                    const auto at = text.find("**Priority:** P");
                    if (at == text.npos) continue;
                    text[at + 15] = static_cast<char>('0' + random.below(5));
                    // An editor opens the file that is there: one that was moved is not made anew.
                    files.overwrite(path, text);
                } else if (random.chance(0.5)) {
                    files.move(path, "hive/tasks/BEE-001/" + name);
                } else {
                    files.move(path, "hive/tasks/_archive/" + name);
                }
            }
        } catch (const std::exception&) {
            continue; // moved under our hands
        }
        std::this_thread::sleep_for(3ms);
    }
}

// Everything that is in the store about tasks.
struct Stored {
    std::vector<Task> tasks;
    std::size_t conflicts = 0;
    std::size_t notes = 0;
    std::string findings;           // what the hive has against files
    std::vector<std::string> story; // every audit entry

    // What the log says of one file.
    std::string story_of(const std::string& name) const {
        std::string out;
        for (const auto& entry : story) {
            if (entry.find(name) != std::string::npos) out += "\n    " + entry;
        }
        return out;
    }
};

Stored stored_in(const Place& place) {
    Stored stored;
    const auto database = place.open();
    const auto status = store::read_and_wait(
        *database, {.work = [&](store::Session& session) -> Status {
                        stored = {};
                        const store::AuditLedger ledger{session, main_hive};
                        const auto report = audit::verify_ledger(ledger, {trusted_key(place)});
                        if (!report) return fail(report.error());
                        CHECK_MESSAGE(!report->fault, (report->fault ? report->fault->reason : ""));
                        std::string after;
                        for (;;) {
                            auto some = store::TaskTable{session, main_hive}.list(
                                {.after = after, .limit = 500});
                            if (!some) return fail(some.error());
                            if (some->empty()) break;
                            after = some->back().id;
                            stored.tasks.insert(stored.tasks.end(), some->begin(), some->end());
                        }
                        auto rows = store::FileTable{session, main_hive}.list("", 100'000);
                        if (!rows) return fail(rows.error());
                        for (const auto& row : *rows) {
                            for (const auto& flaw : row.flaws)
                                stored.findings += row.path + ": " + flaw.reason + "; ";
                        }
                        for (std::uint64_t from = 1;;) {
                            auto entries = ledger.read(from, 500);
                            if (!entries) return fail(entries.error());
                            if (entries->empty()) return {};
                            for (const auto& entry : *entries) {
                                const auto& details = entry.disclosure->details;
                                stored.story.push_back(fmt::format(
                                    "{} {} {} {}", format_timestamp(entry.time), entry.action,
                                    entry.entity_id, details));
                                stored.conflicts += entry.action == "sync.conflict" ? 1U : 0U;
                                stored.notes += entry.action == "message.new" &&
                                                        details.find("Lost: ") != details.npos
                                                    ? 1U
                                                    : 0U;
                            }
                            from = entries->back().sequence + 1;
                        }
                    },
                    .within = 60s});
    REQUIRE_MESSAGE(status, status.error().detail);
    return stored;
}

// Until a pass in each direction finds nothing to do.
void settle(const ServerProcess& server, const std::string& key) {
    const auto changed = [&](const char* direction) {
        const auto answer =
            ask(server.address(), key, fmt::format("POST /api/v1/sync/{}", direction), {});
        if (!answer) return std::int64_t{1}; // slower than a client waits
        REQUIRE_MESSAGE(answer->status == 200, answer->body);
        return parse_json(answer->body)->at("changed").as_int64();
    };
    CHECK(eventually([&] { return changed("pull") == 0 && changed("push") == 0; }));
}

void check_equal(const Directory& files, const Stored& stored, Told& told) {
    std::map<std::string, int> tasks_of;
    for (const Task& task : stored.tasks) ++tasks_of[task.title];
    for (const auto& mark : told.marks) {
        std::string where;
        for (const auto& path : files.find(""))
            if (tasks_of[mark] != 1 && files.read(path).find(mark) != std::string::npos)
                where += path + " ";
        const std::string number = mark.substr(5, mark.size() - 6);
        CHECK_MESSAGE(
            tasks_of[mark] == 1, mark, where, stored.findings,
            stored.story_of(fmt::format("file-{}.md", number)));
    }
    CHECK(stored.tasks.size() >= told.marks.size());
    const colony::files::Aliases aliases;
    const colony::files::Zone zone;
    std::map<std::string, std::vector<colony::files::Document>> files_of; // by title
    for (const auto& path : files.find("hive/tasks")) {
        auto document = colony::files::read_document(path, files.read(path), {aliases, zone, {}});
        files_of[document.title.value].push_back(std::move(document));
    }
    for (const Task& task : stored.tasks) {
        CAPTURE(task.title);
        const auto& found = files_of[task.title];
        std::string paths;
        for (const auto& file : found) {
            paths += fmt::format(
                "{} ({}) ", file.path,
                file.task ? fmt::format("rev {}", file.task->revision) : std::string{"by hand"});
        }
        CHECK_MESSAGE(
            found.size() == 1, paths, name_of(task.state), " rev ", task.revision, " ",
            stored.findings);
        if (found.size() == 1)
            CHECK_MESSAGE(colony::files::says(found.front(), task), found.front().path);
    }
    CHECK(stored.conflicts == stored.notes); // every conflict is in both
}

} // namespace

TEST_CASE("two writers and kill -9: no task lost, none twice, conflicts told, both sides equal") {
    const hive::tests::ScratchDirectory scratch;
    const Directory files{scratch.path() / ".deia"};
    const Place place{
        .directory = (scratch.path() / "data").string(), .deia = files.root().string()};
    std::filesystem::create_directory(place.directory);
    const std::string key = make_admin_key(place);
    const std::string output = (scratch.path() / "out").string();
    Told told;
    {
        std::jthread bee{
            [&](const std::stop_token& stop) { write_by_files(files, told, stop, Random{17}); }};
        for (int round = 0; round < 8; ++round) {
            CAPTURE(round);
            ServerProcess server{place, output};
            std::jthread api{[&] {
                write_by_api(
                    server.address(), key, told, Random{static_cast<std::uint64_t>(round)});
            }};
            std::this_thread::sleep_for(std::chrono::milliseconds{500 + 150 * (round % 4)});
            server.kill(SIGKILL);
        }
    }
    {
        ServerProcess server{place, output};
        settle(server, key);
        server.kill(SIGTERM);
    }
    const Stored stored = stored_in(place);
    MESSAGE(stored.tasks.size(), " tasks, ", stored.conflicts, " conflicts");
    CHECK(told.marks.size() > 20);
    check_equal(files, stored, told);
}
