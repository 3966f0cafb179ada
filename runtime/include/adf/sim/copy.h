// Copies of this process, for work that leaves no traces but its answer.
#pragma once

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "journal.h"

namespace adf {
namespace sim {

// A copy as the process is now. It sleeps until it is asked, and ends when it has answered or this
// process has ended.
class process_copy {
public:
    // The answer to a question, which is no empty text.
    using work = std::function<std::string(const std::string &question)>;

    explicit process_copy(const work &job) {
        int ends[2];
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
        std::fflush(nullptr);
        const pid_t parent = ::getpid();
        child_ = ::fork();
        if (child_ == 0) {
            isolate(ends[1], parent);
            const std::string question = received(ends[1]);
            if (!question.empty()) send(ends[1], job(question));
            ::_exit(0);
        }
        ::close(ends[1]);
        socket_ = ends[0];
    }
    process_copy(const process_copy &) = delete;
    process_copy &operator=(const process_copy &) = delete;
    ~process_copy() {
        if (socket_ >= 0) ::close(socket_);
        if (child_ > 0) ::waitpid(child_, nullptr, 0);
    }

    // What the copy answers. Empty if it has ended in another way.
    std::string ask(const std::string &question) {
        if (child_ <= 0) return "";
        send(socket_, question);
        ::shutdown(socket_, SHUT_WR);
        return received(socket_);
    }

private:
    // Where files are written, nothing is; and files are read from where they are now.
    static void isolate(int kept, pid_t parent) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) ::_exit(1);
        journal::get().fall_silent();
        const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
        for (const int file : open_files()) {
            const int flags = file == kept || file == null ? -1 : ::fcntl(file, F_GETFL);
            if (flags < 0) continue;
            if ((flags & O_ACCMODE) == O_RDONLY) open_again(file);
            else ::dup2(null, file);
        }
    }
    static std::vector<int> open_files() {
        std::vector<int> all;
        DIR *folder = ::opendir("/proc/self/fd");
        if (!folder) return all;
        while (const dirent *entry = ::readdir(folder)) {
            const int file = std::atoi(entry->d_name);
            if (entry->d_name[0] != '.' && file != ::dirfd(folder)) all.push_back(file);
        }
        ::closedir(folder);
        return all;
    }
    // A position of its own in a file that is read.
    static void open_again(int file) {
        struct stat about;
        if (::fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) return;
        const int other = ::open(("/proc/self/fd/" + std::to_string(file)).c_str(), O_RDONLY | O_CLOEXEC);
        if (other < 0) return;
        ::lseek(other, ::lseek(file, 0, SEEK_CUR), SEEK_SET);
        ::dup2(other, file);
        ::close(other);
    }

    static void send(int socket, const std::string &text) {
        for (std::size_t done = 0; done < text.size();) {
            const ssize_t sent = ::send(socket, text.data() + done, text.size() - done, MSG_NOSIGNAL);
            if (sent < 0 && errno == EINTR) continue;
            if (sent <= 0) return;
            done += std::size_t(sent);
        }
    }
    // All bytes until the other end sends no more.
    static std::string received(int socket) {
        std::string text;
        char part[1 << 12];
        for (;;) {
            const ssize_t came = ::recv(socket, part, sizeof part, 0);
            if (came < 0 && errno == EINTR) continue;
            if (came <= 0) return text;
            text.append(part, std::size_t(came));
        }
    }

    int socket_ = -1;
    pid_t child_ = -1;
};

// What `work` returns in a copy of this process as it is now. Empty if the copy ends without it.
inline std::string in_a_copy(const std::function<std::string()> &work) {
    return process_copy([&work](const std::string &) { return work(); }).ask("go on");
}

// The same for plain records.
template <typename Record, typename Work>
std::vector<Record> records_of_a_copy(Work work) {
    static_assert(std::is_trivially_copyable<Record>::value, "records are copied byte by byte");
    const std::string bytes = in_a_copy([&work] {
        const std::vector<Record> all = work();
        return std::string(reinterpret_cast<const char *>(all.data()), all.size() * sizeof(Record));
    });
    std::vector<Record> all(bytes.size() / sizeof(Record));
    if (!all.empty()) std::memcpy(all.data(), bytes.data(), all.size() * sizeof(Record));
    return all;
}

} // namespace sim
} // namespace adf
