#include "controller/guard_figures.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::controller;

TEST_SUITE("controller") {
    TEST_CASE("the figures of a guard elsewhere are those of its status") {
        const auto context = parse_json(R"({"bufferGuards":[
            {"queueAlias":"raw","state":"PREFILL","depth":90,"smoothedDepth":92.5,"target":120,
             "rate":40.5},
            {"queueAlias":"calls","state":"DISABLED","smoothedDepth":null,"target":7,"rate":1},
            {"queueAlias":"a\"} 1\nx","state":"STEADY"}, 7]})");
        const auto figures = figures_in(context.value().as_object());
        REQUIRE(figures.size() == 2); // a name that is none is nobody's
        telemetry::MetricsPage page;
        write_figures(page, "alpha", figures);
        const std::string text = page.text();
        for (const char* line :
             {R"(buffer_guard_depth{swarm="alpha",guard="raw"} 92.5)",
              R"(buffer_guard_target{swarm="alpha",guard="raw"} 120)",
              R"(buffer_guard_rate_override{swarm="alpha",guard="raw"} 40.5)",
              R"(buffer_guard_state{swarm="alpha",guard="raw"} 1)",
              R"(buffer_guard_state{swarm="alpha",guard="calls"} 0)"}) {
            CHECK_MESSAGE(text.find(line) != text.npos, line, " is not in ", text);
        }
    }

    TEST_CASE("without guards there is nothing on the page") {
        telemetry::MetricsPage page;
        write_figures(page, "alpha", figures_in({}));
        CHECK(page.text().empty());
    }
}
