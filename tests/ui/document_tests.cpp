#include <doctest/doctest.h>

#include "app/text/document.h"
#include "app/text/syntax.h"

using lab::TextBlock;

TEST_CASE("Markdown becomes headings, paragraphs with styles, lists, tables and code") {
    const lab::Document d = lab::read_markdown(
        "# Title\n\nA *b* **c** `d` [e](http://f).\n\n- one\n- two\n  1. inner\n\n| a | b |\n|---|--:|\n| 1 "
        "| 2 |\n\n```cpp\nint x;\n```\n\n> said\n");
    REQUIRE(d.blocks.size() == 8);
    CHECK(d.blocks[0].kind == TextBlock::Kind::heading);
    CHECK(d.blocks[1].spans.size() == 9);
    CHECK(d.blocks[1].spans[1].italic);
    CHECK(d.blocks[1].spans[3].bold);
    CHECK(d.blocks[1].spans[5].code);
    CHECK(d.blocks[1].spans[7].link == "http://f");
    CHECK(d.blocks[2].kind == TextBlock::Kind::item);
    CHECK(d.blocks[4].indent == 2);
    CHECK(d.blocks[4].marker == "1.");
    CHECK(d.blocks[5].rows.size() == 2);
    CHECK(d.blocks[5].align == std::vector<int>{-1, 1});
    CHECK(d.blocks[6].code == "int x;");
    CHECK(d.blocks[6].language == "cpp");
    CHECK(d.blocks[7].quote == 1);
}

TEST_CASE("Damaged Markdown is read without harm") {
    for (const char* text :
         {"", "|", "- ", "```", "[a](", "> > >", "1. \n2.\n- ", "\xff\xfe\x00", "| a |\n|--|\n|", "&bogus;"})
        CHECK_NOTHROW(lab::read_markdown(text));
}

TEST_CASE("CUDA words, numbers, strings and comments get colours of their own") {
    bool in_comment = false;
    const std::string line = "__global__ void f(int n) { g<<<1, 2>>>(\"a\"); } // end";
    std::string cuda, strings, comments;
    for (const lab::TokenSpan& token : lab::tokens_of(line, in_comment)) {
        const std::string text = line.substr(token.begin, token.size);
        if (token.token == lab::Token::cuda) cuda += text + " ";
        if (token.token == lab::Token::string) strings += text;
        if (token.token == lab::Token::comment) comments += text;
    }
    CHECK(cuda == "__global__ <<< >>> ");
    CHECK(strings == "\"a\"");
    CHECK(comments == "// end");
    lab::tokens_of("a /* b", in_comment);
    CHECK(in_comment);
    lab::tokens_of("c */ d", in_comment);
    CHECK_FALSE(in_comment);
}
