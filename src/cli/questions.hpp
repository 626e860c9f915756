#pragma once

#include "importer/scaffold.hpp"
#include "kernel/clock.hpp"
#include "kernel/result.hpp"

#include <functional>
#include <optional>
#include <string>

namespace hive::cli {

// What is said of a new scenario, by flag or by answer; what is empty is left to the usual.
struct NewScenarioFlags {
    std::string kind = "http";
    std::string url{};
    std::string method{};
    std::string rate{};
    std::optional<Duration> duration{};
};
Result<importer::ScaffoldWish> wish_of(std::string id, const NewScenarioFlags& flags);

struct Question {
    std::string text{};
    std::string usual{}; // what an empty answer stands for
};
std::string prompt_of(const Question& question); // "Calls per second [50]: "

using Ask = std::function<std::optional<std::string>(const Question&)>; // none: nobody answers

struct AskedScenario {
    std::string path{};
    NewScenarioFlags flags{};
};
// The kind first, for what is asked next depends on it; what flags say is the usual answer.
Result<AskedScenario> ask_for_scenario(const NewScenarioFlags& flags, const Ask& ask);

// Lines of a terminal, as they are typed.
class LineReader {
public:
    explicit LineReader(int descriptor) : descriptor_{descriptor} {}
    std::optional<std::string> next(); // none at the end

private:
    int descriptor_;
};

} // namespace hive::cli
