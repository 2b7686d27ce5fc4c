# The compiler flags that every C++ target of this project shares.
add_library(s2f_options INTERFACE)
# A designated initializer leaves members out on purpose, for their defaults; g++ warns all the same.
target_compile_options(s2f_options INTERFACE -Wall -Wextra -Wpedantic -Werror
    -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # Embedded templates are longer than the 65,536 characters that the standard promises.
    target_compile_options(s2f_options INTERFACE -Wno-overlength-strings -Wno-deprecated-declarations)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND (S2F_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Release"))
    # Optimized or sanitized, g++ 12 sees uninitialized values in a moved std::optional<std::string>
    # where there are none. Not in the dev preset, whose flags clang-tidy reads too.
    target_compile_options(s2f_options INTERFACE -Wno-maybe-uninitialized)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(s2f_options INTERFACE -ffunction-sections -fdata-sections)
endif()

if(S2F_SANITIZE)
    target_compile_options(s2f_options INTERFACE
        -fsanitize=address,undefined -fno-sanitize-recover=all)
    target_link_options(s2f_options INTERFACE -fsanitize=address,undefined)
endif()
if(S2F_FUZZ)
    target_compile_options(s2f_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
