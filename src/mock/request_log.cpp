#include "mock/request_log.hpp"

#include "kernel/append_format.hpp"
#include "kernel/json.hpp"
#include "kernel/text.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

namespace hive::mock {
namespace {

constexpr std::size_t block = std::size_t{64} << 10U;

} // namespace

Result<std::unique_ptr<RequestLog>> RequestLog::open(const std::string& path) {
    std::FILE* file = std::fopen(path.c_str(), "ae");
    if (file == nullptr) {
        return fail(
            Errc::unavailable, fmt::format(
                                   "cannot write the request log {}: {}", path,
                                   std::generic_category().message(errno)));
    }
    return std::unique_ptr<RequestLog>{new RequestLog{file}};
}

RequestLog::~RequestLog() {
    flush();
    std::fclose(file_);
}

void RequestLog::add(const LoggedRequest& request) {
    const std::scoped_lock lock{mutex_};
    buffer_ += R"({"at":")";
    append_timestamp(buffer_, request.at);
    buffer_ += R"(","method":)";
    append_json_string(buffer_, request.method);
    buffer_ += R"(,"target":)";
    // A target may hold any bytes; JSON holds text.
    append_json_string(buffer_, printable(request.target, 1'024));
    append_format(
        buffer_, R"(,"status":{},"fault":"{}","delayUs":{:.3f}}})", request.status, request.fault,
        static_cast<double>(request.delay.count()) / 1'000);
    buffer_ += '\n';
    if (buffer_.size() >= block) write_out();
}

void RequestLog::flush() {
    const std::scoped_lock lock{mutex_};
    write_out();
}

bool RequestLog::broken() const {
    const std::scoped_lock lock{mutex_};
    return broken_;
}

void RequestLog::write_out() {
    const bool whole = std::fwrite(buffer_.data(), 1, buffer_.size(), file_) == buffer_.size() &&
                       std::fflush(file_) == 0;
    broken_ = broken_ || !whole;
    buffer_.clear();
}

} // namespace hive::mock
