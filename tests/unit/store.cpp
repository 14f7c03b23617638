// The store of data sets: what is put there, from files and over HTTP, and what is refused, with which words.
#include "workbench/data/store.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <thread>

#include "tests/unit/scratch.h"
#include "workbench/data/digits.h"
#include "workbench/data/download.h"
#include "workbench/data/idx.h"
#include "workbench/data/sums.h"
#include "workbench/lessons/text.h"

namespace fs = std::filesystem;

namespace lab {

namespace {

std::string packed(const std::string& text) {
    const Scratch scratch;
    gzFile out = gzopen((scratch / "x.gz").c_str(), "wb");
    gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
    gzclose(out);
    return read_file(scratch / "x.gz").value();
}

// A set of 40 + 20 digits, and a store of its own.
struct Tiny {
    Scratch scratch;
    std::array<std::string, 4> contents, sums;
    KnownSet set{};

    Tiny() {
        setenv("CUDALAB_DATA", (scratch / "home").c_str(), 1);
        write_dataset(make_digits(5, 40, 20), scratch / "plain");
        set = {"tiny", "Tiny digits", {}, {"http://127.0.0.1:1/"}, ""};
        for (size_t i = 0; i < 4; ++i) {
            contents[i] = read_file(scratch / "plain" / idx_names[i]).value();
            sums[i] = sha256(contents[i]).value_or("");
            scratch.write(fmt::format("packed/{}.gz", idx_names[i]), packed(contents[i]));
            set.files[i] = {idx_names[i], contents[i].size(), 0, sums[i].c_str(), ""};
        }
    }
    ~Tiny() { unsetenv("CUDALAB_DATA"); }

    fs::path stored(size_t which) const { return store_folder("tiny") / idx_names[which]; }
    fs::path plain(size_t which) const { return scratch / "plain" / idx_names[which]; }
};

const Steps quiet{[](const std::string&) {}, [](const std::string&, uint64_t, uint64_t) {}};

template <class Work>
std::string fault_of(Work work) {
    try {
        work();
    } catch (const DataFault& fault) {
        return fault.what();
    }
    return {};
}

bool says(const std::string& text, const std::string& words) {
    INFO(text);
    return text.find(words) != std::string::npos;
}

// An HTTP server for one test. The first folder of a path says how it behaves: ok; whole (knows no ranges); cut (every
// second answer ends in the middle); drip (every answer is an eighth of the file); silent_cut (every answer ends
// before its first byte); page (a web page, and all is well); anything else: 404.
class Server {
  public:
    explicit Server(std::map<std::string, std::string> files) : files_(std::move(files)) {
        socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        REQUIRE(bind(socket_, reinterpret_cast<sockaddr*>(&address), size) == 0);
        REQUIRE(listen(socket_, 8) == 0);
        getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
        port_ = ntohs(address.sin_port);
        thread_ = std::thread([this] { serve(); });
    }
    ~Server() {
        shutdown(socket_, SHUT_RDWR);
        thread_.join();
        close(socket_);
    }
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    std::string url(const std::string& way) const {
        return fmt::format("http://127.0.0.1:{}/{}/", port_, way);
    }
    int requests() const { return requests_; }
    uint64_t sent() const { return sent_; }

