#pragma once

#include <atomic>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace hive::tests {

// Stands between a client and a server on unix sockets and cuts the connection at the worst moment:
// after the server has acted on what the client sent, before its answer gets back.
class CuttingProxy {
public:
    CuttingProxy(std::filesystem::path listen_at, std::filesystem::path server);
    ~CuttingProxy();
    CuttingProxy(const CuttingProxy&) = delete;
    CuttingProxy& operator=(const CuttingProxy&) = delete;

    // Cuts the next connection whose client sends `text`, once the server has answered.
    void cut_answer_to(std::string text);
    void refuse_connections(bool refuse) { refusing_ = refuse; }
    int cuts() const { return cuts_; }

private:
    void accept_all();
    void pump(int client, int server);
    bool forward(int from, int to, bool from_client, bool& cut_next_answer);

    std::filesystem::path listen_at_;
    std::filesystem::path server_;
    int listener_ = -1;
    std::mutex mutex_;
    std::string cut_text_; // empty: no cut is wanted
    std::atomic<bool> refusing_{false};
    std::atomic<bool> stopping_{false};
    std::atomic<int> cuts_{0};
    std::vector<std::jthread> pumps_; // touched by the accepting thread only
    std::jthread accepting_;
};

} // namespace hive::tests
