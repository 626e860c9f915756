#include "colony/files/git/git_log.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hive;
using namespace hive::colony::files::git;
using namespace std::chrono_literals;
using namespace std::string_literals;

TEST_CASE("a log that is cut off or odd is read as far as it goes") {
    CHECK(times_in("").empty());
    CHECK(times_in("A\0a.md\0"s).empty()); // of no commit
    CHECK(times_in("\x01nonsense\0\nA\0a.md\0"s).empty());
    CHECK(times_in("\x01"
                   "99999999999999\0\nA\0a.md\0"s)
              .empty());
    CHECK(
        times_in("\x01"
                 "100\0\nR100\0gone.md\0b.md\0"s)
            .at("b.md") == Timestamp{100s});
    CHECK(times_in("\x01"
                   "100\0\nA\0a.md"s)
              .contains("a.md"));
    CHECK(times_in("\x01"
                   "100\0\nA"s)
              .contains(""));
}
