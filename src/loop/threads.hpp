#pragma once

#include "loop/loop.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <thread>
#include <vector>

namespace hive::loop {

// What a loop is made of; for its strands only.
class Loop::Threads {
public:
    explicit Threads(std::size_t count);
    ~Threads();
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

    boost::asio::io_context& context() noexcept { return context_; }

private:
    boost::asio::io_context context_;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
    std::vector<std::thread> threads_;
};

} // namespace hive::loop
