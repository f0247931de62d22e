#include "automatic/rules/rules.h"

namespace strata::automatic {

const std::vector<Rule>& rules() {
  static const std::vector<Rule> table = {
      // Rules with wider places come first: a member that one of these rules takes is not seen by
      // the next.
      {"rows", rows_places, rows_candidates},
      {"stencil", stencil_places, stencil_candidates},
      {"product", product_places, product_candidates},
      {"lines", lines_places, lines_candidates},
      {"blocks", blocks_places, blocks_candidates},
      {"bands", bands_places, bands_candidates},
      {"pieces", pieces_places, pieces_candidates},
      {"interchange", interchange_places, interchange_candidates},
      {"steps", steps_places, steps_candidates},
      {"sums", sums_places, sums_candidates},
      // The last rule takes whatever the others have left.
      {"plain", plain_places, plain_candidates},
  };
  return table;
}

}  // namespace strata::automatic
