#include "cli/arguments.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::cli;

namespace {

struct Options {
    int port = 0;
    bool json = false;
    bool quiet = false;
    std::vector<std::string> files{};
};

void declare(OptionTable& table, Options& options) {
    table.add_flag("port", options.port).letter('p');
    table.add_flag("json", options.json).letter('j');
    table.add_flag("quiet", options.quiet).letter('q');
    table.add_positional("FILE", options.files);
}

int run(Options& /*options*/, Call& /*call*/) {
    return 0;
}

Command tree() {
    Command root{.text = {.name = "hive"}};
    root.children.push_back(make_command<Options>({.name = "run"}, declare, run));
    Command group{.text = {.name = "swarm"}};
    group.children.push_back(make_command<Options>({.name = "list"}, declare, run));
    root.children.push_back(std::move(group));
    return root;
}

struct Parsed {
    Command root = tree();
    Arguments arguments{};
    explicit Parsed(const std::vector<std::string>& args)
        : arguments{parse_arguments(root, args)} {}
    std::string flags() const {
        std::string all;
        for (const auto& given : arguments.flags) {
            all += given.spelled + '(' + given.flag + ")=" + given.text + ' ';
        }
        return all;
    }
    std::string problem() const {
        REQUIRE(arguments.findings.size() == 1);
        return arguments.findings[0].message;
    }
    std::string hint() const { return arguments.findings.at(0).hint; }
};

} // namespace

TEST_CASE("flags are read in every usual spelling") {
    CHECK(Parsed{{"run", "--port", "80"}}.flags() == "--port(port)=80 ");
    CHECK(Parsed{{"run", "--port=80"}}.flags() == "--port(port)=80 ");
    CHECK(Parsed{{"run", "--port="}}.flags() == "--port(port)= ");
    CHECK(Parsed{{"run", "-p", "80"}}.flags() == "-p(port)=80 ");
    CHECK(Parsed{{"run", "-p80"}}.flags() == "-p(port)=80 ");
    CHECK(Parsed{{"run", "-jqp80"}}.flags() == "-j(json)=true -q(quiet)=true -p(port)=80 ");
    CHECK(Parsed{{"run", "--json"}}.flags() == "--json(json)=true ");
    CHECK(Parsed{{"run", "--no-json"}}.flags() == "--no-json(json)=false ");
    CHECK(Parsed{{"run", "--json=no"}}.flags() == "--json(json)=no ");
    CHECK(Parsed{{"run", "--port", "-5"}}.flags() == "--port(port)=-5 ");
}

TEST_CASE("words name commands first and positionals then; two dashes end the flags") {
    const Parsed nested{{"swarm", "list", "a", "--json", "b", "-", "--", "--port"}};
    CHECK(nested.arguments.path == "hive swarm list");
    CHECK(nested.arguments.findings.empty());
    CHECK(nested.arguments.positionals == std::vector<std::string>{"a", "b", "-", "--port"});
    CHECK(Parsed{{}}.arguments.path == "hive");
}

TEST_CASE("help and version are recognised wherever they stand") {
    CHECK(Parsed{{"--help"}}.arguments.help);
    CHECK(Parsed{{"swarm", "-h"}}.arguments.help);
    CHECK(Parsed{{"run", "-jh"}}.arguments.help);
    CHECK(Parsed{{"--version"}}.arguments.version);
}

TEST_CASE("an unknown word or flag is named, with the nearest one that exists") {
    const Parsed command{{"swram", "--json"}};
    CHECK(command.problem() == "'swram' is not a command of hive");
    CHECK(command.hint() == "did you mean 'hive swarm'?");
    const Parsed nested{{"swarm", "lits"}};
    CHECK(nested.hint() == "did you mean 'hive swarm list'?");
    const Parsed flag{{"run", "--prot", "80"}};
    CHECK(flag.problem() == "hive run has no flag --prot");
    CHECK(flag.hint() == "did you mean --port?");
    const Parsed letter{{"run", "-x"}};
    CHECK(letter.hint() == "'hive run --help' lists its flags");
    CHECK(Parsed{{"run", "--no-port"}}.problem() == "hive run has no flag --no-port");
    CHECK(Parsed{{std::string("a\x1b\n")}}.problem() == "'a\\x1b\\n' is not a command of hive");
}

TEST_CASE("a flag without its value says how to write it") {
    const Parsed last{{"run", "--port"}};
    CHECK(last.problem() == "--port needs a value: --port N");
    const Parsed before_flag{{"run", "-p", "--json"}};
    CHECK(before_flag.problem() == "-p needs a value: -p N");
    CHECK(before_flag.hint() == "if the value starts with '-', write --port=VALUE");
}

TEST_CASE("several problems are reported together") {
    CHECK(Parsed{{"run", "--nope", "--port"}}.arguments.findings.size() == 2);
}
