#include "workbench/data/download.h"

#include <fmt/format.h>

#include "workbench/data/dataset.h"

#ifdef CUDALAB_HAVE_CURL
#include <curl/curl.h>

#include <cstdio>
#include <memory>
#endif

namespace fs = std::filesystem;

namespace lab {

#ifdef CUDALAB_HAVE_CURL

namespace {

struct Transfer {
    CURL* curl = nullptr;
    std::FILE* out = nullptr;
    uint64_t before = 0;   // bytes that were there when it began
    uint64_t written = 0;  // since
    uint64_t most = 0;
    const OnBytes* on_bytes = nullptr;
};

size_t on_piece(char* piece, size_t, size_t count, void* user) {
    Transfer& transfer = *static_cast<Transfer*>(user);
    if (transfer.before + transfer.written + count > transfer.most) return 0;  // ends it
    const size_t done = std::fwrite(piece, 1, count, transfer.out);
    transfer.written += done;
    return done;
}

int on_progress(void* user, curl_off_t all, curl_off_t here, curl_off_t, curl_off_t) {
    const Transfer& transfer = *static_cast<Transfer*>(user);
    const auto bytes = [&](curl_off_t n) { return transfer.before + static_cast<uint64_t>(n); };
    if (here > 0) (*transfer.on_bytes)(bytes(here), all > 0 ? bytes(all) : 0);
    return 0;
}

void limit_protocols(CURL* curl) {
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
    curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
#endif
}

struct Outcome {
    CURLcode code = CURLE_OK;
    long status = 0;  // HTTP's; 0: no answer came
    uint64_t written = 0;
    bool too_long = false, no_room = false;
};

Outcome attempt(const std::string& url, const fs::path& file, uint64_t most, const OnBytes& on_bytes) {
    const std::unique_ptr<CURL, void (*)(CURL*)> curl(curl_easy_init(), curl_easy_cleanup);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(file.c_str(), "ab"), std::fclose);
    if (!curl || !out)
        throw DataFault(fmt::format("{} can't be written. Is the folder yours?", file.string()));
    std::error_code none;
    Transfer transfer{curl.get(), out.get(), fs::file_size(file, none), 0, most, &on_bytes};
    curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
    curl_easy_setopt(curl.get(), CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(curl.get(), CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(curl.get(), CURLOPT_MAXREDIRS, 5L);
    curl_easy_setopt(curl.get(), CURLOPT_CONNECTTIMEOUT, 15L);
    curl_easy_setopt(curl.get(), CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(curl.get(), CURLOPT_LOW_SPEED_TIME, 30L);
    curl_easy_setopt(curl.get(), CURLOPT_USERAGENT, "cudalab");
    curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl.get(), CURLOPT_RESUME_FROM_LARGE, static_cast<curl_off_t>(transfer.before));
    curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, on_piece);
    curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &transfer);
    curl_easy_setopt(curl.get(), CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl.get(), CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(curl.get(), CURLOPT_XFERINFODATA, &transfer);
    limit_protocols(curl.get());
    Outcome outcome;
    outcome.code = curl_easy_perform(curl.get());
    curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &outcome.status);
    outcome.written = transfer.written;
    outcome.no_room = std::fflush(out.get()) != 0 || std::ferror(out.get()) != 0;
    outcome.too_long = outcome.code == CURLE_WRITE_ERROR && !outcome.no_room;
    return outcome;
}

std::string reason_of(const Outcome& outcome, uint64_t most) {
    if (outcome.no_room) return "there is no room for it on this disk";
    if (outcome.too_long) return fmt::format("it is longer than the {} bytes that it may have", most);
    switch (outcome.code) {
        case CURLE_COULDNT_RESOLVE_HOST:
        case CURLE_COULDNT_RESOLVE_PROXY:
            return "its server's name is not found";
        case CURLE_COULDNT_CONNECT:
            return "its server does not answer";
        case CURLE_OPERATION_TIMEDOUT:
            return "its server stays silent";
        case CURLE_PARTIAL_FILE:
        case CURLE_RECV_ERROR:
        case CURLE_GOT_NOTHING:
            return "the connection broke off";
        case CURLE_HTTP_RETURNED_ERROR:
            if (outcome.status == 404) return "its server has no such file (404)";
            return fmt::format("its server answers with error {}", outcome.status);
        default:
            return curl_easy_strerror(outcome.code);
    }
}

}  // namespace

bool can_download() {
    return true;
}

void download(const std::string& url, const fs::path& file, uint64_t most, const OnBytes& on_bytes) {
    static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (started != CURLE_OK) throw DataFault("libcurl can't be started.");
    std::error_code none;
    fs::create_directories(file.parent_path(), none);
    for (int tries = 0;; ++tries) {
        const bool had_some = fs::exists(file, none) && fs::file_size(file, none) > 0;
        const Outcome outcome = attempt(url, file, most, on_bytes);
        if (outcome.code == CURLE_OK) return;
        // What is there is no beginning of this file, or the server only sends files whole: from the start.
        const bool no_part = outcome.code == CURLE_RANGE_ERROR || outcome.status == 416;
        if ((no_part || outcome.too_long) && had_some && tries == 0) {
            fs::remove(file, none);
            continue;
        }
        const bool broke_off = outcome.code == CURLE_PARTIAL_FILE || outcome.code == CURLE_RECV_ERROR;
        if (broke_off && outcome.written > 0 && tries < 3) continue;
        throw DataFault(fmt::format("{} can't be fetched: {}.", url, reason_of(outcome, most)));
    }
}

#else

bool can_download() {
    return false;
}

void download(const std::string& url, const fs::path&, uint64_t, const OnBytes&) {
    throw DataFault(fmt::format("{} can't be fetched: this cudalab was built without libcurl.", url));
}

#endif

}  // namespace lab
