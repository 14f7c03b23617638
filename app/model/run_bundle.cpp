#include "app/model/run_bundle.h"

#include <atomic>
#include <exception>
#include <filesystem>

namespace lab {

namespace {
std::atomic<uint64_t> next_id{1};
}

RunPtr read_run(const std::string& json, const std::string& complaints, const std::string& origin) {
    auto bundle = std::make_shared<RunBundle>();
    bundle->id = next_id.fetch_add(1);
    bundle->origin = origin;
    try {
        bundle->run = from_json(json);
    } catch (const std::exception& error) {
        bundle->problem = complaints.empty() ? std::string(error.what()) : complaints;
        return bundle;
    }
    for (const Case& one : bundle->run.cases) {
        TracePtr trace;
        if (!one.trace.empty())
            trace = std::make_shared<simt::trace::Reader>(simt::trace::Reader::open(one.trace));
        if (trace && !trace->error().empty()) trace = nullptr;
        std::error_code ignored;  // nobody else reads what a try leaves, and there are many tries
        if (origin == "try") std::filesystem::remove(one.trace, ignored);
        bundle->traces.push_back(std::move(trace));
    }
    return bundle;
}

int case_to_show(const RunBundle& bundle) {
    for (size_t i = 0; i < bundle.run.cases.size(); ++i)
        if (!bundle.run.cases[i].passed && bundle.traces[i]) return int(i);
    for (size_t i = 0; i < bundle.run.cases.size(); ++i)
        if (bundle.traces[i]) return int(i);
    return 0;
}

}  // namespace lab