  private:
    void serve() {
        while (true) {
            const int peer = accept(socket_, nullptr, nullptr);
            if (peer < 0) return;
            std::string request;
            char piece[4096];
            while (request.find("\r\n\r\n") == std::string::npos) {
                const ssize_t count = recv(peer, piece, sizeof piece, 0);
                if (count <= 0) break;
                request.append(piece, static_cast<size_t>(count));
            }
            ++requests_;
            answer(peer, request);
            close(peer);
        }
    }
    void answer(int peer, const std::string& request) {
        const size_t from = request.find('/') + 1, slash = request.find('/', from);
        const std::string way = request.substr(from, slash - from);
        const auto file = files_.find(request.substr(slash + 1, request.find(' ', slash) - slash - 1));
        if (way == "page") return reply(peer, "200 OK", "", "<html>Please log in.</html>", 1 << 20);
        if (file == files_.end() ||
            (way != "ok" && way != "whole" && way != "cut" && way != "drip" && way != "silent_cut"))
            return reply(peer, "404 Not Found", "", "nothing", 1 << 20);
        const std::string& content = file->second;
        size_t most = content.size(), begin = 0;
        if (way == "silent_cut") most = 0;
        if (way == "drip") most = content.size() / 8 + 1;
        if (way == "cut" && ++cuts_ % 2 == 1) most = content.size() / 3;
        const size_t range = request.find("Range: bytes=");
        if (range == std::string::npos || way == "whole") return reply(peer, "200 OK", "", content, most);
        begin = std::strtoull(request.c_str() + range + 13, nullptr, 10);
        if (begin >= content.size()) return reply(peer, "416 Range Not Satisfiable", "", "", 0);
        reply(peer, "206 Partial Content",
              fmt::format("Content-Range: bytes {}-{}/{}\r\n", begin, content.size() - 1, content.size()),
              content.substr(begin), most);
    }
    void reply(int peer, const std::string& status, const std::string& more, const std::string& body,
               size_t most) {
        const std::string head = fmt::format(
            "HTTP/1.1 {}\r\nContent-Length: {}\r\n{}Connection: close\r\n\r\n", status, body.size(), more);
        const std::string part = body.substr(0, most);
        send(peer, head.data(), head.size(), MSG_NOSIGNAL);
        send(peer, part.data(), part.size(), MSG_NOSIGNAL);
        sent_ += part.size();
    }

