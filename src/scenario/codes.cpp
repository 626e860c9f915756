#include "scenario/codes.hpp"

#include <algorithm>
#include <array>

namespace hive::scenario {

namespace {

constexpr std::array codes{
    CodeInfo{"alias", "an alias of YAML stands for something around it", "write it out"},
    CodeInfo{
        "ambiguous-bee", "several bees have the role that an edge names",
        "name the bee by its id with beeId"},
    CodeInfo{
        "bad-choice", "the chosen SUT, profile or override does not exist",
        "choose one of those that there are, or leave it out"},
    CodeInfo{
        "bad-duration", "not a duration such as 250ms, 5s, 2m or PT15S",
        "write for example 250ms, 5s, 2m or PT15S"},
    CodeInfo{
        "bad-id", "not letters, digits, '-' and '_', or longer than 63",
        "use letters, digits, '-' and '_', not more than 63 of them and a letter or digit first"},
    CodeInfo{
        "bad-image", "the image names no kind of bee",
        "write for example generator:latest, or give the role instead"},
    CodeInfo{
        "bad-selector", "the condition of an edge does not compile",
        "write for example headers['x-kind'] == 'fast'"},
    CodeInfo{
        "bad-target", "a step that is not for the swarm as a whole",
        "move it to the steps of the bees"},
    CodeInfo{
        "bad-threshold", "not a threshold such as p99 < 50ms",
        "write for example p99 < 50ms, error_rate < 0.1% or rate > 4900/s"},
    CodeInfo{
        "bad-url", "not an address of http, https, tcp or tcps",
        "write for example http://host:8080 or tcp://host:9000"},
    CodeInfo{
        "bad-value", "a value of the wrong type or outside of its range",
        "hive scenario reference shows what each setting takes"},
    CodeInfo{"bad-version", "a version that is not known", "write 1, or leave it out"},
    CodeInfo{
        "bad-volume", "a volume that is not host:container",
        "write it as host:container, with :ro or :rw at the end"},
    CodeInfo{
        "bee-without-input", "(warning) a bee that only works on items, and gets none",
        "give it a queue under work.in, or inputs of its own"},
    CodeInfo{
        "byte-order-mark", "the file begins with a byte order mark",
        "save it as UTF-8 without a byte order mark"},
    CodeInfo{
        "cannot-read", "a file or folder cannot be read",
        "check that it is there and that you may read it"},
    CodeInfo{
        "cycle", "(warning) items go in a circle",
        "take one of the queues out of the circle, if it is not meant"},
    CodeInfo{
        "documents", "more than one YAML document",
        "keep the first and put the others into files of their own"},
    CodeInfo{
        "duplicate-id", "two things of one kind have the same name",
        "give one of them another name"},
    CodeInfo{"duplicate-key", "a key is written twice", "remove one of them"},
    CodeInfo{
        "edge-queues", "the ports of an edge name two queues", "give both ports the same queue"},
    CodeInfo{"encoding", "the file is not UTF-8", "save it as UTF-8"},
    CodeInfo{
        "guard-alias",
        "a guard names a queue that no bee has, or its own as the one that presses back",
        "name a queue as work of the bees has it, and for backpressure one further on"},
    CodeInfo{
        "guard-bounds",
        "minRatePerSec is above maxRatePerSec, or recoveryDepth not below highDepth",
        "set the lower one below the higher one"},
    CodeInfo{"guard-bracket", "minDepth is not below maxDepth", "set minDepth below maxDepth"},
    CodeInfo{"guard-conflict", "two guards steer one bee", "leave one of them out"},
    CodeInfo{
        "guard-period", "samplePeriod is shorter than 50ms or longer than 1h",
        "set samplePeriod between 50ms and 1h"},
    CodeInfo{
        "guard-producer", "nobody fills the guarded queue whose rate can be steered",
        "guard a queue that a scheduler or a dataset of Redis or CSV fills at a rate"},
    CodeInfo{
        "guard-target", "targetDepth is outside of the bracket, or less than 2 items inside it",
        "set targetDepth between minDepth and maxDepth, at least 2 items from either"},
    CodeInfo{
        "ignored-key", "(warning) known from public bundles, without a meaning here",
        "leave it out"},
    CodeInfo{"key", "a key of YAML that is not a word", "write the key as plain text"},
    CodeInfo{
        "missing-file", "the bundle has no such file or folder",
        "add it to the bundle, or correct the path"},
    CodeInfo{"missing-key", "something required is not written", "add it"},
    CodeInfo{
        "missing-variable", "a required variable has no value",
        "give it a value, or make it not required"},
    CodeInfo{
        "needs-bundle", "a single file refers to other files",
        "make it a folder with scenario.yaml in it"},
    CodeInfo{"no-bees", "there is no bee", "add `bees:` with a list of them"},
    CodeInfo{
        "no-scenario", "a folder without scenario.yaml", "add it, or name the folder that has it"},
    CodeInfo{
        "no-sut", "(warning) endpoints are referred to and no environment describes them",
        "add sut/<id>/sut.yaml, or give the URL of the endpoint when you run it"},
    CodeInfo{
        "not-live", "a step changes what cannot change while a bee works",
        "set it in the configuration of the bee instead"},
    CodeInfo{
        "outside-bundle", "a path or link leads out of the bundle",
        "copy it into the bundle and name it from there"},
    CodeInfo{
        "plan-too-short", "a run ends before its last step",
        "make its duration longer, or the last step earlier"},
    CodeInfo{
        "port-not-declared", "(warning) a port has a queue but is not among ports",
        "add it to ports"},
    CodeInfo{
        "port-without-queue", "a port is declared and has no queue", "give it a queue under work"},
    CodeInfo{
        "queue-without-consumer", "(warning) nobody takes from a queue",
        "let a bee take from it, or leave it out"},
    CodeInfo{
        "queue-without-producer", "(warning) nobody feeds a queue",
        "let a bee feed it, or leave it out"},
    CodeInfo{"renamed-key", "(warning) an older name of a setting", "use the newer name"},
    CodeInfo{
        "step-without-config", "a config-update without config",
        "add config, or another type of step"},
    CodeInfo{
        "sut-id", "an environment is not called like its folder", "call the folder like the id"},
    CodeInfo{
        "sut-lacks-endpoint", "(warning) an environment lacks an endpoint that bees refer to",
        "add it, or the scenario cannot run with this environment"},
    CodeInfo{
        "syntax", "not YAML", "look at the indentation, the quotes and the brackets around here"},
    CodeInfo{"tab", "a tab where YAML wants spaces", "use spaces"},
    CodeInfo{"tag", "a tag of YAML that is not supported", "leave the tag out"},
    CodeInfo{
        "template-bad-argument", "a function of a template is called wrongly",
        "docs/guides/templates.md shows every function with its arguments"},
    CodeInfo{
        "template-limit", "a template is too large or too deep", "make it smaller, or split it"},
    CodeInfo{
        "template-syntax", "a template does not compile",
        "docs/guides/templates.md shows how templates are written"},
    CodeInfo{
        "template-unknown-filter", "there is no such filter",
        "docs/guides/templates.md lists the filters"},
    CodeInfo{
        "template-unknown-function", "there is no such function",
        "docs/guides/templates.md lists the functions"},
    CodeInfo{
        "template-unknown-name", "a template uses a name that it never gets",
        "docs/guides/templates.md lists the names that templates get"},
    CodeInfo{
        "template-unknown-tag", "there is no such tag", "docs/guides/templates.md lists the tags"},
    CodeInfo{
        "template-unknown-test", "there is no such test",
        "docs/guides/templates.md lists the tests"},
    CodeInfo{"too-deep", "YAML nested too deeply", "nest it less deeply"},
    CodeInfo{
        "too-large", "a file or the bundle is too large",
        "make it smaller; what is not parsed belongs into datasets/"},
    CodeInfo{
        "too-many", "too many of something", "leave some of them out, or make two scenarios of it"},
    CodeInfo{"too-many-nodes", "YAML of too many parts", "make it smaller"},
    CodeInfo{
        "unknown-bee", "an edge names a bee that does not exist",
        "name a bee by its id or its role"},
    CodeInfo{
        "unknown-endpoint", "the system under test has no such endpoint",
        "see endpoints in sut/<id>/sut.yaml"},
    CodeInfo{
        "unknown-key", "a key that nothing reads", "hive scenario reference lists every setting"},
    CodeInfo{
        "unknown-port", "an edge names a port that the bee does not have",
        "name one of the ports under work of that bee"},
    CodeInfo{"unknown-profile", "values for a profile that does not exist", "add it to profiles"},
    CodeInfo{
        "unknown-queue", "settings for a queue that no bee has",
        "name a queue as work of the bees has it"},
    CodeInfo{
        "unknown-role", "there is no bee of that kind",
        "hive scenario reference lists the kinds of bees"},
    CodeInfo{
        "unknown-sut", "values for an environment that does not exist", "add sut/<id>/sut.yaml"},
    CodeInfo{
        "unknown-target", "a plan names a bee or instance that does not exist",
        "name a bee by its id or its role"},
    CodeInfo{"unknown-variable", "a variable that is not defined", "define it in variables.yaml"},
    CodeInfo{
        "variable-scope", "a value stands where its definition does not allow",
        "move it to where its scope says"},
    CodeInfo{
        "vars-hidden", "(warning) a bee has vars of its own beside those of the scenario",
        "define them in variables.yaml instead"},
    CodeInfo{
        "wrong-type", "a list, mapping or word where another is expected",
        "hive scenario schema describes every key"},
};

} // namespace

std::span<const CodeInfo> all_codes() {
    return codes;
}

bool is_known_code(std::string_view code) {
    return std::ranges::find(codes, code, &CodeInfo::code) != codes.end();
}

void complete(std::vector<Finding>& findings, std::string_view file) {
    for (Finding& finding : findings) {
        const auto* const known = std::ranges::find(codes, finding.code, &CodeInfo::code);
        if (finding.hint.empty() && known != codes.end()) finding.hint = known->fix;
        if (finding.file == file && finding.at.line == 0) finding.at = {1, 1};
    }
}

} // namespace hive::scenario
