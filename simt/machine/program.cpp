#include "simt/machine/program.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>

namespace simt {

Program program;

namespace {

struct Search {
    uintptr_t inside;
    bool found = false;
};

int read_segments(dl_phdr_info* info, size_t, void* data) {
    auto& search = *static_cast<Search*>(data);
    uintptr_t read_only_end = 0, read_only_begin = UINTPTR_MAX, writable_begin = UINTPTR_MAX,
              writable_end = 0;
    uintptr_t relocated_begin = 0, relocated_end = 0;
    bool here = false;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = info->dlpi_phdr[i];
        const uintptr_t begin = info->dlpi_addr + segment.p_vaddr, end = begin + segment.p_memsz;
        if (segment.p_type == PT_GNU_RELRO) {
            relocated_begin = begin;
            relocated_end = end;
        }
        if (segment.p_type != PT_LOAD) continue;
        here = here || (search.inside >= begin && search.inside < end);
        if ((segment.p_flags & PF_W) != 0) {
            writable_begin = std::min(writable_begin, begin);
            writable_end = std::max(writable_end, end);
        } else {
            read_only_begin = std::min(read_only_begin, begin);
            read_only_end = std::max(read_only_end, end);
        }
    }
    if (!here) return 0;
    // One stretch from the first to the last read-only segment; the writable one comes after it.
    program.text = read_only_begin;
    program.text_bytes =
        static_cast<uint32_t>(std::min<uintptr_t>(read_only_end - read_only_begin, UINT32_MAX));
    if (writable_end > writable_begin) {
        program.writable = writable_begin;
        program.writable_bytes = writable_end - writable_begin;
    }
    program.relocated = relocated_begin;
    program.relocated_bytes = relocated_end - relocated_begin;
    search.found = true;
    return 1;
}

void mark_blocks(const ProgramTables& tables) {
    if (program.text_bytes > (64u << 20)) return;
    program.marks.assign(program.text_bytes, {});
    for (const SiteEntry& site : program.sites)
        program.marks[program.offset(site.return_address)].forks =
            static_cast<uint8_t>(site.flags & (SiteEntry::forks | SiteEntry::may_end | SiteEntry::over));
    // A trip begins at the first basic block at or after the loop's head: its hook is the first site there.
    const void* const* head = tables.heads_begin;
    for (const LoopEntry* loop = tables.loops_begin; loop != tables.loops_end; ++loop, ++head) {
        const auto site =
            std::upper_bound(program.sites.begin(), program.sites.end(), *head,
                             [](const void* a, const SiteEntry& s) { return a < s.return_address; });
        if (site == program.sites.end() || site->return_address >= loop->past_last) continue;
        if (program.loops.size() >= 65534) return;
        program.loops.push_back({program.offset(loop->first), program.offset(loop->past_last)});
        program.marks[program.offset(site->return_address)].loop =
            static_cast<uint16_t>(program.loops.size());
    }
}

}  // namespace

Site Program::site(const void* pc) const {
    auto next = std::upper_bound(sites.begin(), sites.end(), pc,
                                 [](const void* a, const SiteEntry& s) { return a < s.return_address; });
    if (next == sites.begin()) return {};
    const SiteEntry& entry = *std::prev(next);
    if (entry.file >= file_count) return {};
    return {files[entry.file], static_cast<int>(entry.line), static_cast<int>(entry.column),
            (entry.flags & SiteEntry::foreign) != 0};
}

void load_program(const void* inside) {
    if (program.loaded) return;
    program.loaded = true;
    Search search{reinterpret_cast<uintptr_t>(inside)};
    dl_iterate_phdr(read_segments, &search);
    if (!search.found) return;
    Dl_info info{};
    if (dladdr(inside, &info) == 0) return;
    void* handle = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    if (handle == nullptr) return;
    const auto* tables = static_cast<const ProgramTables*>(dlsym(handle, "simt_tables"));
    if (tables == nullptr) return;
    program.checked = program.hooked;
    program.sites.assign(tables->sites_begin, tables->sites_end);
    std::sort(program.sites.begin(), program.sites.end(),
              [](const SiteEntry& a, const SiteEntry& b) { return a.return_address < b.return_address; });
    program.files = tables->files_begin;
    program.file_count = static_cast<size_t>(tables->files_end - tables->files_begin);
    mark_blocks(*tables);
}

}  // namespace simt
