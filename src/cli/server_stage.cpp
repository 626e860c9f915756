#include "cli/server_stage.hpp"

#include "controller/topology.hpp"
#include "run/fitting.hpp"
#include "scenario/files.hpp"
#include "wire/envelope_codec.hpp"
#include "wire/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::cli {
namespace {

using namespace std::chrono_literals;

// Everything that is asked ends by itself before this.
constexpr Duration patience = 6min;
constexpr Duration look_patience = 5s; // a network is between us
constexpr Duration ask_again = 1s;     // the feed may have begun only after the answer
constexpr Duration feed_within = 24h * 31;
// Servers let a key ask so often and no more.
constexpr Duration between_looks = 200ms;
// A controller counts its queues every two seconds, so an empty one may have been filled since.
constexpr Duration counts_are_old = 2500ms;
constexpr std::size_t event_bytes_max = std::size_t{16} << 20U;
constexpr JsonLimits status_limits{.bytes = event_bytes_max};

bool is_read(const controller::Template& layout, const std::string& queue) {
    return std::ranges::any_of(layout.bees, [&](const controller::BeeSpec& bee) {
        return std::ranges::any_of(
            bee.in, [&](const controller::Port& port) { return port.queue.text() == queue; });
    });
}

std::string text_in(const json::object& from, std::string_view name) {
    const auto* value = from.if_contains(name);
    return value != nullptr && value->is_string() ? std::string{value->get_string()} : "";
}

// By the scenario's names of the queues.
void read_depths(const wire::Envelope& envelope, std::map<std::string, std::uint64_t>& depths) {
    const auto* full = std::get_if<wire::StatusFull>(&envelope.body);
    const auto* stats =
        full != nullptr && full->context ? full->context->if_contains("queueStats") : nullptr;
    if (stats == nullptr || !stats->is_object()) return;
    depths.clear();
    for (const auto& [name, one] : stats->get_object()) {
        const auto* depth = one.is_object() ? one.get_object().if_contains("depth") : nullptr;
        if (depth == nullptr || !depth->is_number()) continue;
        const std::string queue{name};
        depths[queue.substr(queue.rfind('.') + 1)] =
            static_cast<std::uint64_t>(depth->to_number<double>());
    }
}

bool is_loopback(const std::string& server) {
    const auto url = Url::parse(server);
    return url &&
           (url->host() == "localhost" || url->host() == "::1" || url->host().starts_with("127."));
}

// Bees read their files where they run.
Status check_files(const json::object& text, const std::string& server) {
    if (is_loopback(server)) return {};
    for (const auto& bee : text.at("bees").as_array()) {
        json::object config = bee.at("config").as_object();
        for (const auto& setting : scenario::file_settings()) {
            const json::string* path = scenario::text_at(config, setting.path);
            if (path == nullptr || path->empty()) continue;
            return fail(
                Errc::invalid,
                fmt::format(
                    "{}: bees read {} where they run, and {} has no such file; put the scenario "
                    "on that server and make a swarm of it with hive swarm create --scenario",
                    std::string_view{bee.at("id").as_string()}, setting.path, server));
        }
    }
    return {};
}

} // namespace

Result<Connection> connection_of(const std::string& server, const Host& host) {
    ClientConfig config;
    if (server.find("://") != std::string::npos) {
        auto url = Url::parse(server);
        if (!url) return fail(Errc::invalid, "--server: " + url.error().detail);
        if (auto address = server_address(*url); !address) {
            return fail(Errc::invalid, "--server: " + address.error().detail);
        }
        config.server = *std::move(url);
    } else {
        config.profile = server;
    }
    if (const auto key = host.env("HIVE_KEY")) config.key = Secret{*key};
    return resolve_connection(config, host);
}

Result<std::unique_ptr<ServerStage>>
ServerStage::open(const Connection& connection, const SwarmId& swarm, const Clock& clock) {
    auto client = ServerClient::open(connection);
    if (!client) return fail(client.error());
    std::unique_ptr<ServerStage> stage{
        new ServerStage{connection, *std::move(client), swarm, clock}};
    auto feed = web::curl::CurlClient::open({.ca_file = connection.ca_file, .under_way = 1});
    if (!feed) return fail(feed.error());
    stage->feed_ = *std::move(feed);
    stage->open_feed();
    return stage;
}

