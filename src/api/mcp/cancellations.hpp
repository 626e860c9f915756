#pragma once

#include "kernel/json.hpp"

#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace hive::mcp {

// Requests under way, and which of them their callers gave up. From any thread; as many as are
// under way, so it needs no bound of its own.
class Cancellations {
public:
    // One request under way; the same id twice in one session is one request.
    class UnderWay {
    public:
        UnderWay(Cancellations& all, std::string_view session, const json::value& id)
            : all_{&all}, key_{key_of(session, id)} {
            all_->begin(key_);
        }
        ~UnderWay() { all_->end(key_); }
        UnderWay(const UnderWay&) = delete;
        UnderWay& operator=(const UnderWay&) = delete;

        bool given_up() const { return all_->is_given_up(key_); }

    private:
        Cancellations* all_;
        std::string key_;
    };

    // Of a request that is not under way, or no longer: nothing.
    void give_up(std::string_view session, const json::value& id);

private:
    static std::string key_of(std::string_view session, const json::value& id);
    void begin(const std::string& key);
    void end(const std::string& key);
    bool is_given_up(const std::string& key) const;

    mutable std::mutex mutex_;
    std::multiset<std::string> under_way_;
    std::set<std::string> given_up_;
};

} // namespace hive::mcp
