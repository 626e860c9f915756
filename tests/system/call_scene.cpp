#include "tests/system/call_scene.hpp"

#include <chrono>
#include <stdexcept>

namespace hive::test {

Caller::Caller(const call::Options& options) {
    auto started = call::Lane::start(options, {.done = [this](std::vector<call::Done>& done) {
                                         const std::lock_guard lock{mutex_};
                                         for (call::Done& each : done)
                                             done_.push_back(std::move(each));
                                         ++batches_;
                                         changed_.notify_all();
                                     }});
    if (!started) throw std::runtime_error{started.error().detail};
    lane_ = std::move(*started);
}

void Caller::submit(std::vector<call::Call> calls) {
    if (auto taken = lane_->submit(calls); !taken) throw std::runtime_error{taken.error().detail};
}

std::vector<call::Done> Caller::wait_for(std::size_t count) {
    std::unique_lock lock{mutex_};
    const bool all =
        changed_.wait_for(lock, std::chrono::seconds{60}, [&] { return done_.size() >= count; });
    if (!all) throw std::runtime_error{"calls did not come back"};
    return std::exchange(done_, {});
}

std::size_t Caller::batches() const {
    const std::lock_guard lock{mutex_};
    return batches_;
}

std::vector<call::Done> Caller::make_all(std::vector<call::Call> calls) {
    const std::size_t count = calls.size();
    submit(std::move(calls));
    return wait_for(count);
}

call::Done Caller::make(call::Call call) {
    std::vector<call::Call> one;
    one.push_back(std::move(call));
    return std::move(make_all(std::move(one)).front());
}

std::shared_ptr<const call::Target>
target(const std::string& url, std::shared_ptr<const call::TlsClient> tls) {
    const auto parsed = call::Url::parse(url);
    if (!parsed) throw std::runtime_error{parsed.error().detail};
    auto made = call::Target::make(*parsed, std::move(tls));
    if (!made) throw std::runtime_error{made.error().detail};
    return *made;
}

call::Call http_call(std::shared_ptr<const call::Target> target, const Ask& ask) {
    call::Call call{.target = std::move(target)};
    const auto built = append_request(
        call.request, *call.target,
        {.method = ask.method, .path = ask.path, .headers = ask.headers, .body = ask.body});
    if (!built) throw std::runtime_error{built.error().detail};
    return call;
}

call::Call tcp_call(
    std::shared_ptr<const call::Target> target, const call::TcpRules& rules,
    std::string_view payload) {
    call::Call call{
        .target = std::move(target), .tcp = std::make_shared<const call::TcpRules>(rules)};
    const auto built = append_frame(call.request, payload, rules.frame);
    if (!built) throw std::runtime_error{built.error().detail};
    return call;
}

} // namespace hive::test
