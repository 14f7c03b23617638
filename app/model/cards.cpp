#include "app/model/cards.h"

#include <toml++/toml.h>

#include <cstdint>

namespace lab {

namespace {

Card read_card(const CardText& source) {
    const toml::table t = toml::parse(std::string_view(source.text), std::string_view(source.profile));
    const auto number = [&](const char* key) { return t[key].value_or(int64_t{0}); };
    Card card;
    card.profile = source.profile;
    card.name = t["name"].value_or(std::string(source.profile));
    card.sm = {int(number("threads_per_sm")),
               int(number("blocks_per_sm")),
               int(number("registers_per_sm")),
               size_t(number("shared_per_sm")),
               size_t(number("reserved_shared_per_block")),
               int(number("threads_per_block"))};
    card.shared_per_block = size_t(number("shared_per_block_optin"));
    return card;
}

}  // namespace

const std::vector<Card>& cards() {
    static const std::vector<Card> all = [] {
        std::vector<Card> list;
        for (const CardText& text : card_texts()) list.push_back(read_card(text));
        return list;
    }();
    return all;
}

}  // namespace lab
