#include "importer/bundle_text.hpp"

#include "importer/request_url.hpp"
#include "importer/yaml_text.hpp"
#include "kernel/append_format.hpp"
#include "kernel/duration.hpp"
#include "kernel/http_token.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace hive::importer {
namespace {

// Headers whose values are not written down, each with the variable that stands for it.
struct Hidden {
    std::string variable{};    // shop_authorization
    std::string environment{}; // SHOP_AUTHORIZATION
    std::set<std::string> values{};
};
using HiddenHeaders = std::map<std::string, Hidden>; // by name in lower case

std::string upper_name(std::string_view text) {
    std::string out;
    for (const char c : name_from(text)) {
        if (c == '-')
            out += '_';
        else
            out += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    return out;
}

HiddenHeaders hidden_headers(const Draft& draft, const std::string& id) {
    HiddenHeaders out;
    for (const Call& call : draft.calls) {
        for (const Header& header : call.headers) {
            if (!is_secret(header.name)) continue;
            const std::string name = lower(header.name);
            Hidden& hidden = out[name];
            hidden.environment = fmt::format("{}_{}", upper_name(id), upper_name(name));
            hidden.variable = lower(upper_name(name));
            hidden.values.insert(header.value);
        }
    }
    return out;
}

// No server takes them, and YAML has no key longer than 1024.
constexpr std::size_t header_name_max = 256;

void leave_out_bad_headers(Draft& draft) {
    std::size_t bad = 0;
    for (Call& call : draft.calls) {
        bad += std::erase_if(call.headers, [](const Header& header) {
            return header.name.size() > header_name_max ||
                   (!is_of_connection(header.name) && !is_http_token(header.name));
        });
    }
    if (bad > 0) {
        draft.notes.push_back(fmt::format(
            "left out: {} {} whose name HTTP does not allow or that is longer than {}", bad,
            bad == 1 ? "header" : "headers", header_name_max));
    }
}

void note_hidden(Draft& draft, const HiddenHeaders& headers) {
    for (const auto& [name, hidden] : headers) {
        draft.notes.push_back(fmt::format(
            "the value of '{}' is a secret and was not written down: set {} in the environment{}",
            name, hidden.environment,
            hidden.values.size() > 1
                ? fmt::format(
                      " ({} different values were found, all calls get this one)",
                      hidden.values.size())
                : ""));
    }
}

// Lines of `name: value`; what is hidden stands for `hidden_as`.
template <class HiddenAs>
std::string header_lines(const Call& call, std::string_view indent, const HiddenAs& hidden_as) {
    std::string out;
    std::set<std::string> written;
    for (const Header& header : call.headers) {
        const std::string name = lower(header.name);
        if (is_of_connection(name) || !written.insert(name).second) continue;
        const std::string value = is_secret(name) ? hidden_as(name) : as_template(header.value);
        append_format(out, "{}{}: {}\n", indent, yaml_scalar(name), yaml_scalar(value));
    }
    return out;
}

std::string head(const Draft& draft, const BundleWish& wish) {
    return fmt::format(
        "# {}\n#\n#   hive scenario validate {}\n#   hive run {} --report report.html\n#\n"
        "# The address of the system under test is in sut/local/sut.yaml; --endpoint "
        "default=URL takes\n# another one for a run.\n"
        "id: {}\nname: {}\n\nbees:\n",
        wish.origin, wish.id, wish.id, wish.id,
        yaml_scalar(draft.title.empty() ? wish.id : draft.title));
}

std::string scheduler(const BundleWish& wish) {
    return fmt::format(
        "      inputs:\n        type: SCHEDULER\n        scheduler:\n"
        "          ratePerSec: {}\n          maxMessages: {} # {}, then it ends by itself\n",
        number_text(wish.rate_per_sec), messages_of(wish.rate_per_sec, wish.length),
        format_duration(wish.length));
}

// From the queue to the thresholds: the same for every draft.
std::string tail(std::string_view queue, std::string_view edges) {
    return fmt::format(
        R"(
  # Makes the calls.
  - id: processor
    role: processor
    work:
      in: {{ in: {} }}
      out: {{ out: results }}
    config:
      baseUrl: "{{{{ sut.endpoints['default'].baseUrl }}}}"
      threadCount: 32 # calls at a time, at most
      timeoutMs: 10000

  # Measures what comes back.
  - id: postprocessor
    role: postprocessor
    work:
      in: {{ in: results }}

topology:
  version: 1
  edges:
{}
# What must hold at the end of a run; `p95{{call=...}} < 200ms` looks at one call alone.
thresholds:
  - error_rate < 1%
)",
        queue, edges);
}

std::string edge(int number, std::string_view from, std::string_view to) {
    return fmt::format(
        "    - {{ id: e{}, from: {{ beeId: {}, port: out }}, to: {{ beeId: {}, port: in }} }}\n",
        number, from, to);
}

// One call needs no templates of its own: the generator makes the request.
std::string
scenario_of_one(const Draft& draft, const BundleWish& wish, const HiddenHeaders& hidden) {
    const Call& call = draft.calls.front();
    std::string out = head(draft, wish);
    out += "  # Makes one request after another.\n  - id: generator\n    role: generator\n"
           "    work:\n      out: { out: requests }\n    config:\n" +
           scheduler(wish);
    append_format(
        out, "      message:\n        bodyType: HTTP\n        method: {}\n        path: {}\n",
        yaml_scalar(call.method), yaml_scalar(as_template(call.path)));
    const std::string headers = header_lines(call, "          ", [&](const std::string& name) {
        return fmt::format("{{env:{}}}", hidden.at(name).environment);
    });
    if (!headers.empty()) out += "        headers:\n" + headers;
    if (!call.body.empty()) {
        out += fmt::format("        body: {}\n", yaml_scalar(as_template(call.body)));
    }
    return out + tail(
                     "requests",
                     edge(1, "generator", "processor") + edge(2, "processor", "postprocessor"));
}

std::string scenario_of_many(const Draft& draft, const BundleWish& wish) {
    std::string names;
    for (const Call& call : draft.calls) {
        names += fmt::format("{}'{}'", names.empty() ? "" : ", ", call.id);
    }
    std::string out = head(draft, wish);
    out += "  # Says which call it is: one after another, from the first to the last and again.\n"
           "  - id: generator\n    role: generator\n    work:\n      out: { out: turns }\n"
           "    config:\n" +
           scheduler(wish);
    append_format(
        out,
        "      message:\n        bodyType: SIMPLE\n        headers:\n"
        "          x-ph-call-id: \"{{{{ [{}][(headers['x-ph-seq'] | int) % {}] }}}}\"\n"
        "        body: \"\"\n",
        names, draft.calls.size());
    out += R"(
  # Makes the request, from templates/http/<service>/<call>.yaml.
  - id: builder
    role: request-builder
    work:
      in: { in: turns }
      out: { out: requests }
    config:
      templateRoot: templates/http
      serviceId: default
      passThroughOnMissingTemplate: false
)";
    return out + tail(
                     "requests", edge(1, "generator", "builder") + edge(2, "builder", "processor") +
                                     edge(3, "processor", "postprocessor"));
}

