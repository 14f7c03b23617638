// What the compiler announces for small kernels under the checked flags. SIMT.md's traps are caught here, for
// each new compiler: a sequence that changes is a change in what the machine sees.
#include <dlfcn.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "simt/include/simt/abi.h"
#include "simt/toolchain/compile.h"
#include "simt/toolchain/files.h"
#include "tests/unit/frontend/recorder.h"
#include "tests/unit/scratch.h"

using recorder::Event;
using recorder::Kind;

namespace {

struct Array {
    const char* name;
    size_t bytes, element;
};
constexpr std::array<Array, 13> arrays{{{"a", 1024, 4},
                                        {"b", 1024, 4},
                                        {"d", 512, 8},
                                        {"v4", 1024, 16},
                                        {"w4", 1024, 16},
                                        {"pairs", 512, 8},
                                        {"more_pairs", 512, 8},
                                        {"fives", 160, 20},
                                        {"more_fives", 160, 20},
                                        {"bytes", 64, 1},
                                        {"shorts", 128, 2},
                                        {"counter", 4, 4},
                                        {"table", 32, 4}}};

// The compiled snippets, loaded beside the recorder.
class Program {
  public:
    static Program& get() {
        static Program program;
        return program;
    }

    std::vector<Event> run(const std::string& kernel) const {
        REQUIRE(bool(run_all_));
        clear_();
        run_all_(kernel.c_str());
        return {events_(), events_() + count_()};
    }

    // "L3 r4 b[0]" ...: L is the line after that of the kernel's name.
    std::string told(const std::string& kernel) const {
        std::string out;
        for (const Event& e : run(kernel))
            if (const std::string s = text(e, line_of(kernel)); !s.empty())
                out += (out.empty() ? "" : ", ") + s;
        return out;
    }

    const simt::ProgramTables& tables() const { return *tables_; }

    const simt::SiteEntry* site(const void* pc) const {
        const auto found =
            std::lower_bound(sites_.begin(), sites_.end(), pc,
                             [](const simt::SiteEntry& s, const void* p) { return s.return_address < p; });
        return found != sites_.end() && found->return_address == pc ? &*found : nullptr;
    }

    const void* first_site_after(const void* address) const {
        const auto found =
            std::upper_bound(sites_.begin(), sites_.end(), address,
                             [](const void* p, const simt::SiteEntry& s) { return p < s.return_address; });
        return found == sites_.end() ? nullptr : found->return_address;
    }

    int line_of(const std::string& kernel) const {
        for (const char* after : {"(", "<"}) {
            const size_t at = source_.find("void " + kernel + after);
            if (at != std::string::npos)
                return static_cast<int>(
                           std::count(source_.begin(), source_.begin() + static_cast<ptrdiff_t>(at), '\n')) +
                       1;
        }
        return 0;
    }

  private:
    Program() {
        const std::string folder = TEST_SOURCE_FOLDER;
        source_ = simt::toolchain::read_file(folder + "/snippets.cu").value_or("");
        simt::toolchain::CompileOptions options;
        options.sources = {folder + "/snippets.cu"};
        options.simt_include = SIMT_INCLUDE_FOLDER;
        options.simt_library = SIMT_RECORDER;
        options.cache_dir = (scratch_ / "cache").string();
        const simt::toolchain::CompileResult result = simt::toolchain::compile(options);
        INFO(to_text(result.diagnostics));
        REQUIRE(result.ok);
        void* machine = dlopen(SIMT_RECORDER, RTLD_NOW | RTLD_GLOBAL);
        REQUIRE(machine != nullptr);
        program_ = dlopen(result.shared_object.c_str(), RTLD_NOW);
        INFO(std::string(program_ == nullptr ? dlerror() : ""));
        REQUIRE(program_ != nullptr);
        clear_ = reinterpret_cast<void (*)()>(dlsym(machine, "recorder_clear"));
        count_ = reinterpret_cast<size_t (*)()>(dlsym(machine, "recorder_count"));
        events_ = reinterpret_cast<const Event* (*)()>(dlsym(machine, "recorder_events"));
        run_all_ = reinterpret_cast<void (*)(const char*)>(dlsym(program_, "run_all"));
        tables_ = static_cast<const simt::ProgramTables*>(dlsym(program_, "simt_tables"));
        REQUIRE(tables_ != nullptr);
        REQUIRE(tables_->version == 2);
        REQUIRE(tables_->heads_end - tables_->heads_begin == tables_->loops_end - tables_->loops_begin);
        sites_.assign(tables_->sites_begin, tables_->sites_end);
        std::sort(sites_.begin(), sites_.end(),
                  [](const auto& x, const auto& y) { return x.return_address < y.return_address; });
    }

