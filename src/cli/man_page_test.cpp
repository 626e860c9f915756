#include "cli/man_page.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::cli;

TEST_CASE("text that roff would take for a request or an escape is written as text") {
    Command root{
        .text = {
            .name = "hive", .summary = "a-b", .description = ".dangerous\n\n'quoted \\n here"}};
    Command child{.text = {.name = "go", .summary = "goes"}};
    child.run = [](Call&) { return 0; };
    root.children.push_back(std::move(child));
    const std::string page = man_page(root, "1.2-3");
    CHECK(page.starts_with(".TH HIVE 1 \"\" \"PocketHive 1.2\\-3\""));
    CHECK(page.find("hive \\- a\\-b\n") != std::string::npos);
    CHECK(page.find("\n\\&.dangerous\n") != std::string::npos);
    CHECK(page.find("\n\\&'quoted \\en here\n") != std::string::npos);
    CHECK(page.find(".SS hive go\ngoes.\n") != std::string::npos);
}