ServerStage::~ServerStage() {
    if (feed_) feed_->close(Duration::zero());
}

std::string ServerStage::path(std::string_view rest) const {
    return fmt::format("/api/v1/swarms/{}{}", swarm_.text(), rest);
}

void ServerStage::open_feed() {
    {
        const std::lock_guard lock{heard_->mutex};
        heard_->feed_end.clear();
        heard_->unread.clear();
    }
    web::Request request{
        .url = fmt::format(
            "{}/api/v1/events?topics={}", connection_.server,
            percent_encoded(fmt::format("control.event.*.*.{}.#", swarm_.text()))),
        .headers = {{"Authorization", fmt::format("Bearer {}", connection_.key.reveal())}},
        .within = feed_within,
        .sink = [this, heard = heard_](std::string_view bytes) {
            const std::lock_guard lock{heard->mutex};
            heard->unread += bytes;
            for (auto end = heard->unread.find('\n'); end != heard->unread.npos;
                 end = heard->unread.find('\n')) {
                hear(std::string_view{heard->unread}.substr(0, end));
                heard->unread.erase(0, end + 1);
            }
            heard->changed.notify_all();
            return heard->unread.size() <= event_bytes_max;
        }};
    feed_->send(std::move(request), [heard = heard_](const Result<web::Answer>& ended) {
        const std::lock_guard lock{heard->mutex};
        heard->feed_end =
            !ended ? ended.error().detail : fmt::format("the server ended it ({})", ended->status);
        heard->changed.notify_all();
    });
}

// What does not follow the contract is none of a run's business. The lock is held.
void ServerStage::hear(std::string_view line) const {
    constexpr std::string_view begin = "data: ";
    if (!line.starts_with(begin)) return;
    const auto event = parse_json(line.substr(begin.size()), status_limits);
    if (!event || !event->is_object()) return;
    const auto* data = event->get_object().if_contains("data");
    if (data == nullptr) return;
    const auto envelope = wire::decode_envelope(to_text(*data), status_limits);
    if (!envelope || envelope->scope.swarm.text() != swarm_.text()) return;
    if (const auto* alert = std::get_if<wire::Alert>(&envelope->body)) {
        const bool of_swarm = wire::is_controller(envelope->scope.role);
        if (of_swarm && alert->level == wire::AlertLevel::error && heard_->trouble.empty()) {
            heard_->trouble = alert->message;
        }
        return;
    }
    if (wire::is_controller(envelope->scope.role)) read_depths(*envelope, heard_->depths);
    if (auto guards = run::guards_of(*envelope); !guards.empty()) {
        heard_->guards = std::move(guards);
    }
    if (auto bee = run::bee_of(*envelope)) {
        std::string instance = bee->instance;
        heard_->bees.insert_or_assign(std::move(instance), *std::move(bee));
    }
}

// Until what was accepted has ended, in short questions.
Status ServerStage::settle(const Result<json::value>& accepted) {
    if (!accepted) return fail(accepted.error());
    const std::string id = text_in(accepted->as_object(), "correlationId");
    const TimePoint deadline = clock_.now() + patience;
    while (clock_.now() < deadline) {
        const auto answer = client_.get("/api/v1/commands/" + id, {{"wait", "10s"}});
        if (!answer) return fail(answer.error());
        const json::object& outcome = answer->as_object();
        const auto* succeeded = outcome.if_contains("succeeded");
        if (succeeded == nullptr) continue;
        if (*succeeded == true) return {};
        const std::string reason = text_in(outcome, "reason");
        return fail(Errc::unavailable, reason.empty() ? "the swarm did not answer" : reason);
    }
    return fail(Errc::timeout, "the swarm did not answer");
}

