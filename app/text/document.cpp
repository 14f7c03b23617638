#include "app/text/document.h"

#include <md4c.h>

#include <fmt/format.h>

namespace lab {
namespace {

struct Entities {
    const char* name;
    const char* text;
};
constexpr Entities entities[] = {{"&amp;", "&"},   {"&lt;", "<"},    {"&gt;", ">"},   {"&quot;", "\""},
                                 {"&nbsp;", " "},  {"&times;", "×"}, {"&rarr;", "→"}, {"&hellip;", "…"},
                                 {"&ndash;", "–"}, {"&le;", "≤"}};

struct List {
    bool ordered = false, tight = false;
    int next = 1;
};

// Collects what md4c pushes.
struct Builder {
    Document document;
    std::vector<List> lists;
    int quote = 0;
    int bold = 0, italic = 0, code = 0, struck = 0;
    std::string link;
    bool pending_item = false;
    std::string pending_marker;
    bool in_table = false;

    TextBlock& begin(TextBlock::Kind kind) {
        TextBlock block;
        block.kind = kind;
        block.indent = int(lists.size());
        block.quote = quote;
        block.tight = !lists.empty() && lists.back().tight;
        if (pending_item && (kind == TextBlock::Kind::paragraph || kind == TextBlock::Kind::code)) {
            if (kind == TextBlock::Kind::paragraph) block.kind = TextBlock::Kind::item;
            block.marker = pending_marker;
            pending_item = false;
        }
        document.blocks.push_back(std::move(block));
        return document.blocks.back();
    }

    Spans* target() {
        if (document.blocks.empty()) return nullptr;
        TextBlock& block = document.blocks.back();
        if (!in_table) return &block.spans;
        if (block.rows.empty() || block.rows.back().empty()) return nullptr;
        return &block.rows.back().back();
    }

