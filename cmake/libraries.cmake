# The header-only libraries that the distribution supplies, as one target.
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus REQUIRED)
add_library(s2f_libraries INTERFACE)
# Header-only fmt: with the shared one a binary built for others would still need libfmt.so.
target_link_libraries(s2f_libraries INTERFACE
    fmt::fmt-header-only CLI11::CLI11 nlohmann_json::nlohmann_json tomlplusplus::tomlplusplus)
