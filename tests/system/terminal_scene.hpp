#pragma once

#include "tests/support/places.hpp"
#include "tests/system/cli_process.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace hive::test {

// A real terminal of a given size, which a program is typed into.
class Terminal {
public:
    Terminal(int width, int height) : width_{width} {
        // A shell that says nothing of its own but `$ `.
        tmux(
            {"-f", "/dev/null", "new-session", "-d", "-x", std::to_string(width), "-y",
             std::to_string(height), "env PS1='$ ' LANG=C.UTF-8 bash --norc --noprofile"});
        until("a prompt", [](const std::string& text) { return text.starts_with("$"); });
    }
    ~Terminal() { tmux({"kill-server"}, false); }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    void type(const std::string& line) const {
        tmux({"send-keys", "-l", line});
        tmux({"send-keys", "Enter"});
    }
    void press(const std::string& key) const { tmux({"send-keys", key}); }

    std::string shown() const { return tmux({"capture-pane", "-p"}); }
    std::vector<std::string> lines() const {
        std::istringstream text{shown()};
        std::vector<std::string> out;
        for (std::string line; std::getline(text, line);) out.push_back(line);
        return out;
    }
    // What it shows then; a test that waits in vain fails with what is there instead.
    std::string
    until(const std::string& what, const std::function<bool(const std::string&)>& holds) const {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{30};
        for (;;) {
            std::string text = shown();
            if (holds(text)) return text;
            REQUIRE_MESSAGE(
                std::chrono::steady_clock::now() < deadline, what, " at width ", width_, ":\n",
                text);
            std::this_thread::sleep_for(std::chrono::milliseconds{20});
        }
    }
    std::string until_shows(const std::string& part) const {
        return until(part, [&](const std::string& text) { return text.find(part) != text.npos; });
    }

private:
    std::string tmux(std::vector<std::string> args, bool must = true) const {
        std::vector<std::string> argv{"tmux", "-u", "-S", files_.path("socket")};
        argv.insert(argv.end(), args.begin(), args.end());
        const auto done = tests::run_program(
            argv, {{"TERM", "xterm-256color"}, {"LANG", "C.UTF-8"}, {"HOME", files_.path()}});
        if (must)
            REQUIRE_MESSAGE(done.exit_code == 0, fmt::format("{}", fmt::join(argv, " ")), done.err);
        return done.out;
    }

    int width_;
    tests::ScratchDirectory files_{};
};

} // namespace hive::test
