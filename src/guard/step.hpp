#pragma once

#include "guard/settings.hpp"
#include "guard/state.hpp"

#include <string>
#include <utility>
#include <vector>

namespace hive::guard {

// One decision being made. The parts of decide() share it; nobody else includes this.
struct Step {
    State& state;
    TimePoint now;
    const Settings& settings;
    std::vector<Command>& out;

    void warn(std::string code, std::string text) {
        out.emplace_back(Warn{std::move(code), std::move(text)});
    }
    void note(std::string code, std::string text) {
        out.emplace_back(Note{std::move(code), std::move(text)});
    }
    // Seconds between two decisions: the interval, in whole samples.
    double period() const;
    // The last of what is known: now, and what was put in until now.
    Reading here() const { return {now, 0, state.sent}; }
};

// phases.cpp
Phase next_phase(const Step& step);
void enter(Step& step, Phase phase);
double target_in(const Step& step, Phase phase);
bool presses(const Step& step); // what is further on is too full

// steer.cpp
void take_note_of_sent(Step& step);
void run_at(Step& step, double rate);
void steer(Step& step, bool changed); // `changed`: the phase did
void move_moderator(Step& step);

// episodes.cpp
void explain_bracket(Step& step);
void notice_missing(Step& step, bool depth_known, bool behind_known);

} // namespace hive::guard