    std::string where(const void* address) const {
        const char* p = static_cast<const char*>(address);
        for (const Array& array : arrays) {
            const char* base = static_cast<const char*>(dlsym(program_, array.name));
            if (base == nullptr || p < base || p >= base + array.bytes) continue;
            const size_t offset = static_cast<size_t>(p - base) % array.element;
            return std::string(array.name) + "[" +
                   std::to_string(static_cast<size_t>(p - base) / array.element) + "]" +
                   (offset ? "+" + std::to_string(offset) : "");
        }
        return "shared";
    }

    std::string text(const Event& e, int first_line) const {
        const simt::SiteEntry* s = site(e.pc);
        const std::string line =
            s == nullptr ? "?" : "L" + std::to_string(static_cast<int>(s->line) - first_line);
        const std::string size = std::to_string(e.size);
        switch (e.kind) {
            case Kind::read:
            case Kind::write:
            case Kind::volatile_read:
            case Kind::volatile_write:
            case Kind::range_read:
            case Kind::range_write:
            case Kind::atomic:
                return line + " " + static_cast<char>(e.kind) + size + " " + where(e.address);
            case Kind::barrier:
                return line + " barrier " + std::to_string(static_cast<int>(e.size) - first_line);
            case Kind::bounds:
                return line + " bounds " + size;
            default:
                return "";
        }
    }

    lab::Scratch scratch_;
    std::string source_;
    void* program_ = nullptr;
    void (*clear_)() = nullptr;
    size_t (*count_)() = nullptr;
    const Event* (*events_)() = nullptr;
    void (*run_all_)(const char*) = nullptr;
    const simt::ProgramTables* tables_ = nullptr;
    std::vector<simt::SiteEntry> sites_;
};

std::string told(const std::string& kernel) {
    return Program::get().told(kernel);
}

// A small model of warps: lanes share a request when they are at the same site, with the same chain of calls,
// in the same trips of the loops around it. Loops and where their trips begin come from the tables.
class Requests {
  public:
    explicit Requests(const std::vector<Event>& events) {
        const simt::ProgramTables& tables = Program::get().tables();
        for (const Event& e : events) step(e, tables);
    }

    size_t reads() const { return reads_.size(); }
    size_t writes() const { return writes_.size(); }

  private:
    struct Trip {
        const simt::LoopEntry* loop;
        int count;
    };
    struct Frame {
        const void* caller;
        std::vector<Trip> trips;
    };

    void step(const Event& e, const simt::ProgramTables& tables) {
        std::vector<Frame>& frames = threads_[e.thread];
        if (frames.empty()) frames.push_back({nullptr, {}});
        if (e.kind == Kind::enter) return frames.push_back({e.address, {}});
        if (e.kind == Kind::leave) return frames.pop_back();
        move(frames.back(), e.pc, tables);
        if (e.kind == Kind::read) reads_.insert(key(frames, e.pc));
        if (e.kind == Kind::write) writes_.insert(key(frames, e.pc));
    }

    static bool inside(const void* pc, const simt::LoopEntry& loop) {
        return pc > loop.first && pc <= loop.past_last;
    }

    // Which loops the frame is in at `pc`, outermost first, and in which trip of each.
    static void move(Frame& frame, const void* pc, const simt::ProgramTables& tables) {
        std::vector<const simt::LoopEntry*> around;
        for (const simt::LoopEntry* l = tables.loops_begin; l != tables.loops_end; l++)
            if (inside(pc, *l)) around.push_back(l);
        std::sort(around.begin(), around.end(), [](auto* x, auto* y) {
            return x->first != y->first ? x->first < y->first : x->past_last > y->past_last;
        });
        std::vector<Trip> trips;
        for (const simt::LoopEntry* l : around) {
            const auto old = std::find_if(frame.trips.begin(), frame.trips.end(),
                                          [&](const Trip& t) { return t.loop == l; });
            trips.push_back({l, old == frame.trips.end() ? 0 : old->count});
        }
        for (Trip& t : trips)
            if (pc == head_of(t.loop, tables)) t.count++;
        frame.trips = std::move(trips);
    }

