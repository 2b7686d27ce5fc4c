# The header-only libraries that the distribution supplies, as one target.
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_path(s2f_toml toml++/toml.h REQUIRED)
add_library(s2f_libraries INTERFACE)
# fmt and toml++ as headers: with the shared ones a binary built for others would still need them.
target_link_libraries(s2f_libraries INTERFACE
    fmt::fmt-header-only CLI11::CLI11 nlohmann_json::nlohmann_json)
target_include_directories(s2f_libraries SYSTEM INTERFACE "${s2f_toml}")
target_compile_definitions(s2f_libraries INTERFACE TOML_HEADER_ONLY=1)
