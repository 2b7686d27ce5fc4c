# The header-only libraries that the distribution supplies, as one target.
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_path(s2f_toml toml++/toml.h REQUIRED)
add_library(s2f_libraries INTERFACE)

# fmt is compiled here: as headers alone it triples the time of every file, and with the shared
# library a binary built for others would need that too. A version that cmake/fmt.cpp does not know
# falls back to headers.
get_target_property(s2f_fmt_include fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
try_compile(S2F_FMT_COMPILES "${PROJECT_BINARY_DIR}/fmt_check"
    SOURCES "${PROJECT_SOURCE_DIR}/cmake/fmt.cpp" "${PROJECT_SOURCE_DIR}/cmake/fmt_check.cpp"
    CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${s2f_fmt_include}"
    CXX_STANDARD 23 CXX_STANDARD_REQUIRED ON)
if(S2F_FMT_COMPILES)
    add_library(s2f_fmt STATIC "${PROJECT_SOURCE_DIR}/cmake/fmt.cpp")
    target_include_directories(s2f_fmt SYSTEM PUBLIC "${s2f_fmt_include}")
    target_compile_options(s2f_fmt PRIVATE -w -O2)
    target_link_libraries(s2f_libraries INTERFACE s2f_fmt)
else()
    target_link_libraries(s2f_libraries INTERFACE fmt::fmt-header-only)
endif()

# toml++ as headers, for the same reason: one file includes it.
target_link_libraries(s2f_libraries INTERFACE CLI11::CLI11 nlohmann_json::nlohmann_json)
target_include_directories(s2f_libraries SYSTEM INTERFACE "${s2f_toml}")
target_compile_definitions(s2f_libraries INTERFACE TOML_HEADER_ONLY=1)
