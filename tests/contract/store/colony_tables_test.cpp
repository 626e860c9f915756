#include "store/bee_tables.hpp"
#include "store/message_tables.hpp"
#include "tests/contract/store/hive_under_test.hpp"
#include "tests/contract/store/task_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

using namespace hive;
using namespace hive::tests;
using namespace std::chrono_literals;

namespace {

// Runs in a unit that must succeed.
template <class F>
void in_unit(HiveUnderTest& hive, F work) {
    REQUIRE(store::write_and_wait(hive.db(), {.work = [&](store::Session& session) -> Status {
                                      work(session);
                                      return {};
                                  }}));
}

colony::channels::Message message(const std::string& id, const std::string& channel) {
    return {.id = id, .channel = channel, .sender = "B1", .content = "c", .created = Timestamp{1s}};
}

} // namespace

TEST_CASE("tasks are found by what they are looked for by") {
    TaskScene scene;
    const auto a = scene.made({.title = "Alpha 100%", .priority = 0, .tags = {"x"}});
    scene.now += 1us;
    const auto b = scene.made({.title = "beta", .tags = {"x", "y"}, .assigned_to = "B1"});
    using colony::tasks::Bench;
    using colony::tasks::TaskQuery;
    const auto ids = [&](const TaskQuery& query) {
        colony::Words refs;
        scene.as_person([&](Bench& bench) -> colony::Outcome<int> {
            const auto found = bench.book.search.list(query);
            for (const auto& task : *found) refs.push_back(task.ref);
            return 0;
        });
        return refs;
    };
    CHECK(ids({}) == colony::Words{b.ref, a.ref}); // the newest first
    CHECK(ids({.tag = "x", .limit = 1}) == colony::Words{b.ref});
    CHECK(ids({.tag = "x", .after = b.id}) == colony::Words{a.ref});
    CHECK(ids({.text = "ALPHA"}) == colony::Words{a.ref});
    CHECK(ids({.text = "0%"}) == colony::Words{a.ref});
    CHECK(ids({.text = "%beta"}).empty()); // a percent sign is one
    CHECK(ids({.assigned_to = "B1"}) == colony::Words{b.ref});
    CHECK(ids({.priority = 0}) == colony::Words{a.ref});
    CHECK(ids({.state = colony::tasks::State::waiting}).empty());
    CHECK(scene.found(a.id) == scene.found(a.ref));
}

TEST_CASE("tasks that are made at once are listed and done in their order") {
    TaskScene scene;
    using colony::tasks::Bench;
    std::vector<colony::tasks::NewTask> wanted;
    for (int i = 0; i < 20; ++i) wanted.push_back({.title = "t"});
    const auto made =
        scene.as_person([&](Bench& bench) { return colony::tasks::create(bench, wanted); });
    REQUIRE(made);
    const auto listed =
        scene.as_person([&](Bench& bench) -> colony::Outcome<std::vector<TaskScene::Task>> {
            auto tasks = bench.book.search.list({});
            REQUIRE(tasks);
            return *std::move(tasks);
        });
    const auto pending =
        scene.as_person([&](Bench& bench) -> colony::Outcome<std::vector<TaskScene::Task>> {
            auto tasks = bench.book.queue.pending_in(bench.book.queue.lanes()->front(), 100);
            REQUIRE(tasks);
            return *std::move(tasks);
        });
    CHECK(std::ranges::equal(*listed | std::views::reverse, *made));
    CHECK(*pending == *made);
}

