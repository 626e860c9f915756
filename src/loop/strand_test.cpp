#include "loop/strand.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>

using namespace hive;
using namespace std::chrono_literals;

TEST_SUITE("loop") {
    TEST_CASE("the tasks of a strand run one after another, in the order of their posting") {
        loop::Loop loop{4};
        loop::Strand strand{loop};
        std::vector<int> seen;
        std::promise<void> done;
        std::atomic<int> inside{0};
        bool alone = true;
        for (int i = 0; i < 1000; ++i) {
            strand.post([&, i] {
                alone = alone && inside.fetch_add(1) == 0;
                seen.push_back(i);
                inside.fetch_sub(1);
                if (i == 999) done.set_value();
            });
        }
        REQUIRE(done.get_future().wait_for(10s) == std::future_status::ready);
        CHECK(alone);
        CHECK(seen.size() == 1000);
        CHECK(std::ranges::is_sorted(seen));
    }

    TEST_CASE("two strands run at the same time") {
        loop::Loop loop{2};
        loop::Strand first{loop};
        loop::Strand second{loop};
        std::promise<void> met;
        std::promise<void> done;
        first.post([&] {
            met.get_future().wait();
            done.set_value();
        });
        second.post([&] { met.set_value(); });
        CHECK(done.get_future().wait_for(10s) == std::future_status::ready);
    }

    TEST_CASE("a task may come later, or again and again") {
        loop::Loop loop{2};
        loop::Strand strand{loop};
        std::promise<void> later;
        strand.after(5ms, [&] { later.set_value(); });
        CHECK(later.get_future().wait_for(10s) == std::future_status::ready);
        std::promise<void> thrice;
        int count = 0;
        strand.every(1ms, [&] {
            if (++count == 3) thrice.set_value();
        });
        CHECK(thrice.get_future().wait_for(10s) == std::future_status::ready);
    }

    TEST_CASE("after close no task runs, and what it held is let go") {
        loop::Loop loop{2};
        auto held = std::make_shared<int>(1);
        {
            loop::Strand strand{loop};
            std::atomic<bool> running{false};
            std::atomic<bool> ended{false};
            strand.post([&] {
                running = true;
                std::this_thread::sleep_for(20ms);
                ended = true;
            });
            while (!running) std::this_thread::yield();
            strand.after(1h, [held] {});
            strand.every(1h, [held] {});
            strand.close();
            CHECK(ended);
        }
        for (int i = 0; i < 5000 && held.use_count() > 1; ++i) std::this_thread::sleep_for(1ms);
        CHECK(held.use_count() == 1);
    }

    TEST_CASE("a task may close its own strand, and a poster may outlive it") {
        loop::Loop loop{1};
        auto strand = std::make_unique<loop::Strand>(loop);
        const auto post = strand->poster();
        std::promise<void> closed;
        strand->post([&] {
            strand->close();
            closed.set_value();
        });
        REQUIRE(closed.get_future().wait_for(10s) == std::future_status::ready);
        strand.reset();
        post([] { FAIL("ran after the strand had gone"); });
    }

    TEST_CASE("a poster on another thread may be at it while strand and loop end") {
        for (int round = 0; round < 200; ++round) {
            std::atomic<bool> stop{false};
            auto loop = std::make_unique<loop::Loop>(1);
            auto strand = std::make_unique<loop::Strand>(*loop);
            std::thread other{[&stop, post = strand->poster()] {
                while (!stop) post([] {});
            }};
            std::this_thread::yield();
            strand.reset();
            loop.reset();
            stop = true;
            other.join();
        }
    }
}