    // The first call behind the loop's head: its block's hook.
    static const void* head_of(const simt::LoopEntry* loop, const simt::ProgramTables& tables) {
        return Program::get().first_site_after(tables.heads_begin[loop - tables.loops_begin]);
    }

    static std::vector<intptr_t> key(const std::vector<Frame>& frames, const void* pc) {
        std::vector<intptr_t> out;
        for (const Frame& f : frames) {
            out.push_back(reinterpret_cast<intptr_t>(f.caller));
            for (const Trip& t : f.trips) {
                out.push_back(reinterpret_cast<intptr_t>(t.loop));
                out.push_back(t.count);
            }
        }
        out.push_back(reinterpret_cast<intptr_t>(pc));
        return out;
    }

    std::map<unsigned, std::vector<Frame>> threads_;
    std::set<std::vector<intptr_t>> reads_, writes_;
};

Requests requests(const std::string& kernel) {
    return Requests(Program::get().run(kernel));
}

}  // namespace

TEST_SUITE("hook contract") {
    TEST_CASE("a load and a store are told once each, in order, on their line") {
        CHECK(told("copy") == "L2 r4 b[0], L2 w4 a[0], L2 r4 b[1], L2 w4 a[1]");
    }
    TEST_CASE("an update in place is a read and a write") {
        CHECK(told("add_in_place") == "L0 r4 a[0], L0 w4 a[0]");
    }
    TEST_CASE("a guarded thread tells nothing") {
        CHECK(told("guarded") == "L3 w4 a[0]");
    }
    TEST_CASE("every size is told as it is") {
        CHECK(told("sizes") == "L1 w1 bytes[1], L2 w2 shorts[2], L3 w8 d[3]");
    }
    TEST_CASE("a float4 moves as one access of 16 bytes") {
        CHECK(told("vector_copy") == "L1 r16 w4[0], L1 w16 v4[0], L1 r16 w4[1], L1 w16 v4[1]");
    }
    TEST_CASE("one part of a float4 is one access of 4 bytes") {
        CHECK(told("vector_part") == "L1 r4 w4[1]+4, L1 w4 a[0]");
    }
    TEST_CASE("a float4 that is loaded whole is one access, whatever is done with its parts") {
        CHECK(told("vector_whole") == "L1 r16 w4[1], L2 w4 a[0]");
    }
    TEST_CASE("a float4 that is made and stored is one access") {
        CHECK(told("vector_store") == "L1 w16 v4[2]");
    }
    TEST_CASE("a float array read through float4 pointers moves 16 bytes at a time") {
        CHECK(told("vector_cast") == "L1 r16 w4[2], L1 w16 v4[1]");
    }
    TEST_CASE("a plain struct's copy is a range, its write told first") {
        CHECK(told("struct_copy") == "L1 q20 fives[1], L1 p20 more_fives[2]");
    }
    TEST_CASE(
        "a struct that a call returns into memory, or takes by value from there, is a range at the call") {
        CHECK(told("struct_returned") == "L1 q20 fives[1], L2 q8 pairs[1]");
        CHECK(told("struct_argument") == "L1 p20 more_fives[2], L2 w4 a[0]");
    }
    TEST_CASE("of a small struct only the part that is used is read") {
        CHECK(told("struct_part") == "L1 r4 more_pairs[1]+4, L2 w4 pairs[0]");
    }
    TEST_CASE("volatile accesses say so") {
        CHECK(told("volatile_access") == "L1 R4 a[1], L1 W4 a[0]");
    }
    TEST_CASE("an atomic is no plain access") {
        CHECK(told("atomic") == "L1 a4 a[0]");
    }
    TEST_CASE("a __device__ variable is memory like any other") {
        CHECK(told("device_variable") == "L1 r4 counter[0], L1 w4 counter[0]");
    }
    TEST_CASE("a __constant__ array is read, though its values are known") {
        CHECK(told("constant_variable") == "L1 r4 table[0], L1 w4 a[0], L1 r4 table[1], L1 w4 a[0]");
    }
    TEST_CASE("shared memory is read again after a barrier, and once between two") {
        CHECK(told("shared_reload") ==
              "L2 w4 shared, L3 barrier 3, L4 r4 shared, L4 w4 a[0], L5 barrier 5, L6 r4 shared, L6 w4 a[0]");
    }
    TEST_CASE("dynamic shared memory is told like static") {
        CHECK(told("shared_dynamic") == "L2 w4 shared, L3 r4 shared, L3 w4 a[0]");
    }
    TEST_CASE("an index in bounds of two dimensions is only an access") {
        CHECK(told("shared_two_dimensional") == "L2 w4 shared");
    }
    TEST_CASE("a struct in shared memory is written by its part") {
        CHECK(told("shared_struct") == "L2 w4 shared");
    }
    TEST_CASE("an index outside an array of known size is told before the access") {
        CHECK(told("out_of_bounds") == "L2 bounds 4, L2 w4 shared");
    }
    TEST_CASE("a value is read again after a store that may have changed it") {
        CHECK(told("read_twice") == "L1 r4 b[0], L2 w4 a[1], L3 r4 b[0], L3 w4 a[2]");
    }
    TEST_CASE("one value used twice in an expression is read once") {
        CHECK(told("same_twice") == "L2 r4 b[0], L2 w4 a[0]");
    }
    TEST_CASE("a value that nobody uses is not read, as on the device") {
        CHECK(told("dead_read") == "");
    }
    TEST_CASE("two branches that store to one place are two places in the source") {
        CHECK(told("both_branches") == "L4 w4 a[0]");
    }
    TEST_CASE("the right side of && is not read when the left is false") {
        CHECK(told("short_circuit") == "L1 r4 b[0]");
    }
    TEST_CASE("an index is read before what it points at") {
        CHECK(told("indirect") == "L1 r4 d[0], L1 r4 b[0], L1 w4 a[0]");
    }
    TEST_CASE("an inlined function's access stands on its own line") {
        CHECK(told("inlined") == "L-3 r4 b[1], L1 w4 a[0], L-3 r4 b[2], L2 w4 a[1]");
    }
    TEST_CASE("a called function's access stands on its own line") {
        CHECK(told("called") == "L-3 r4 b[1], L-3 r4 b[2], L1 w4 a[0]");
    }
    TEST_CASE("a template's access stands on its own line") {
        CHECK(told("templated") == "L1 w4 a[5]");
    }
    TEST_CASE("mathematical functions read nothing but their arguments") {
        CHECK(told("standard_library") == "L1 r4 b[1], L1 r4 b[0], L1 r4 b[2], L1 w4 a[0]");
    }

    TEST_CASE("every hook has a place in the learner's file") {
        std::set<std::string> files;
        for (const char* kernel : {"copy", "shared_reload", "vector_copy", "atomic", "inlined", "called"})
            for (const Event& e : Program::get().run(kernel)) {
                if (e.kind == Kind::enter || e.kind == Kind::leave || e.kind == Kind::block) continue;
                const simt::SiteEntry* s = Program::get().site(e.pc);
                REQUIRE(s != nullptr);
                files.insert(Program::get().tables().files_begin[s->file]);
            }
        CHECK(files == std::set<std::string>{std::string(TEST_SOURCE_FOLDER) + "/snippets.cu"});
    }
}

