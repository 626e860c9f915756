#include "api/rest/audited.hpp"
#include "audit/details.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::rest;

TEST_CASE("what an entry has room for is kept, anything else is named by its size") {
    const json::object small{{"rate", 5}};
    CHECK(audited(small) == small);
    const json::object large{{"text", std::string(100'000, 'x')}};
    CHECK(audited(large).contains("omitted"));
    CHECK(audited(large).at("bytes").to_number<std::size_t>() > 100'000);
    json::object deep{{"end", 1}};
    for (int i = 0; i < 40; ++i) deep = json::object{{"in", deep}};
    CHECK(audited(deep).contains("omitted"));
    json::object just{{"end", 1}};
    while (!audited(json::object{{"in", just}}).contains("omitted")) just = {{"in", just}};
    CHECK(audit::Details::of({{"before", audited(just)}, {"after", audited(just)}}));
}
