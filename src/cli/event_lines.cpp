#include "cli/event_lines.hpp"

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"

#include <fmt/format.h>

#include <charconv>
#include <mutex>
#include <thread>

namespace hive::cli {

void EventLines::take(std::string_view bytes) {
    rest_ += bytes;
    std::size_t begin = 0;
    for (auto end = rest_.find('\n'); end != rest_.npos; end = rest_.find('\n', begin)) {
        take_line(std::string_view{rest_}.substr(begin, end - begin));
        begin = end + 1;
    }
    rest_.erase(0, begin);
}

void EventLines::take_line(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with("id:")) {
        line.remove_prefix(line.starts_with("id: ") ? 4 : 3);
        std::from_chars(line.data(), line.data() + line.size(), last_);
    } else if (line.starts_with("data:")) {
        data_ += line.substr(line.starts_with("data: ") ? 6 : 5);
    } else if (line.empty() && !data_.empty()) {
        const auto event = parse_json(std::exchange(data_, {}));
        if (!event || !event->is_object()) return;
        // Around what happened: its number and topic. A gap has nothing inside.
        const auto* what = event->as_object().if_contains("data");
        if (what != nullptr && what->is_object()) handler_(what->as_object());
    }
}

int follow_events(
    const Following& following, const std::string& topics, const EventLines::Handler& handler) {
    auto& [host, server, signals] = following;
    std::mutex printing;
    const SignalWatch watch{
        signals,
        [&](int) -> std::optional<Duration> {
            const std::lock_guard whole_lines{printing};
            leave_program(host);
        },
        [] {}};
    EventLines lines{handler};
    bool away = false;
    while (host.out) {
        std::string path = "/api/v1/events?topics=" + percent_encoded(topics);
        if (lines.last() != 0) path += fmt::format("&since={}", lines.last());
        const auto answer = server.ask(
            {.path = path, .within = std::chrono::hours{24}, .sink = [&](std::string_view bytes) {
                 const std::lock_guard whole_lines{printing};
                 away = false;
                 lines.take(bytes);
                 host.out.flush();
                 return static_cast<bool>(host.out);
             }});
        if (!host.out) break;
        if (answer && answer->status >= 400 && answer->status < 500) {
            return report(host, server.error_of(*answer));
        }
        if (!away) host.err << "The server is away; going on when it is back.\n";
        away = true;
        std::this_thread::sleep_for(std::chrono::seconds{1});
    }
    return exit_broken_pipe;
}

} // namespace hive::cli
