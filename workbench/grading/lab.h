// What a lesson's grader.cpp includes. A grader is a few doctest cases; each case plays the learner's
// function in processes of their own (one a thread order, at the same time), with arrays whose contents this
// process checks afterwards. Expected values belong after `play`: the learner's code must never be able to
// see them.
//
//   #include "workbench/grading/lab.h"
//   #include "lessons/01_hello_threads/interface.h"
//   TEST_SUITE_BEGIN("01_hello_threads");
//   TEST_CASE("every element holds its square (n = 1000, blocks of 256)") {
//       lab::Trial trial;
//       auto out = trial.output<int>("out", 1000);
//       trial.play([&](lab::Player& player) {
//           return player.call<decltype(fill_squares)>("fill_squares", player.device(out), 1000, 256);
//       });
//       LAB_EXPECT_OK(trial);     // it returned cudaSuccess and did not crash
//       LAB_EXPECT_EACH(trial, out, [](size_t i) { return int(i * i); });
//       LAB_EXPECT_CLEAN(trial);  // no finding of severity error
//   }
//   TEST_SUITE_END();
//
// The same source serves every backend; nothing here names one. On a GPU there is one order, which `values` gives for
// both, findings are few, a launch's metrics are `sm_count` and `occupancy_blocks` (of this kernel, on one
// multiprocessor), and the checks of metrics and timelines hold unseen. A case also fails, unasked, when the
// learner's code ended early, changed an input, wrote around a host array, or left a finding of severity
// error that no `tolerate` or LAB_EXPECT_ERROR covers: a grader cannot forget these. So does a device output
// made without a kernel.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "workbench/record/run.h"

namespace lab {

enum class Order : int { forward = 0, reverse = 1 };  // of blocks and threads; session.h

// Where a check stands in grader.cpp.
struct CheckSite {
    const char* file;
    int line;
};

// An array of a trial. It exists once for each thread order. `T` is plain data.
template <class T>
class Array {
  public:
    size_t size() const { return size_; }  // elements

  private:
    friend class Trial;
    friend class Player;
    Array(int slot, size_t size) : slot_(slot), size_(size) {}
    int slot_;
    size_t size_;
};

class Trial;

// What one call of a timing does, for GB/s and GFLOP/s: the bytes that a kernel without waste reads and writes in
// device memory, and its floating-point operations (a multiply-add counts two). 0: nothing to say.
struct Work {
    double bytes = 0, flops = 0;
};

// What the body of `play` sees. It lives in the player's process; nothing that the body writes to the
// grader's own variables comes back.
class Player {
  public:
    // The array in device memory, with its contents uploaded (an output is uninitialised there). The same
    // pointer each time it is asked for.
    template <class T>
    T* device(const Array<T>& array) {
        return static_cast<T*>(device_slot(array.slot_));
    }
    // The array in host memory, 16-byte aligned, with protected pages around it. An output holds poison.
    template <class T>
    T* host(const Array<T>& array) {
        return static_cast<T*>(host_slot(array.slot_));
    }
    // The same memory, page-locked: asynchronous copies from and to it need not wait for the host.
    template <class T>
    T* pinned(const Array<T>& array) {
        return static_cast<T*>(pinned_slot(array.slot_));
    }
    // Calls the learner's extern "C" function `name`: `player.call<decltype(scale)>("scale", ...)`.
    template <class F, class... A>
    auto call(const char* name, A&&... arguments) {
        return reinterpret_cast<F*>(resolve(name))(std::forward<A>(arguments)...);
    }
    // What the array holds on the device at this moment; waits for nothing that the learner's code has queued.
    template <class T>
    std::vector<T> now(const Array<T>& array) {
        std::vector<T> values(array.size_);
        download_slot(array.slot_, values.data());
        return values;
    }
    // Says at once how far it is: a point of Run::series, which the window shows while the player runs.
    void point(const char* series, float x, float y);
    Order order() const { return order_; }
    // Calls `body`, which returns a cudaError_t as an int; where the machine measures time (a GPU), many times, and the
    // median of a call, after a warm-up and by CUDA events, goes into the Run as `name`. Returns the first error, or 0.
    template <class Body>
    int time(const std::string& name, const Work& work, Body&& body) {
        using Held = std::remove_reference_t<Body>;
        return time_calls(
            name, work, [](void* held) { return static_cast<int>((*static_cast<Held*>(held))()); },
            const_cast<void*>(static_cast<const void*>(&body)));
    }

