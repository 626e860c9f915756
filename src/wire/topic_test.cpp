#include "wire/topic.hpp"

#include <doctest/doctest.h>

using namespace hive::wire;

TEST_CASE("a pattern without wildcards matches its own text only") {
    CHECK(Topic{"signal.swarm-start.a"}.is_literal());
    CHECK(topic_matches("a.b", "a.b"));
    CHECK(!topic_matches("a.b", "a"));
    CHECK(!topic_matches("a.b", "a.b.c"));
    CHECK(!topic_matches("a.b", "a.bc"));
}

TEST_CASE("a star stands for exactly one word") {
    CHECK(topic_matches("a.*.c", "a.b.c"));
    CHECK(topic_matches("*", "a"));
    CHECK(!topic_matches("a.*.c", "a.c"));
    CHECK(!topic_matches("a.*", "a.b.c"));
    CHECK(!topic_matches("a*", "ab"));
}

TEST_CASE("a hash stands for any number of words, also none") {
    CHECK(topic_matches("#", ""));
    CHECK(topic_matches("#", "a.b.c"));
    CHECK(topic_matches("a.#", "a"));
    CHECK(topic_matches("a.#", "a.b.c"));
    CHECK(topic_matches("#.c", "a.b.c"));
    CHECK(topic_matches("a.#.c", "a.c"));
    CHECK(topic_matches("a.#.c.#", "a.b.c.c.d"));
    CHECK(topic_matches("#.*", "a"));
    CHECK(!topic_matches("#.*", ""));
    CHECK(!topic_matches("a.#.c", "a.b"));
}

TEST_CASE("words may be empty, and the empty key has none") {
    CHECK(topic_matches("*.*", "a."));
    CHECK(topic_matches("a..b", "a..b"));
    CHECK(topic_matches("a.*.b", "a..b"));
    CHECK(!topic_matches("*", ""));
}

TEST_CASE("a pattern of many hashes is answered as fast as any other") {
    std::string pattern;
    std::string key;
    for (int i = 0; i < 500; ++i) {
        pattern += "#.a.";
        key += "a.";
    }
    // Going back to every hash would take longer than the age of the hive.
    CHECK(!topic_matches(pattern + "b", key + "c"));
    CHECK(topic_matches(pattern + "#", key + "c"));
}