Status ServerStage::create(const json::object& text, const json::object& plan) {
    auto layout = controller::read_template(swarm_, text);
    if (!layout) return fail(layout.error());
    layout_ = *std::move(layout);
    if (auto ok = check_files(text, connection_.server); !ok) return ok;
    const auto accepted = client_.post(
        "/api/v1/swarms", json::object{
                              {"id", swarm_.text()},
                              {"template", text},
                              {"plan", plan},
                              {"labels", {{"by", "hive run"}}}});
    created_ = accepted.has_value(); // else it may be somebody else's
    return settle(accepted);
}

Status ServerStage::start() {
    return settle(client_.post(path("/start")));
}

Status ServerStage::hold(bool hold) {
    draining_ = hold;
    for (const controller::BeeSpec& bee : layout_.bees) {
        if (!bee.in.empty()) continue;
        auto ok = settle(client_.post(
            path(fmt::format("/components/{}/{}/config", bee.role.text(), bee.instance.text())),
            run::hold_patch(hold)));
        if (!ok) return ok;
    }
    return {};
}

void ServerStage::wait_for_turn() {
    if (looked_at_) {
        std::unique_lock lock{heard_->mutex};
        const Duration left = *looked_at_ + between_looks - clock_.now();
        if (left > Duration::zero()) heard_->changed.wait_for(lock, left, [] { return false; });
    }
    looked_at_ = clock_.now();
}

// Until every bee has spoken, or nobody waits any longer for those who do not.
Status ServerStage::ask_for_statuses() {
    const TimePoint deadline = clock_.now() + look_patience;
    const auto all_spoke = [&] { return heard_->bees.size() >= layout_.bees.size(); };
    std::unique_lock lock{heard_->mutex};
    while (!all_spoke() && clock_.now() < deadline) {
        const std::string lost = heard_->feed_end;
        lock.unlock();
        if (!lost.empty()) open_feed();
        const auto asked = client_.post(path("/status-request"));
        if (!asked) return fail(asked.error());
        lock.lock();
        heard_->changed.wait_for(
            lock, ask_again, [&] { return all_spoke() || !heard_->feed_end.empty(); });
        if (!lost.empty() && !heard_->feed_end.empty()) {
            return fail(
                Errc::unavailable,
                fmt::format(
                    "no events from the server {}: {}", connection_.server, heard_->feed_end));
        }
    }
    return {};
}

Result<run::Sight> ServerStage::look() {
    wait_for_turn();
    std::unique_lock lock{heard_->mutex};
    heard_->bees.clear();
    lock.unlock();
    if (auto ok = ask_for_statuses(); !ok) return fail(ok.error());
    lock.lock();
    if (heard_->bees.size() < layout_.bees.size() && !heard_->trouble.empty()) {
        return fail(Errc::unavailable, heard_->trouble);
    }
    run::Sight sight{.at = clock_.now(), .depths = heard_->depths, .guards = heard_->guards};
    for (const controller::BeeSpec& bee : layout_.bees) {
        const auto seen = heard_->bees.find(bee.instance.text());
        if (seen != heard_->bees.end()) sight.bees.push_back(seen->second);
    }
    for (const auto& [queue, depth] : sight.depths) {
        if (!is_read(layout_, queue)) sight.unread.insert(queue);
    }
    mind_what_is_under_way(sight);
    return sight;
}

// At the end of a run queues decide whether all is done, and their counts are older than the rest:
// while anything moved since, none that somebody reads is taken for empty.
void ServerStage::mind_what_is_under_way(run::Sight& sight) {
    std::uint64_t processed = 0;
    for (const run::BeeSight& bee : sight.bees) processed += run::processed(bee);
    if (processed != processed_) {
        processed_ = processed;
        moved_at_ = sight.at;
    }
    if (!draining_ || sight.at >= moved_at_ + counts_are_old) return;
    for (auto& [queue, depth] : sight.depths) {
        if (!sight.unread.contains(queue)) depth = std::max<std::uint64_t>(depth, 1);
    }
}

std::string ServerStage::trouble() {
    const std::lock_guard lock{heard_->mutex};
    return heard_->trouble;
}

Status ServerStage::remove() {
    if (!created_) return fail(Errc::not_found, "there was no swarm of this run");
    return settle(client_.remove(path()));
}

} // namespace hive::cli
