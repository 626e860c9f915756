#pragma once

#include "cli/host.hpp"
#include "report/run.hpp"

#include <cstddef>

namespace hive::cli {

// What people see while a run goes on, on standard error: a view that is written over on a
// terminal, a line every few seconds elsewhere.
class RunView {
public:
    explicit RunView(Host& host, bool quiet) : host_{host}, quiet_{quiet} {}
    ~RunView() { clear(); }
    RunView(const RunView&) = delete;
    RunView& operator=(const RunView&) = delete;

    void note(const std::string& doing); // before there is anything to show
    void show(const report::Run& run);
    void clear(); // gone, as if it had never been

private:
    void draw(const std::vector<std::string>& lines);

    Host& host_;
    bool quiet_;
    std::size_t drawn_ = 0; // lines on the terminal
    TimePoint next_{};
};

// Of the terminal that standard error is; what most have where it is none.
struct TerminalSize {
    std::size_t width = 80;
    std::size_t height = 24;
};
TerminalSize terminal_size();

} // namespace hive::cli
