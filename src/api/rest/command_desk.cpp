#include "api/rest/command_desk.hpp"

#include "api/http/await_callback.hpp"
#include "api/rest/command_answers.hpp"
#include "api/rest/kept_answers.hpp"
#include "api/rest/swarm_json.hpp"
#include "kernel/duration.hpp"
#include "kernel/random.hpp"
#include "kernel/uuid.hpp"
#include "orchestrator/stored.hpp"
#include "store/ask_tables.hpp"

#include <fmt/format.h>

#include <memory>
#include <mutex>

namespace hive::rest {
namespace {

using orchestrator::Ended;
using orchestrator::Queen;

constexpr Duration wait_max = std::chrono::minutes{10};
constexpr Duration patience = std::chrono::seconds{15};

Result<Duration> wait_of(const api::Call& call) {
    const auto text = call.text("wait");
    if (!text) return Duration::zero();
    const auto wait = parse_duration(*text);
    if (!wait) return fail(Errc::invalid, fmt::format("wait: {}", wait.error().detail));
    if (*wait > wait_max) {
        return fail(
            Errc::invalid,
            fmt::format("wait: at most {}, not {}", format_duration(wait_max), *text));
    }
    return *wait;
}

// Answers of several questions as one. Shared by their callbacks.
class Gathering {
public:
    Gathering(std::size_t expected, std::function<void(Status)> done)
        : left_{expected}, done_{std::move(done)} {}

