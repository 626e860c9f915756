#include "tests/simulation/agenda.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hive;
using namespace hive::simulation;
using namespace std::chrono_literals;

namespace {

struct Diary {
    Agenda agenda{};
    std::string pages{};

    Agenda::Ticket note(Duration at, char page) {
        return agenda.schedule(TimePoint{at}, [this, page] { pages += page; });
    }
    void live() {
        while (agenda.next()) agenda.take()();
    }
};

} // namespace

TEST_CASE("an agenda is worked off by time, and in order of scheduling at the same time") {
    Diary diary;
    diary.note(2s, 'c');
    diary.note(1s, 'a');
    diary.note(2s, 'd');
    diary.note(1s, 'b');
    diary.note(2s, 'e');
    CHECK(diary.agenda.next() == TimePoint{1s});
    diary.live();
    CHECK(diary.pages == "abcde");
}

TEST_CASE("a cancelled entry does not happen and frees nobody else's place") {
    Diary diary;
    diary.note(1s, 'a');
    const auto cancelled = diary.note(2s, 'x');
    diary.note(3s, 'c');
    diary.agenda.cancel(cancelled);
    diary.agenda.cancel(cancelled);
    CHECK(diary.agenda.size() == 2);
    diary.note(2s, 'b');
    diary.live();
    CHECK(diary.pages == "abc");
    CHECK(diary.agenda.size() == 0);
}

TEST_CASE("a ticket that was used does not cancel a later entry") {
    Diary diary;
    const auto used = diary.note(1s, 'a');
    diary.live();
    diary.note(1s, 'b');
    diary.agenda.cancel(used);
    diary.live();
    CHECK(diary.pages == "ab");
}

TEST_CASE("an action may schedule more for the same moment") {
    Diary diary;
    diary.agenda.schedule(TimePoint{1s}, [&] {
        diary.pages += 'a';
        diary.note(1s, 'c');
    });
    diary.note(1s, 'b');
    diary.live();
    CHECK(diary.pages == "abc");
}
