#include "cli/bundle_files.hpp"
#include "cli/failure.hpp"
#include "cli/read_file.hpp"
#include "cli/scenario_commands.hpp"
#include "importer/bundle_text.hpp"
#include "importer/curl.hpp"
#include "importer/har.hpp"
#include "importer/openapi.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace hive::cli {
namespace {

struct ScenarioImportOptions {
    std::string kind{};
    std::string file{};
    FilePath to{};
    double rate = 10;
    Duration duration = std::chrono::seconds{30};
    bool skip_static = false;
    std::string host{};
    bool force = false;
};

void declare_scenario_import(OptionTable& table, ScenarioImportOptions& options) {
    table.add_positional("KIND", options.kind)
        .required()
        .choices({"har", "openapi", "curl"})
        .help("what the file is: a recording of a browser, a description of an API, or commands");
    table.add_positional("FILE", options.file)
        .required()
        .help("what to import; - is standard input");
    table.add_flag("to", options.to)
        .value_name("PATH")
        .help("the folder to make; without it the name of the file, without its ending");
    table.add_flag("rate", options.rate).range(0.001, 10'000'000).help("calls per second");
    table.add_flag("duration", options.duration)
        .range(std::chrono::seconds{1}, std::chrono::hours{24 * 30})
        .help("how long it sends");
    table.add_flag("skip-static", options.skip_static)
        .help("of a recording, leave out images, styles, scripts and fonts");
    table.add_flag("host", options.host)
        .value_name("HOST")
        .help("of a recording with several hosts, the one to call; else the one called most");
    table.add_flag("force", options.force).help("replace files that are there already");
}

Result<std::string> text_of(const ScenarioImportOptions& options, int input) {
    const std::size_t most = options.kind == "har"       ? importer::har_bytes_max
                             : options.kind == "openapi" ? importer::openapi_bytes_max
                                                         : importer::curl_bytes_max;
    auto text = options.file == "-" ? read_all(input, most) : read_file(options.file, most);
    if (text) return text;
    return fail(
        Errc::invalid, fmt::format("{}: {}", printable(options.file, 300), text.error().detail));
}

Result<importer::Draft> draft_of(const ScenarioImportOptions& options, const std::string& text) {
    if (options.kind == "har") {
        return importer::read_har(text, {.skip_static = options.skip_static, .host = options.host});
    }
    return options.kind == "openapi" ? importer::read_openapi(text) : importer::read_curl(text);
}

std::string folder_of(const ScenarioImportOptions& options) {
    if (!options.to.text.empty()) return options.to.text;
    if (options.file == "-") return "imported";
    const auto name =
        importer::Files::key_type{std::filesystem::path{options.file}.filename().stem().string()};
    return name.empty() ? "imported" : name;
}

int run_scenario_import(ScenarioImportOptions& options, Call& call) {
    const auto text = text_of(options, call.host.in);
    if (!text) return report(call.host, text.error());
    auto draft = draft_of(options, *text);
    if (!draft) {
        const std::string file = printable(options.file, 300);
        return report(
            call.host, {draft.error().code, fmt::format("{}: {}", file, draft.error().detail)});
    }
    const std::string folder = folder_of(options);
    std::string id = scenario_id_of(folder);
    if (id.empty()) id = "imported";
    const std::string origin = options.file == "-"
                                   ? "standard input"
                                   : std::filesystem::path{options.file}.filename().string();
    const auto files = importer::bundle_of(
        *draft, {.id = id,
                 .origin = fmt::format("Imported from {} ({}).", printable(origin), options.kind),
                 .rate_per_sec = options.rate,
                 .length = options.duration});
    if (auto ok = write_bundle(folder, files, options.force); !ok) {
        return report(call.host, ok.error());
    }
    call.host.out << fmt::format("{} calls to {}\n", draft->calls.size(), draft->base_url);
    for (const std::string& note : draft->notes) call.host.err << "note: " << note << '\n';
    return tell_new_bundle(call.host, folder, files);
}

} // namespace

Command scenario_import_command() {
    return make_command<ScenarioImportOptions>(
        {.name = "import",
         .summary = "make a scenario of a HAR, OpenAPI or curl commands",
         .description =
             "har: what a browser's developer tools save; its calls are made again in their order. "
             "openapi: version 3, JSON or YAML; a call for each operation, with the examples in it "
             "or made up from its schemas. curl: one command or many, as they are copied.\n\n"
             "Authorization, cookies and keys do not get into a file: they become references to "
             "the environment, and a note says which.",
         .examples =
             {{"hive scenario import har shop.har --skip-static", "makes shop/"},
              {"hive scenario import openapi api.yaml --to api-load --rate 50",
               "50 calls a second, one operation after another"},
              {"pbpaste | hive scenario import curl - --to login", "from the clipboard"}}},
        declare_scenario_import, run_scenario_import);
}

} // namespace hive::cli
