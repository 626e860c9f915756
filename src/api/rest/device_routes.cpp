#include "api/rest/key_routes.hpp"
#include "api/rest/schemas.hpp"
#include "api/rest/session_routes.hpp"
#include "kernel/entropy.hpp"
#include "kernel/overloaded.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>

namespace hive::rest {
namespace {

using api::Access;
using api::Call;

constexpr Duration key_valid = std::chrono::hours{24 * 90};

std::int64_t seconds(Duration span) {
    return std::chrono::ceil<std::chrono::seconds>(span).count();
}

accounts::DeviceEntropy fresh_device_entropy() {
    accounts::DeviceEntropy entropy{};
    fill_from_entropy(entropy.device_code);
    fill_from_entropy(entropy.user_code);
    return entropy;
}

// The words of RFC 8628 section 3.5, as problems.
api::Problem waiting(std::string_view code, std::string_view detail) {
    return {
        .status = 400,
        .code = std::string{code},
        .detail = std::string{detail},
        .retryable = code == "authorization-pending" || code == "slow-down"};
}

// Several threads serve; the logins are one table.
class DeviceDesk {
public:
    explicit DeviceDesk(const SessionParts& parts) : parts_{parts} {}

    http::Response begin(const Call& call) {
        const std::lock_guard lock{mutex_};
        auto begun = logins_.begin(fresh_device_entropy(), now());
        if (!begun) return call.fail(begun.error());
        const std::string page = parts_.public_url + "/device";
        return api::json_response(
            {{"deviceCode", begun->device_code.reveal()},
             {"userCode", begun->user_code},
             {"verificationUri", page},
             {"verificationUriComplete", page + "?code=" + begun->user_code},
             {"expiresIn", seconds(logins_.policy().valid_for)},
             {"interval", seconds(logins_.policy().interval)}},
            201);
    }

    asio::awaitable<http::Response> poll(Call call) {
        const std::string code{call.body().at("deviceCode").as_string()};
        accounts::DevicePoll answer;
        {
            const std::lock_guard lock{mutex_};
            answer = logins_.poll(code, now());
        }
        if (auto* approved = std::get_if<accounts::DeviceApproved>(&answer)) {
            co_return co_await mint_for(call, std::move(approved->person));
        }
        co_return call.fail(std::visit(
            overloaded{
                [](const accounts::DevicePending&) {
                    return waiting(
                        "authorization-pending", "the person has not answered yet; ask again");
                },
                [](const accounts::DeviceTooFast& fast) {
                    auto problem = waiting(
                        "slow-down",
                        fmt::format("ask every {} s from now on", seconds(fast.interval)));
                    problem.headers.add("Retry-After", std::to_string(seconds(fast.interval)));
                    return problem;
                },
                [](const accounts::DeviceDenied&) {
                    return waiting("access-denied", "the person said no");
                },
                [](const accounts::DeviceUnknown&) {
                    return waiting("expired-token", "this code is unknown or too old; start again");
                },
                [](const accounts::DeviceApproved&) { return api::Problem{}; }},
            answer));
    }

    asio::awaitable<http::Response> answer(Call call) {
        const http::Peer& peer = *call.request().peer;
        const std::string code{call.body().at("userCode").as_string()};
        const bool approved = call.body().at("approve").as_bool();
        if (auto problem = too_many_failures(parts_.gatekeeper, peer)) {
            co_return call.fail(*problem);
        }
        if (!waits(code)) {
            parts_.gatekeeper.login_failed(peer, cause_of(call), "an unknown device code");
            co_return call.fail(
                Error{Errc::not_found, "this code is unknown, was answered, or is too old"});
        }
        auto recorded = co_await parts_.transactions.change(
            call, [approved](Change& change) -> Result<http::Response> {
                auto ok = change.record(
                    {.action = approved ? "auth.device-approved" : "auth.device-denied",
                     .entity_type = "login",
                     .entity_id = {}});
                if (!ok) return fail(ok.error());
                return http::Response{.status = 204};
            });
        if (recorded.status != 204) co_return recorded;
        const std::lock_guard lock{mutex_};
        auto told =
            approved ? logins_.approve(code, *call.principal(), now()) : logins_.deny(code, now());
        if (!told) co_return call.fail(told.error());
        co_return recorded;
    }

private:
    TimePoint now() const { return parts_.transactions.clock().now(); }

