// One file over HTTP, by libcurl where cudalab was built with it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace lab {

bool can_download();  // false: this cudalab was built without libcurl

// Bytes that are here, and of how many; all is 0 where the server does not say.
using OnBytes = std::function<void(uint64_t here, uint64_t all)>;

// Fetches the URL into the file; what the file holds already is its beginning, and only the rest is asked for. Where
// the connection breaks off it goes on from there, three times. What came stays in the file after a failure, too, so
// that the next call goes on from it. Throws DataFault with what went wrong and the URL: there is no network, no such
// file (404), another error of the server, more than `most` bytes, no byte for 30 seconds, no room.
void download(const std::string& url, const std::filesystem::path& file, uint64_t most,
              const OnBytes& on_bytes);

}  // namespace lab
