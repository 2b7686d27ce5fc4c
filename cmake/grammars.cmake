# Builds the tree-sitter core and its Bash and Python grammars from the sources pinned in grammar/.
if(EXISTS "${PROJECT_SOURCE_DIR}/third_party/src/tree-sitter")
    # A source distribution carries them, so that it builds without any download.
    set(s2f_grammars "${PROJECT_SOURCE_DIR}/third_party/src")
else()
    set(s2f_grammars "${PROJECT_SOURCE_DIR}/.deps/src")
    find_package(Python3 COMPONENTS Interpreter QUIET)
    execute_process(
        COMMAND "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}" "-DPYTHON=${Python3_EXECUTABLE}"
                -P "${PROJECT_SOURCE_DIR}/cmake/fetch_grammars.cmake"
        COMMAND_ERROR_IS_FATAL ANY)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
        "${PROJECT_SOURCE_DIR}/grammar/grammars.lock")
endif()

# A core that comes by pip lies deeper than one that comes by npm.
file(GLOB s2f_core "${s2f_grammars}/tree-sitter/tree_sitter/core/lib"
    "${s2f_grammars}/tree-sitter/vendor/tree-sitter/lib" "${s2f_grammars}/tree-sitter/lib")

add_library(s2f_tree_sitter STATIC
    "${s2f_core}/src/lib.c"
    "${s2f_grammars}/tree-sitter-bash/src/parser.c"
    "${s2f_grammars}/tree-sitter-bash/src/scanner.c"
    "${s2f_grammars}/tree-sitter-python/src/parser.c"
    "${s2f_grammars}/tree-sitter-python/src/scanner.c")
target_include_directories(s2f_tree_sitter SYSTEM PUBLIC "${s2f_core}/include")
target_include_directories(s2f_tree_sitter PRIVATE "${s2f_core}/src")
# Not our code: no warnings, and fast in every preset, for the parser is most of our run time.
target_compile_options(s2f_tree_sitter PRIVATE -w -O2)
target_compile_definitions(s2f_tree_sitter PRIVATE _DEFAULT_SOURCE _POSIX_C_SOURCE=200112L)
if(NOT EXISTS "${s2f_grammars}/tree-sitter-python/src/tree_sitter/parser.h")
    # The Python grammar's archive lacks its headers. Those of the Bash grammar are a later version of
    # them that only renamed two things and added to the end, which the core knows how to read.
    set_source_files_properties("${s2f_grammars}/tree-sitter-python/src/parser.c"
        "${s2f_grammars}/tree-sitter-python/src/scanner.c" PROPERTIES
        INCLUDE_DIRECTORIES "${s2f_grammars}/tree-sitter-bash/src"
        COMPILE_DEFINITIONS "version=abi_version;TSFieldMapSlice=TSMapSlice"
        COMPILE_OPTIONS -Wno-incompatible-pointer-types)
endif()
set_target_properties(s2f_tree_sitter PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)
if(S2F_SANITIZE)
    # Addresses only: its own parser is known to trip the undefined behaviour checks on empty input.
    target_compile_options(s2f_tree_sitter PRIVATE -fsanitize=address)
    target_link_options(s2f_tree_sitter INTERFACE -fsanitize=address)
endif()
