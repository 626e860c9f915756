#include "api/colony/cost_input.hpp"
#include "api/colony/cost_routes.hpp"
#include "api/rest/audited.hpp"
#include "api/rest/schemas.hpp"
#include "kernel/uuid.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::rest {
namespace {

using namespace colony::costs;
using api::Access;
using api::Area;
using api::Call;
using api::Level;

constexpr std::size_t prices_max = 10'000;

Result<Price> price_with(const PriceRepository& book, const std::string& id) {
    auto prices = book.all();
    if (!prices) return fail(prices.error());
    const auto found = std::ranges::find(*prices, id, &Price::id);
    if (found == prices->end()) {
        return fail(Errc::not_found, fmt::format("there is no price {}", id));
    }
    return *found;
}

void say(Workplace& place, const Price& price, std::string type, const json::object& before = {}) {
    place.moment().say(
        {.type = std::move(type),
         .entity_type = "price",
         .entity_id = price.id,
         .told = to_json(price),
         .details = {{"before", audited(before)}}});
}

// Keeps it, unless another row says something about the same at the same time.
Result<http::Response> keep(Workplace& place, const Unit& unit, const Price& price) {
    const auto prices = place.accounts().prices.all();
    if (!prices) return fail(prices.error());
    if (prices->size() >= prices_max) {
        return fail(Errc::limit, fmt::format("there are {} prices", prices_max));
    }
    if (const Price* other = overlapping(*prices, price)) {
        return unit.refuse(colony::Refusal{
            Errc::conflict,
            "price-overlaps",
            fmt::format(
                "another price of {} for {} is valid then", price.model, name_of(price.kind)),
            {{"price", other->id}}});
    }
    if (auto ok = place.accounts().prices.put(price); !ok) return fail(ok.error());
    return http::Response{};
}

class PriceDesk {
public:
    PriceDesk(const SessionParts& sessions, ColonyParts& colony)
        : sessions_{sessions}, colony_{&colony} {}

    asio::awaitable<http::Response> list(Call call) const {
        co_return co_await sessions_.transactions.read(
            call, [hive = hive()](store::Session& session) -> Result<http::Response> {
                const auto prices = store::PriceTable{session, hive}.all();
                if (!prices) return fail(prices.error());
                json::array items;
                for (const Price& price : *prices) items.push_back(to_json(price));
                return api::json_response(json::object{{"items", std::move(items)}});
            });
    }

    asio::awaitable<http::Response> show(Call call) const {
        co_return co_await sessions_.transactions.read(
            call,
            [hive = hive(), id = std::string{call.path("price")}](
                store::Session& session) -> Result<http::Response> {
                const auto price = price_with(store::PriceTable{session, hive}, id);
                if (!price) return fail(price.error());
                return api::json_response(to_json(*price));
            });
    }

    asio::awaitable<http::Response> create(Call call) const {
        const auto wanted = price_in(call.body().as_object(), now());
        if (!wanted) co_return call.fail(wanted.error());
        co_return co_await act_in_colony(
            sessions_, *colony_, call,
            [price =
                 *wanted](Workplace& place, const Unit& unit) mutable -> Result<http::Response> {
                price.id = make_ordered_uuid(unit.now(), place.moment().random());
                price.created_by = place.actor().id;
                price.created = unit.now();
                price.currency = place.policy().currency;
                auto kept = keep(place, unit, price);
                if (!kept || kept->status >= 400) return kept;
                say(place, price, "cost.price-created");
                auto response = api::json_response(to_json(price), 201);
                response.headers.add("Location", "/api/v1/prices/" + price.id);
                return response;
            });
    }

    asio::awaitable<http::Response> replace(Call call) const {
        const auto wanted = price_in(call.body().as_object(), now());
        if (!wanted) co_return call.fail(wanted.error());
        co_return co_await act_in_colony(
            sessions_, *colony_, call,
            [price = *wanted, id = std::string{call.path("price")}](
                Workplace& place, const Unit& unit) mutable -> Result<http::Response> {
                const auto before = price_with(place.accounts().prices, id);
                if (!before) return fail(before.error());
                price.id = before->id;
                price.created_by = before->created_by;
                price.created = before->created;
                price.currency = place.policy().currency;
                auto kept = keep(place, unit, price);
                if (!kept || kept->status >= 400) return kept;
                say(place, price, "cost.price-changed", to_json(*before));
                return api::json_response(to_json(price));
            });
    }

    asio::awaitable<http::Response> remove(Call call) const {
        co_return co_await act_in_colony(
            sessions_, *colony_, call,
            [id = std::string{call.path("price")}](
                Workplace& place, const Unit& /*unit*/) -> Result<http::Response> {
                const auto before = price_with(place.accounts().prices, id);
                if (!before) return fail(before.error());
                if (auto gone = place.accounts().prices.remove(id); !gone) {
                    return fail(gone.error());
                }
                say(place, *before, "cost.price-removed");
                return http::Response{.status = 204};
            });
    }

private:
    const HiveId& hive() const { return sessions_.transactions.chronicle().hive(); }
    Timestamp now() const { return sessions_.transactions.clock().wall(); }

    SessionParts sessions_;
    ColonyParts* colony_;
};

using Desk = std::shared_ptr<const PriceDesk>;
using Handle = asio::awaitable<http::Response> (PriceDesk::*)(Call) const;

struct Named {
    http::Method method;
    std::string path_end;
    std::string id;
    std::string summary;
    Handle handle;
};

api::Route route(const Desk& desk, Named named) {
    const bool reads = named.method == http::Method::get;
    return {
        .method = named.method,
        .path = "/api/v1/prices" + named.path_end,
        .id = std::move(named.id),
        .summary = std::move(named.summary),
        .tag = "costs",
        .access = Access::needs(Area::costs, reads ? Level::read : Level::admin),
        .handler = api::AsyncHandler{[desk, handle = named.handle](Call call) {
            return (desk.get()->*handle)(call);
        }},
        .idempotency = reads ? api::Idempotency::refused : api::Idempotency::accepted};
}

} // namespace

std::vector<api::Route> price_routes(const SessionParts& sessions, ColonyParts& colony) {
    using enum http::Method;
    const auto desk = std::make_shared<const PriceDesk>(sessions, colony);
    const api::Content content{.schema = ref("Price"), .example = example_price()};
    const api::Content wanted{
        .schema = ref("NewPrice"),
        .example = {{"model", "small-*"}, {"kind", "input"}, {"micros", 3'000'000}}};
    std::vector<api::Route> routes;
    routes.push_back(route(desk, {get, "", "listPrices", "The price table", &PriceDesk::list}));
    routes.back().answers = {
        {200, "All of them",
         api::Content{
             .schema = list_of("Price"), .example = {{"items", json::array{example_price()}}}}}};
    routes.push_back(route(desk, {get, "/{price:uuid}", "getPrice", "One row", &PriceDesk::show}));
    routes.back().answers = {{200, "The price", content}};
    routes.push_back(route(
        desk, {post, "", "createPrice", "What a model costs from when on", &PriceDesk::create}));
    routes.back().request = wanted;
    routes.back().answers = {{201, "Made", content}};
    routes.push_back(route(
        desk, {put, "/{price:uuid}", "replacePrice",
               "Another row in its place; what was booked stays as it was", &PriceDesk::replace}));
    routes.back().request = wanted;
    routes.back().answers = {{200, "As it is now", content}};
    routes.push_back(route(
        desk, {remove, "/{price:uuid}", "removePrice", "It prices nothing any more",
               &PriceDesk::remove}));
    routes.back().answers = {{204, "Gone", {}}};
    return routes;
}

} // namespace hive::rest