TEST_CASE("tasks are listed as they are taken, page by page") {
    TaskScene scene;
    using colony::tasks::Bench;
    using colony::tasks::State;
    const int priorities[] = {2, 0, 4, 2, 0, 2};
    for (const int priority : priorities) {
        scene.made(
            {.title = "t",
             .priority = priority,
             .tags = {"x"},
             .skills = {fmt::to_string(priority)}});
        scene.now += 1s;
    }
    scene.made({.title = "later", .priority = 0, .not_before = scene.now + 1h});
    const auto all_pages = [&](colony::tasks::TaskQuery query) {
        query.order = colony::tasks::TaskOrder::next;
        query.limit = 2;
        std::string refs;
        for (;;) {
            const auto page =
                scene.as_person([&](Bench& bench) -> colony::Outcome<std::vector<TaskScene::Task>> {
                    auto tasks = bench.book.search.list(query);
                    REQUIRE(tasks);
                    return *std::move(tasks);
                });
            for (const auto& task : *page) refs += task.ref.substr(task.ref.find('-') + 1);
            if (page->size() < query.limit) return refs;
            query.behind = {page->back().priority, page->back().created, page->back().id};
        }
    };
    CHECK(all_pages({.state = State::pending}) == "251463");
    CHECK(all_pages({.state = State::pending, .tag = "x"}) == "251463");
    CHECK(all_pages({.tag = "x"}) == "251463");
    CHECK(all_pages({}) == "2571463");
    CHECK(all_pages({.priority = 2}) == "146");
}

TEST_CASE("lanes are those of pending tasks, each once") {
    TaskScene scene;
    for (int i = 0; i < 3; ++i) {
        scene.made({.title = "t", .skills = {"cpp"}});
        scene.made({.title = "t", .skills = {"sql", "cpp"}});
        scene.made({.title = "t", .assigned_to = "B1"});
    }
    scene.made({.title = "t", .skills = {"later"}, .not_before = scene.now + 1h});
    const auto lanes =
        scene.as_person([](colony::tasks::Bench& b) -> colony::Outcome<colony::Words> {
            return b.book.queue.lanes().value();
        });
    CHECK(lanes->size() == 3);
}

TEST_CASE("an update of what somebody else changed changes nothing") {
    TaskScene scene;
    const auto task = scene.made({.title = "t"});
    scene.as_person([&](colony::tasks::Bench& bench) -> colony::Outcome<int> {
        auto mine = task;
        auto theirs = task;
        mine.revision = theirs.revision = 2;
        theirs.title = "theirs";
        CHECK(bench.book.records.update(theirs).value());
        CHECK_FALSE(bench.book.records.update(mine).value());
        return 0;
    });
    CHECK(scene.found(task.id).title == "theirs");
}

TEST_CASE("where the file of a task is changes without a revision, and an update leaves it") {
    TaskScene scene;
    const auto task = scene.made({.title = "t"});
    const auto place = [&](const std::string& path) {
        scene.as_person([&](colony::tasks::Bench& bench) -> colony::Outcome<int> {
            REQUIRE(bench.book.records.place(task.id, path, Timestamp{7s}));
            return 0;
        });
        return scene.found(task.id);
    };
    CHECK(place("hive/tasks/a.md").file_path == "hive/tasks/a.md");
    CHECK(scene.found(task.id).file_synced_at == Timestamp{7s});
    CHECK(scene.found(task.id).revision == task.revision);
    scene.as_person([&](colony::tasks::Bench& bench) -> colony::Outcome<int> {
        auto changed = task; // read before it had a file
        changed.revision = 2;
        CHECK(bench.book.records.update(changed).value());
        return 0;
    });
    CHECK(scene.found(task.id).file_path == "hive/tasks/a.md");
    CHECK(place("").file_path.empty());
    CHECK_FALSE(scene.found(task.id).file_synced_at);
}

TEST_CASE("messages by channel, thread and tag; cursors and unread ones") {
    HiveUnderTest hive;
    in_unit(hive, [&](store::Session& session) {
        store::MessageTable book{session, hive.hive()};
        auto first = message("m1", "general");
        first.tags = {"#todo"};
        auto reply = message("m2", "general");
        reply.thread = reply.reply_to = "m1";
        for (const auto& one : {first, reply, message("m3", "task:T-1")}) REQUIRE(book.insert(one));
        CHECK(book.find("m2").value() == reply);
        CHECK_FALSE(book.find("m9").value());
        CHECK(book.list({.channel = "general"})->front().id == "m2");
        CHECK(book.list({.channel = "general", .after = "m1"})->front().id == "m2");
        CHECK(book.list({.channel = "general", .before = "m2"})->front().id == "m1");
        CHECK(book.list({.thread = "m1"})->size() == 2);
        CHECK(book.list({.tag = "#todo"})->size() == 1);
        const auto channels = book.channels("", 10).value();
        REQUIRE(channels.size() == 2);
        CHECK(channels[0].messages == 2);
        CHECK(channels[0].last == "m2");
        CHECK(book.channels("general", 10)->size() == 1);
        CHECK(book.unread("B2", "general") == 2);
        REQUIRE(book.move_cursor("B2", "general", "m1"));
        CHECK(book.cursor("B2", "general") == "m1");
        CHECK(book.unread("B2", "general") == 1);
    });
}

