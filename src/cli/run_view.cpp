#include "cli/run_view.hpp"

#include "report/screen.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace hive::cli {
namespace {

constexpr Duration redraw_every = std::chrono::milliseconds{250};
constexpr Duration line_every = std::chrono::seconds{5};

} // namespace

TerminalSize terminal_size() {
    winsize size{};
    if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) {
        return {};
    }
    return {size.ws_col, size.ws_row};
}

void RunView::note(const std::string& doing) {
    if (quiet_ || !host_.progress) return;
    draw({doing});
}

void RunView::show(const report::Run& run) {
    const TimePoint now = host_.clock.now();
    if (quiet_ || now < next_) return;
    if (host_.progress) {
        next_ = now + redraw_every;
        const auto [width, height] = terminal_size();
        // One row stays free for the cursor, which would scroll the view away otherwise.
        draw(report::screen(run, {width, height - 1, host_.colors}));
    } else if (!run.moments.empty()) {
        next_ = now + line_every;
        host_.err << report::plain_line(run) << '\n' << std::flush;
    }
}

// In one piece, so that the terminal never shows half a view.
void RunView::draw(const std::vector<std::string>& lines) {
    std::string text;
    if (drawn_ > 0) text += fmt::format("\x1b[{}A", drawn_);
    for (const std::string& line : lines) text += fmt::format("\r\x1b[K{}\n", line);
    text += "\x1b[J"; // what a longer view has left below
    drawn_ = lines.size();
    host_.err << text << std::flush;
}

void RunView::clear() {
    if (drawn_ == 0) return;
    host_.err << fmt::format("\x1b[{}A\r\x1b[J", drawn_) << std::flush;
    drawn_ = 0;
}

} // namespace hive::cli
