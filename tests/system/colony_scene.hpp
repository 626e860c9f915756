#pragma once

#include "api/colony/colony_offer.hpp"
#include "tests/system/server_scene.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <string_view>

namespace hive::test {

// A hive with its colony: bees with keys of their own, and a person who makes tasks.
class ColonyUnderTest {
public:
    using Prepare = std::function<void(rest::ColonyParts&)>; // before the server starts
    // `more`: what others bring besides the colony.
    explicit ColonyUnderTest(
        rest::ColonyPolicy policy = {}, std::function<void(rest::HiveParts&)> more = {},
        const Prepare& prepare = {});

    struct Member {
        const HiveUnderTest* hive;
        std::string headers; // `Authorization: ...`

        json::value get(std::string_view path, unsigned status = 200) const;
        json::value post(
            std::string_view path, const json::value& body = json::object{}, unsigned status = 200,
            std::string_view more_headers = "") const;
        Answer send(
            std::string_view method, std::string_view path, const json::value& body,
            std::string_view more_headers = "") const;
    };
    Member bee(const std::string& id);
    Member person(const std::string& id = "alice");
    Member admin() { return member("root", accounts::Role::admin); }

    std::string make_task(json::object task); // its ref

    HiveUnderTest& hive() { return *hive_; }

private:
    Member member(const std::string& id, accounts::Role role);

    rest::ColonyParts parts_;
    std::unique_ptr<HiveUnderTest> hive_;
};

std::string text_at(const json::value& value, std::string_view pointer);

} // namespace hive::test