  private:
    friend class Trial;
    int time_calls(const std::string& name, const Work& work, int (*body)(void*), void* context);
    Player(Trial& trial, void* program, Order order) : trial_(trial), program_(program), order_(order) {}
    void* device_slot(int slot);
    void* host_slot(int slot);
    void* pinned_slot(int slot);
    void download_slot(int slot, void* to);
    void* resolve(const char* name);
    Trial& trial_;
    void* program_;
    Order order_;
};

enum class Unwritten { is_an_error, is_allowed };

// What the reader set the sliders of lesson.md to.
class Settings {
  public:
    void set(const std::string& name, int value) { values_[name] = value; }
    // Throws std::out_of_range with a sentence when the lesson has no such slider.
    int operator[](const std::string& name) const;
    const std::map<std::string, int>& all() const { return values_; }
    // What the reader drew, row by row; empty: nothing yet, so the experiment takes a picture of its own.
    void set_drawing(const std::string& name, const std::string& bytes) {
        drawings_[name].assign(bytes.begin(), bytes.end());
    }
    std::span<const uint8_t> drawing(const std::string& name) const {
        const auto found = drawings_.find(name);
        return found == drawings_.end() ? std::span<const uint8_t>() : found->second;
    }

  private:
    std::map<std::string, int> values_;
    std::map<std::string, std::vector<uint8_t>> drawings_;
};
const Settings& settings();

// For the arrays of a LAB_TIMING: `large` where time is measured, `small` where the case is only played (on the CPU
// machine, by the contract test).
size_t timing_size(size_t large, size_t small);

class Trial {
  public:
    Trial();
    // Hands what the players reported to the case; makes the checks that nobody has to ask for.
    ~Trial();
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;

    // Names appear in messages: use the parameter's name in interface.h, without a `d_`.
    template <class T>
    Array<T> input(const std::string& name, const std::vector<T>& values) {
        return {add_slot(name, Role::input, values.data(), values.size(), sizeof(T), alignof(T)),
                values.size()};
    }
    template <class T>
    Array<T> inout(const std::string& name, const std::vector<T>& values) {
        return {add_slot(name, Role::inout, values.data(), values.size(), sizeof(T), alignof(T)),
                values.size()};
    }
    template <class T>
    Array<T> output(const std::string& name, size_t count, Unwritten unwritten = Unwritten::is_an_error) {
        const Role role = unwritten == Unwritten::is_an_error ? Role::output : Role::partial_output;
        return {add_slot(name, role, nullptr, count, sizeof(T), alignof(T)), count};
    }

    // What the array is to a reader: a picture or a matrix, `columns` elements a row. Before or after `play`.
    template <class T>
    Trial& rows(const Array<T>& array, size_t columns) {
        set_columns(array.slot_, columns);
        return *this;
    }

    // Keeps the array in the Run up to this size, in place of most_array_bytes. Before or after `play`.
    template <class T>
    Trial& keep(const Array<T>& array, size_t bytes) {
        set_most_bytes(array.slot_, bytes);
        return *this;
    }

    // Settings, before `play`.
    Trial& seconds(double limit);         // wall clock of one player; default 10
    Trial& steps(uint64_t basic_blocks);  // that may pass without any thread of a launch ending; default 2^26
    Trial& device_memory(uint64_t bytes);  // that the device has, for trials of a full one; default 2 GiB
    // The card that a CPU machine plays, a name in assets/devices ("t4"); default: h200. A GPU stays what it is, so
    // ask the launches' metrics (sm_count, occupancy_limit_...) which one it was.
    Trial& card(const std::string& profile);
    Trial& devices(int count);                 // simulated ones, all alike, 1 to 16; default 1
    Trial& orders(std::vector<Order> orders);  // default: forward and reverse
    // Advice of this kind counts as an error. Leaks are looked for where "leak" is raised.
    Trial& raise(const std::string& kind);
    Trial& tolerate(const std::string& kind);  // findings of this kind are left out
    Trial& kernels_optional();                 // an output may be made without any kernel (copies, libraries)

    // Runs `body` in one player for each order, all at once, and waits for them. What it returns (an int, an
    // enum such as cudaError_t, or nothing) is kept. Once a trial.
    template <class Body>
    void play(Body&& body) {
        play_all([&body](Player& player) -> int {
            if constexpr (std::is_void_v<std::invoke_result_t<Body&, Player&>>) {
                body(player);
                return 0;
            } else {
                return static_cast<int>(body(player));
            }
        });
    }

    // After `play`.
    template <class T>
    std::span<const T> values(const Array<T>& array, Order order = Order::forward) const {
        return {static_cast<const T*>(result_slot(array.slot_, order)), array.size_};
    }
    // What the array should hold, for the panels; no check. LAB_EXPECT_EACH and LAB_EXPECT_NEAR tell it by
    // themselves: this is for a grader that looks for the cause before it compares.
    template <class T>
    void reference(const Array<T>& array, const std::vector<T>& expected) {
        if (expected.size() == array.size_) set_expected(array.slot_, expected.data());
    }
    bool ended_well(Order order = Order::forward) const;  // returned, with a whole report
    int returned(Order order = Order::forward) const;
    const std::vector<Kernel>& launches(Order order = Order::forward) const;
    const std::vector<Finding>& findings(Order order = Order::forward) const;
    // The simulated timeline: what was queued where and in which order, what the host waited for, and what happened to
    // pages of managed memory. nullptr: nothing was queued, or the backend has none.
    const Timeline* timeline(Order order = Order::forward) const;

