#include "api/trace.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::api;

namespace {

Trace trace(std::string_view name, std::string_view value) {
    http::Request request;
    request.headers = {{name, value}};
    Random random{1};
    return trace_of(request, random);
}

constexpr std::string_view good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

} // namespace

TEST_CASE("a harmless request id is kept, any other is replaced") {
    CHECK(trace("x-request-id", "abc-1.2_3").request_id == "abc-1.2_3");
    for (const std::string bad : {"", "a b", "a\"b", "<script>"}) {
        CHECK(trace("X-Request-Id", bad).request_id.size() == 16);
    }
    CHECK(trace("X-Request-Id", std::string(65, 'a')).request_id.size() == 16);
}

TEST_CASE("a traceparent is read, and a broken one ignored") {
    const Trace read = trace("traceparent", good);
    CHECK(read.trace_id == "0af7651916cd43dd8448eb211c80319c");
    CHECK(read.parent_id == "b7ad6b7169203331");
    CHECK(read.sampled);
    CHECK(trace("traceparent", "cc" + std::string{good.substr(2)} + "-more").trace_id.size() == 32);
    for (const std::string& bad :
         {std::string{}, std::string{good.substr(1)}, std::string{good} + "-more",
          "ff" + std::string{good.substr(2)},
          std::string{"00-00000000000000000000000000000000-b7ad6b7169203331-01"},
          std::string{"00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01"}}) {
        CAPTURE(bad);
        CHECK(trace("traceparent", bad).trace_id.empty());
    }
}
