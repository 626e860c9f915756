#include "colony/files/document.hpp"
#include "colony/files/task_file.hpp"
#include "colony/tasks/task_json.hpp"
#include "kernel/random.hpp"
#include "kernel/uuid.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace hive;
using namespace hive::colony;
using namespace hive::colony::files;
using tasks::State;
using tasks::Task;

namespace {

// Any task that the API can hold, with all that makes files difficult.
class Maker {
public:
    explicit Maker(std::uint64_t seed) : random_{seed} {}

    Task task() {
        Task task{
            .id = make_uuid(random_),
            .ref = "TASK-" + std::to_string(random_.below(1000)),
            .title = "t" + text(3),
            .description = text(8),
            .state = static_cast<State>(random_.below(tasks::state_count)),
            .priority = static_cast<int>(random_.below(5)),
            .tags = words(),
            .skills = words(),
            .assigned_to = maybe() ? "BEE-00" + std::to_string(random_.below(9)) : "",
            .created_by = maybe() ? "alice" : "Q33N",
            .created = time(),
            .changed = time(),
            .revision = 1 + random_.below(99),
            .depends_on = words(),
            .unique_key = maybe() ? text(1) : "",
            .metadata = maybe() ? json::object{{text(1), text(2)}, {"n", 0.1}} : json::object{},
            .attempts = static_cast<int>(random_.below(4)),
            .fence = random_.below(9),
            .note = text(2)};
        if (maybe()) task.not_before = time();
        if (maybe()) task.percent = static_cast<int>(random_.below(101));
        if (maybe()) task.result = json::object{{"text", text(2)}, {"list", {1, nullptr, true}}};
        if (maybe()) task.attachments = {{text(1), "file:///" + text(1), "sha256:0"}};
        if (maybe()) {
            task.lease = tasks::Lease{"BEE-001", text(1), task.fence, time(), minutes};
            task.history = {{.token = task.fence, .bee = "BEE-001", .began = time()}};
        }
        return task;
    }

private:
    static constexpr Duration minutes = std::chrono::minutes{5};
    bool maybe() { return random_.chance(0.5); }
    Timestamp time() {
        return Timestamp{
            std::chrono::milliseconds{1'700'000'000'000 + random_.below(1'000'000'000)}};
    }
    Words words() {
        Words out;
        for (auto n = random_.below(3); n > 0; --n)
            out.push_back("w" + std::to_string(n) + text(1));
        return out;
    }
    std::string text(std::uint64_t pieces) {
        static const std::vector<std::string> all{
            "plain",
            " ",
            "\n",
            "\r\n",
            "---",
            "\n---\n\n",
            "**To:** X",
            "# H\n",
            "```\n",
            "\xe2\x80\x91",
            "\"",
            "\\",
            ": ",
            "| a | b |",
            "seal: ",
            "é",
            "e\xcc\x81",
            "\t",
            "hive: task/1\n",
            "'",
            "\xf0\x9f\x8e\xaf"};
        std::string out;
        for (auto n = random_.below(pieces + 1); n > 0; --n)
            out += all.at(random_.below(all.size()));
        return out;
    }

    Random random_;
};

} // namespace

TEST_CASE("any task the API can hold, written and read back, is equal") {
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        CAPTURE(seed);
        const Task task = Maker{seed}.task();
        const std::string text = write_task(task);
        const auto back = read_task(text);
        REQUIRE_MESSAGE(back, back.error().detail);
        REQUIRE(tasks::to_stored(*back) == tasks::to_stored(task));
        REQUIRE(*back == task);
        // And as a document, by its path.
        const Aliases aliases;
        const Zone zone;
        const auto document = read_document("hive/tasks/x.md", text, {aliases, zone, {}});
        REQUIRE(document.task);
        REQUIRE(*document.task == task);
        REQUIRE(document.flaws.empty());
    }
}

TEST_CASE("somebody edits the headers, or the front matter: what was edited counts") {
    Task task = Maker{7}.task();
    task.title = "Mend the fence";
    task.priority = 3;
    task.state = State::pending;
    task.assigned_to = "BEE-001";
    const std::string text = write_task(task);
    const auto with = [&](std::string_view from, std::string_view to) {
        std::string edited = text;
        const auto at = edited.find(from);
        REQUIRE(at != edited.npos);
        edited.replace(at, from.size(), to);
        const auto read = read_task(edited);
        REQUIRE_MESSAGE(read, read.error().detail);
        return *read;
    };
    CHECK(with("**Priority:** P3", "**Priority:** P0").priority == 0);
    CHECK(with("\npriority: 3", "\npriority: 1").priority == 1);
    CHECK(with("# Mend the fence", "# Mend both fences").title == "Mend both fences");
    CHECK(with("**Status:** pending", "**Status:** \xe2\x9c\x85 done").state == State::completed);
    CHECK(with("**To:** BEE-001", "**To:** AGENT-003").assigned_to == "BOT-003");
    CHECK(with("\nstatus: \"pending\"", "\nstatus: cancelled").state == State::cancelled);
}

TEST_CASE("a file of ours says what it was before it was edited") {
    Task task = Maker{7}.task();
    task.title = "Mend the fence";
    task.description = "all of it";
    std::string text = write_task(task);
    CHECK(read_task_file(text)->written == task);
    CHECK_FALSE(read_task_file(text)->description_edited);
    text.replace(text.find("# Mend"), 6, "# Burn");
    text.replace(text.find("all of it"), 9, "some of it");
    const auto edited = read_task_file(text).value();
    CHECK(edited.said.title == "Burn the fence");
    CHECK(edited.said.description == "some of it");
    CHECK(edited.written->title == "Mend the fence");
    CHECK(edited.description_edited);
}

TEST_CASE("an editor that turns line ends or adds a byte order mark changes nothing") {
    Task task = Maker{9}.task();
    task.description = "one\ntwo\n";
    std::string text = write_task(task);
    std::string turned = "\xef\xbb\xbf";
    for (const char c : text) turned += c == '\n' ? "\r\n" : std::string(1, c);
    const Aliases aliases;
    const Zone zone;
    const auto read = read_document("hive/tasks/x.md", turned, {aliases, zone, {}});
    REQUIRE(read.task);
    CHECK(*read.task == task);
}

TEST_CASE("a broken task file of the hive is read as any other, and says what is wrong") {
    const Aliases aliases;
    const Zone zone;
    const auto read = read_document(
        "hive/tasks/x.md", "---\nhive: task/1\nid: [\n---\n\n# T\n", {aliases, zone, {}});
    CHECK_FALSE(read.task);
    CHECK(read.title.value == "T");
    REQUIRE_FALSE(read.flaws.empty());
}

TEST_CASE("names of tasks made in the same second never collide") {
    std::set<std::string> names;
    Maker maker{11};
    const Zone zone;
    for (int i = 0; i < 500; ++i) {
        Task task = maker.task();
        task.created = Timestamp{std::chrono::seconds{1'761'424'200}};
        task.title = "the same";
        const std::string name = task_file_name(task, zone);
        CHECK(names.insert(name).second);
        CHECK(name.starts_with("2025-10-25-203000-"));
        CHECK(name.ends_with(".md"));
    }
}
