#pragma once

#include "call/http_request.hpp"
#include "call/lane.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace hive::test {

// A lane that waits for what becomes of its calls.
class Caller {
public:
    explicit Caller(const call::Options& options = {});

    call::Done make(call::Call call);
    std::vector<call::Done> make_all(std::vector<call::Call> calls);

    void submit(std::vector<call::Call> calls);
    std::vector<call::Done>
    wait_for(std::size_t count); // since the last time, in order of their end
    std::size_t batches() const;
    call::Lane& lane() { return *lane_; }

private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<call::Done> done_;
    std::size_t batches_ = 0;
    std::unique_ptr<call::Lane> lane_; // last: its thread uses the others
};

std::shared_ptr<const call::Target>
target(const std::string& url, std::shared_ptr<const call::TlsClient> tls = nullptr);

struct Ask {
    std::string method = "GET";
    std::string path = "/";
    std::vector<call::RequestField> headers{};
    std::string body{};
};
call::Call http_call(std::shared_ptr<const call::Target> target, const Ask& ask = {});
call::Call tcp_call(
    std::shared_ptr<const call::Target> target, const call::TcpRules& rules,
    std::string_view payload);

} // namespace hive::test
