#include "redis/list_reader.hpp"
#include "redis/list_writer.hpp"
#include "tests/support/redis_server.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace hive;
using namespace hive::redis;
using namespace std::chrono_literals;

namespace {

constexpr auto patience = 60s;

bool eventually(const std::function<bool()>& holds) {
    const SystemClock clock;
    const TimePoint deadline = clock.now() + patience;
    while (!holds()) {
        if (clock.now() > deadline) return false;
        std::this_thread::sleep_for(2ms);
    }
    return true;
}

// The next one, which may take a while.
std::optional<Element> take(ListReader& reader) {
    std::optional<Element> element;
    const bool found = eventually([&] { return (element = reader.next()).has_value(); });
    return found ? element : std::nullopt;
}

struct Scene {
    tests::RedisServer server{};

    void fill(const std::string& list, int count) const {
        Command command{"RPUSH", list};
        for (int i = 0; i < count; ++i) command.push_back(list + std::to_string(i));
        auto connection = Connection::open({.port = server.port()}).value();
        REQUIRE(connection->run(command));
    }
    std::size_t length(const std::string& list) const {
        return std::stoul(server.ask({"LLEN", list}));
    }
    std::string items(const std::string& list) const {
        std::string text = server.ask({"LRANGE", list, "0", "-1"});
        std::ranges::replace(text, '\n', ' ');
        return text;
    }
    ListReader::Options reading(std::vector<ListReader::Source> sources) const {
        return {.server = {.port = server.port()}, .sources = std::move(sources), .owner = "me"};
    }
};

} // namespace

TEST_CASE("an element stays in the owner's list until it is settled") {
    const Scene scene;
    scene.fill("a", 4);
    {
        ListReader reader{scene.reading({{"a"}})};
        const auto first = take(reader);
        const auto second = take(reader);
        const auto third = take(reader);
        REQUIRE(third);
        CHECK(first->text == "a0");
        CHECK(scene.length("a:processing:me") == 4);
        reader.done(second->token);
        reader.refuse(first->token);
        CHECK(eventually([&] { return scene.length("a:processing:me") == 2; }));
        CHECK(scene.items("a:dead") == "a0");
        CHECK(eventually([&] { return reader.state().empty; }));
    }
    CHECK(scene.items("a") == "a2 a3"); // an orderly end puts the rest back, in order
    CHECK(scene.length("a:processing:me") == 0);
}

TEST_CASE("what a life left behind is taken again before anything else") {
    const Scene scene;
    scene.fill("a", 2);
    scene.server.ask({"RPUSH", "a:processing:me", "old", "old"});
    ListReader reader{scene.reading({{"a"}})};
    std::string all;
    for (int i = 0; i < 4; ++i) all += take(reader)->text + " ";
    CHECK(all == "old old a0 a1 ");
}

TEST_CASE("lists take turns, and one that is empty is passed over") {
    const Scene scene;
    scene.fill("a", 2);
    scene.fill("b", 4);
    ListReader reader{scene.reading({{"a"}, {"b"}})};
    std::string all;
    for (int i = 0; i < 6; ++i) all += take(reader)->text + " ";
    CHECK(all == "a0 b0 a1 b1 b2 b3 ");
}

TEST_CASE("weights say how often a list is picked") {
    const Scene scene;
    scene.fill("a", 4000);
    scene.fill("b", 4000);
    auto options = scene.reading({{"a", 9}, {"b", 1}});
    options.pick = Pick::weighted_random;
    ListReader reader{std::move(options)};
    int from_a = 0;
    for (int i = 0; i < 3000; ++i) {
        const auto element = take(reader);
        REQUIRE(element);
        from_a += element->list == "a";
        reader.done(element->token);
    }
    CHECK(from_a > 2600);
    CHECK(from_a < 2800);
}

TEST_CASE("nothing is lost when the server is killed on the way") {
    Scene scene;
    constexpr int count = 3000;
    scene.fill("a", count);
    std::set<std::string> seen;
    int twice = 0;
    ListReader reader{scene.reading({{"a"}})};
    const auto work_until = [&](std::size_t enough) {
        while (seen.size() < enough) {
            const auto element = take(reader);
            REQUIRE(element);
            twice += !seen.insert(element->text).second;
            reader.done(element->token);
        }
    };
    work_until(count / 3);
    scene.server.kill();
    work_until(count / 3 + 1); // of those it has ahead
    CHECK(eventually([&] { return !reader.state().trouble.empty(); }));
    scene.server.start();
    work_until(count);
    CHECK(eventually([&] { return scene.length("a:processing:me") == 0; }));
    CHECK(scene.length("a") == 0);
    MESSAGE("elements that came twice: ", twice);
}

TEST_CASE("pushes arrive in order and lists keep the newest") {
    const Scene scene;
    for (const auto end : {ListWriter::End::right, ListWriter::End::left}) {
        scene.server.ask({"DEL", "out", "other"});
        ListWriter writer{{.server = {.port = scene.server.port()}, .end = end, .max_length = 3}};
        for (int i = 0; i < 5; ++i) {
            Push push{"out", std::to_string(i)};
            REQUIRE(writer.offer(push));
        }
        Push other{"other", "x"};
        REQUIRE(writer.offer(other));
        CHECK(eventually([&] { return writer.confirmed() == 6; }));
        CHECK(scene.items("out") == (end == ListWriter::End::right ? "2 3 4" : "4 3 2"));
        CHECK(scene.items("other") == "x");
    }
}

TEST_CASE("pushes wait for a server that is away, and none is lost") {
    Scene scene;
    ListWriter writer{{.server = {.port = scene.server.port()}, .window = 100}};
    std::uint64_t offered = 0;
    const auto offer = [&] {
        Push push{"out", std::to_string(offered)};
        if (!writer.offer(push)) return false;
        ++offered;
        return true;
    };
    REQUIRE(offer());
    CHECK(eventually([&] { return writer.confirmed() == 1; }));
    scene.server.kill();
    while (offer()) {
    }
    CHECK(writer.accepted() == 101);
    CHECK(eventually([&] { return !writer.trouble().empty(); }));
    scene.server.start();
    CHECK(eventually([&] { return writer.confirmed() == offered; }));
    CHECK(writer.trouble().empty());
    auto connection = Connection::open({.port = scene.server.port()}).value();
    std::set<std::string> there;
    const Reply all = connection->run(Command{"LRANGE", "out", "0", "-1"}).value();
    for (const Reply& each : all.list) there.insert(each.text);
    CHECK(there.size() == offered);
}

TEST_CASE("a list that takes nothing holds up its own pushes, and does not repeat the others") {
    const Scene scene;
    scene.server.ask({"SET", "bad", "text"});
    ListWriter writer{{.server = {.port = scene.server.port()}}};
    for (const char* list : {"good", "bad", "good"}) {
        Push push{list, "x"};
        REQUIRE(writer.offer(push));
    }
    CHECK(eventually([&] { return writer.trouble().find("WRONGTYPE") != std::string::npos; }));
    CHECK(writer.confirmed() == 1);
    scene.server.ask({"DEL", "bad"});
    CHECK(eventually([&] { return writer.confirmed() == 3; }));
    CHECK(scene.length("good") == 2);
    CHECK(scene.length("bad") == 1);
}
