#include "bees/processor/processor_config.hpp"

#include "call/url.hpp"
#include "pace/shape.hpp"

#include <array>

namespace hive::bees {
namespace {

constexpr std::uint32_t hour_ms = 3'600'000;

} // namespace

std::span<const Named<ProcessorMode>> names_of(ProcessorMode) {
    static constexpr std::array names{
        Named<ProcessorMode>{"THREAD_COUNT", ProcessorMode::thread_count},
        Named<ProcessorMode>{"RATE_PER_SEC", ProcessorMode::rate_per_sec}};
    return names;
}

std::span<const Named<ResultDetail>> names_of(ResultDetail) {
    static constexpr std::array names{
        Named<ResultDetail>{"FULL", ResultDetail::full},
        Named<ResultDetail>{"BRIEF", ResultDetail::brief}};
    return names;
}

void describe(FieldTable& fields, TlsSettings& tls) {
    fields.add("caFile", tls.ca_file).help("PEM file of trusted authorities; none: the machine's");
    fields.add("certificateFile", tls.certificate_file)
        .help("PEM chain for servers that ask who calls");
    fields.add("keyFile", tls.key_file).help("PEM key of that certificate");
    fields.add("serverName", tls.server_name)
        .help("Name for SNI and the check; none: the host of the URL");
}

void describe(FieldTable& fields, TcpSettings& tcp) {
    fields.add("behavior", tcp.behaviour).help("What is expected to come back");
    fields.add("framing", tcp.framing).help("How messages are told apart");
    fields.add("endTag", tcp.delimiter).help("The bytes that end a message, with DELIMITER");
    fields.add("length", tcp.length).help("The length of every message, with FIXED_LENGTH");
    fields.add("maxBytes", tcp.bytes_max)
        .range(1, 1U << 30U)
        .unit("bytes")
        .help("A longer answer is an error");
    fields.add("idleTimeout", tcp.idle).help("The silence that ends an answer, with STREAMING");
    fields.add("maxRetries", tcp.retries_max).range(0, 100).help("Attempts after the first");
}

void describe(FieldTable& fields, ProcessorConfig& config) {
    fields.add("baseUrl", config.base_url)
        .required()
        .help("Where calls go: http, https, tcp or tcps; paths of requests are appended");
    fields.add("mode", config.mode).help("What bounds the calls: how many at a time, or a rate");
    fields.add("threadCount", config.thread_count)
        .range(1, 100'000)
        .help("How many calls are under way at a time");
    fields.add("ratePerSec", config.rate_per_sec)
        .range(0, pace::rate_max)
        .unit("1/s")
        .help("Calls per second with RATE_PER_SEC; 0 stops");
    fields.add("ioThreads", config.io_threads).range(1, 256).help("Cores that calls are made on");
    fields.add("connectionReuse", config.reuse).help("Who shares connections");
    fields.add("keepAlive", config.keep_alive).help("Whether a connection serves many calls");
    fields.add("timeoutMs", config.timeout_ms)
        .range(1, hour_ms)
        .unit("ms")
        .help("For a whole call");
    fields.add("connectTimeoutMs", config.connect_timeout_ms)
        .range(1, hour_ms)
        .unit("ms")
        .help("For name, connection and TLS together");
    fields.add("firstByteTimeoutMs", config.first_byte_timeout_ms)
        .range(1, hour_ms)
        .unit("ms")
        .help("From the last byte of the request to the first of the answer");
    fields.add("sslVerify", config.verify_tls).help("Whether the peer's certificate is checked");
    fields.add("tls", config.tls);
    fields.add("maxRedirects", config.redirects_max)
        .range(0, 50)
        .help("How many are followed; 0: a redirect is an answer like any other");
    fields.add("maxBodyBytes", config.kept_body_bytes)
        .unit("bytes")
        .help("What an item carries on of an answer's body; the rest is counted");
    fields.add("result", config.result)
        .help("FULL hands on the answer; BRIEF only how the call went, which is faster");
    fields.add("tcpTransport", config.tcp);
    fields.add("resultRules", config.rules); // of requests that bring none of their own
}

call::Options options_of(const ProcessorConfig& config) {
    using std::chrono::milliseconds;
    const bool keeps_body = config.result == ResultDetail::full ||
                            config.rules.looks_at(worker::RuleSource::response_body);
    return {
        .concurrency = config.thread_count,
        .mode = config.keep_alive ? config.reuse : call::ConnectionMode::none,
        .timeouts =
            {.connect = milliseconds{config.connect_timeout_ms},
             .first_byte = milliseconds{config.first_byte_timeout_ms},
             .total = milliseconds{config.timeout_ms}},
        .kept_body_bytes = keeps_body ? std::size_t{config.kept_body_bytes} : 0,
        .redirects_max = config.redirects_max,
        .tcp_retries = config.tcp.retries_max};
}

Status check(const ProcessorConfig& config) {
    const auto url = call::Url::parse(config.base_url);
    if (!url) return fail(Errc::invalid, "config.baseUrl: " + url.error().detail);
    if (!call::is_http(url->scheme)) {
        const call::FrameRules frame{
            config.tcp.framing, config.tcp.delimiter, config.tcp.length, config.tcp.bytes_max};
        if (auto ok = call::check(frame); !ok) {
            return fail(Errc::invalid, "config.tcpTransport: " + ok.error().detail);
        }
    }
    return call::check(options_of(config));
}

} // namespace hive::bees
