#include "codegen/entry/library_names.h"

#include <algorithm>
#include <string_view>

namespace strata {

namespace {

// clang-format off
// Of math.h and complex.h, without the suffixes f and l.
constexpr std::string_view of_doubles[] = {
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cabs", "cacos", "cacosh", "carg",
    "casin", "casinh", "catan", "catanh", "cbrt", "ccos", "ccosh", "ceil", "cexp", "cimag",
    "clog", "conj", "copysign", "cos", "cosh", "cpow", "cproj", "creal", "csin", "csinh", "csqrt",
    "ctan", "ctanh", "erf", "erfc", "exp", "exp2", "expm1", "fabs", "fdim", "floor", "fma",
    "fmax", "fmin", "fmod", "frexp", "hypot", "ilogb", "ldexp", "lgamma", "llrint", "llround",
    "log", "log10", "log1p", "log2", "logb", "lrint", "lround", "modf", "nan", "nearbyint",
    "nextafter", "nexttoward", "pow", "remainder", "remquo", "rint", "round", "scalbln", "scalbn",
    "sin", "sinh", "sqrt", "tan", "tanh", "tgamma", "trunc"};

// Of the other headers of C11.
constexpr std::string_view of_others[] = {
    "_Exit", "abort", "abs", "aligned_alloc", "asctime", "at_quick_exit", "atexit", "atof",
    "atoi", "atol", "atoll", "atomic_flag_clear", "atomic_flag_clear_explicit",
    "atomic_flag_test_and_set", "atomic_flag_test_and_set_explicit", "atomic_signal_fence",
    "atomic_thread_fence", "bsearch", "btowc", "c16rtomb", "c32rtomb", "call_once", "calloc",
    "clearerr", "clock", "cnd_broadcast", "cnd_destroy", "cnd_init", "cnd_signal",
    "cnd_timedwait", "cnd_wait", "ctime", "difftime", "div", "exit", "fclose", "feclearexcept",
    "fegetenv", "fegetexceptflag", "fegetround", "feholdexcept", "feof", "feraiseexcept",
    "ferror", "fesetenv", "fesetexceptflag", "fesetround", "fetestexcept", "feupdateenv",
    "fflush", "fgetc", "fgetpos", "fgets", "fgetwc", "fgetws", "fopen", "fprintf", "fputc",
    "fputs", "fputwc", "fputws", "fread", "free", "freopen", "fscanf", "fseek", "fsetpos",
    "ftell", "fwide", "fwprintf", "fwrite", "fwscanf", "getc", "getchar", "getenv", "gets",
    "getwc", "getwchar", "gmtime", "imaxabs", "imaxdiv", "isalnum", "isalpha", "isblank",
    "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper",
    "iswalnum", "iswalpha", "iswblank", "iswcntrl", "iswctype", "iswdigit", "iswgraph",
    "iswlower", "iswprint", "iswpunct", "iswspace", "iswupper", "iswxdigit", "isxdigit", "labs",
    "ldiv", "llabs", "lldiv", "localeconv", "localtime", "longjmp", "malloc", "mblen", "mbrlen",
    "mbrtoc16", "mbrtoc32", "mbrtowc", "mbsinit", "mbsrtowcs", "mbstowcs", "mbtowc", "memchr",
    "memcmp", "memcpy", "memmove", "memset", "mktime", "mtx_destroy", "mtx_init", "mtx_lock",
    "mtx_timedlock", "mtx_trylock", "mtx_unlock", "perror", "printf", "putc", "putchar", "puts",
    "putwc", "putwchar", "qsort", "quick_exit", "raise", "rand", "realloc", "remove", "rename",
    "rewind", "scanf", "setbuf", "setjmp", "setlocale", "setvbuf", "signal", "snprintf",
    "sprintf", "srand", "sscanf", "strcat", "strchr", "strcmp", "strcoll", "strcpy", "strcspn",
    "strerror", "strftime", "strlen", "strncat", "strncmp", "strncpy", "strpbrk", "strrchr",
    "strspn", "strstr", "strtod", "strtof", "strtoimax", "strtok", "strtol", "strtold", "strtoll",
    "strtoul", "strtoull", "strtoumax", "strxfrm", "swprintf", "swscanf", "system", "thrd_create",
    "thrd_current", "thrd_detach", "thrd_equal", "thrd_exit", "thrd_join", "thrd_sleep",
    "thrd_yield", "time", "timespec_get", "tmpfile", "tmpnam", "tolower", "toupper", "towctrans",
    "towlower", "towupper", "tss_create", "tss_delete", "tss_get", "tss_set", "ungetc", "ungetwc",
    "vfprintf", "vfscanf", "vfwprintf", "vfwscanf", "vprintf", "vscanf", "vsnprintf", "vsprintf",
    "vsscanf", "vswprintf", "vswscanf", "vwprintf", "vwscanf", "wcrtomb", "wcscat", "wcschr",
    "wcscmp", "wcscoll", "wcscpy", "wcscspn", "wcsftime", "wcslen", "wcsncat", "wcsncmp",
    "wcsncpy", "wcspbrk", "wcsrchr", "wcsrtombs", "wcsspn", "wcsstr", "wcstod", "wcstof",
    "wcstoimax", "wcstok", "wcstol", "wcstold", "wcstoll", "wcstombs", "wcstoul", "wcstoull",
    "wcstoumax", "wcsxfrm", "wctob", "wctomb", "wctrans", "wctype", "wmemchr", "wmemcmp",
    "wmemcpy", "wmemmove", "wmemset", "wprintf", "wscanf"};

// Of POSIX and GNU.
constexpr std::string_view of_system[] = {
    "clock_gettime", "close", "dlclose", "dlerror", "dlopen", "dlsym", "fileno", "fopen64",
    "mmap", "mmap64", "mprotect", "munmap", "open", "posix_memalign", "pthread_atfork",
    "pthread_cond_broadcast", "pthread_cond_destroy", "pthread_cond_init", "pthread_cond_signal",
    "pthread_cond_wait", "pthread_create", "pthread_join", "pthread_mutex_destroy",
    "pthread_mutex_init", "pthread_mutex_lock", "pthread_mutex_unlock", "pthread_once", "read",
    "sched_getaffinity", "sched_getcpu", "sched_setaffinity", "sched_yield", "syscall", "sysconf",
    "usleep", "write"};
// clang-format on

template <typename List>
bool has(const List& list, std::string_view name) {
  return std::binary_search(std::begin(list), std::end(list), name);
}

}  // namespace

bool is_library_function(const std::string& name) {
  if (name == "main") return true;
  if (has(of_doubles, name) || has(of_others, name) || has(of_system, name)) return true;
  const bool suffixed = name.ends_with('f') || name.ends_with('l');
  return suffixed && has(of_doubles, std::string_view(name).substr(0, name.size() - 1));
}

}  // namespace strata
