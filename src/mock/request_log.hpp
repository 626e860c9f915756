#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"

#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace hive::mock {

struct LoggedRequest {
    Timestamp at{};
    std::string_view method{}; // "TCP" for a message
    std::string_view target{};
    int status = 0; // 0: not answered, or a message
    std::string_view fault{};
    Duration delay{};
};

// One JSON object per line. Written in blocks; whole once it is destroyed.
class RequestLog {
public:
    static Result<std::unique_ptr<RequestLog>> open(const std::string& path);
    ~RequestLog();
    RequestLog(const RequestLog&) = delete;
    RequestLog& operator=(const RequestLog&) = delete;

    void add(const LoggedRequest& request);
    void flush();
    bool broken() const; // a write failed, e.g. because the disk is full

private:
    explicit RequestLog(std::FILE* file) : file_{file} {}
    void write_out();

    std::FILE* file_;
    mutable std::mutex mutex_{};
    std::string buffer_{};
    bool broken_ = false;
};

} // namespace hive::mock
