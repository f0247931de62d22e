// A small reader of XML, for tests of pictures.
#pragma once

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

namespace strata::test {

struct SvgElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;     // directly inside
  std::string parents;  // "svg g"

  int number(const std::string& attribute) const { return std::stoi(attributes.at(attribute)); }
};

// The elements of a well-formed text in the order of their beginnings. Checks that each element is
// closed, attributes are quoted and given once, and that no special character is left.
inline std::vector<SvgElement> svg_elements(const std::string& xml) {
  std::vector<SvgElement> all;
  std::vector<std::size_t> open;
  for (std::size_t at = 0; at < xml.size();) {
    const std::size_t tag = std::min(xml.find('<', at), xml.size());
    const std::string between = xml.substr(at, tag - at);
    CHECK(between.find('>') == std::string::npos);
    if (!open.empty()) all[open.back()].text += between;
    if (tag == xml.size()) break;
    std::size_t end = xml.find_first_of(" />", tag + 1 + (xml[tag + 1] == '/'));
    REQUIRE(end != std::string::npos);
    if (xml[tag + 1] == '/') {
      REQUIRE(!open.empty());
      CHECK(all[open.back()].name == xml.substr(tag + 2, end - tag - 2));
      open.pop_back();
      at = end + 1;
      continue;
    }
    SvgElement element;
    element.name = xml.substr(tag + 1, end - tag - 1);
    for (const std::size_t p : open) element.parents += (p ? " " : "") + all[p].name;
    while (xml[end] == ' ') {
      const std::size_t equals = xml.find("=\"", end);
      REQUIRE(equals != std::string::npos);
      const std::size_t quote = xml.find('"', equals + 2);
      const std::string key = xml.substr(end + 1, equals - end - 1);
      const std::string value = xml.substr(equals + 2, quote - equals - 2);
      CHECK(value.find_first_of("<>") == std::string::npos);
      CHECK(element.attributes.emplace(key, value).second);
      end = quote + 1;
    }
    all.push_back(element);
    if (xml[end] == '>') open.push_back(all.size() - 1);
    at = end + (xml[end] == '>' ? 1 : 2);
  }
  CHECK(open.empty());
  return all;
}

inline std::vector<SvgElement> elements_named(const std::string& xml, const std::string& name) {
  std::vector<SvgElement> found;
  for (const SvgElement& element : svg_elements(xml))
    if (element.name == name) found.push_back(element);
  return found;
}

// The lines of text of a picture, without titles.
inline std::vector<std::string> svg_texts(const std::string& xml) {
  std::vector<std::string> lines;
  for (const SvgElement& element : elements_named(xml, "text")) lines.push_back(element.text);
  return lines;
}

}  // namespace strata::test
