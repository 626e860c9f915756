#pragma once

#include "call/call.hpp"
#include "call/names.hpp"
#include "call/options.hpp"
#include "kernel/fields.hpp"
#include "worker/result_rules.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace hive::bees {

enum class ProcessorMode : std::uint8_t { thread_count, rate_per_sec };
std::span<const Named<ProcessorMode>> names_of(ProcessorMode);

// How much of an answer the item carries on.
enum class ResultDetail : std::uint8_t { full, brief };
std::span<const Named<ResultDetail>> names_of(ResultDetail);

struct TlsSettings {
    std::string ca_file{};
    std::string certificate_file{};
    std::string key_file{};
    std::string server_name{};
    bool operator==(const TlsSettings&) const = default;
};
void describe(FieldTable& fields, TlsSettings& tls);

struct TcpSettings {
    call::Behaviour behaviour = call::Behaviour::request_response;
    call::Framing framing = call::Framing::none;
    std::string delimiter{};
    std::uint32_t length = 0;
    std::uint32_t bytes_max = 8192;
    Duration idle = std::chrono::milliseconds{500};
    std::uint32_t retries_max = 0;
    bool operator==(const TcpSettings&) const = default;
};
void describe(FieldTable& fields, TcpSettings& tcp);

struct ProcessorConfig {
    std::string base_url{};
    ProcessorMode mode = ProcessorMode::thread_count;
    std::uint32_t thread_count = 1;
    double rate_per_sec = 1;
    std::uint32_t io_threads = 1;
    call::ConnectionMode reuse = call::ConnectionMode::shared;
    bool keep_alive = true;
    std::uint32_t timeout_ms = 30'000;
    std::uint32_t connect_timeout_ms = 5'000;
    std::uint32_t first_byte_timeout_ms = 30'000;
    bool verify_tls = true;
    TlsSettings tls{};
    std::uint32_t redirects_max = 0;
    std::uint32_t kept_body_bytes = 65'536;
    ResultDetail result = ResultDetail::full;
    TcpSettings tcp{};
    worker::ResultRules rules{};

    bool operator==(const ProcessorConfig&) const = default;
};
void describe(FieldTable& fields, ProcessorConfig& config);

// Beyond the types: whether calls can be made with it at all.
Status check(const ProcessorConfig& config);
call::Options options_of(const ProcessorConfig& config);

} // namespace hive::bees
