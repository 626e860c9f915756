#include "importer/scaffold.hpp"

#include "importer/bundle_text.hpp"
#include "importer/request_url.hpp"
#include "importer/yaml_text.hpp"
#include "kernel/duration.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hive::importer {
namespace {

constexpr std::array<std::string_view, 4> kinds{"http", "tcp", "csv", "guard"};
constexpr std::string_view http_url = "http://127.0.0.1:8089/";
constexpr std::string_view tcp_url = "tcp://127.0.0.1:9001";

// What every kind begins with: %ID% and the like are filled in.
constexpr std::string_view head = R"(# %TITLE%
#
#   %MOCK%
#   hive run %ID%
#
# `hive scenario validate %ID%` says what is wrong, `hive scenario reference` what else can be said.
id: %ID%
name: %NAME%
description: What this is for, in a sentence.

bees:
)";

constexpr std::string_view http_source =
    R"(  # Makes %RATE% requests a second. Path, headers and body are templates: {{ headers['x-ph-seq'] }} is
  # the number of the request, {{ uuid() }} something that is never the same twice.
  - id: generator
    role: generator
    work:
      out: { out: requests }
    config:
      inputs:
        type: SCHEDULER
        scheduler:
          ratePerSec: %RATE%
          maxMessages: %MESSAGES% # %LENGTH%, then it ends by itself
      message:
        bodyType: HTTP
        method: %METHOD%
        path: %PATH%
        headers:
          accept: application/json
%BODY%
)";

constexpr std::string_view csv_source =
    R"(  # Makes a request of each row. A row is the payload, with the columns as members.
  - id: generator
    role: generator
    work:
      out: { out: requests }
    config:
      inputs:
        type: CSV_DATASET
        csv:
          filePath: datasets/users.csv # inside of this folder
          skipHeader: true # the first row names the columns
          rotate: true # after the last row comes the first one again
          ratePerSec: %RATE%
          maxMessages: %MESSAGES% # %LENGTH%, then it ends by itself
      message:
        bodyType: HTTP
        method: %METHOD%
        path: %PATH%?user={{ payload.user | urlencode }}
        headers:
          accept: application/json
          x-plan: "{{ payload.plan }}"
%BODY%
)";

constexpr std::string_view tcp_source =
    R"(  # The body alone is the message; the processor puts its length before it.
  - id: generator
    role: generator
    work:
      out: { out: requests }
    config:
      inputs:
        type: SCHEDULER
        scheduler:
          ratePerSec: %RATE%
          maxMessages: %MESSAGES% # %LENGTH%, then it ends by itself
      message:
        bodyType: SIMPLE
        body: PING|{{ headers['x-ph-seq'] }}

)";

constexpr std::string_view guard_source =
    R"(  # What it makes a second is up to the guard below; it begins with this.
  - id: generator
    role: generator
    work:
      out: { out: waiting }
    config:
      inputs:
        type: SCHEDULER
        scheduler:
          ratePerSec: %RATE%
      message:
        bodyType: HTTP
        method: %METHOD%
        path: %PATH%
        headers:
          accept: application/json
%BODY%
  # Lets so many pass a second; what is ahead of it waits.
  - id: moderator
    role: moderator
    work:
      in: { in: waiting }
      out: { out: requests }
    config:
      mode: { type: rate-per-sec, ratePerSec: %RATE% }
      # Few at a time: what a bee has taken in no longer counts as waiting.
      inputs: { rabbit: { prefetch: 4 } }

)";

constexpr std::string_view processor =
    R"(  # Makes the calls. The address is in sut/local/sut.yaml, so that the same scenario runs elsewhere.
  - id: processor
    role: processor
    work:
      in: { in: requests }
      out: { out: results }
    config:
      baseUrl: "{{ sut.endpoints['default'].baseUrl }}"
      threadCount: 32 # calls at a time, at most
      timeoutMs: 2000
)";

constexpr std::string_view framing = R"(      tcpTransport:
        behavior: REQUEST_RESPONSE # an answer to each message
        framing: LENGTH_PREFIX_2B
        maxBytes: 4096
)";

constexpr std::string_view postprocessor = R"(
  # Measures what comes back.
  - id: postprocessor
    role: postprocessor
    work:
      in: { in: results }

topology:
  version: 1
  edges:
)";

constexpr std::string_view two_edges =
    R"(    - { id: e1, from: { beeId: generator, port: out }, to: { beeId: processor, port: in } }
    - { id: e2, from: { beeId: processor, port: out }, to: { beeId: postprocessor, port: in } }
)";

constexpr std::string_view three_edges =
    R"(    - { id: e1, from: { beeId: generator, port: out }, to: { beeId: moderator, port: in } }
    - { id: e2, from: { beeId: moderator, port: out }, to: { beeId: processor, port: in } }
    - { id: e3, from: { beeId: processor, port: out }, to: { beeId: postprocessor, port: in } }
)";

constexpr std::string_view guard_policy = R"(
# Keeps a hundred items waiting for the moderator, by the rate of the generator.
trafficPolicy:
  bufferGuard:
    enabled: true
    queueAlias: waiting
    targetDepth: 100
    minDepth: 70
    maxDepth: 130
    samplePeriod: 250ms
    movingAverageWindow: 2
    adjust:
      maxIncreasePct: 100 # of the rate, each sample
      maxDecreasePct: 50
      minRatePerSec: 1
      maxRatePerSec: %MOST%

