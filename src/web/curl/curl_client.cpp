#include "web/curl/curl_client.hpp"

#include "web/curl/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <fstream>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <vector>

namespace hive::web::curl {

class CurlClient::Loop {
public:
    Loop(Options options, Exemptions allowed);
    ~Loop() { close(Duration::zero()); }
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    void send(Request request, const Transfer::Done& done);
    void close(Duration grace);

private:
    using TransferPtr = std::unique_ptr<Transfer>;

    void run();
    void take_in();
    void start(TransferPtr transfer);
    void drop_late();
    void collect();
    bool over();
    int wait_ms();
    void fail_all();

    Options options_;
    TransferOptions transfer_options_;
    SystemClock clock_;
    std::unique_ptr<CURLM, CURLMcode (*)(CURLM*)> multi_;
    std::map<CURL*, TransferPtr> under_way_; // only the thread's
    std::mutex mutex_;
    std::deque<TransferPtr> waiting_;
    std::optional<TimePoint> closes_at_;
    std::thread thread_;
};

namespace {

// Once per process and before the first handle; there is nothing to gain from undoing it.
CURLM* make_multi() {
    static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
    CURLM* multi = ready == CURLE_OK ? curl_multi_init() : nullptr;
    if (multi == nullptr) throw std::bad_alloc{};
    return multi;
}

Error closed() {
    return {Errc::closed, "this client was closed"};
}

} // namespace

CurlClient::Loop::Loop(Options options, Exemptions allowed)
    : options_{std::move(options)},
      transfer_options_{
          .ca_file = options_.ca_file,
          .public_only = options_.public_only,
          .allowed = std::move(allowed),
          .connect_within = options_.connect_within},
      multi_{make_multi(), curl_multi_cleanup} {
    curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, static_cast<long>(options_.under_way));
    thread_ = std::thread{[this] { run(); }};
}

void CurlClient::Loop::send(Request request, const Transfer::Done& done) {
    auto transfer = Transfer::make(std::move(request), done, clock_.now());
    if (!transfer) return done(fail(std::move(transfer.error())));
    Error refused = closed();
    {
        const std::lock_guard lock{mutex_};
        if (!closes_at_ && waiting_.size() < options_.waiting) {
            waiting_.push_back(*std::move(transfer));
            curl_multi_wakeup(multi_.get());
            return;
        }
        if (!closes_at_) refused = {Errc::limit, "too many requests wait for their turn"};
    }
    done(fail(std::move(refused)));
}

void CurlClient::Loop::close(Duration grace) {
    {
        const std::lock_guard lock{mutex_};
        const TimePoint at = clock_.now() + grace;
        closes_at_ = closes_at_ ? std::min(*closes_at_, at) : at;
    }
    curl_multi_wakeup(multi_.get());
    if (thread_.joinable()) thread_.join();
}

void CurlClient::Loop::run() {
    while (!over()) {
        drop_late();
        take_in();
        int running = 0;
        curl_multi_perform(multi_.get(), &running);
        collect();
        // What has just ended made room, and callbacks may have sent more.
        if (const int time = wait_ms(); time > 0) {
            curl_multi_poll(multi_.get(), nullptr, 0, time, nullptr);
        }
    }
    fail_all();
}

void CurlClient::Loop::drop_late() {
    std::vector<TransferPtr> late;
    {
        const std::lock_guard lock{mutex_};
        const TimePoint now = clock_.now();
        for (TransferPtr& transfer : waiting_) {
            if (transfer->deadline() <= now) late.push_back(std::move(transfer));
        }
        std::erase(waiting_, nullptr);
    }
    for (const TransferPtr& transfer : late) transfer->fail_late();
}

void CurlClient::Loop::take_in() {
    while (under_way_.size() < options_.under_way) {
        TransferPtr next;
        {
            const std::lock_guard lock{mutex_};
            if (waiting_.empty()) return;
            next = std::move(waiting_.front());
            waiting_.pop_front();
        }
        start(std::move(next));
    }
}

void CurlClient::Loop::start(TransferPtr transfer) {
    transfer->prepare(transfer_options_, clock_.now());
    CURL* handle = transfer->handle();
    if (curl_multi_add_handle(multi_.get(), handle) != CURLM_OK) throw std::bad_alloc{};
    under_way_.emplace(handle, std::move(transfer));
}

void CurlClient::Loop::collect() {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
        if (message->msg != CURLMSG_DONE) continue;
        // The message is gone with its handle.
        const CURLcode code = message->data.result;
        auto ended = under_way_.extract(message->easy_handle);
        curl_multi_remove_handle(multi_.get(), ended.key());
        ended.mapped()->finish(code);
    }
}

bool CurlClient::Loop::over() {
    const std::lock_guard lock{mutex_};
    if (!closes_at_) return false;
    return (waiting_.empty() && under_way_.empty()) || *closes_at_ <= clock_.now();
}

// libcurl itself wakes up for the deadlines of requests under way.
int CurlClient::Loop::wait_ms() {
    const std::lock_guard lock{mutex_};
    if (!waiting_.empty() && under_way_.size() < options_.under_way) return 0;
    if (closes_at_ && under_way_.empty()) return 0;
    const TimePoint now = clock_.now();
    TimePoint next = now + std::chrono::seconds{1};
    if (closes_at_) next = std::min(next, *closes_at_);
    for (const TransferPtr& transfer : waiting_) next = std::min(next, transfer->deadline());
    const auto time = std::chrono::ceil<std::chrono::milliseconds>(next - now).count();
    return static_cast<int>(std::max<std::int64_t>(time, 0));
}

void CurlClient::Loop::fail_all() {
    for (auto& [handle, transfer] : under_way_) {
        curl_multi_remove_handle(multi_.get(), handle);
        transfer->fail_with(closed());
    }
    under_way_.clear();
    std::deque<TransferPtr> rest;
    {
        const std::lock_guard lock{mutex_};
        rest.swap(waiting_);
    }
    for (const TransferPtr& transfer : rest) transfer->fail_with(closed());
}

CurlClient::CurlClient(std::unique_ptr<Loop> loop) : loop_{std::move(loop)} {}

CurlClient::~CurlClient() = default;

Result<std::unique_ptr<CurlClient>> CurlClient::open(Options options) {
    if (!options.ca_file.empty() && !std::ifstream{options.ca_file}) {
        return fail(
            Errc::invalid,
            fmt::format("the file of certificate authorities {} cannot be read", options.ca_file));
    }
    auto allowed = Exemptions::parse(options.allowed);
    if (!allowed) return fail(allowed.error());
    return std::unique_ptr<CurlClient>{
        new CurlClient{std::make_unique<Loop>(std::move(options), *std::move(allowed))}};
}

void CurlClient::send(Request request, std::function<void(Result<Answer>)> done) {
    loop_->send(std::move(request), done);
}

void CurlClient::close(Duration grace) {
    loop_->close(grace);
}

} // namespace hive::web::curl
