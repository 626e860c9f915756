#include "api/events.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::api;

namespace {

bool matches(std::string_view pattern, std::string_view topic) {
    const auto parsed = TopicPattern::parse(pattern);
    REQUIRE(parsed);
    return parsed->matches(topic);
}

std::vector<std::uint64_t> numbers(const Backlog& backlog) {
    std::vector<std::uint64_t> out;
    for (const auto& event : backlog.events) out.push_back(event->sequence);
    return out;
}

} // namespace

TEST_CASE("patterns match word by word, as on the broker") {
    CHECK(matches("a.b", "a.b"));
    CHECK_FALSE(matches("a.b", "a.b.c"));
    CHECK_FALSE(matches("a.b", "a"));
    CHECK(matches("*.b", "a.b"));
    CHECK_FALSE(matches("*", "a.b"));
    CHECK(matches("#", "a.b.c"));
    CHECK(matches("#", ""));
    CHECK(matches("a.#", "a"));
    CHECK(matches("a.#", "a.b.c"));
    CHECK(matches("#.c", "a.b.c"));
    CHECK(matches("a.#.c", "a.c"));
    CHECK(matches("a.#.c", "a.b.c.b.c"));
    CHECK_FALSE(matches("a.#.c", "a.b.c.b"));
    CHECK(matches("#.b.#", "a.b.c"));
    CHECK(matches("#.#", "a"));
    CHECK(matches("*.#.*", "a.b"));
    CHECK_FALSE(matches("*.#.*", "a"));
}

TEST_CASE("a pattern that cannot match anything sensible is refused") {
    for (const std::string_view bad : {"", ".", "a.", ".a", "a..b", "a*", "#x", "a b", "a/b"}) {
        CAPTURE(bad);
        CHECK_FALSE(TopicPattern::parse(bad));
    }
    CHECK_FALSE(TopicPattern::parse(std::string(300, 'a')));
}

TEST_CASE("subscriptions add up, are bounded, and can be taken back") {
    Subscriptions topics;
    CHECK(topics.add("task.#"));
    CHECK(topics.add("task.#"));
    CHECK(topics.size() == 1);
    CHECK(topics.wants("task.claimed"));
    CHECK_FALSE(topics.wants("bee.joined"));
    CHECK(topics.remove("task.#"));
    CHECK_FALSE(topics.remove("task.#"));
    for (std::size_t i = 0; i < Subscriptions::max; ++i)
        CHECK(topics.add("t." + std::to_string(i)));
    CHECK(topics.add("one.more").error().code == Errc::limit);
}

TEST_CASE("a client resumes exactly behind what it has seen") {
    EventWindow window{10, 1000};
    CHECK(window.last() == 0);
    CHECK(numbers(window.since(0, 100)).empty());
    for (int i = 0; i < 5; ++i) window.append("t", "{}");
    CHECK(numbers(window.since(0, 100)) == std::vector<std::uint64_t>{1, 2, 3, 4, 5});
    CHECK(numbers(window.since(3, 100)) == std::vector<std::uint64_t>{4, 5});
    CHECK(numbers(window.since(5, 100)).empty());
    CHECK(numbers(window.since(1, 2)) == std::vector<std::uint64_t>{2, 3});
    CHECK_FALSE(window.since(0, 100).gap);
}

TEST_CASE("what the window has forgotten is named as a gap") {
    EventWindow window{3, 1000};
    for (int i = 0; i < 10; ++i) window.append("t", "{}");
    const Backlog backlog = window.since(2, 100);
    CHECK(backlog.gap == Gap{3, 7});
    CHECK(numbers(backlog) == std::vector<std::uint64_t>{8, 9, 10});
    CHECK_FALSE(window.since(7, 100).gap);
    // Numbers from another life of the server.
    CHECK(window.since(99, 100).gap == Gap{1, 7});
}

TEST_CASE("a number of another life has a gap behind it, zero is the beginning of this one") {
    EventWindow window{10, 1000, 1'000'000};
    CHECK(window.last() == 999'999);
    CHECK(window.since(7, 100).gap == Gap{8, 999'999}); // before anything happened
    for (int i = 0; i < 3; ++i) window.append("t", "{}");
    CHECK(window.appended() == 3);
    const Backlog earlier = window.since(7, 100);
    CHECK(earlier.gap == Gap{8, 999'999});
    CHECK(numbers(earlier) == std::vector<std::uint64_t>{1'000'000, 1'000'001, 1'000'002});
    CHECK(window.since(2'000'000, 100).gap == Gap{1, 999'999}); // a clock that was set back
    CHECK_FALSE(window.since(0, 100).gap);
    CHECK(numbers(window.since(0, 100)).size() == 3);
    CHECK(numbers(window.since(1'000'001, 100)) == std::vector<std::uint64_t>{1'000'002});
}

TEST_CASE("the window is bounded in bytes as well, and keeps at least the last event") {
    EventWindow window{100, 10};
    window.append("t", "12345");
    window.append("t", "12345");
    window.append("t", "1");
    CHECK(numbers(window.since(0, 100)) == std::vector<std::uint64_t>{2, 3});
    window.append("t", std::string(50, 'x'));
    CHECK(numbers(window.since(0, 100)) == std::vector<std::uint64_t>{4});
}
