#include "cli/device_login.hpp"

#include "cli/server_client.hpp"
#include "cli/signals.hpp"
#include "cli/text_table.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>

namespace hive::cli {
namespace {

using std::chrono::seconds;

constexpr unsigned silences_max = 3; // polls in a row without any answer

// Whatever a server says: never hammer it, never wait for ever.
Duration sane_interval(std::int64_t said) {
    return seconds{std::clamp<std::int64_t>(said, 1, 60)};
}

struct Begun {
    std::string device_code;
    std::string user_code;
    std::string page;
    Duration interval;
    TimePoint expires;
};

Result<Begun> begin(ServerClient& client, const Host& host) {
    auto told = client.post("/api/v1/login/device");
    if (!told) return fail(told.error());
    const json::object& login = told->as_object();
    constexpr std::int64_t longest = 3600;
    return Begun{
        .device_code = member_text(login, "deviceCode"),
        .user_code = member_text(login, "userCode"),
        .page = member_text(login, "verificationUriComplete"),
        .interval = sane_interval(login.at("interval").to_number<std::int64_t>()),
        .expires =
            host.clock.now() + seconds{std::clamp<std::int64_t>(
                                   login.at("expiresIn").to_number<std::int64_t>(), 1, longest)}};
}

Duration slower(const web::Answer& answer, Duration interval) {
    const auto said = std::ranges::find(answer.headers, "retry-after", &web::Field::name);
    std::int64_t wanted = 0;
    if (said != answer.headers.end()) {
        std::from_chars(said->value.data(), said->value.data() + said->value.size(), wanted);
    }
    // RFC 8628, 3.5: five seconds more, unless the server says how much.
    return std::max(sane_interval(wanted), interval + (wanted > 0 ? seconds{0} : seconds{5}));
}

// The key, an error that ends it, or nothing yet.
Result<std::optional<Secret>>
read_poll(const ServerClient& client, const web::Answer& answer, Duration& interval) {
    if (answer.status == 201) {
        auto minted = parse_json(answer.body);
        if (!minted || !minted->is_object()) return fail(client.error_of(answer));
        return Secret{member_text(minted->get_object(), "key")};
    }
    const auto problem = ServerClient::problem_of(answer);
    if (problem.code == "authorization-pending") return std::nullopt;
    if (problem.code == "slow-down" || answer.status == 429) {
        interval = slower(answer, interval);
        return std::nullopt;
    }
    if (problem.code == "access-denied") {
        return fail(Errc::denied, "the login was refused in the browser");
    }
    if (problem.code == "expired-token") {
        return fail(Errc::timeout, "nobody approved the login in time; run 'hive login' again");
    }
    return fail(client.error_of(answer));
}

} // namespace

Result<Secret> log_in_device(const Connection& connection, Host& host) {
    const SignalWait signals; // before the client starts its thread
    auto client = ServerClient::open(connection);
    if (!client) return fail(client.error());
    auto begun = begin(*client, host);
    if (!begun) return fail(begun.error());
    host.err << fmt::format(
        "Open  {}\nand approve the code  {}\nWaiting; Ctrl-C gives up.\n",
        printable(begun->page, 1000), printable(begun->user_code));
    const std::string body = to_text(json::object{{"deviceCode", begun->device_code}});
    unsigned silences = 0;
    while (host.clock.now() < begun->expires) {
        if (signals.next_within(begun->interval)) return fail(Errc::closed, "interrupted");
        auto answer =
            client->ask({.method = "POST", .path = "/api/v1/login/device/token", .body = body});
        if (!answer) {
            if (++silences == silences_max) return fail(answer.error());
            continue;
        }
        silences = 0;
        auto key = read_poll(*client, *answer, begun->interval);
        if (!key) return fail(key.error());
        if (*key) return std::move(**key);
    }
    return fail(Errc::timeout, "nobody approved the login in time; run 'hive login' again");
}

} // namespace hive::cli
