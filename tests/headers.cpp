// Precompiles the headers that the tests share (CMakeLists.txt).
int main() {}