std::string call_text(const Call& call, const HiddenHeaders& hidden) {
    std::string out = fmt::format(
        "protocol: HTTP\nmethod: {}\npathTemplate: {}\n", yaml_scalar(call.method),
        yaml_scalar(as_template(call.path)));
    const std::string headers = header_lines(call, "  ", [&](const std::string& name) {
        return fmt::format("{{{{ vars.{} }}}}", hidden.at(name).variable);
    });
    if (!headers.empty()) out += "headersTemplate:\n" + headers;
    if (!call.body.empty()) {
        out += fmt::format("bodyTemplate: {}\n", yaml_scalar(as_template(call.body)));
    }
    return out;
}

std::string variables_text(const HiddenHeaders& hidden) {
    std::string definitions;
    std::string values;
    for (const auto& [name, each] : hidden) {
        definitions += fmt::format(
            "  - {{ name: {}, scope: global, type: string, required: true }}\n", each.variable);
        values += fmt::format("      {}: \"{{env:{}}}\"\n", each.variable, each.environment);
    }
    return "# Secrets: read from the environment when a run starts, never written down.\n"
           "version: 1\ndefinitions:\n" +
           definitions +
           "profiles:\n  - { id: default, name: Usual }\nvalues:\n  global:\n    default:\n" +
           values;
}

} // namespace

std::string number_text(double number) {
    return fmt::format("{}", number);
}

std::uint64_t messages_of(double rate_per_sec, Duration length) {
    const double messages = rate_per_sec * std::chrono::duration<double>(length).count();
    return static_cast<std::uint64_t>(std::max(1.0, std::floor(messages + 1e-6)));
}

std::string sut_text(const std::string& base_url) {
    const std::string kind = base_url.substr(0, base_url.find(':'));
    return fmt::format(
        "# Where the system under test is. A folder beside this one is another environment, which\n"
        "# --sut chooses.\nid: local\nname: The system under test\ntype: {}\nendpoints:\n"
        "  default:\n    kind: {}\n    baseUrl: {}\n",
        kind.starts_with("tcp") ? "tcp" : "http", kind, yaml_scalar(base_url));
}

Files bundle_of(Draft& draft, const BundleWish& wish) {
    leave_out_bad_headers(draft);
    const HiddenHeaders hidden = hidden_headers(draft, wish.id);
    note_hidden(draft, hidden);
    Files files{{"sut/local/sut.yaml", sut_text(draft.base_url)}};
    if (draft.calls.size() == 1) {
        files["scenario.yaml"] = scenario_of_one(draft, wish, hidden);
        return files;
    }
    files["scenario.yaml"] = scenario_of_many(draft, wish);
    for (const Call& call : draft.calls) {
        files[fmt::format("templates/http/default/{}.yaml", call.id)] = call_text(call, hidden);
    }
    if (!hidden.empty()) files["variables.yaml"] = variables_text(hidden);
    return files;
}

} // namespace hive::importer
