#include "kernel/fields.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace hive;
using namespace std::chrono_literals;

namespace {

enum class Pick : std::uint8_t { round_robin, weighted };

[[maybe_unused]] std::span<const Named<Pick>> names_of(Pick) {
    static constexpr std::array names{
        Named<Pick>{"ROUND_ROBIN", Pick::round_robin}, Named<Pick>{"WEIGHTED", Pick::weighted}};
    return names;
}

struct Source {
    std::string list{};
    double weight = 1;
};
void describe(FieldTable& fields, Source& source) {
    fields.add("list", source.list).required().help("Where from");
    fields.add("weight", source.weight).range(0, 100);
}

struct Settings {
    bool on = true;
    std::uint32_t threads = 4;
    double rate = 1.5;
    Duration wait = 250ms;
    Pick pick = Pick::round_robin;
    Secret password{};
    std::optional<std::uint32_t> limit{};
    std::vector<Source> sources{};
    std::map<std::string, std::string> headers{};
    json::object vars{};
};
void describe(FieldTable& fields, Settings& settings) {
    fields.add("on", settings.on);
    fields.add("threads", settings.threads).range(1, 64).fixed();
    fields.add("rate", settings.rate).range(0, 1e6).unit("1/s").help("How many");
    fields.add("wait", settings.wait);
    fields.add("pick", settings.pick);
    fields.add("password", settings.password);
    fields.add("limit", settings.limit);
    fields.add("sources", settings.sources).at_most(2);
    fields.add("headers", settings.headers);
    fields.add("vars", settings.vars);
    fields.rule([&settings]() -> Status {
        if (settings.on || settings.sources.empty()) return {};
        return fail(Errc::invalid, "sources need 'on'");
    });
}

Result<Settings> read(std::string_view text) {
    return bind<Settings>(parse_json(text).value().as_object());
}

std::string refusal(std::string_view text) {
    const auto settings = read(text);
    REQUIRE_FALSE(settings);
    return settings.error().detail;
}

} // namespace

TEST_CASE("what is not given keeps its default, and what is given is read by its type") {
    const auto bare = read("{}");
    REQUIRE(bare);
    CHECK(bare->threads == 4);
    const auto full = read(R"({"on":"false","threads":8.0,"rate":3,"wait":"2s","pick":"WEIGHTED",
        "password":"p","limit":7,"headers":{"a":"b","n":5},"vars":{"x":[1]}})");
    REQUIRE_MESSAGE(full, (full ? "" : full.error().detail));
    CHECK_FALSE(full->on);
    CHECK(full->threads == 8);
    CHECK(full->rate == 3);
    CHECK(full->wait == 2s);
    CHECK(full->pick == Pick::weighted);
    CHECK(full->password.reveal() == "p");
    CHECK(full->limit == 7U);
    CHECK(full->headers.at("n") == "5");
    CHECK(full->vars.at("x").is_array());
    CHECK(read(R"({"wait":40})")->wait == 40ms);
    CHECK_FALSE(read(R"({"limit":null})")->limit);
}

TEST_CASE("all that is wrong is said at once, with its place and what would be right") {
    CHECK(
        refusal(R"({"treads":1,"rate":-1,"pick":"ROUNDROBIN","sources":[{"weight":"x"}]})") ==
        "config.treads: is not known; did you mean 'threads'?; "
        "config.rate: expected a number from 0 to 1000000, not -1; "
        "config.pick: expected one of ROUND_ROBIN, WEIGHTED, not \"ROUNDROBIN\"; "
        "did you mean 'ROUND_ROBIN'?; "
        "config.sources[0].list: is missing; expected a text; "
        "config.sources[0].weight: expected a number from 0 to 100, not \"x\"");
    CHECK(refusal(R"({"threads":1.5})").starts_with("config.threads: expected an integer from"));
    CHECK(refusal(R"({"sources":[{},{},{}]})") == "config.sources: 3 entries; at most 2");
    CHECK(refusal(R"({"headers":[]})") == "config.headers: expected an object, not a list");
    CHECK(refusal(R"({"on":false,"sources":[{"list":"a"}]})") == "config: sources need 'on'");
    CHECK(
        refusal(R"({"password":{}})") == "config.password: expected a text, {env:NAME} or "
                                         "{file:/path}, not ***");
}

TEST_CASE("the same declarations tell what there is") {
    const auto fields = fields_of<Settings>();
    std::map<std::string, FieldInfo> by_path;
    for (const auto& field : fields) by_path.emplace(field.path, field);
    REQUIRE(by_path.contains("sources[].weight"));
    CHECK(by_path.at("rate").unit == "1/s");
    CHECK(by_path.at("rate").highest == 1e6);
    CHECK(by_path.at("rate").fallback == 1.5);
    CHECK(by_path.at("wait").fallback == "250ms");
    CHECK(by_path.at("pick").choices.size() == 2);
    CHECK(by_path.at("password").secret);
    CHECK_FALSE(by_path.at("threads").live);
    CHECK(by_path.at("limit").type == "integer");
    CHECK(by_path.contains("headers{}"));
}

TEST_CASE("secrets are masked wherever they are") {
    auto shown = without_secrets<Settings>({{"password", "p"}, {"rate", 2}});
    CHECK(to_text(shown) == R"({"password":"***","rate":2})");
}