# Halfway twice as much may pass; the guard follows.
plan:
  duration: %LENGTH%
  bees:
    - beeId: moderator
      steps:
        - { stepId: twice, time: %HALF%, config: { mode: { ratePerSec: %TWICE% } } }
)";

constexpr std::string_view thresholds = R"(
# What must hold at the end of a run; the exit code is 1 when it does not.
thresholds:
  - error_rate < 1%
  - p99 < 500ms
)";

constexpr std::string_view users =
    "user,plan\nada,gold\ngrace,silver\nedsger,gold\nbarbara,basic\n";

void fill(std::string& text, std::string_view name, std::string_view value) {
    for (auto at = text.find(name); at != text.npos; at = text.find(name, at + value.size())) {
        text.replace(at, name.size(), value);
    }
}

std::string text_of(std::string_view kind) {
    std::string out{head};
    if (kind == "http") out += http_source;
    if (kind == "csv") out += csv_source;
    if (kind == "tcp") out += tcp_source;
    if (kind == "guard") out += guard_source;
    out += processor;
    if (kind == "tcp") out += framing;
    out += postprocessor;
    out += kind == "guard" ? three_edges : two_edges;
    if (kind == "guard") out += guard_policy;
    return out.append(thresholds);
}

struct Place {
    std::string base{};
    std::string path{};
};

Result<Place> place_of(const ScaffoldWish& wish) {
    const std::string url = wish.url.empty() ? std::string{usual_url(wish.kind)} : wish.url;
    if (wish.kind != "tcp") {
        auto parsed = parse_request_url(url);
        if (!parsed) return fail(parsed.error());
        return Place{parsed->base, parsed->path};
    }
    const bool known = url.starts_with("tcp://") || url.starts_with("tcps://");
    const auto colon = url.rfind(':');
    if (!known || colon == url.npos || colon + 1 == url.size() || url[colon + 1] == '/') {
        return fail(
            Errc::invalid,
            fmt::format("'{}' is no address for TCP; write tcp://host:port", printable(url)));
    }
    return Place{url, ""};
}

bool sends_body(std::string_view method) {
    return method == "POST" || method == "PUT" || method == "PATCH";
}

Status check(const ScaffoldWish& wish) {
    if (std::ranges::find(kinds, wish.kind) == kinds.end()) {
        return fail(
            Errc::invalid,
            fmt::format("'{}' is no kind: {}", printable(wish.kind), fmt::join(kinds, ", ")));
    }
    if (wish.id.empty() || name_from(wish.id) != wish.id) {
        return fail(
            Errc::invalid, fmt::format(
                               "'{}' is no name for a scenario: letters, digits and single '-', {}",
                               printable(wish.id), "at most 48 of them"));
    }
    if (!(wish.rate_per_sec > 0)) return fail(Errc::invalid, "the rate must be more than 0");
    if (wish.method.empty() || name_from(wish.method) != wish.method) {
        return fail(Errc::invalid, fmt::format("'{}' is no method", printable(wish.method)));
    }
    return {};
}

} // namespace

std::span<const std::string_view> scaffold_kinds() {
    return kinds;
}

std::string_view usual_url(std::string_view kind) {
    return kind == "tcp" ? tcp_url : http_url;
}

std::string_view usual_mock(std::string_view kind) {
    return kind == "tcp" ? "hive mock --tcp 9001:length-2" : "hive mock --http 8089";
}

Result<Files> scaffold(const ScaffoldWish& wish) {
    if (auto ok = check(wish); !ok) return fail(ok.error());
    const auto place = place_of(wish);
    if (!place) return fail(place.error());
    std::string text = text_of(wish.kind);
    fill(text, "%TITLE%", "A scenario to begin with: change what you like, it says what it needs.");
    fill(
        text, "%MOCK%",
        place->base + place->path == usual_url(wish.kind)
            ? usual_mock(wish.kind)
            : "(the system under test must be there)");
    fill(text, "%ID%", wish.id);
    fill(text, "%NAME%", yaml_scalar(wish.id));
    fill(text, "%RATE%", number_text(wish.rate_per_sec));
    fill(text, "%TWICE%", number_text(wish.rate_per_sec * 2));
    fill(text, "%MOST%", number_text(std::max(wish.rate_per_sec * 20, 100.0)));
    fill(text, "%MESSAGES%", std::to_string(messages_of(wish.rate_per_sec, wish.length)));
    fill(text, "%LENGTH%", format_duration(wish.length));
    fill(text, "%HALF%", format_duration(wish.length / 2));
    fill(text, "%METHOD%", yaml_scalar(wish.method));
    fill(
        text, "%BODY%",
        sends_body(wish.method) ? "          content-type: application/json\n        body: "
                                  "'{\"id\": \"{{ uuid() }}\"}'\n"
                                : "");
    fill(
        text, "%PATH%",
        wish.kind == "csv" ? as_template(place->path.substr(0, place->path.find('?')))
                           : yaml_scalar(as_template(place->path)));
    Files files{{"scenario.yaml", text}, {"sut/local/sut.yaml", sut_text(place->base)}};
    if (wish.kind == "csv") files["datasets/users.csv"] = users;
    return files;
}

} // namespace hive::importer
