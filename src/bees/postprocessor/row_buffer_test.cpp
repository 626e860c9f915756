#include "bees/postprocessor/row_buffer.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::bees;
using namespace std::chrono_literals;

namespace {

TimePoint at(Duration time) {
    return TimePoint{time};
}

} // namespace

TEST_SUITE("rows on their way") {
    TEST_CASE("a batch goes when it is full, or when its oldest row has waited long enough") {
        RowBuffer rows{{.batch_rows = 2, .rows_max = 10, .flush_every = 1s}};
        rows.add("a", at(10s));
        CHECK_FALSE(rows.next(at(10900ms)));
        CHECK(rows.wake() == at(11s));
        CHECK(rows.next(at(11s)) == "a\n");
        rows.add("b", at(12s));
        rows.add("c", at(12s));
        rows.add("d", at(12s));
        CHECK_FALSE(rows.next(at(12s))); // one at a time
        rows.written();
        CHECK(rows.next(at(12s)) == "b\nc\n");
        rows.written();
        CHECK_FALSE(rows.next(at(12s)));
        CHECK(rows.next(at(13s)) == "d\n");
        rows.written();
        CHECK(rows.written_rows() == 4);
        CHECK(rows.waiting() == 0);
        CHECK_FALSE(rows.wake());
    }
    TEST_CASE(
        "what was refused is sent again, the same rows first, after longer and longer pauses") {
        RowBuffer rows{{.batch_rows = 2, .flush_every = 1s, .retry_first = 1s, .retry_most = 3s}};
        rows.add("a", at(10s));
        rows.add("b", at(10s));
        TimePoint now = at(10s);
        for (const Duration pause : {1s, 2s, 3s, 3s}) {
            REQUIRE(rows.next(now) == "a\nb\n");
            rows.refused(now);
            rows.add("later", now);
            CHECK(rows.wake() == now + pause);
            CHECK_FALSE(rows.next(now + pause - 1ms));
            now += pause;
        }
        CHECK(rows.next(now) == "a\nb\n");
        rows.written();
        rows.refused(now); // the pause begins anew
        CHECK(rows.wake() == now + 1s);
        CHECK(rows.refusals() == 5);
    }
    TEST_CASE("beyond its bound the oldest rows go, but none that is under way") {
        RowBuffer rows{{.batch_rows = 2, .rows_max = 3, .flush_every = 1s}};
        rows.add("a", at(1s));
        rows.add("b", at(1s));
        REQUIRE(rows.next(at(1s)) == "a\nb\n");
        rows.add("c", at(1s));
        rows.add("d", at(1s));
        rows.add("e", at(1s));
        CHECK(rows.dropped_rows() == 2);
        CHECK(rows.waiting() == 3);
        rows.written();
        rows.flush(at(1s));
        CHECK(rows.next(at(1s)) == "e\n");
    }
    TEST_CASE("the rest is all that is not under way") {
        RowBuffer rows{{.batch_rows = 1, .flush_every = 1h}};
        rows.add("a", at(1s));
        rows.add("b", at(1s));
        rows.add("c", at(1s));
        REQUIRE(rows.next(at(1s)) == "a\n");
        CHECK(rows.rest() == "b\nc\n");
        CHECK(rows.under_way() == 3);
    }
}
