#include "cli/commands.hpp"
#include "cli/report_commands.hpp"

namespace hive::cli {

Command report_command() {
    Command group{
        .text = {
            .name = "report",
            .summary = "show, draw and compare what runs measured",
            .description =
                "Works on the JSON files that a run writes as its summary. Nothing is sent "
                "anywhere.",
            .examples = {
                {"hive report show run.json", "the text at the end of that run"},
                {"hive report compare before.json after.json", "did it get slower?"}}}};
    group.children.push_back(report_show_command());
    group.children.push_back(report_html_command());
    group.children.push_back(report_compare_command());
    return group;
}

} // namespace hive::cli
