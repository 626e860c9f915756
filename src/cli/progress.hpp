#pragma once

#include "cli/host.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace hive::cli {

// For work that may take long: a line on the terminal that is written over and gone at the end.
// Silent where standard error is no terminal, and for the first half second.
class Progress {
public:
    Progress(Host& host, std::string doing);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void at(std::uint64_t done, std::uint64_t all); // all 0: nobody knows

private:
    Host& host_;
    std::string doing_;
    TimePoint next_;
    bool shown_ = false;
};

} // namespace hive::cli