    void add(const Status& status) {
        const std::lock_guard lock{mutex_};
        any_ = any_ || status.has_value();
        if (!status && first_) first_ = status;
        if (--left_ == 0) done_(any_ ? Status{} : first_);
    }

private:
    std::mutex mutex_;
    std::size_t left_;
    bool any_ = false; // what some swarms refuse, others do
    Status first_{};
    std::function<void(Status)> done_;
};

void sign(std::vector<Queen::Ask>& asks, const api::Call& call, const Cause& cause) {
    const std::string key = call.idempotency_key().empty() ? fresh_id() : call.idempotency_key();
    for (std::size_t i = 0; i < asks.size(); ++i) {
        const wire::Attempt attempt{fresh_id(), i == 0 ? key : fmt::format("{}.{}", key, i + 1)};
        std::visit(
            [&](auto& ask) {
                ask.attempt = attempt;
                ask.who = cause.actor;
            },
            asks[i]);
    }
}

// What a claim found; written by its unit, read by whoever waits for it.
struct Found {
    std::optional<store::Claim> claim{};
    bool of_another = false;
};

Status
look_up(store::Session& session, const store::KeyedRequest& key, Timestamp now, Found& found) {
    found = {};
    auto claim = store::claim_key(session, key, now);
    if (!claim && claim.error().code == Errc::conflict) {
        found.of_another = true;
        return {};
    }
    if (!claim) return fail(claim.error());
    found.claim = std::move(*claim);
    return {};
}

// Empty while it has not ended.
Result<std::string> kept_end(const store::AskTable& table, const std::string& id) {
    auto row = table.find(id);
    if (!row) return fail(row.error());
    if (!*row) return fail(Errc::not_found, id);
    return (*row)->outcome.value_or("");
}

std::string text_at(const json::object& object, std::string_view name) {
    const auto* found = object.if_contains(name);
    return found != nullptr && found->is_string() ? std::string{found->get_string()} : "";
}

} // namespace

asio::awaitable<CommandDesk::Claimed> CommandDesk::claim(api::Call call) const {
    const auto key = keyed_request(call, transactions_->chronicle().hive(), call.request().path);
    if (!key) co_return Claimed{};
    const auto found = std::make_shared<Found>();
    const Timestamp now = transactions_->clock().wall();
    const auto status = co_await http::await_callback<Status>(
        [&](const std::function<void(Status)>& done) {
            auto taken = transactions_->chronicle().database().write(
                {.work =
                     [found, key = *key, now](store::Session& session) {
                         return look_up(session, key, now, *found);
                     }},
                done);
            if (!taken) done(taken);
        },
        patience);
    if (!status || !*status) {
        co_return Claimed{
            .answer = call.fail(
                status ? status->error()
                       : Error{Errc::timeout, "the store did not answer in time; ask again"})};
    }
    if (found->of_another) co_return Claimed{.answer = call.fail(key_of_another())};
    if (std::holds_alternative<store::InFlight>(*found->claim)) {
        co_return Claimed{.answer = call.fail(key_in_flight())};
    }
    if (const auto* replay = std::get_if<store::Replay>(&*found->claim)) {
        co_return Claimed{.answer = replayed(replay->answer), .replay = true};
    }
    co_return Claimed{
        .fresh = SwarmRider::Kept{*key, {{}, std::get<store::Fresh>(*found->claim).claimed}}};
}

asio::awaitable<void> CommandDesk::release(SwarmRider::Kept claimed) const {
    // Who asked hears of the refusal, whatever becomes of the claim: it ends by itself soon.
    co_await http::await_callback<Status>(
        [&](const std::function<void(Status)>& done) {
            auto taken = transactions_->chronicle().database().write(
                {.work =
                     [claimed](store::Session& session) {
                         return store::release_key(
                             session, claimed.request, claimed.answer.claimed);
                     }},
                done);
            if (!taken) done(taken);
        },
        patience);
}

asio::awaitable<Status>
CommandDesk::ask_all(std::vector<Queen::Ask> asks, orchestrator::RiderPtr rider) const {
    if (asks.empty()) co_return Status{};
    const auto answered = co_await http::await_callback<Status>(
        [&](const std::function<void(Status)>& done) {
            const auto gathering = std::make_shared<Gathering>(asks.size(), done);
            for (Queen::Ask& ask : asks) {
                court_->ask(
                    std::move(ask), std::exchange(rider, nullptr),
                    [gathering](const Status& status) { gathering->add(status); });
            }
        },
        patience);
    if (answered) co_return *answered;
    co_return fail(
        Errc::timeout, "the orchestrator could not keep this in time and goes on trying; look at "
                       "the swarm before asking again");
}

http::Response
CommandDesk::refusal(const api::Call& call, const Error& error, const SwarmId& swarm) const {
    api::Problem problem = api::problem_of(error);
    const auto report = court_->find(swarm);
    if (error.code == Errc::conflict && report) {
        problem.more["allowed"] = allowed_actions(report->swarm);
        problem.more["phase"] = name_of(report->swarm.phase);
    }
    return call.fail(problem);
}

asio::awaitable<http::Response> CommandDesk::carry_out(api::Call call, Order order) const {
    const auto wait = wait_of(call);
    if (!wait) co_return call.fail(wait.error());
    if (gate_ != nullptr) {
        auto held = co_await gate_->ask(server_, call, std::make_shared<const Order>(order));
        if (held) co_return std::move(*held);
    }
    Claimed claimed = co_await claim(call);
    if (claimed.replay) co_return co_await wait_for_end(call, std::move(*claimed.answer), *wait);
    if (claimed.answer) co_return std::move(*claimed.answer);

    auto rider = std::make_shared<SwarmRider>();
    rider->cause = cause_of(call);
    sign(order.asks, call, rider->cause);
    http::Response accepted =
        api::json_response(accepted_json(order.asks, order.listed, court_->settings()), 202);
    rider->happenings.push_back(std::move(order.happening));
    rider->run = std::move(order.run);
    if (rider->run) rider->run->who = rider->cause.actor;
    if (claimed.fresh) {
        rider->kept = claimed.fresh;
        rider->kept->answer.answer = to_kept(accepted);
    }
    const bool nothing = order.asks.empty();
    const Status asked = co_await ask_all(std::move(order.asks), std::move(rider));
    const bool undecided = !asked && asked.error().code == Errc::timeout;
    if (claimed.fresh && (nothing || (!asked && !undecided))) {
        co_await release(std::move(*claimed.fresh));
    }
    if (!asked) co_return refusal(call, asked.error(), order.swarm);
    co_return co_await wait_for_end(call, std::move(accepted), *wait);
}

asio::awaitable<Result<CommandDesk::Known>> CommandDesk::recorded(std::string id) const {
    const auto found = co_await transactions_->snapshot(
        [id, hive = transactions_->chronicle().hive()](store::Session& session) {
            return kept_end(store::AskTable{session, hive}, id);
        });
    if (!found && found.error().code == Errc::not_found) co_return Known{};
    if (!found) co_return fail(found.error());
    if (found->empty()) co_return Known{.is_known = true};
    const auto body = parse_json(*found);
    if (!body) co_return fail(body.error());
    const auto ended = orchestrator::ended_from_stored(*body);
    if (!ended) co_return fail(ended.error());
    co_return Known{true, to_json(*ended)};
}

// What ended before is in the store, also from an earlier life of this server; what has not is told
// to whoever waits.
asio::awaitable<std::optional<json::object>>
CommandDesk::end_of(std::string id, TimePoint deadline) const {
    auto known = co_await recorded(id);
    if (known && known->end) co_return std::move(known->end);
    const Duration left =
        std::max(deadline - transactions_->clock().now(), Duration{std::chrono::milliseconds{1}});
    Subscription watching;
    const auto ended = co_await http::await_callback<json::object>(
        [&](const std::function<void(json::object)>& done) {
            watching = court_->when_ended(id, [done](const Ended& end) { done(to_json(end)); });
        },
        left);
    co_return ended;
}

// The end of a creation that starts its swarm is that of the start, unless there is none to start.
asio::awaitable<std::optional<json::value>>
CommandDesk::ends_of(json::object accepted, TimePoint deadline) const {
    if (const auto* items = accepted.if_contains("items")) {
        json::array ends;
        for (const auto& item : items->as_array()) {
            auto end = co_await end_of(text_at(item.as_object(), "correlationId"), deadline);
            if (!end) co_return std::nullopt;
            ends.emplace_back(std::move(*end));
        }
        co_return json::object{{"items", std::move(ends)}};
    }
    auto end = co_await end_of(text_at(accepted, "correlationId"), deadline);
    const auto* start = accepted.if_contains("start");
    if (end && start != nullptr && end->at("succeeded").as_bool()) {
        end = co_await end_of(text_at(start->as_object(), "correlationId"), deadline);
    }
    if (!end) co_return std::nullopt;
    co_return std::move(*end);
}

asio::awaitable<http::Response>
CommandDesk::wait_for_end(api::Call call, http::Response accepted, Duration wait) const {
    if (wait == Duration::zero()) co_return accepted;
    auto body = parse_json(http::view_of(accepted.body));
    if (!body || !body->is_object()) co_return accepted;
    auto ended =
        co_await ends_of(std::move(body->as_object()), transactions_->clock().now() + wait);
    if (!ended) co_return accepted;
    co_return api::json_response(*ended);
}

asio::awaitable<http::Response> CommandDesk::follow_up(api::Call call) const {
    const auto wait = wait_of(call);
    if (!wait) co_return call.fail(wait.error());
    const std::string id{call.path("correlationId")};
    const auto known = co_await recorded(id);
    if (!known) co_return call.fail(known.error());
    // Nobody waits for what was never asked.
    const Duration patient = known->is_known ? *wait : Duration::zero();
    const auto ended = co_await end_of(id, transactions_->clock().now() + patient);
    if (ended) co_return api::json_response(*ended);
    if (known->is_known) co_return api::json_response(json::object{{"correlationId", id}}, 202);
    co_return call.fail(
        Error{Errc::not_found, fmt::format("no command with the correlation id '{}'", id)});
}

std::string fresh_id() {
    static thread_local Random random = Random::from_entropy();
    return make_uuid(random);
}

} // namespace hive::rest