TEST_CASE("messages have the order in which they are written, not that of the clock") {
    HiveUnderTest hive;
    Random random{7};
    colony::OpenGate gate;
    const colony::channels::QuotaPolicy quota;
    colony::Words said;
    const auto say = [&](store::Session& session, const std::string& channel, Timestamp now) {
        store::MessageTable book{session, hive.hive()};
        colony::Moment moment{{"alice", accounts::Role::human}, now, random};
        colony::channels::Desk desk{book.book(), moment, quota, gate};
        const auto done =
            post(desk, {.channel = channel, .content = "c"}, colony::channels::Counting::counted);
        REQUIRE(done);
        CHECK(book.newest() == done->message.id);
        if (channel == "general") said.push_back(done->message.id);
    };
    const Timestamp now{1'750'000'000s};
    in_unit(hive, [&](store::Session& session) {
        CHECK(store::MessageTable{session, hive.hive()}.newest() == "");
        for (int i = 0; i < 20; ++i) say(session, "general", now);
        say(session, "task:T-1", now + 2s);
    });
    // Asked for before, written after; and a clock that was set back.
    for (const auto earlier : {0s, 1s, 3600s}) {
        in_unit(hive, [&](store::Session& session) { say(session, "general", now - earlier); });
    }
    in_unit(hive, [&](store::Session& session) {
        store::MessageTable book{session, hive.hive()};
        for (std::size_t at = 0; at < said.size(); ++at) {
            colony::Words after;
            const auto listed = book.list({.channel = "general", .after = said[at]});
            for (const auto& message : *listed) after.push_back(message.id);
            CHECK(
                after ==
                colony::Words{said.begin() + static_cast<std::ptrdiff_t>(at) + 1, said.end()});
        }
    });
}

TEST_CASE("a deadline is due until everyone has answered or it was said") {
    HiveUnderTest hive;
    in_unit(hive, [&](store::Session& session) {
        store::MessageTable book{session, hive.hive()};
        auto asked = message("m1", "general");
        asked.ack_from = {"B2"};
        asked.ack_by = Timestamp{10s};
        REQUIRE(book.insert(asked));
        CHECK(book.overdue(Timestamp{9s}, 10)->empty());
        CHECK(book.overdue(Timestamp{10s}, 10)->size() == 1);
        asked.overdue = true;
        REQUIRE(book.update(asked));
        CHECK(book.overdue(Timestamp{11s}, 10)->empty());
    });
}

TEST_CASE("what a bee has said, and when it was last heard of") {
    HiveUnderTest hive;
    in_unit(hive, [&](store::Session& session) {
        store::MessageTable book{session, hive.hive()};
        CHECK(book.spoken("B1").value() == colony::channels::Spoken{});
        colony::channels::Spoken spoken;
        admit(spoken, {}, Timestamp{100s});
        REQUIRE(book.keep_spoken("B1", spoken));
        CHECK(book.spoken("B1").value() == spoken);

        using colony::bees::Silence;
        store::BeeTable bees{session, hive.hive()};
        colony::bees::Bee bee{.id = "B1", .skills = {"cpp"}, .last_seen = Timestamp{100s}};
        REQUIRE(bees.put(bee));
        CHECK(bees.find("B1").value() == bee);
        CHECK(bees.list("", 10)->size() == 1);
        CHECK(bees.list("B1", 10)->empty());
        CHECK(bees.unheard(Timestamp{99s}, Silence::silent, 10)->empty());
        CHECK(bees.unheard(Timestamp{100s}, Silence::quiet, 10)->size() == 1);
        bee.alarm = Silence::quiet;
        REQUIRE(bees.put(bee));
        CHECK(bees.unheard(Timestamp{100s}, Silence::quiet, 10)->empty());
        CHECK(bees.unheard(Timestamp{100s}, Silence::silent, 10)->size() == 1);
    });
}
