// The assembler text pass.
#include <doctest/doctest.h>

#include "simt/frontend/asm_tables.h"

using simt::frontend::add_tables;
using simt::frontend::FileTable;
using simt::frontend::TableOptions;
using simt::frontend::TableResult;

namespace {

TableResult pass(const std::string& text, bool last = false) {
    static FileTable files;
    files = FileTable();
    TableOptions options;
    options.foreign_prefixes = {"/simt/"};
    options.last = last;
    return add_tables(text, files, options);
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

const std::string start =
    "\t.file 0 \"/home\" \"k.cu\"\n\t.text\n\t.file 1 \"k.cu\"\n\t.file 2 \"/simt/\" \"abi.h\"\n"
    "f:\n\t.cfi_startproc\n";

}  // namespace

TEST_SUITE("frontend assembler tables") {
    TEST_CASE("each call gets a label behind it and an entry with its place") {
        const TableResult r =
            pass(start + "\t.loc 1 7 12 view .LVU3\n\tcall\t__tsan_read4@PLT\n\tcall\t*%rbp\n\tret\n");
        CHECK(r.sites == 2);
        CHECK(has(r.text, "\tcall\t__tsan_read4@PLT\n.Lsimt1:\n\tcall\t*%rbp\n.Lsimt2:\n\tret\n"));
        CHECK(
            has(r.text,
                "\t.section\tsimt_sites,\"aw\",@progbits\n\t.balign\t8\n\t.quad\t.Lsimt1\n\t.long\t0,7,12,0\n"
                "\t.quad\t.Lsimt2\n\t.long\t0,7,12,0\n"));
    }

    TEST_CASE("without gcc's own word, code from our headers counts for the learner's statement before it") {
        const TableResult r = pass(
            start +
            "\t.loc 1 7 12\n\t.loc 2 99 1\n\tcall\ta\n\t.cfi_endproc\ng:\n\t.cfi_startproc\n\tcall\tb\n");
        CHECK(has(r.text, "\t.long\t0,7,12,1\n"));
        CHECK(has(r.text, "\t.long\t1,99,1,16\n"));  // nothing of the learner's in g
    }

    TEST_CASE("code from our headers counts for the line that gcc says it was inlined into") {
        const std::string debug =
            "\t.section\t.debug_info,\"\",@progbits\n.Ldebug_info0:\n\t.long\t0x15f\n\t.value\t0x5\n\t."
            "byte\t0x1\n\t.byte\t0x8\n\t.long\t.Ldebug_abbrev0\n"
            "\t.uleb128 0x1\n\t.quad\t.LFB1\n\t.uleb128 0x1\n\t.byte\t0x9c\n"  // the function: a low_pc and
                                                                               // an expression
            "\t.uleb128 0x4\n\t.byte\t0x3\n\t.byte\t0x1\n\t.value\t0x2\n"      // a constant of three bytes
            "\t.uleb128 0x2\n\t.long\t.LLRL0\n\t.byte\t0x1f\n\t.byte\t0x5\n"   // inlined into line 31, column
                                                                               // 5
            "\t.uleb128 0x3\n\t.quad\t.LBB8\n\t.byte\t0x2\n\t.byte\t0x63\n\t.byte\t0\n\t.byte\t0\n"  // within
                                                                                                     // it,
                                                                                                     // one
            // inlined
            // into
            // our
            // header
            "\t.section\t.debug_abbrev,\"\",@progbits\n.Ldebug_abbrev0:\n"
            "\t.uleb128 0x1\n\t.uleb128 0x2e\n\t.byte\t0x1\n\t.uleb128 0x11\n\t.uleb128 0x1\n\t.uleb128 "
            "0x40\n\t.uleb128 0x18\n\t.byte\t0\n\t.byte\t0\n"
            "\t.uleb128 0x2\n\t.uleb128 0x1d\n\t.byte\t0x1\n\t.uleb128 0x55\n\t.uleb128 0x17\n\t.uleb128 "
            "0x58\n\t.uleb128 0x21\n\t.sleb128 1\n"
            "\t.uleb128 0x59\n\t.uleb128 0xb\n\t.uleb128 0x57\n\t.uleb128 0xb\n\t.byte\t0\n\t.byte\t0\n"
            "\t.uleb128 0x3\n\t.uleb128 0x1d\n\t.byte\t0\n\t.uleb128 0x11\n\t.uleb128 0x1\n\t.uleb128 "
            "0x58\n\t.uleb128 0xb\n\t.uleb128 0x59\n\t.uleb128 0xb\n\t.byte\t0\n\t.byte\t0\n"
            "\t.uleb128 0x4\n\t.uleb128 0x34\n\t.byte\t0\n\t.uleb128 0x1c\n\t.uleb128 "
            "0xa\n\t.byte\t0\n\t.byte\t0\n\t.byte\t0\n"
            "\t.section\t.debug_rnglists,\"\",@progbits\n.LLRL0:\n\t.byte\t0x4\n\t.uleb128 "
            ".LBB7-.Ltext0\n\t.uleb128 .LBE7-.Ltext0\n\t.byte\t0\n";
        const std::string code = start +
                                 "\t.loc 1 7 12\n.LBB7:\n.LBB8:\n\t.loc 2 99 "
                                 "1\n\tcall\ta\n.LBE8:\n.LBE7:\n\tcall\tb\n\t.cfi_endproc\n";
        const TableResult r = pass(code + debug);
        CHECK(has(r.text, "\t.quad\t.Lsimt1\n\t.long\t0,31,5,1\n\t.quad\t.Lsimt2\n\t.long\t0,7,12,1\n"));
        CHECK_FALSE(has(r.text, ".LLRL0"));
    }

    TEST_CASE("a loop has its extent and the block where a trip begins") {
        const TableResult r =
            pass(start + ".L2:\n\tjne\t.L3\n\tje\t.L2\n.L3:\n\tjmp\t.L2\n\tret\n\t.cfi_endproc\n");
        CHECK(r.loops == 1);
        CHECK(
            has(r.text, "\t.section\tsimt_loops,\"aw\",@progbits\n\t.balign\t8\n\t.quad\t.Lsimt1,.Lsimt5\n"));
        CHECK(has(r.text, "\t.section\tsimt_heads,\"aw\",@progbits\n\t.balign\t8\n\t.quad\t.Lsimt1\n"));
        CHECK(has(r.text, ".L2:\n.Lsimt1:\n"));
        CHECK(has(r.text, "\tjmp\t.L2\n.Lsimt5:\n"));
    }

    TEST_CASE("a loop whose first block gcc puts last begins there") {
        // jmp cond; body: (inner loop); cond: jg body; jmp body_end -- with a second way round the body
        const TableResult r = pass(start +
                                   "\tjmp\t.L18\n.L21:\n.L19:\n\tjne\t.L19\n.L22:\n\tje\t.L20\n.L18:\n\tjg\t."
                                   "L21\n\tjmp\t.L22\n.L20:\n\tret\n\t.cfi_endproc\n");
        CHECK(r.loops == 2);
        const size_t head = r.text.find(".L18:\n.Lsimt") + 12, body = r.text.find(".L21:\n.Lsimt") + 12;
        const std::string head_label = r.text.substr(head - 6, r.text.find(':', head) - head + 6),
                          body_label = r.text.substr(body - 6, r.text.find(':', body) - body + 6);
        CHECK(has(r.text, "\t.quad\t" + body_label + ",."));
        CHECK(has(r.text, "simt_heads,\"aw\",@progbits\n\t.balign\t8\n\t.quad\t" + head_label + "\n"));
    }

    TEST_CASE("a jump back that skips a piece of a loop is no loop of its own") {
        const TableResult r =
            pass(start + "\tjmp\t.L3\n.L2:\n\tje\t.L4\n.L3:\n\tjmp\t.L2\n.L4:\n\tret\n\t.cfi_endproc\n");
        CHECK(r.loops == 1);
    }

    TEST_CASE("a switch in a loop belongs to the loop, jump table and all") {
        const TableResult r = pass(start +
                                   ".L2:\n\tnotrack "
                                   "jmp\t*%rax\n\t.section\t.rodata\n.L5:\n\t.long\t.L6-.L5\n\t.long\t.L7-."
                                   "L5\n\t.text\n.L6:\n\tjmp\t.L2\n.L7:\n\tret\n\t.cfi_endproc\n");
        CHECK(r.loops == 1);
    }

    TEST_CASE("a jump into another function or another section is no loop") {
        CHECK(pass(start + ".L2:\n\t.cfi_endproc\ng:\n\t.cfi_startproc\n\tjmp\t.L2\n").loops == 0);
        CHECK(pass(start + ".L2:\n\t.section\t.text.unlikely\n.L3:\n\tjmp\t.L2\n").loops == 0);
    }

    TEST_CASE("entries for a template's function live and die with it") {
        const TableResult r = pass(
            "\t.section\t.text._Z1kv,\"axG\",@progbits,_Z1kv,comdat\nf:\n\t.cfi_startproc\n.L1:"
            "\n\tcall\ta\n\tjmp\t.L1\n\t.cfi_endproc\n");
        CHECK(has(r.text, "\t.section\tsimt_sites,\"awG\",@progbits,_Z1kv,comdat\n"));
        CHECK(has(r.text, "\t.section\tsimt_loops,\"awG\",@progbits,_Z1kv,comdat\n"));
        CHECK(has(r.text, "\t.section\tsimt_heads,\"awG\",@progbits,_Z1kv,comdat\n"));
    }

    TEST_CASE("gcc's debugging information is left out, and what stands between it is kept") {
        const TableResult r =
            pass(start +
                 ".LBB3:\n\tcall\ta\n\t.section\t.debug_info,\"\",@progbits\n\t.long\t3\n.Lx:\n\t.hidden\tDW."
                 "ref\n\t.weak\tDW.ref\n\t.section\t.data.rel\n\t.quad\t7\n");
        CHECK_FALSE(has(r.text, "\t.long\t3\n"));
        CHECK_FALSE(has(r.text, ".LBB3"));
        CHECK_FALSE(has(r.text, "\t.file 1"));
        CHECK(has(r.text, "\t.hidden\tDW.ref\n\t.weak\tDW.ref\n\t.section\t.data.rel\n\t.quad\t7\n"));
    }

    TEST_CASE("the last object names the files and exports the tables") {
        const TableResult r = pass("\t.file 1 \"dir with \\\"quotes\\\"\" \"\\303\\244.cu\"\n" +
                                       start.substr(start.find("f:")) + "\t.loc 1 3 1\n\tcall\ta\n",
                                   true);
        CHECK(has(r.text, "\t.string\t\"dir with \\\"quotes\\\"/\xc3\xa4.cu\"\n"));
        CHECK(has(r.text, "\t.globl\tsimt_tables\n"));
        CHECK(has(r.text,
                  "\t.quad\t__start_simt_sites\n\t.quad\t__stop_simt_sites\n\t.quad\t__start_simt_loops\n"));
        CHECK_FALSE(has(pass(start + "\tcall\ta\n").text, "simt_tables"));
    }

    TEST_CASE("objects of one program share their file numbers") {
        FileTable files;
        TableOptions options;
        options.last = false;
        add_tables("\t.file 1 \"a.cu\"\nf:\n\t.cfi_startproc\n\t.loc 1 3 1\n\tcall\ta\n", files, options);
        const TableResult second = add_tables(
            "\t.file 1 \"b.cu\"\n\t.file 2 \"a.cu\"\nf:\n\t.cfi_startproc\n\t.loc 1 3 1\n\tcall\ta\n\t.loc 2 "
            "4 1\n\tcall\ta\n",
            files, options);
        CHECK(files.names() == std::vector<std::string>{"a.cu", "b.cu"});
        CHECK(has(second.text, "\t.long\t1,3,1,0\n"));
        CHECK(has(second.text, "\t.long\t0,4,1,0\n"));
    }

    TEST_CASE(
        "basic blocks behind the hook of the function's end are marked, so that no caller takes them for its "
        "own") {
        const TableResult r =
            pass(start +
                 "\t.loc 1 7 12\n\tcall\t__sanitizer_cov_trace_pc\n\ttestl\t%eax, %eax\n\tje\t.L2\n"
                 "\tcall\t__sanitizer_cov_trace_pc\n\tcall\t__tsan_func_exit\n\tjmp\t.L3\n"
                 ".L2:\n\tcall\t__sanitizer_cov_trace_pc\n\tcall\t__tsan_func_exit\n"
                 ".L3:\n\tcall\t__sanitizer_cov_trace_pc\n\tret\n\t.cfi_endproc\n");
        size_t marked = 0;
        for (size_t at = r.text.find(",7,12,8\n"); at != std::string::npos;
             at = r.text.find(",7,12,8\n", at + 1))
            marked++;
        CHECK(marked == 1);
    }
}
