#include "tests/system/colony_scene.hpp"

#include <fmt/format.h>

namespace hive::test {

ColonyUnderTest::ColonyUnderTest(
    rest::ColonyPolicy policy, std::function<void(rest::HiveParts&)> more, const Prepare& prepare) {
    parts_.policy = std::move(policy);
    if (prepare) prepare(parts_);
    HiveUnderTest::Setting setting;
    setting.offer = [this, more = std::move(more)](rest::HiveParts& parts) {
        rest::offer_colony(HiveId::parse("main").value(), parts_, parts);
        if (more) more(parts);
    };
    hive_ = std::make_unique<HiveUnderTest>(std::move(setting));
}

ColonyUnderTest::Member ColonyUnderTest::member(const std::string& id, accounts::Role role) {
    return {
        hive_.get(), HiveUnderTest::bearer(hive_->key_text({.id = {}, .owner = id, .role = role}))};
}
ColonyUnderTest::Member ColonyUnderTest::bee(const std::string& id) {
    return member(id, accounts::Role::bee);
}
ColonyUnderTest::Member ColonyUnderTest::person(const std::string& id) {
    return member(id, accounts::Role::human);
}

Answer ColonyUnderTest::Member::send(
    std::string_view method, std::string_view path, const json::value& body,
    std::string_view more_headers) const {
    return hive->send(
        method, path, fmt::format("{}Content-Type: application/json\r\n{}", headers, more_headers),
        body.is_object() ? to_text(body) : "{}"); // `{}` in a call is no object
}

json::value ColonyUnderTest::Member::get(std::string_view path, unsigned status) const {
    const auto answer = hive->get(path, headers);
    REQUIRE_MESSAGE(answer.status == status, path, " ", answer.body);
    return parsed(answer.body);
}

json::value ColonyUnderTest::Member::post(
    std::string_view path, const json::value& body, unsigned status,
    std::string_view more_headers) const {
    const auto answer = send("POST", path, body, more_headers);
    REQUIRE_MESSAGE(answer.status == status, path, " ", answer.body);
    return parsed(answer.body);
}

std::string ColonyUnderTest::make_task(json::object task) {
    if (!task.contains("title")) task["title"] = "a task";
    return text_at(person().post("/api/v1/tasks", task, 201), "/ref");
}

std::string text_at(const json::value& value, std::string_view pointer) {
    boost::system::error_code none;
    const auto* found = value.find_pointer(pointer, none);
    REQUIRE_MESSAGE(found != nullptr, pointer, " in ", to_text(value));
    return std::string{found->as_string()};
}

} // namespace hive::test
