#include "bees/postprocessor/clickhouse.hpp"

#include "call/http_request.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hive::bees {
namespace {

constexpr Duration goodbye = std::chrono::seconds{3};
constexpr std::size_t shown_max = 300; // of what the server says
constexpr unsigned ok_status = 200;

bool is_table(std::string_view name) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '.';
    };
    return !name.empty() && name.size() <= 200 && std::ranges::all_of(name, plain);
}

// Why a batch was not written; empty: it was.
std::string problem_of(const call::Done& done) {
    if (!done.ok()) {
        return fmt::format("{}: {}", name_of(done.failure.error), done.failure.detail);
    }
    if (done.status == ok_status) return {};
    return fmt::format("status {}: {}", done.status, printable(done.body, shown_max));
}

} // namespace

void describe(FieldTable& fields, ClickHouseConfig& config) {
    fields.add("url", config.url).help("Of its HTTP interface; none: nothing is sent");
    fields.add("table", config.table).help("With its database, or in that of the URL");
    fields.add("batchSize", config.batch_rows).range(1, 100'000).help("Rows of one insert");
    fields.add("flushInterval", config.flush_every)
        .range(std::chrono::milliseconds{10}, std::chrono::hours{1})
        .help("A row waits no longer than this for others");
    fields.add("bufferRows", config.rows_max)
        .range(1, 1'000'000)
        .help("How many wait while the server is away; then the oldest are dropped and counted");
    fields.add("username", config.username);
    fields.add("password", config.password);
    fields.add("sslVerify", config.verify_tls).help("Whether the server's certificate is checked");
}

Status check(const ClickHouseConfig& config) {
    if (config.url.empty()) return {};
    const auto url = call::Url::parse(config.url);
    const std::string at = "config.sinks.clickhouse.";
    if (!url) return fail(Errc::invalid, at + "url: " + url.error().detail);
    if (!call::is_http(url->scheme)) return fail(Errc::invalid, at + "url: expected http or https");
    if (!is_table(config.table)) {
        return fail(Errc::invalid, at + "table: expected letters, digits, '_' and '.'");
    }
    return {};
}

ClickHouse::ClickHouse(ClickHouseConfig config, const worker::WorkloadParts& parts)
    : config_{std::move(config)}, parts_{parts},
      buffer_{
          {.batch_rows = config_.batch_rows,
           .rows_max = config_.rows_max,
           .flush_every = config_.flush_every}},
      self_{std::make_shared<ClickHouse*>(this)} {}

Result<std::unique_ptr<ClickHouse>>
ClickHouse::open(ClickHouseConfig config, const worker::WorkloadParts& parts) {
    if (auto ok = check(config); !ok) return fail(ok.error());
    std::unique_ptr<ClickHouse> sink{new ClickHouse{std::move(config), parts}};
    if (auto ok = sink->start(); !ok) return fail(ok.error());
    return sink;
}

Status ClickHouse::start() {
    const auto url = call::Url::parse(config_.url);
    if (!url) return fail(url.error());
    std::shared_ptr<const call::TlsClient> tls;
    if (call::is_secure(url->scheme)) {
        auto loaded = call::TlsClient::load({.verify = config_.verify_tls});
        if (!loaded) return fail(loaded.error());
        tls = *std::move(loaded);
    }
    auto target = call::Target::make(*url, tls);
    if (!target) return fail(target.error());
    target_ = *std::move(target);
    path_ = fmt::format(
        "{}{}query=INSERT%20INTO%20{}%20FORMAT%20JSONEachRow&date_time_input_format=best_effort"
        "&input_format_skip_unknown_fields=1",
        url->path, url->path.find('?') == std::string::npos ? "?" : "&", config_.table);
    auto ring = [post = parts_.strand.poster(), self = self_] {
        post([self] {
            if (*self != nullptr) (*self)->look();
        });
    };
    auto lane = call::Lane::start(
        {.concurrency = 1},
        {.done = [returned = returned_, ring = std::move(ring)](std::vector<call::Done>& done) {
            {
                const std::lock_guard lock{returned->mutex};
                for (const call::Done& each : done) returned->errors.push_back(problem_of(each));
            }
            ring();
        }});
    if (!lane) return fail(lane.error());
    lane_ = *std::move(lane);
    return {};
}

ClickHouse::~ClickHouse() {
    *self_ = nullptr;
    if (!lane_ || buffer_.waiting() == 0) return;
    // One try for what is left, after the batch that may be under way: a lane makes calls in order.
    std::vector<std::size_t> batches;
    if (buffer_.under_way() > 0) batches.push_back(buffer_.under_way());
    const std::size_t rest = buffer_.waiting() - buffer_.under_way();
    if (rest > 0 && send(buffer_.rest())) batches.push_back(rest);
    std::size_t lost = buffer_.waiting();
    lane_->drain(goodbye);
    const std::lock_guard lock{returned_->mutex};
    for (std::size_t i = 0; i < std::min(batches.size(), returned_->errors.size()); ++i) {
        if (returned_->errors[i].empty()) lost -= batches[i];
    }
    if (lost == 0) return;
    parts_.log.warn("rows for ClickHouse were not written", {{"rows", lost}});
}

void ClickHouse::add(std::string_view row) {
    buffer_.add(row, parts_.clock.now());
    pump();
}

void ClickHouse::flush() {
    buffer_.flush(parts_.clock.now());
    pump();
}

void ClickHouse::pump() {
    const TimePoint now = parts_.clock.now();
    if (const auto lines = buffer_.next(now)) {
        if (auto ok = send(*lines); !ok) {
            error_ = ok.error().detail;
            buffer_.refused(now);
        }
    }
    if (const auto when = buffer_.wake()) wake_at(*when);
}

void ClickHouse::wake_at(TimePoint when) {
    if (alarm_ <= when) return; // it rings before
    alarm_ = when;
    const Duration wait = std::max(when - parts_.clock.now(), Duration{0});
    parts_.strand.after(wait, [self = self_, when] {
        ClickHouse* sink = *self;
        if (sink == nullptr) return;
        if (sink->alarm_ == when) sink->alarm_ = TimePoint::max();
        sink->pump();
    });
}

void ClickHouse::look() {
    std::vector<std::string> errors;
    {
        const std::lock_guard lock{returned_->mutex};
        errors.swap(returned_->errors);
    }
    for (std::string& error : errors) {
        error.empty() ? buffer_.written() : buffer_.refused(parts_.clock.now());
        error_ = std::move(error);
    }
    pump();
}

Status ClickHouse::send(std::string_view lines) {
    std::vector<call::RequestField> fields{{"Content-Type", "application/x-ndjson"}};
    if (!config_.username.empty()) fields.push_back({"X-ClickHouse-User", config_.username});
    if (!config_.password.empty()) {
        fields.push_back({"X-ClickHouse-Key", config_.password.reveal()});
    }
    std::vector<call::Call> calls(1);
    calls.front().target = target_;
    auto written = call::append_request(
        calls.front().request, *target_,
        {.method = "POST", .path = path_, .headers = fields, .body = lines});
    if (!written) return written;
    return lane_->submit(calls);
}

void ClickHouse::report(json::object& into) const {
    json::object own{
        {"written", buffer_.written_rows()},
        {"waiting", buffer_.waiting()},
        {"dropped", buffer_.dropped_rows()},
        {"retries", buffer_.refusals()}};
    if (!error_.empty()) own["lastError"] = error_;
    into["clickhouse"] = std::move(own);
}

} // namespace hive::bees
