#include "kernel/yaml.hpp"

#include <doctest/doctest.h>

using namespace hive;
using Kind = YamlNode::Kind;

namespace {

Finding only_finding(const YamlDocument& document) {
    REQUIRE(document.findings.size() == 1);
    return document.findings.front();
}

std::string repeated(std::string_view part, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += part;
    return out;
}

} // namespace

TEST_CASE("every node knows where it stands and scalars stay as written") {
    const auto document = parse_yaml("f", "a:\n  b: 007\n  c: [x, \"9\"]\nd: ~\n");
    REQUIRE(document.findings.empty());
    const YamlNode& a = *document.root.find("a");
    CHECK(a.find("b")->text == "007");
    CHECK(a.find("b")->key_at == Position{2, 3});
    CHECK(a.find("b")->at == Position{2, 6});
    CHECK_FALSE(a.find("b")->quoted);
    REQUIRE(a.find("c")->items.size() == 2);
    CHECK(a.find("c")->items[1].quoted);
    CHECK(document.root.find("d")->kind == Kind::null);
    CHECK(document.root.find("nope") == nullptr);
    CHECK(parse_yaml("f", "").root.kind == Kind::null);
    CHECK(parse_yaml("f", "# only a comment\n").findings.empty());
}

TEST_CASE("a duplicate key is found where it repeats and the first value stays") {
    const auto document = parse_yaml("f", "a: 1\nb: 2\na: {c: 3}\n");
    const Finding finding = only_finding(document);
    CHECK(finding.code == "duplicate-key");
    CHECK(finding.file == "f");
    CHECK(finding.at == Position{3, 1});
    CHECK(finding.message == "'a' is already set at line 1");
    CHECK(document.root.find("a")->text == "1");
    CHECK(document.root.items.size() == 2);
}

TEST_CASE("a syntax error says where, and what stood before it is kept") {
    const auto document = parse_yaml("f", "a: 1\nb: [1, 2\nc: 3\n");
    const Finding finding = only_finding(document);
    CHECK(finding.code == "syntax");
    CHECK(finding.at.line >= 2);
    CHECK(document.root.find("a")->text == "1");
}

TEST_CASE("a tab used as indentation is named as such") {
    const Finding finding = only_finding(parse_yaml("f", "a:\n\tb: 1\n"));
    CHECK(finding.code == "tab");
    CHECK(finding.at == Position{2, 1});
    CHECK(parse_yaml("f", "a: |\n  x\n  \ty\n").findings.empty()); // inside a text it is text
}

TEST_CASE("encodings other than UTF-8 are refused with the place, a byte-order mark only noted") {
    const auto marked = parse_yaml(
        "f", "\xef\xbb\xbf"
             "a: 1\n");
    CHECK(only_finding(marked).severity == Severity::warning);
    CHECK(marked.root.find("a")->text == "1");
    CHECK(
        only_finding(parse_yaml(
                         "f", "\xff\xfe"
                              "a"))
            .message == "the file is UTF-16");
    const Finding latin = only_finding(parse_yaml("f", "a: 1\nb: caf\xe9\n"));
    CHECK(latin.at == Position{2, 7});
    CHECK(latin.message == "byte 0xe9 is not valid UTF-8");
    const Finding control = only_finding(parse_yaml("f", std::string_view{"a: \0", 4}));
    CHECK(control.at == Position{1, 4});
}

TEST_CASE("aliases stand for what they name") {
    const auto document = parse_yaml("f", "a: &x {n: 1}\nb: *x\n");
    REQUIRE(document.findings.empty());
    CHECK(document.root.find("b")->find("n")->text == "1");
}

TEST_CASE("a bomb of aliases hits a bound instead of the memory") {
    std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; ++i) {
        const auto before = "*a" + std::to_string(i - 1);
        bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
        for (int j = 0; j < 8; ++j) bomb += ", " + before;
        bomb += "]\n";
    }
    CHECK(only_finding(parse_yaml("f", bomb)).code == "too-many-nodes");

    const std::string big = "a: &x " + std::string(100'000, 'y') + "\nb: [" + repeated("*x, ", 100);
    CHECK(only_finding(parse_yaml("f", big + "*x]\n")).code == "too-large");

    std::string deep = "a0: &a0 [[[[[[[[[[x]]]]]]]]]]\n";
    for (int i = 1; i < 8; ++i) {
        deep += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [[[[[[[[[[*a" +
                std::to_string(i - 1) + "]]]]]]]]]]\n";
    }
    CHECK(only_finding(parse_yaml("f", deep)).code == "too-deep");
}

TEST_CASE("an alias to a node around it is refused") {
    CHECK(only_finding(parse_yaml("f", "a: &x [*x]\n")).code == "alias");
}

TEST_CASE("size, depth and number of values are bounded") {
    CHECK(only_finding(parse_yaml("f", "a: 1", {.bytes = 3})).code == "too-large");
    CHECK(only_finding(parse_yaml("f", "[[[[x]]]]", {.depth = 3})).code == "too-deep");
    CHECK(parse_yaml("f", "[[[x]]]", {.depth = 3}).findings.empty());
    CHECK(only_finding(parse_yaml("f", "[a, b, c]", {.nodes = 3})).code == "too-many-nodes");
    CHECK(only_finding(parse_yaml("f", std::string(100'000, '['))).code == "too-deep");
    CHECK(only_finding(parse_yaml("f", repeated("- ", 100'000))).code == "too-deep");
}

TEST_CASE("what a config file never needs is refused with a reason") {
    CHECK(only_finding(parse_yaml("f", "a: 1\n---\nb: 2\n")).code == "documents");
    CHECK(only_finding(parse_yaml("f", "? [a, b]\n: 1\n")).code == "key");
    CHECK(only_finding(parse_yaml("f", "a: !python/object x\n")).code == "tag");
    CHECK(parse_yaml("f", "a: !!str 5\n").findings.empty());
    CHECK(parse_yaml("f", "%YAML 1.2\n---\na: 1\n...\n").findings.empty());
}

TEST_CASE("many problems are cut off rather than listed for ever") {
    const auto document = parse_yaml("f", "a: 1\n" + repeated("a: 1\n", 5000));
    CHECK(document.findings.size() == 101);
    CHECK(document.findings.back().code == "too-many");
}
