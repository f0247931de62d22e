// Launches with more shared memory than a block has without asking for it.
#include "tests/gpu/recording_driver.h"
#include "tests/gpu/wrong.h"
#include "turned_227.h"
#include "turned_48.h"
#include "turned_64.h"

// The driver is asked for more than 48 KiB of shared memory before the launch, and may refuse.
void test_shared_memory() {
  const Size n = 2;
  const auto call = [&](int kibibytes, auto kernel) {
    Ints in({n, kibibytes * 256}), out({n, kibibytes * 256});
    driver->calls.clear();
    driver->shared.clear();
    const int code = kernel(n, in, out);
    strata_release_device_memory();
    require(driver->memory.empty(), "turned: memory is given back");
    return code;
  };
  require(call(48, turned_48) == 0 && count("shared ") == 0, "48 KiB need no question");
  const auto asked = [&](const std::string& bytes, const std::string& name) {
    const auto at = std::find(driver->calls.begin(), driver->calls.end(),
                              "shared " + bytes + " " + name + "_launch_0");
    return at != driver->calls.end() && (at + 1)->rfind("launch " + name + "_launch_0 ", 0) == 0;
  };
  require(call(64, turned_64) == 0 && asked("65536", "turned_64"), "64 KiB are asked for");
  require(call(227, turned_227) == 0 && asked("232448", "turned_227"), "227 KiB are asked for");
  driver->most_shared = 99 * 1024;
  require_failure(
      call(227, turned_227), strata_error_device,
      "turned_227: a launch needs 232448 bytes of shared memory for a block, which the "
      "GPU's driver refuses: the GPU has 101376; make the tiles smaller, or compile for "
      "that GPU's capability",
      "227 KiB are refused");
  require(count("launch ") == 0, "nothing is launched without its shared memory");
  driver->failing_launch = 1;
  require_failure(call(64, turned_64), strata_error_device,
                  "turned_64: the GPU's driver fails with code ", "another failure after it");
  driver->failing_question = 1;
  require_failure(call(64, turned_64), strata_error_device,
                  "turned_64: the GPU's driver fails with code ", "the question fails");
  require(count("launch ") == 0, "nothing is launched after a question that fails");
}
