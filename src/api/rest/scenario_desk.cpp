#include "api/rest/scenario_desk.hpp"

#include "api/etag.hpp"
#include "api/http/await_callback.hpp"
#include "api/rest/scenario_change.hpp"
#include "api/rest/scenario_json.hpp"
#include "scenario/tar.hpp"
#include "scenario/validate.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::rest {
namespace {

using api::Call;
using scenario::Edit;
using scenario::Files;
using scenario::Shelf;

constexpr Duration patience = std::chrono::seconds{30};

tl::unexpected<api::Problem> refused(const Error& error) {
    return tl::unexpected{api::problem_of(error)};
}

Files files_in(const json::object& body) {
    Files files;
    for (const auto& [path, text] : body.at("files").as_object()) {
        files.emplace(path, text.as_string());
    }
    return files;
}

http::Response tagged(http::Response response, const scenario::Stored& stored) {
    response.headers.add("ETag", etag_of(stored));
    return response;
}

// What the answer is about has not changed since the client got it.
http::Response not_modified(const scenario::Stored& stored) {
    return tagged({.status = 304}, stored);
}

std::optional<std::string> header_of(const Call& call, std::string_view name) {
    const auto found = call.request().header(name);
    return found ? std::optional<std::string>{*found} : std::nullopt;
}

bool client_has(const std::optional<std::string>& if_none_match, const scenario::Stored& stored) {
    if (!if_none_match) return false;
    http::Request asked;
    asked.headers.push_back({"If-None-Match", *if_none_match});
    return api::is_not_modified(asked, etag_of(stored));
}

scenario::Sample sample_in(const json::object& body) {
    scenario::Sample sample{.bee = std::string{body.at("bee").as_string()}};
    if (const auto* payload = body.if_contains("payload")) sample.payload = payload->as_string();
    if (const auto* seed = body.if_contains("seed")) {
        sample.seed = static_cast<std::uint64_t>(seed->as_int64());
    }
    if (const auto* headers = body.if_contains("headers")) {
        for (const auto& [name, value] : headers->as_object()) {
            sample.headers[std::string{name}] = value.as_string();
        }
    }
    return sample;
}

// A stored one is judged with the first of all choices; these may be others.
std::vector<Finding> findings_with(
    const scenario::Stored& stored, const scenario::Choices& choices,
    const scenario::Catalog& catalog) {
    std::vector<Finding> findings = stored.loaded.findings;
    const auto more = scenario::validate(stored.loaded, catalog, choices);
    findings.insert(findings.end(), more.begin(), more.end());
    scenario::sort_by_place(findings);
    return findings;
}

std::string_view type_of(std::string_view path) {
    return scenario::is_parsed_file(path) ? "text/plain; charset=utf-8"
                                          : "application/octet-stream";
}

} // namespace

asio::awaitable<http::Response> ScenarioDesk::look(Call call, std::function<Answered()> work) {
    auto answered = co_await http::await_callback<Answered>(
        [&](const std::function<void(Answered)>& done) {
            asio::post(threads_, [work = std::move(work), done] { done(work()); });
        },
        patience);
    if (!answered) {
        co_return call.fail(Error{Errc::timeout, "the disk did not answer in time; ask again"});
    }
    if (!*answered) co_return call.fail(answered->error());
    co_return std::move(**answered);
}

asio::awaitable<http::Response> ScenarioDesk::alter(Call call, Alteration alteration) {
    alteration.if_match = header_of(call, "If-Match");
    alteration.path = call.request().path;
    alteration.request_id = call.trace().request_id;
    return parts_.transactions.change(call, change_scenario(parts_.shelf, std::move(alteration)));
}

asio::awaitable<http::Response> ScenarioDesk::list(Call call) {
    const auto limit = static_cast<std::size_t>(*call.integer("limit"));
    std::string after;
    if (const auto cursor = call.text("cursor")) {
        auto position = parts_.cursors.decode("scenarios", *cursor);
        if (!position) co_return call.fail(position.error());
        after = *std::move(position);
    }
    const auto work = [shelf = &parts_.shelf, cursors = &parts_.cursors, limit,
                       after]() -> Answered {
        json::object page{{"items", json::array{}}};
        auto& items = page.at("items").as_array();
        std::string last;
        for (const std::string& id : shelf->ids()) {
            if (id <= after) continue;
            if (items.size() == limit) {
                page["next"] = cursors->encode("scenarios", last);
                break;
            }
            const auto stored = shelf->find(id);
            if (!stored) continue; // gone meanwhile
            items.push_back(scenario_summary(**stored));
            last = id;
        }
        return api::json_response(page);
    };
    co_return co_await look(call, work);
}

asio::awaitable<http::Response> ScenarioDesk::show(Call call) {
    const auto work = [shelf = &parts_.shelf, id = std::string{call.path("scenarioId")},
                       has = header_of(call, "If-None-Match")]() -> Answered {
        const auto stored = shelf->find(id);
        if (!stored) return refused(stored.error());
        if (client_has(has, **stored)) return not_modified(**stored);
        return tagged(api::json_response(scenario_details(**stored)), **stored);
    };
    return look(call, work);
}