    std::map<std::string, std::string> files_;
    int socket_ = -1, port_ = 0, cuts_ = 0;
    std::atomic<int> requests_{0};
    std::atomic<uint64_t> sent_{0};
    std::thread thread_;
};

std::map<std::string, std::string> packed_files(const Tiny& tiny) {
    std::map<std::string, std::string> files;
    for (size_t i = 0; i < 4; ++i) files[std::string(idx_names[i]) + ".gz"] = packed(tiny.contents[i]);
    return files;
}

std::vector<fs::path> parts_of(const Tiny&) {
    std::vector<fs::path> parts;
    for (const auto& entry : fs::directory_iterator(store_folder("tiny")))
        if (entry.path().extension() == ".part") parts.push_back(entry.path());
    return parts;
}

}  // namespace

TEST_CASE("SHA-256 is SHA-256") {
    if (const auto sum = sha256("abc"))
        CHECK(*sum == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("a folder of packed or of plain files is taken, and examined again") {
    for (const char* from : {"plain", "packed"}) {
        const Tiny tiny;
        CHECK_FALSE(examine(tiny.set).any());
        const StoredSet stored = install_files(tiny.set, {tiny.scratch / from}, quiet);
        CHECK(stored.complete());
        CHECK(stored.train == 40);
        CHECK(stored.test == 20);
        CHECK(stored.checked() == (sha256("") ? Checked::sum : Checked::form));
        for (size_t i = 0; i < 4; ++i) CHECK(read_file(tiny.stored(i)) == tiny.contents[i]);
        CHECK(install_files(tiny.set, {tiny.scratch / from}, quiet).complete());  // and again
        CHECK(read_dataset(store_folder("tiny")).train.count() == 40);
        // What a killed run had begun to write is cleared away.
        write_whole(store_folder("tiny") / "train-labels-idx1-ubyte.new-1", "half");
        install_files(tiny.set, {tiny.plain(1)}, quiet);
        CHECK_FALSE(fs::exists(store_folder("tiny") / "train-labels-idx1-ubyte.new-1"));
    }
}

TEST_CASE("a file with a name of its own is known by its content") {
    const Tiny tiny;
    tiny.scratch.write("a", tiny.contents[0]);
    tiny.scratch.write("b.gz", packed(tiny.contents[3]));
    tiny.scratch.write("t10k-images.idx3-ubyte", tiny.contents[2]);
    const StoredSet stored = install_files(
        tiny.set, {tiny.scratch / "a", tiny.scratch / "b.gz", tiny.scratch / "t10k-images.idx3-ubyte"},
        quiet);
    CHECK_FALSE(stored.complete());
    CHECK(stored.files[0].there);
    CHECK_FALSE(stored.files[1].there);
    CHECK(stored.files[2].there);
    CHECK(stored.files[3].there);
}

TEST_CASE("what is no file of the set is refused with a sentence, and nothing is stored") {
    const Tiny tiny;
    const auto refused = [&](const std::string& name, const std::string& content) {
        tiny.scratch.write(name, content);
        const std::string words = fault_of([&] {
            install_files(tiny.set, {tiny.plain(1), tiny.scratch / name}, quiet);
        });
        CHECK_FALSE(examine(tiny.set).any());
        return words;
    };
    const std::string& images = tiny.contents[0];
    CHECK(says(refused("bad/train-images-idx3-ubyte", images.substr(0, 5000)), "cut short"));
    CHECK(says(refused("bad/train-images-idx3-ubyte.gz", packed(images).substr(0, 900)), "cut short"));
    CHECK(says(refused("bad/train-images-idx3-ubyte", tiny.contents[2]), "swapped"));
    CHECK(says(refused("bad/train-images-idx3-ubyte", tiny.contents[3]), "swapped"));
    CHECK(says(refused("bad/again/train-labels-idx1-ubyte", tiny.contents[1]), "are both"));
    CHECK(says(refused("bad/page.gz", "<html>"), "web page"));
    std::string changed = images;
    changed[1000] = static_cast<char>(changed[1000] ^ 1);
    if (sha256("")) CHECK(says(refused("bad/train-images-idx3-ubyte", changed), "another SHA-256"));
    CHECK(says(fault_of([&] { install_files(tiny.set, {tiny.scratch / "nowhere"}, quiet); }),
               "can't be opened"));
}

TEST_CASE("a set without sums is checked by form, and a later change of what was stored is seen") {
    Tiny tiny;
    for (KnownFile& file : tiny.set.files) file.sha256 = "";
    CHECK(install_files(tiny.set, {tiny.scratch / "packed"}, quiet).checked() == Checked::form);
    std::string labels = tiny.contents[1];
    labels[10] = labels[10] == 1 ? 2 : 1;
    write_whole(tiny.stored(1), labels);
    const StoredSet changed = examine(tiny.set);
    if (sha256("")) CHECK(says(changed.files[1].problem, "has changed"));
    labels[10] = 11;
    write_whole(tiny.stored(1), labels);
    CHECK(says(examine(tiny.set).files[1].problem, "labels above 9"));
    CHECK_FALSE(examine(tiny.set).complete());
}

TEST_CASE("a set is fetched, and what is there is not fetched again" * doctest::skip(!can_download())) {
    const Tiny tiny;
    const Server server(packed_files(tiny));
    uint64_t last = 0;
    const Steps counting{quiet.say, [&](const std::string&, uint64_t here, uint64_t) { last = here; }};
    CHECK(install_from_mirrors(tiny.set, server.url("ok"), counting).complete());
    CHECK(last == packed(tiny.contents[3]).size());
    CHECK(server.requests() == 4);
    CHECK(parts_of(tiny).empty());
    fs::remove(tiny.stored(2));
    CHECK(install_from_mirrors(tiny.set, server.url("ok"), quiet).complete());
    CHECK(server.requests() == 5);
}

TEST_CASE("a download that breaks off goes on from where it was, in this run and in the next" *
          doctest::skip(!can_download())) {
    const Tiny tiny;
    const auto files = packed_files(tiny);
    uint64_t all = 0;
    for (const auto& [name, content] : files) all += content.size();
    const Server server(files);
    CHECK(install_from_mirrors(tiny.set, server.url("cut"), quiet).complete());
    CHECK(server.requests() == 8);
    CHECK(server.sent() == all);  // no byte twice
    CHECK(says(fault_of([&] {
                   fs::remove(tiny.stored(0)),
                       install_from_mirrors(tiny.set, server.url("silent_cut"), quiet);
               }),
               "broke off"));

    // Four attempts a run, an eighth of the file in each: a run gives up and the next goes on.
    fs::remove_all(store_folder("tiny"));
    const uint64_t before = server.sent();
    int runs = 1;
    while (runs < 20 && !fault_of([&] { install_from_mirrors(tiny.set, server.url("drip"), quiet); }).empty())
        ++runs;
    CHECK(runs > 2);
    CHECK(examine(tiny.set).complete());
    CHECK(server.sent() - before == all);
    CHECK(parts_of(tiny).empty());
}

TEST_CASE("a server that knows no ranges sends the whole again" * doctest::skip(!can_download())) {
    const Tiny tiny;
    const Server server(packed_files(tiny));
    const fs::path half = tiny.scratch / "half";
    write_whole(half, "what an earlier run left");
    download(server.url("whole") + idx_names[0] + ".gz", half, 1 << 20, [](uint64_t, uint64_t) {});
    CHECK(read_file(half) == packed(tiny.contents[0]));
}

TEST_CASE("what a mirror can't give is said with its reason and what to do" *
          doctest::skip(!can_download())) {
    Tiny tiny;
    auto files = packed_files(tiny);
    const Server server(files);
    const auto fault = [&](const std::string& mirror) {
        return fault_of([&] { install_from_mirrors(tiny.set, mirror, quiet); });
    };
    CHECK(says(fault(server.url("none")), "no such file (404)"));
    CHECK(says(fault(server.url("none")), "cudalab data tiny --from FILE FILE FILE FILE"));
    CHECK(says(fault(server.url("page")), "web page"));
    CHECK(says(fault("http://127.0.0.1:1/"), "does not answer"));
    CHECK(says(fault("http://no.such.host.invalid/"), "name is not found"));
    CHECK_FALSE(fault("file:///etc/").empty());
    CHECK_FALSE(examine(tiny.set).any());
    CHECK(parts_of(tiny).size() <= 4);
    // The next mirror is asked where one fails.
    const std::string none = server.url("none"), ok = server.url("ok");
    tiny.set.mirrors = {none.c_str(), ok.c_str()};
    CHECK(install_from_mirrors(tiny.set, "", quiet).complete());
}

TEST_CASE("another file under the right name is refused, and no trace of it stays" *
          doctest::skip(!can_download())) {
    Tiny tiny;
    auto files = packed_files(tiny);
    std::swap(files["train-images-idx3-ubyte.gz"], files["t10k-images-idx3-ubyte.gz"]);
    const Server server(files);
    CHECK(says(fault_of([&] { install_from_mirrors(tiny.set, server.url("ok"), quiet); }), "swapped"));
    CHECK_FALSE(examine(tiny.set).any());
    CHECK(parts_of(tiny).empty());
    tiny.set.files[0].packed_sha256 = "00000000";
    const Server right(packed_files(tiny));
    if (sha256(""))
        CHECK(says(fault_of([&] { install_from_mirrors(tiny.set, right.url("ok"), quiet); }),
                   "its SHA-256 is"));
}

TEST_CASE("lessons train on generated digits until MNIST is stored, and say which they use") {
    const Tiny tiny;
    CHECK(says(best_dataset_in_words(), "generated digits"));
    TrainingData data = best_dataset(30, 10);
    CHECK_FALSE(data.real);
    CHECK(data.dataset.train.count() == 30);
    CHECK(data.dataset.test.count() == 10);
    CHECK(data.sentence == best_dataset_in_words());

    // As long as MNIST's four files, and as well formed.
    for (size_t i = 0; i < 4; ++i) {
        const uint32_t count = i < 2 ? 60000 : 10000;
        const std::vector<uint32_t> shape =
            i % 2 ? std::vector<uint32_t>{count} : std::vector<uint32_t>{count, 28, 28};
        write_whole(store_folder("mnist") / idx_names[i],
                    idx_content({shape, std::vector<uint8_t>(i % 2 ? count : count * 784)}));
    }
    data = best_dataset(30, 10);
    CHECK(data.real);
    CHECK(data.dataset.train.count() == 30);
    CHECK(says(data.sentence, "MNIST"));
    CHECK(data.sentence == best_dataset_in_words());

    write_whole(store_folder("mnist") / idx_names[1], "cut");
    data = best_dataset(30, 10);
    CHECK_FALSE(data.real);
    CHECK(says(data.sentence, "not whole"));
}

TEST_CASE("every set that is known by name has four files of MNIST's sizes and a mirror") {
    for (const KnownSet& set : known_sets()) {
        CHECK(find_set(set.name) == &set);
        CHECK_FALSE(set.mirrors.empty());
        for (size_t i = 0; i < 4; ++i) {
            CHECK(std::string(set.files[i].name) == idx_names[i]);
            CHECK(std::string(set.files[i].sha256).size() + std::string(set.files[i].packed_sha256).size() >=
                  64);
        }
    }
    CHECK(find_set("cifar") == nullptr);
}

}  // namespace lab
