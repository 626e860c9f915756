#pragma once

#include "kernel/clock.hpp"
#include "kernel/config_type.hpp"
#include "kernel/result.hpp"
#include "kernel/secret.hpp"

#include <array>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace hive {

enum class LogLevel : std::uint8_t { trace, debug, info, warn, error, off };

std::span<const Named<LogLevel>> names_of(LogLevel);
std::string_view name_of(LogLevel level) noexcept;

// A typed value of a log record. Refers to its text, so it lives only for the call. There is no way
// to make one from a Secret that would show it.
class LogValue {
public:
    using Variant =
        std::variant<bool, std::int64_t, std::uint64_t, double, std::string_view, Duration>;

    LogValue(bool value) : value_{value} {}
    template <std::signed_integral T>
    LogValue(T value) : value_{std::int64_t{value}} {}
    template <std::unsigned_integral T>
    LogValue(T value) : value_{std::uint64_t{value}} {}
    LogValue(double value) : value_{value} {}
    template <class Rep, class Period>
    LogValue(std::chrono::duration<Rep, Period> value) : value_{Duration{value}} {}
    LogValue(const char* text) : value_{std::string_view{text}} {}
    LogValue(std::string_view text) : value_{text} {}
    LogValue(const std::string& text) : value_{std::string_view{text}} {}
    LogValue(const Secret&) : value_{masked} {}

    const Variant& variant() const noexcept { return value_; }

private:
    Variant value_;
};

struct LogField {
    std::string_view name;
    LogValue value;
};

// One event. `message` is a fixed phrase; what varies goes into the fields.
struct LogRecord {
    Timestamp at{};
    LogLevel level = LogLevel::info;
    std::string_view area;
    std::string_view message;
    std::span<const LogField> fields{};
};

// Where records go. Called from any thread, also at the same time; must not throw.
class LogSink {
public:
    virtual ~LogSink() = default;
    virtual void write(const LogRecord& record) noexcept = 0;
};

// How much each area says; may change while others log.
class LogLevels {
public:
    static constexpr std::size_t areas_max = 64;

    // `info` for every area, or `info,bus=debug,wire=off`. Nothing changes when it does not parse.
    Status set(std::string_view spec);

    // Stays valid as long as this lives. Areas beyond the bound share one level.
    std::atomic<LogLevel>& level_of(std::string_view area);

private:
    struct Area {
        std::string name;
        std::atomic<LogLevel> level;
    };

    std::mutex mutex_{};
    std::atomic<LogLevel> fallback_{LogLevel::info};
    std::deque<Area> areas_{}; // a deque, because Loggers point into it
};

Status check_log_levels(std::string_view spec); // what LogLevels::set would say

// What a part of the program logs with: cheap to copy, belongs to one area. Everything it refers to
// outlives it.
class Logger {
public:
    Logger(LogSink& sink, const Clock& clock, LogLevels& levels, std::string_view area)
        : sink_{&sink}, clock_{&clock}, levels_{&levels}, area_{area},
          level_{&levels.level_of(area)} {}

    Logger for_area(std::string_view area) const { return {*sink_, *clock_, *levels_, area}; }

    // One relaxed load: ask before computing costly fields.
    bool is_on(LogLevel level) const noexcept {
        return level >= level_->load(std::memory_order_relaxed);
    }

    using Fields = std::initializer_list<LogField>;
    void trace(std::string_view message, Fields fields = {}) const {
        log(LogLevel::trace, message, fields);
    }
    void debug(std::string_view message, Fields fields = {}) const {
        log(LogLevel::debug, message, fields);
    }
    void info(std::string_view message, Fields fields = {}) const {
        log(LogLevel::info, message, fields);
    }
    void warn(std::string_view message, Fields fields = {}) const {
        log(LogLevel::warn, message, fields);
    }
    void error(std::string_view message, Fields fields = {}) const {
        log(LogLevel::error, message, fields);
    }
    void log(LogLevel level, std::string_view message, Fields fields) const;

private:
    LogSink* sink_;
    const Clock* clock_;
    LogLevels* levels_;
    std::string area_;
    std::atomic<LogLevel>* level_;
};

} // namespace hive
