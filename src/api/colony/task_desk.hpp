#pragma once

#include "api/colony/workplace.hpp"
#include "api/route.hpp"
#include "colony/tasks/task.hpp"
#include "colony/tasks/task_json.hpp"

#include <functional>
#include <string>

namespace hive::rest {

// Something that is done to one task: its name in the path, and how.
struct TaskAct {
    using Run = std::function<Result<colony::Outcome<colony::tasks::Task>>(
        Workplace& place, const std::string& task, const json::object& body)>;
    Run run;
    colony::tasks::LeaseToken token = colony::tasks::LeaseToken::hidden;
};

// Answers requests about tasks.
class TaskDesk {
public:
    TaskDesk(const SessionParts& sessions, ColonyParts& colony)
        : sessions_{sessions}, colony_{&colony} {}

    asio::awaitable<http::Response> list(api::Call call) const;
    asio::awaitable<http::Response> show(api::Call call) const;
    asio::awaitable<http::Response> counts(api::Call call) const;
    http::Response machine() const;

    asio::awaitable<http::Response> create(api::Call call) const;
    asio::awaitable<http::Response> create_many(api::Call call) const;
    asio::awaitable<http::Response> change(api::Call call) const;
    asio::awaitable<http::Response> do_to_one(api::Call call, TaskAct act) const;
    asio::awaitable<http::Response> claim_next(api::Call call) const;
    asio::awaitable<http::Response> complete_many(api::Call call) const;
    asio::awaitable<http::Response> redrive_many(api::Call call) const;
    asio::awaitable<http::Response> comment(api::Call call) const;

private:
    asio::awaitable<http::Response> act(api::Call call, PlaceWork work) const;

    SessionParts sessions_;
    ColonyParts* colony_;
};

http::Response task_response(
    const colony::tasks::Task& task,
    colony::tasks::LeaseToken token = colony::tasks::LeaseToken::hidden, unsigned status = 200);

} // namespace hive::rest
