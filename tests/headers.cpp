// Nothing but the headers that the tests share, compiled once (CMakeLists.txt).
int main() {}