    struct State;
    State& state() { return *state_; }
    const State& state() const { return *state_; }
    template <class T>
    static int slot_of(const Array<T>& array) {
        return array.slot_;
    }

  private:
    friend class Player;
    enum class Role { input, inout, output, partial_output };
    int add_slot(const std::string& name, Role role, const void* values, size_t count, size_t element_bytes,
                 size_t alignment);
    void set_columns(int slot, size_t columns);
    void set_most_bytes(int slot, size_t bytes);
    void set_expected(int slot, const void* values);
    void play_all(const std::function<int(Player&)>& body);
    const void* result_slot(int slot, Order order) const;
    std::unique_ptr<State> state_;
};

// How a value reads in a message. A lesson with element types of its own adds an overload for them, found by
// type.
std::string describe(bool value);
std::string describe(long long value);
std::string describe(unsigned long long value);
std::string describe(double value);
template <class T>
requires std::is_arithmetic_v<T> || std::is_enum_v<T> std::string describe_value(const T& value) {
    if constexpr (std::is_same_v<T, bool>)
        return describe(value);
    else if constexpr (std::is_floating_point_v<T>)
        return describe(static_cast<double>(value));
    else if constexpr (std::is_enum_v<T> || std::is_signed_v<T>)
        return describe(static_cast<long long>(value));
    else
        return describe(static_cast<unsigned long long>(value));
}
template <class T>
requires(!std::is_arithmetic_v<T> && !std::is_enum_v<T>) std::string describe_value(const T& value) {
    return describe(value);
}

// How far a result may lie from the reference: |got - expected| <= absolute + relative * |expected|. Say in
// `why` where the bound comes from; it stands in the message.
struct Tolerance {
    double absolute = 0, relative = 0;
    std::string why;
};
inline Tolerance tolerance(double absolute, double relative, const std::string& why) {
    return {absolute, relative, why};
}

namespace detail {

// The checks with their types taken away, so that a grader compiles fast.
struct ArrayCheck {
    int slot;
    size_t count;
    std::function<bool(const void* values, size_t index)> right;
    std::function<std::string(const void* values, size_t index)> got;
    std::function<std::string(size_t index)> expected;
    std::function<void(size_t index, char* to)> put_expected;  // its bytes
    // Does the value at `index` equal what is expected at `other`? For guesses such as "shifted by one".
    std::function<bool(const void* values, size_t index, size_t other)> equals_expected_at;
    std::string tolerance;  // a sentence part; empty: exact
};
void expect_each(Trial& trial, const ArrayCheck& check, CheckSite site);

template <class T>
bool near(const T& got, const T& expected, const Tolerance& tolerance) {
    const double g = static_cast<double>(got), e = static_cast<double>(expected);
    if (std::isnan(e)) return std::isnan(g);
    if (std::isinf(e)) return g == e;
    return std::fabs(g - e) <= tolerance.absolute + tolerance.relative * std::fabs(e);
}
std::string describe(const Tolerance& tolerance);

template <class T, class Expected, class Equal>
ArrayCheck array_check(const Array<T>& array, Expected expected, Equal equal) {
    ArrayCheck check;
    check.slot = Trial::slot_of(array);
    check.count = array.size();
    check.right = [=](const void* v, size_t i) { return equal(static_cast<const T*>(v)[i], T(expected(i))); };
    check.got = [](const void* v, size_t i) { return describe_value(static_cast<const T*>(v)[i]); };
    check.expected = [=](size_t i) { return describe_value(T(expected(i))); };
    check.put_expected = [=](size_t i, char* to) {
        const T value(expected(i));
        std::memcpy(to, &value, sizeof value);
    };
    check.equals_expected_at = [=](const void* v, size_t i, size_t other) {
        return equal(static_cast<const T*>(v)[i], T(expected(other)));
    };
    return check;
}

}  // namespace detail

// The function came back and returned 0 (cudaSuccess), in every order.
void expect_ok(Trial& trial, CheckSite site);
// The function came back and returned `code`; 0: any error. What the machine says about a refused launch is
// then expected, and no finding.
void expect_error(Trial& trial, int code, CheckSite site);
// No finding of severity error, nor advice that `raise` named.
void expect_clean(Trial& trial, CheckSite site);
// `metric` summed over all launches of `kernel` compares as `op` says ("<=", "==", ...) with `value`.
// `sentence` says what a miss means and what to do.
void expect_metric(Trial& trial, const std::string& kernel, const std::string& metric, const char* op,
                   double value, const std::string& sentence, CheckSite site);
// The same for a metric of the simulated timeline (simt/include/simt/report.md lists them): a model of an H200, but
// one that says the same each time.
void expect_timeline(Trial& trial, const std::string& metric, const char* op, double value,
                     const std::string& sentence, CheckSite site);
// How many launches were accepted, of all kernels together.
void expect_launches(Trial& trial, const char* op, size_t count, CheckSite site);
// Fails the case with words of the grader's own: what was wrong, and one thing to try (may be empty).
void fail(Trial& trial, const std::string& message, const std::string& next, CheckSite site);

template <class T, class Expected>
void expect_each(Trial& trial, const Array<T>& array, Expected expected, CheckSite site) {
    detail::expect_each(
        trial, detail::array_check(array, expected, [](const T& a, const T& b) { return a == b; }), site);
}
template <class T, class Expected>
void expect_near(Trial& trial, const Array<T>& array, Expected expected, const Tolerance& tolerance,
                 CheckSite site) {
    auto check = detail::array_check(
        array, expected, [tolerance](const T& a, const T& b) { return detail::near(a, b, tolerance); });
    check.tolerance = detail::describe(tolerance);
    detail::expect_each(trial, check, site);
}

}  // namespace lab

