#include "workbench/play/ending.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <cstring>

#include "simt/include/simt/trace.h"

namespace lab::detail {

namespace {

// Strings in the control page end where their field ends, whatever the program wrote there.
template <size_t N>
std::string bounded(const char (&text)[N]) {
    return std::string(text, strnlen(text, N));
}

std::string size_words(uint64_t bytes) {
    if (bytes >= uint64_t{1} << 30) return fmt::format("{:.4g} GB", static_cast<double>(bytes) / (1 << 30));
    return fmt::format("{} MB", bytes >> 20);
}

std::string where(const Place& at) {
    return at.line > 0 ? fmt::format(" on line {}", at.line) : "";
}

std::string memory_words(const Evidence& evidence) {
    const uint64_t asked = evidence.control.asked_bytes;
    if (asked == 0) return "";
    return fmt::format(
        " Before that it asked for {} at once; a program may have {} here, and malloc then returns a null "
        "pointer.",
        size_words(asked), size_words(evidence.limits.data_bytes));
}

std::string refused_words(const Evidence& evidence) {
    const int call = evidence.control.refused;
    if (call < 0) return "";
    return fmt::format(" Before that it tried to {}, which an exercise may not do.", purpose_of(call));
}

std::string crash_words(int number, const Evidence& evidence, const Place& at) {
    const uint64_t address = evidence.control.fault_address;
    switch (number) {
        case SIGSEGV:
        case SIGBUS:
            if (evidence.control.stack_full) {
                return fmt::format(
                    "The host code ran out of stack{}: a function that calls itself without end, or a local "
                    "array of several megabytes.",
                    where(at));
            }
            if (address < 4096)
                return fmt::format(
                    "The host code used a null pointer{} (segmentation fault at address {:#x}).", where(at),
                    address);
            return fmt::format(
                "The host code used an address that is not its own{} (segmentation fault at {:#x}).",
                where(at), address);
        case SIGABRT:
            return fmt::format("The program called abort(){}, or a library found its memory damaged.",
                               where(at));
        case SIGFPE:
            return fmt::format("The host code divided an integer by zero{}.", where(at));
        case SIGILL:
            return fmt::format(
                "The program ran into an instruction that is none{}: a function without a return?",
                where(at));
        case SIGKILL:
            return "The program was killed: the machine was out of memory, or somebody stopped it.";
        case SIGXFSZ:
            return fmt::format("The program wrote a file larger than {}.",
                               size_words(evidence.limits.file_bytes));
        default:
            return fmt::format("The program was ended by signal {} ({}){}.", number, strsignal(number),
                               where(at));
    }
}

// A crash that the machine has explained in a finding needs no second story.
Finding* explaining_finding(PlayResult& result) {
    auto& findings = result.report.findings;
    for (auto finding = findings.rbegin(); finding != findings.rend(); ++finding) {
        const bool explains = finding->kind == "device-pointer-on-host" ||
                              finding->kind == "stack-overflow" || finding->kind == "use-after-free";
        if (explains && finding->severity == Severity::error && finding->launch < 0) return &*finding;
    }
    return nullptr;
}

void end_as(PlayResult& result, Ending ending, const std::string& reason) {
    result.ending = ending;
    result.reason = reason;
}

void judge_signal(PlayResult& result, const Evidence& evidence) {
    if (Finding* finding = explaining_finding(result)) {
        // The crash itself tells the line best; its column counts in no text that we have.
        if (finding->at.line == 0) finding->at = result.at;
        result.at = finding->at;
        const bool named = finding->message.find("line ") != std::string::npos;
        return end_as(
            result, Ending::signal,
            finding->message +
                (named || finding->at.line <= 0 ? "" : fmt::format(" (line {})", finding->at.line)) + ".");
    }
    end_as(
        result, Ending::signal,
        crash_words(result.signal, evidence, result.at) + memory_words(evidence) + refused_words(evidence));
}

void judge_exit(PlayResult& result, const Evidence& evidence) {
    const auto& control = evidence.control;
    const auto phase = static_cast<Phase>(control.phase.load());
    if (phase == Phase::closed || (evidence.limits.may_exit && phase == Phase::exited)) return;
    const char* call = phase == Phase::exited ? "exit" : "_exit";
    const char* when = phase == Phase::loading ? " while it was being loaded (in a static constructor)" : "";
    end_as(result, Ending::exited,
           fmt::format("The program ended early: it called {}({}){} before the exercise's function returned.",
                       call, result.exit_code, when) +
               refused_words(evidence));
}

void judge_process(PlayResult& result, const Evidence& evidence) {
    const auto& control = evidence.control;
    if (evidence.timed_out || control.out_of_cpu != 0 || result.signal == SIGXCPU) {
        return end_as(result, Ending::timeout,
                      fmt::format("The program did not finish within {:.3g} s{}. Look for a loop that never "
                                  "ends, or a wait for "
                                  "something that never comes.",
                                  evidence.limits.seconds, where(result.at)));
    }
    if (evidence.too_much_output) {
        return end_as(result, Ending::output_limit,
                      fmt::format("The program printed more than {} and was stopped.",
                                  size_words(evidence.limits.output_bytes)));
    }
    if (control.forbidden >= 0 || result.signal == SIGSYS) {
        // A library that starts a process blocks signals first, so that nobody could note which call it was.
        const char* purpose = control.forbidden >= 0
                                  ? purpose_of(control.forbidden)
                                  : "start another process, or make another call that is closed to it";
        return end_as(
            result, Ending::forbidden,
            fmt::format("The program tried to {}{}, which a program may not do here, and was stopped.",
                        purpose, where(result.at)));
    }
    if (control.missing == 1) {
        return end_as(result, Ending::not_loaded,
                      "The compiled program did not load: " + bounded(control.text) +
                          ". A function that is declared but never defined looks like this.");
    }
    if (control.missing != 0) return end_as(result, Ending::not_loaded, bounded(control.text));
    if (control.threw) {
        const std::string what = bounded(control.text);
        return end_as(result, Ending::threw,
                      fmt::format("The program threw an exception that nobody caught{}{}.{}",
                                  where(result.at), what.empty() ? "" : ": " + what, memory_words(evidence)));
    }
    if (result.signal != 0) return judge_signal(result, evidence);
    judge_exit(result, evidence);
}

}  // namespace

void judge(PlayResult& result, const Evidence& evidence) {
    const int status = evidence.wait_status;
    result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + result.signal;
    if (!evidence.control.is_whole() && !evidence.timed_out) {
        result.returned = -1;
        return end_as(result, Ending::damaged,
                      "The program wrote over memory that is not its own: the player's notes are damaged. "
                      "Look for a host pointer "
                      "that points at nothing of yours.");
    }
    if (evidence.control.line > 0) result.at = {bounded(evidence.control.file), evidence.control.line, 0};
    judge_process(result, evidence);
    if (result.ending != Ending::returned) return;
    if (!result.report.damage.empty()) return end_as(result, Ending::damaged, result.report.damage);
    const bool full = evidence.report_full && evidence.control.phase == static_cast<int>(Phase::closed);
    if (!result.report.closed && !full) {
        end_as(result, Ending::damaged,
               "The machine's report has no closing record: the program ended before the machine was done, "
               "or wrote over its memory.");
    }
}

std::vector<char> trace_file(std::string_view records, uint64_t dropped) {
    using simt::trace::RecordHeader;
    uint64_t count = 0;
    size_t at = 0;
    while (at + sizeof(RecordHeader) <= records.size()) {
        RecordHeader header;
        std::memcpy(&header, records.data() + at, sizeof(header));
        const size_t bytes = simt::trace::record_bytes(header);
        if (bytes > records.size() - at) break;
        at += bytes;
        ++count;
    }
    if (count == 0) return {};
    simt::trace::FileHeader header{{'S', 'I', 'M', 'T', 'T', 'R', 'C', '1'}, at, count, dropped};
    std::vector<char> file(sizeof(header) + at);
    std::memcpy(file.data(), &header, sizeof(header));
    std::memcpy(file.data() + sizeof(header), records.data(), at);
    return file;
}

}  // namespace lab::detail
