#pragma once

#include "kernel/random.hpp"
#include "mock/connection.hpp"
#include "mock/http_scan.hpp"
#include "mock/site.hpp"

#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <vector>

namespace hive::mock {

struct Listener {
    Socket socket;
    std::optional<Framing> framing; // none: HTTP
};

// One thread: its listeners, its connections, its timers, on one epoll.
class Worker {
public:
    static Result<std::unique_ptr<Worker>>
    make(Site& site, std::size_t thread, std::vector<Listener> listeners);

    void run();  // until stop()
    void stop(); // from any thread

private:
    struct Timer {
        enum class What : std::uint8_t { answer, close };
        TimePoint due;
        std::uint64_t id;
        What what;
        bool operator>(const Timer& other) const noexcept { return due > other.due; }
    };
    struct Waiting {
        std::uint64_t id;
        Duration delay;
    };

    Worker(Site& site, std::size_t thread, std::vector<Listener> listeners);
    Status watch();

    void wait_and_handle();
    void handle(std::uint64_t id, std::uint32_t events);
    void accept_from(Listener& listener);
    void welcome(Socket socket, const std::optional<Framing>& framing);
    void make_room(const Socket& listener);
    void fire_timers();

    Connection* find(std::uint64_t id);
    std::uint64_t id_of(const Connection& connection) const;
    void read_from(Connection& connection);
    void write_to(Connection& connection);
    void watch_for(Connection& connection);
    void close(Connection& connection);
    void send(Connection& connection, std::string_view bytes);
    void end_after_answer(Connection& connection);
    void drain(Connection& connection);

    // Service: see worker_service.cpp.
    void keep_rest(Connection& connection, std::string_view bytes, std::size_t used);
    std::size_t consume(Connection& connection, std::string_view bytes);
    std::size_t take_request(Connection& connection, std::string_view bytes);
    std::size_t take_message(Connection& connection, std::string_view bytes);
    void prepare(Connection& connection, const RequestHead& head);
    void refuse(Connection& connection, const Scanned& why);
    void arrive(Connection& connection);
    void begin(std::uint64_t id, Duration delay);
    void complete(std::uint64_t id);
    void finish(Connection& connection);
    void answer_control(Connection& connection);
    void note(const Connection& connection, int status);
    void resume(Connection& connection);

    Site& site_;
    Recorder& recorder_;
    const Clock& clock_;
    Random random_;
    Socket epoll_{};
    Socket wake_{};
    Socket spare_{}; // given up for a moment when descriptors run out
    std::vector<Listener> listeners_;
    std::vector<std::unique_ptr<Connection>> connections_{};
    std::vector<std::uint32_t> free_{}; // slots
    std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_{};
    std::deque<Waiting> waiting_{}; // for capacity
    std::size_t in_service_ = 0;
    std::string scratch_{};
    std::array<char, std::size_t{64} << 10U> buffer_{};
    std::atomic<bool> stopping_{false};
};

} // namespace hive::mock
