#include "bees/http_builder/template_set.hpp"
#include "tests/support/scratch_directory.hpp"
#include "wire/work_item.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using namespace hive;
using namespace hive::bees;

namespace {

class Root {
public:
    void write(const std::string& name, const std::string& text) {
        const auto path = scratch_.path() / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream{path} << text;
    }
    Result<TemplateSet> load() const { return TemplateSet::load(scratch_.path().string()); }
    std::string problem() const {
        const auto set = load();
        return set ? "" : set.error().detail;
    }

private:
    tests::ScratchDirectory scratch_;
};

std::string rendered(CallTemplate& call, const std::string& payload) {
    worker::Renderer renderer{1};
    wire::WorkItem item{.steps = {{.payload = payload}}};
    renderer.look_at(item, {});
    std::string out;
    const auto ok = call.request.render(renderer, out);
    REQUIRE_MESSAGE(ok, (ok ? "" : ok.error().detail));
    return out;
}

} // namespace

TEST_SUITE("call templates") {
    TEST_CASE("a call is found by its service and id, and becomes a request") {
        Root root;
        root.write("shop/buy.yaml", R"(
serviceId: shop
callId: buy
protocol: HTTP
method: POST
pathTemplate: /orders/{{ payloadAsJson.id }}
headersTemplate:
  content-type: application/json
bodyTemplate: |
  {"n": {{ payloadAsJson.n }}}
)");
        auto set = root.load().value();
        CallTemplate* call = set.find("shop", "buy");
        REQUIRE(call != nullptr);
        CHECK(
            rendered(*call, R"({"id": "C1", "n": 7})") ==
            R"({"kind":"http.request","request":{"method":"POST","path":"/orders/C1",)"
            R"("headers":{"content-type":"application/json"},"body":"{\"n\": 7}\n"}})");
        CHECK(set.find("shop", "sell") == nullptr);
        CHECK(set.find("bank", "buy") == nullptr);
    }
    TEST_CASE("without a call id the only call of a service is meant") {
        Root root;
        root.write("one/a.yaml", "pathTemplate: /a");
        root.write("two/a.yaml", "pathTemplate: /a");
        root.write("two/b.yml", "pathTemplate: /b");
        auto set = root.load().value();
        REQUIRE(set.find("one", "") != nullptr);
        CHECK(set.find("one", "")->call == "a");
        CHECK(set.find("two", "") == nullptr);
        REQUIRE(set.find("two", "b") != nullptr);
    }
    TEST_CASE("a request over TCP carries how its answer is recognised, and rules travel too") {
        Root root;
        root.write("pos/pay.yaml", R"~(
protocol: TCP
behavior: REQUEST_RESPONSE
endTag: "\n"
maxBytes: 100
bodyTemplate: "PAY {{ payload }}"
resultRules:
  businessCode: {source: RESPONSE_BODY, pattern: "(\\d+)"}
  successRegex: "00"
)~");
        auto set = root.load().value();
        CHECK(
            rendered(*set.find("pos", "pay"), "5") ==
            R"~({"kind":"tcp.request","request":{"headers":{},"body":"PAY 5",)~"
            R"~("behavior":"REQUEST_RESPONSE","endTag":"\n","maxBytes":100},)~"
            R"~("resultRules":{"businessCode":{"source":"RESPONSE_BODY","pattern":"(\\d+)"},)~"
            R"~("successRegex":"00"}})~");
    }
    TEST_CASE("everything that is wrong with all files is said at once, with its place") {
        Root root;
        root.write("a/one.yaml", "method: GET\npathTempalte: /x\n");
        root.write("a/two.yaml", "pathTemplate: '{{ nope() }}'\nbodyTemplate: '{{ payload'\n");
        root.write("a/three.yaml", "protocol: ISO8583\n");
        root.write("a/four.yaml", "a: [1\n");
        root.write("b/dup.yaml", "serviceId: c\ncallId: same\n");
        root.write("b/dup2.yaml", "serviceId: c\ncallId: same\n");
        root.write("b/auth.yaml", "authRef: token\n");
        const auto problem = root.problem();
        for (const char* part :
             {"a/one.yaml:2:1: pathTempalte: is not known", "a/two.yaml:1:1: pathTemplate: at 1:",
              "a/two.yaml:2:1: bodyTemplate: at 1:", "a/three.yaml:1:1: protocol: expected",
              "a/four.yaml:", "b/dup2.yaml: call 'same' of service 'c' has another template",
              "authRef is not supported"}) {
            CHECK_MESSAGE(problem.find(part) != std::string::npos, part << " in: " << problem);
        }
    }
    TEST_CASE("a folder that is not there, and a file without end, are refused") {
        const auto nowhere = TemplateSet::load("/nowhere/at/all");
        REQUIRE_FALSE(nowhere);
        CHECK(nowhere.error().detail.find("cannot be read") != std::string::npos);
        Root root;
        root.write("a/big.yaml", "bodyTemplate: " + std::string(TemplateSet::file_bytes_max, 'x'));
        CHECK(root.problem().find("a/big.yaml: has more than") != std::string::npos);
    }
}