TEST_SUITE("hook contract: loops") {
    TEST_CASE("lanes that act in different trips make a request each") {
        CHECK(requests("lane_a_trip").reads() == 32);
        CHECK(requests("lane_a_trip").writes() == 32);
    }
    TEST_CASE("lanes that leave a loop early meet the others behind it") {
        CHECK(requests("break_by_lane").reads() == 11);
        CHECK(requests("break_by_lane").writes() == 1);
    }
    TEST_CASE("inner loops with a trip count of their own a lane") {
        CHECK(requests("nested_trips").reads() == 12);
        CHECK(requests("nested_trips").writes() == 3);
    }
    TEST_CASE("a continue goes to the next trip with the others") {
        CHECK(requests("continue_alternate").reads() == 12);
        CHECK(requests("continue_alternate").writes() == 1);
    }
    TEST_CASE("a second loop starts together, whoever left the first one when") {
        CHECK(requests("two_loops").reads() == 6 + 4);
        CHECK(requests("two_loops").writes() == 1);
    }
    TEST_CASE("a do loop counts its trips from the first") {
        CHECK(requests("while_halving").reads() == 5);
        CHECK(requests("while_halving").writes() == 5);
    }
    TEST_CASE("a function called at two places is two places") {
        CHECK(requests("calls_in_branches").reads() == 2);
        CHECK(requests("calls_in_branches").writes() == 2);
    }
}