    void add(std::string text) {
        // The text of a tight list's item comes without a paragraph around it.
        if (pending_item) begin(TextBlock::Kind::paragraph);
        Spans* spans = target();
        if (!spans) return;
        Span span{std::move(text), bold > 0, italic > 0, code > 0, struck > 0, link};
        const bool same = !spans->empty() && spans->back().bold == span.bold &&
                          spans->back().italic == span.italic && spans->back().code == span.code &&
                          spans->back().struck == span.struck && spans->back().link == span.link &&
                          spans->back().text != "\n" && span.text != "\n";
        if (same)
            spans->back().text += span.text;
        else
            spans->push_back(std::move(span));
    }
};

int enter_block(MD_BLOCKTYPE type, void* detail, void* user) {
    Builder& builder = *static_cast<Builder*>(user);
    switch (type) {
        case MD_BLOCK_QUOTE:
            ++builder.quote;
            break;
        case MD_BLOCK_UL:
            builder.lists.push_back({false, static_cast<MD_BLOCK_UL_DETAIL*>(detail)->is_tight != 0, 0});
            break;
        case MD_BLOCK_OL: {
            auto* list = static_cast<MD_BLOCK_OL_DETAIL*>(detail);
            builder.lists.push_back({true, list->is_tight != 0, int(list->start)});
            break;
        }
        case MD_BLOCK_LI:
            builder.pending_item = true;
            builder.pending_marker =
                builder.lists.back().ordered ? fmt::format("{}.", builder.lists.back().next++) : "";
            break;
        case MD_BLOCK_HR:
            builder.begin(TextBlock::Kind::rule);
            break;
        case MD_BLOCK_H:
            builder.begin(TextBlock::Kind::heading).level =
                int(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
            break;
        case MD_BLOCK_CODE: {
            auto* code = static_cast<MD_BLOCK_CODE_DETAIL*>(detail);
            builder.begin(TextBlock::Kind::code).language =
                std::string(code->lang.text ? code->lang.text : "", code->lang.size);
            break;
        }
        case MD_BLOCK_HTML:
        case MD_BLOCK_P:
            builder.begin(TextBlock::Kind::paragraph);
            break;
        case MD_BLOCK_TABLE:
            builder.begin(TextBlock::Kind::table);
            builder.in_table = true;
            break;
        case MD_BLOCK_TR:
            if (builder.in_table) builder.document.blocks.back().rows.emplace_back();
            break;
        case MD_BLOCK_TH:
        case MD_BLOCK_TD: {
            TextBlock& table = builder.document.blocks.back();
            table.rows.back().emplace_back();
            const MD_ALIGN align = static_cast<MD_BLOCK_TD_DETAIL*>(detail)->align;
            if (table.rows.size() == 1)
                table.align.push_back(align == MD_ALIGN_RIGHT ? 1 : align == MD_ALIGN_CENTER ? 0 : -1);
            break;
        }
        default:
            break;
    }
    return 0;
}

int leave_block(MD_BLOCKTYPE type, void*, void* user) {
    Builder& builder = *static_cast<Builder*>(user);
    if (type == MD_BLOCK_QUOTE) --builder.quote;
    if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) builder.lists.pop_back();
    if (type == MD_BLOCK_LI) builder.pending_item = false;
    if (type == MD_BLOCK_TABLE) builder.in_table = false;
    return 0;
}

int enter_span(MD_SPANTYPE type, void* detail, void* user) {
    Builder& builder = *static_cast<Builder*>(user);
    if (type == MD_SPAN_STRONG) ++builder.bold;
    if (type == MD_SPAN_EM) ++builder.italic;
    if (type == MD_SPAN_CODE) ++builder.code;
    if (type == MD_SPAN_DEL) ++builder.struck;
    if (type == MD_SPAN_A) {
        const MD_ATTRIBUTE& href = static_cast<MD_SPAN_A_DETAIL*>(detail)->href;
        builder.link.assign(href.text ? href.text : "", href.size);
    }
    return 0;
}

int leave_span(MD_SPANTYPE type, void*, void* user) {
    Builder& builder = *static_cast<Builder*>(user);
    if (type == MD_SPAN_STRONG) --builder.bold;
    if (type == MD_SPAN_EM) --builder.italic;
    if (type == MD_SPAN_CODE) --builder.code;
    if (type == MD_SPAN_DEL) --builder.struck;
    if (type == MD_SPAN_A) builder.link.clear();
    return 0;
}

int add_text(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* user) {
    Builder& builder = *static_cast<Builder*>(user);
    const std::string piece(text, size);
    if (type == MD_TEXT_BR) {
        builder.add("\n");
        return 0;
    }
    if (type == MD_TEXT_SOFTBR) {
        builder.add(" ");
        return 0;
    }
    if (type == MD_TEXT_NULLCHAR) {
        builder.add("\xEF\xBF\xBD");
        return 0;
    }
    if (type == MD_TEXT_ENTITY) {
        for (const Entities& entity : entities)
            if (piece == entity.name) {
                builder.add(entity.text);
                return 0;
            }
    }
    const bool in_code_block = !builder.document.blocks.empty() && !builder.in_table &&
                               !builder.pending_item &&
                               builder.document.blocks.back().kind == TextBlock::Kind::code;
    if (type == MD_TEXT_CODE && in_code_block)
        builder.document.blocks.back().code += piece;
    else
        builder.add(piece);
    return 0;
}

}  // namespace

Document read_markdown(const std::string& text) {
    Builder builder;
    MD_PARSER parser{};
    parser.flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_PERMISSIVEURLAUTOLINKS | MD_FLAG_NOHTML;
    parser.enter_block = enter_block;
    parser.leave_block = leave_block;
    parser.enter_span = enter_span;
    parser.leave_span = leave_span;
    parser.text = add_text;
    md_parse(text.data(), MD_SIZE(text.size()), &parser, &builder);
    for (TextBlock& block : builder.document.blocks)
        while (!block.code.empty() && block.code.back() == '\n') block.code.pop_back();
    return std::move(builder.document);
}

std::string plain_text(const Document& document) {
    std::string out;
    for (const TextBlock& block : document.blocks) {
        for (const Span& span : block.spans) out += span.text;
        for (const auto& row : block.rows)
            for (const Spans& cell : row)
                for (const Span& span : cell) out += span.text + " ";
        out += block.code + "\n";
    }
    return out;
}

}  // namespace lab