asio::awaitable<http::Response> ScenarioDesk::create(Call call) {
    const json::object& body = call.body().as_object();
    Files files = files_in(body);
    Alteration alteration{.where = Alteration::Where::anew};
    if (const auto* id = body.if_contains("id")) {
        alteration.id = id->as_string();
    } else if (const auto main = files.find("scenario.yaml"); main != files.end()) {
        alteration.id =
            scenario::load(scenario::single_file("scenario.yaml", main->second)).scenario.id;
    }
    alteration.edit = Edit::all(std::move(files));
    return alter(call, std::move(alteration));
}

asio::awaitable<http::Response> ScenarioDesk::replace(Call call) {
    return alter(
        call, {.id = std::string{call.path("scenarioId")},
               .edit = Edit::all(files_in(call.body().as_object()))});
}

asio::awaitable<http::Response> ScenarioDesk::remove(Call call) {
    return alter(call, {.id = std::string{call.path("scenarioId")}});
}

asio::awaitable<http::Response> ScenarioDesk::validate(Call call) {
    const auto work = [shelf = &parts_.shelf, id = std::string{call.path("scenarioId")},
                       choices = choices_in(call.body().as_object())]() -> Answered {
        const auto stored = shelf->find(id);
        if (!stored) return refused(stored.error());
        return tagged(
            api::json_response(judgement_json(findings_with(**stored, choices, shelf->catalog()))),
            **stored);
    };
    return look(call, work);
}

asio::awaitable<http::Response> ScenarioDesk::validate_files(Call call) {
    const json::object& body = call.body().as_object();
    const auto work = [shelf = &parts_.shelf, files = files_in(body),
                       choices = choices_in(body)]() -> Answered {
        const auto tried = shelf->try_out(files, choices);
        if (!tried) return refused(tried.error());
        return api::json_response(judgement_json(tried->findings));
    };
    return look(call, work);
}

asio::awaitable<http::Response> ScenarioDesk::render(Call call) {
    const json::object& body = call.body().as_object();
    const auto work = [shelf = &parts_.shelf, render = parts_.render,
                       id = std::string{call.path("scenarioId")}, sample = sample_in(body),
                       choices = choices_in(body)]() -> Answered {
        const auto stored = shelf->find(id);
        if (!stored) return refused(stored.error());
        const auto findings = findings_with(**stored, choices, shelf->catalog());
        if (has_errors(findings)) return tl::unexpected{not_sound(findings)};
        const auto compiled =
            scenario::compile((*stored)->loaded.scenario, choices, shelf->catalog());
        if (!compiled) return refused(compiled.error());
        const auto text = render(*compiled, sample);
        if (!text) return refused(text.error());
        return api::json_response(json::object{{"text", *text}});
    };
    return look(call, work);
}

asio::awaitable<http::Response> ScenarioDesk::download(Call call) {
    const auto work = [shelf = &parts_.shelf, id = std::string{call.path("scenarioId")},
                       has = header_of(call, "If-None-Match")]() -> Answered {
        const auto stored = shelf->find(id);
        if (!stored) return refused(stored.error());
        if (client_has(has, **stored)) return not_modified(**stored);
        const auto files = shelf->files(id);
        if (!files) return refused(files.error());
        Files below; // a folder around everything, as people expect it of an archive
        for (const auto& [path, text] : *files) below.emplace(fmt::format("{}/{}", id, path), text);
        auto archive = scenario::write_tar(below);
        if (!archive) return refused(archive.error());
        http::Response response{.content_type = "application/x-tar", .body = *std::move(archive)};
        response.headers.add(
            "Content-Disposition", fmt::format("attachment; filename=\"{}.tar\"", id));
        return tagged(std::move(response), **stored);
    };
    return look(call, work);
}

asio::awaitable<http::Response> ScenarioDesk::upload(Call call) {
    auto files = scenario::read_tar(call.request().body);
    if (!files) co_return call.fail(files.error());
    co_return co_await alter(
        call, {.id = std::string{call.path("scenarioId")},
               .edit = Edit::all(scenario::without_top_folder(*std::move(files))),
               .where = Alteration::Where::either});
}

asio::awaitable<http::Response> ScenarioDesk::read_file(Call call) {
    const auto work = [shelf = &parts_.shelf, id = std::string{call.path("scenarioId")},
                       path = std::string{call.path("path")},
                       has = header_of(call, "If-None-Match")]() -> Answered {
        const auto stored = shelf->find(id);
        if (!stored) return refused(stored.error());
        if (client_has(has, **stored)) return not_modified(**stored);
        auto text = shelf->file(id, path);
        if (!text) return refused(text.error());
        return tagged(
            http::Response{.content_type = type_of(path), .body = *std::move(text)}, **stored);
    };
    return look(call, work);
}

asio::awaitable<http::Response> ScenarioDesk::write_file(Call call) {
    Alteration alteration{
        .id = std::string{call.path("scenarioId")}, .details = {{"file", call.path("path")}}};
    alteration.edit = Edit{.files = {{std::string{call.path("path")}, call.request().body}}};
    return alter(call, std::move(alteration));
}

asio::awaitable<http::Response> ScenarioDesk::remove_file(Call call) {
    Alteration alteration{
        .id = std::string{call.path("scenarioId")}, .details = {{"file", call.path("path")}}};
    alteration.edit = Edit{.files = {{std::string{call.path("path")}, std::nullopt}}};
    return alter(call, std::move(alteration));
}

} // namespace hive::rest
