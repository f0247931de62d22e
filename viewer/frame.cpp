#include "viewer/frame.h"

#include "viewer/html.h"
#include "viewer/resources.h"

namespace strata::viewer {

std::string framed(const std::string& title, const std::string& invitation,
                   const std::string& main) {
  const std::string name = escaped(title);
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
         "<meta name=\"viewport\" content=\"width=device-width\"><title>" +
         name + "</title>\n<style>" + page_css + "</style></head>\n<body class=\"strata\">" +
         "<header><h1>" + name + "</h1><p id=\"status\" role=\"status\">" + escaped(invitation) +
         "</p></header>\n<main>\n" + main + "</main>\n<script>" + page_js +
         "</script></body></html>\n";
}

}  // namespace strata::viewer
