#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"
#include "web/client.hpp"

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hive::rest {

struct DocumentRules {
    Duration answer_within = std::chrono::seconds{10};
    Duration keep_for = std::chrono::hours{1};
    Duration ask_again_after = std::chrono::seconds{5}; // never more often than that
};

enum class Want : std::uint8_t {
    kept,  // what is kept will do
    newer, // it did not help: ask again, unless that was tried a moment ago
};

// A document of another server, fetched when it is first needed and kept for a while; asked for
// once, however many wait for it. When it cannot be renewed, what is kept is used on. May be used
// from any thread. Shared, because the client's answer may come when the owner is gone.
template <class T>
class FetchedDocument : public std::enable_shared_from_this<FetchedDocument<T>> {
public:
    using Value = std::shared_ptr<const T>;
    using Ready = std::function<void(Result<Value>)>;
    using Parse = std::function<Result<T>(std::string_view)>;

    FetchedDocument(web::Client& client, const Clock& clock, DocumentRules rules, Parse parse)
        : client_{client}, clock_{clock}, rules_{rules}, parse_{std::move(parse)} {}

    void get(const std::string& url, Want want, Ready ready) {
        {
            std::unique_lock lock{mutex_};
            const TimePoint now = clock_.now();
            const bool fresh = value_ && now < fetched_ + rules_.keep_for;
            const bool tried = attempted_ && now < *attempted_ + rules_.ask_again_after;
            if ((fresh && want == Want::kept) || (tried && !asking_)) {
                auto known = settled();
                lock.unlock();
                return ready(std::move(known));
            }
            waiting_.push_back(std::move(ready));
            if (asking_) return;
            asking_ = true;
            attempted_ = now;
        }
        client_.send(
            {.url = url, .within = rules_.answer_within},
            [self = this->shared_from_this()](const Result<web::Answer>& answer) {
                self->take(answer);
            });
    }

private:
    Result<Value> settled() const {
        if (value_) return value_;
        return fail(error_);
    }

    Result<T> read(const Result<web::Answer>& answer) const {
        if (!answer) return fail(answer.error());
        if (answer->status != 200) {
            return fail(
                Errc::unavailable,
                fmt::format("the identity provider answered with status {}", answer->status));
        }
        return parse_(answer->body);
    }

    void take(const Result<web::Answer>& answer) {
        auto parsed = read(answer);
        std::vector<Ready> waiting;
        Result<Value> known;
        {
            const std::lock_guard lock{mutex_};
            if (parsed) {
                value_ = std::make_shared<const T>(*std::move(parsed));
                fetched_ = clock_.now();
            } else {
                error_ = std::move(parsed.error());
            }
            asking_ = false;
            waiting.swap(waiting_);
            known = settled();
        }
        for (const Ready& ready : waiting) ready(known);
    }

    web::Client& client_;
    const Clock& clock_;
    DocumentRules rules_;
    Parse parse_;
    std::mutex mutex_;
    Value value_;
    TimePoint fetched_{};
    std::optional<TimePoint> attempted_;
    Error error_{};
    bool asking_ = false;
    std::vector<Ready> waiting_; // at most one per request of a browser under way
};

} // namespace hive::rest
