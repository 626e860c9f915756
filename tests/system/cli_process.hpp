#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hive::tests {

struct Outcome {
    int exit_code = -1; // 128 + signal when a signal ended it
    std::string out;
    std::string err;
};

// Runs to the end; throws std::runtime_error when it cannot start or takes longer than a minute.
// Standard input is empty. Of the environment only PATH is passed on, so that no HIVE_... variable
// of whoever runs the tests changes a result.
Outcome run_program(
    const std::vector<std::string>& argv, const std::map<std::string, std::string>& env = {});
Outcome run_hive(std::vector<std::string> args, const std::map<std::string, std::string>& env = {});
Outcome run_shell(const std::string& script); // bash; $HIVE is the program

// A directory of our own that goes with the object.
class ScratchDirectory {
public:
    ScratchDirectory();
    ~ScratchDirectory();
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;

    std::string path(std::string_view name = "") const { return (path_ / name).string(); }
    std::string write(std::string_view name, std::string_view text) const; // answers its path

private:
    std::filesystem::path path_;
};

bool has_program(const std::string& name); // on the PATH

} // namespace hive::tests
