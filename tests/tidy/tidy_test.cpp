#include "tests/support/places.hpp"
#include "tests/tidy/rules.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace hive::tidy;

namespace {

const SourceTree& this_project() {
    static const SourceTree tree = read_tree(hive::tests::in_source(""));
    return tree;
}

// A small project with one planted offence per rule.
SourceTree planted(std::string path, const std::string& text) {
    SourceTree tree{
        .map = {
            {.path = "kernel", .pure = true},
            {.path = "bus", .pure = true},
            {.path = "bus/memory", .adapter = true},
            {.path = "store"},
            {.path = "cli"}}};
    for (const auto& folder : tree.map) {
        tree.files.push_back(make_file("src/" + folder.path + "/README.md", "what belongs here\n"));
    }
    tree.files.push_back(make_file(std::move(path), text));
    return tree;
}

std::string port_of(int functions) {
    std::string text = "class Port {\npublic:\n    virtual ~Port() = default;\n";
    for (int i = 0; i < functions; ++i) {
        text += fmt::format("    virtual int\n    number_{}(int of) = 0; // its number\n", i);
    }
    return text + "    int value = 0;\n};\n";
}

void expect_one(const Violations& found, const std::string& part) {
    REQUIRE(found.size() == 1);
    CHECK_MESSAGE(found.front().find(part) != std::string::npos, found.front());
}

void expect_none(const Violations& found) {
    for (const auto& violation : found) FAIL_CHECK(violation);
}

} // namespace

TEST_CASE("the project has sources and a map, so the rules have something to check") {
    CHECK(this_project().map.size() >= 5);
    CHECK(this_project().files.size() >= 30);
}

TEST_CASE("every folder of src is on the map") {
    expect_none(folders_off_the_map(this_project()));
}
TEST_CASE("includes follow the map") {
    expect_none(includes_against_the_map(this_project()));
}
TEST_CASE("no folders form a cycle") {
    expect_none(folder_cycles(this_project()));
}
TEST_CASE("network and database headers stay in adapters and shells") {
    expect_none(outside_headers_in_the_core(this_project()));
}
TEST_CASE("pure code reads no clock and draws no number") {
    expect_none(clocks_and_chance_in_pure_code(this_project()));
}
TEST_CASE("ports are narrow") {
    expect_none(wide_ports(this_project()));
}
TEST_CASE("names say what is inside") {
    expect_none(forbidden_names(this_project()));
}
TEST_CASE("files and lines stay within their limits") {
    expect_none(files_and_lines_too_long(this_project()));
}
TEST_CASE("headers are guarded") {
    expect_none(headers_without_guard(this_project()));
}
TEST_CASE("headers include what they use of libraries") {
    expect_none(headers_that_lean_on_others(this_project()));
}
TEST_CASE("a source includes its own header first") {
    expect_none(sources_that_lean_on_others(this_project()));
}
TEST_CASE("every folder explains itself") {
    expect_none(folders_without_readme(this_project()));
}
TEST_CASE("a test sits beside what it tests") {
    expect_none(tests_without_source(this_project()));
}

TEST_CASE("a planted offence against each rule is found") {
    expect_one(folders_off_the_map(planted("src/attic/a.cpp", "")), "src/attic");
    expect_one(
        includes_against_the_map(planted("src/kernel/a.hpp", "#include \"bus/b.hpp\"\n")),
        "src/kernel/a.hpp:1: kernel may not use bus");
    expect_one(
        includes_against_the_map(planted("src/store/a.cpp", "\n#include \"bus/memory/hub.hpp\"\n")),
        "src/store/a.cpp:2: only cli and sdk may use the adapter");
    expect_one(
        outside_headers_in_the_core(planted("src/bus/a.cpp", "#include <amqp.h>\n")), "<amqp.h>");
    expect_one(
        outside_headers_in_the_core(planted("src/kernel/a.cpp", "#include <openssl/evp.h>\n")),
        "<openssl/evp.h>");
    expect_one(
        outside_headers_in_the_core(planted("src/kernel/digest.cpp", "#include <amqp.h>\n")),
        "<amqp.h>");
    expect_one(
        clocks_and_chance_in_pure_code(
            planted("src/kernel/a.cpp", "auto t = std::chrono::steady_clock::now();\n")),
        "steady_clock::now");
    expect_one(wide_ports(planted("src/bus/a.hpp", port_of(8))), "class Port has 8 functions");
    expect_one(forbidden_names(planted("src/kernel/utils.hpp", "")), "says nothing");
    expect_one(
        forbidden_names(planted("src/kernel/a.hpp", "class SwarmManager {\n")), "SwarmManager");
    expect_one(
        files_and_lines_too_long(planted("src/kernel/a.cpp", std::string(120, 'x'))),
        "120 columns");
    std::string many;
    for (int i = 0; i < 401; ++i) many += "x\n";
    expect_one(files_and_lines_too_long(planted("src/kernel/a.cpp", many)), "401 lines");
    expect_one(headers_without_guard(planted("src/kernel/a.hpp", "int x;\n")), "#pragma once");
    expect_one(
        headers_that_lean_on_others(
            planted("src/kernel/a.hpp", "#pragma once\n#include <string>\nstd::vector<int> x;\n")),
        "src/kernel/a.hpp:3: nothing it includes brings <vector>");
    for (const auto* text : {"#include <string>\n#include \"kernel/a.hpp\"\n", "int x;\n"}) {
        auto late = planted("src/kernel/a.cpp", text);
        late.files.push_back(make_file("src/kernel/a.hpp", "#pragma once\n"));
        expect_one(sources_that_lean_on_others(late), "src/kernel/a.cpp:1: its own header is not");
    }
    expect_one(tests_without_source(planted("src/kernel/a_test.cpp", "")), "does not exist");
    auto silent = planted("src/kernel/a.cpp", "");
    std::erase_if(silent.files, [](const SourceFile& f) { return f.path == "src/cli/README.md"; });
    expect_one(folders_without_readme(silent), "src/cli/README.md is missing");
}

TEST_CASE("a cycle between folders is found wherever it starts") {
    auto tree = planted("src/kernel/a.hpp", "#include \"bus/b.hpp\"\n");
    tree.files.push_back(make_file("src/bus/b.hpp", "#include \"store/c.hpp\"\n"));
    tree.files.push_back(make_file("src/store/c.hpp", "#include \"kernel/a.hpp\"\n"));
    CHECK(folder_cycles(tree).size() == 3);
}

TEST_CASE("what the rules allow is left alone") {
    auto beside = planted("src/kernel/hub.cpp", "");
    beside.files.push_back(make_file("src/kernel/hub_test.cpp", ""));
    beside.files.push_back(make_file("src/kernel/hub_under_load_test.cpp", ""));
    CHECK(tests_without_source(beside).empty());
    CHECK(wide_ports(planted("src/bus/a.hpp", port_of(7) + port_of(7))).empty());
    CHECK(wide_ports(planted("src/store/a.hpp", port_of(8))).empty()); // no port: not pure
    CHECK(includes_against_the_map(planted("src/cli/a.cpp", "#include \"bus/memory/hub.hpp\"\n"))
              .empty());
    CHECK(outside_headers_in_the_core(planted("src/bus/memory/a.cpp", "#include <amqp.h>\n"))
              .empty());
    CHECK(
        outside_headers_in_the_core(planted("src/kernel/digest.cpp", "#include <openssl/evp.h>\n"))
            .empty());
    CHECK(
        clocks_and_chance_in_pure_code(
            planted("src/kernel/a.cpp", "// not steady_clock::now()\nauto s = \"SystemClock\";\n"))
            .empty());
}