// A lesson's one experiment: the same trial and the same checks as its cases, at the sizes that the reader
// slides to. It is never part of a grading.
//   LAB_EXPERIMENT("Squares of your size")(const lab::Settings& at) { expect_squares(at["n"], at["block"]); }
#define LAB_EXPERIMENT(title) LAB_EXPERIMENT_AS(title, DOCTEST_ANONYMOUS(lab_experiment_))
#define LAB_EXPERIMENT_AS(title, function)                  \
    static void function(const ::lab::Settings& at);        \
    TEST_CASE(LAB_EXPERIMENT_MARK title* doctest::skip()) { \
        function(::lab::settings());                        \
    }                                                       \
    static void function
#define LAB_EXPERIMENT_MARK "experiment: "

// What a GPU times once all cases have passed there: the learner's functions at a size that fills the card, beside
// the solution's. Never part of a verdict. The title says the size.
//   LAB_TIMING("33,554,432 floats") {
//       const size_t n = lab::timing_size(1 << 25, 1000);
//       lab::Trial trial;
//       const auto in = trial.input("in", std::vector<float>(n, 1)), out = trial.output<float>("out", n);
//       trial.play([&](lab::Player& player) {
//           const float* d_in = player.device(in); ...
//           return player.time("scale", {.bytes = 8.0 * n}, [&] { return player.call<decltype(scale)>("scale", ...); });
//       });
//       LAB_EXPECT_OK(trial);
//   }
#define LAB_TIMING(title) TEST_CASE(LAB_TIMING_MARK title* doctest::skip())
#define LAB_TIMING_MARK "timing: "

#define LAB_HERE (::lab::CheckSite{__FILE__, __LINE__})
#define LAB_EXPECT_OK(trial) ::lab::expect_ok(trial, LAB_HERE)
#define LAB_EXPECT_ERROR(trial, code) ::lab::expect_error(trial, static_cast<int>(code), LAB_HERE)
// `...`: a function of the index (size_t) that gives the expected element.
#define LAB_EXPECT_EACH(trial, array, ...) ::lab::expect_each(trial, array, __VA_ARGS__, LAB_HERE)
// LAB_EXPECT_NEAR(trial, out, lab::tolerance(1e-6, 1e-5, "one rounding a term"), [&](size_t i) { ... })
#define LAB_EXPECT_NEAR(trial, array, tolerance, ...) \
    ::lab::expect_near(trial, array, __VA_ARGS__, tolerance, LAB_HERE)
#define LAB_EXPECT_CLEAN(trial) ::lab::expect_clean(trial, LAB_HERE)
// LAB_EXPECT_METRIC(trial, "copy_kernel", "global_load_sectors", <=, 128, "Neighbours should read neighbours:
// ...")
#define LAB_EXPECT_METRIC(trial, kernel, metric, op, value, sentence) \
    ::lab::expect_metric(trial, kernel, metric, #op, static_cast<double>(value), sentence, LAB_HERE)
// LAB_EXPECT_TIMELINE(trial, "overlap_pct", >=, 60, "Copies should run behind kernels: ...")
#define LAB_EXPECT_TIMELINE(trial, metric, op, value, sentence) \
    ::lab::expect_timeline(trial, metric, #op, static_cast<double>(value), sentence, LAB_HERE)
// LAB_EXPECT_LAUNCHES(trial, ==, 1)
#define LAB_EXPECT_LAUNCHES(trial, op, count) \
    ::lab::expect_launches(trial, #op, static_cast<size_t>(count), LAB_HERE)