    bool waits(const std::string& code) {
        const std::lock_guard lock{mutex_};
        return logins_.waits(code, now());
    }

    // The program gets a key with what its person may do, no more.
    asio::awaitable<http::Response> mint_for(Call call, api::Principal person) {
        accounts::KeyRequest request{
            .id = fresh_key_id(),
            .owner = person.id,
            .kind = accounts::KeyKind::human,
            .role = person.role,
            .scopes = person.scopes,
            .valid_for = key_valid};
        const HiveId hive = parts_.transactions.chronicle().hive();
        co_return co_await parts_.transactions.change(
            call, [request, hive](Change& change) -> Result<http::Response> {
                auto minted = mint_and_record(change, hive, request);
                if (!minted) return fail(minted.error());
                return api::json_response(
                    {{"key", minted->text.reveal()},
                     {"record", to_json(minted->record, change.now())}},
                    201);
            });
    }

    SessionParts parts_;
    std::mutex mutex_;
    accounts::DeviceLogins logins_;
};

} // namespace

std::vector<api::Route> device_routes(const SessionParts& parts) {
    const auto desk = std::make_shared<DeviceDesk>(parts);
    using enum http::Method;
    std::vector<api::Route> routes;
    routes.push_back(
        {.method = post,
         .path = "/api/v1/login/device",
         .id = "beginDeviceLogin",
         .summary = "Starts signing in a program that has no browser",
         .tag = "people",
         .access = Access::open_to_all(),
         .handler = api::SyncHandler{[desk](const Call& call) { return desk->begin(call); }},
         .answers =
             {{201, "Show the code to the person, then poll",
               api::Content{
                   .schema = ref("DeviceLogin"),
                   .example =
                       {{"deviceCode", "keep this to yourself"},
                        {"userCode", "BCDF-GHJK"},
                        {"verificationUri", "https://hive.example/device"},
                        {"verificationUriComplete", "https://hive.example/device?code=BCDF-GHJK"},
                        {"expiresIn", 600},
                        {"interval", 5}}}}},
         .rate_class = "login"});
    routes.push_back(
        {.method = post,
         .path = "/api/v1/login/device/token",
         .id = "pollDeviceLogin",
         .summary = "Whether the person has approved; then a key",
         .tag = "people",
         .access = Access::open_to_all(),
         .handler = api::AsyncHandler{[desk](Call call) { return desk->poll(call); }},
         .request =
             api::Content{
                 .schema = closed_object({{"deviceCode", text_schema()}}),
                 .example = {{"deviceCode", "keep this to yourself"}}},
         .answers =
             {{201, "Approved", minted_content()},
              {400, "authorization-pending, slow-down, access-denied or expired-token", {}}},
         .rate_class = "device-poll"});
    routes.push_back(
        {.method = post,
         .path = "/api/v1/login/device/answer",
         .id = "answerDeviceLogin",
         .summary = "Lets a program in, or not",
         .tag = "people",
         .access = Access::needs(api::Area::approvals, api::Level::write),
         .handler = api::AsyncHandler{[desk](Call call) { return desk->answer(call); }},
         .request =
             api::Content{
                 .schema = closed_object(
                     {{"userCode", text_schema(16)}, {"approve", {{"type", "boolean"}}}}),
                 .example = {{"userCode", "BCDF-GHJK"}, {"approve", true}}},
         .answers = {{204, "Told", {}}},
         .rate_class = "login"});
    return routes;
}

} // namespace hive::rest
