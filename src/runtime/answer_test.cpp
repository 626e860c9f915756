#include "runtime/answer.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace hive;
using namespace hive::runtime;

namespace {

struct Asker {
    std::vector<Status> heard{};

    AnswerPtr ask() {
        return make_answer([this](Status status) { heard.push_back(std::move(status)); });
    }
};

} // namespace

TEST_CASE("an answer is told once") {
    Asker asker;
    {
        const AnswerPtr answer = asker.ask();
        answer->tell({});
        answer->tell(fail(Errc::invalid, "too late"));
    }
    REQUIRE(asker.heard.size() == 1);
    CHECK(asker.heard[0].has_value());
}

TEST_CASE("an answer that is dropped says that the runtime has gone") {
    Asker asker;
    asker.ask().reset();
    REQUIRE(asker.heard.size() == 1);
    REQUIRE(!asker.heard[0].has_value());
    CHECK(asker.heard[0].error().code == Errc::closed);
}

TEST_CASE("nobody has to listen to an answer") {
    make_answer(nullptr)->tell({});
}

TEST_CASE("gathered answers are told when the last one is there, with the first error") {
    Asker asker;
    const auto done = gather(3, asker.ask());
    done({});
    done(fail(Errc::timeout, "first"));
    CHECK(asker.heard.empty());
    done(fail(Errc::denied, "second"));
    REQUIRE(asker.heard.size() == 1);
    REQUIRE(!asker.heard[0].has_value());
    CHECK(asker.heard[0].error().detail == "first");
}
