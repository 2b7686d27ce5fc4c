# Builds slurm2flyte and its C++ tests once more, with a switch at each decision (tests/mutation):
# the target s2f_mutants, below mutants/. Only the copies of the sources that have switches are
# compiled; the rest is what the ordinary programs are made of.
set(S2F_MUTATED_SHARE 1 CACHE STRING "Put switches into one in so many sources")
set(s2f_mutated "${PROJECT_BINARY_DIR}/mutants")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${s2f_sources} ${s2f_tables} "${PROJECT_SOURCE_DIR}/tests/mutation/mutate.py")
execute_process(
    COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tests/mutation/mutate.py"
            "${s2f_mutated}" "${S2F_MUTATED_SHARE}"
    COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS "${s2f_mutated}/files" s2f_mutated_names)
list(TRANSFORM s2f_mutated_names PREPEND "${s2f_mutated}/src/")
set_source_files_properties(${s2f_mutated_names} PROPERTIES COMPILE_OPTIONS "-g0;-w")
# What writes to constants must not be optimized away.
set_source_files_properties("${s2f_mutated}/tables.cpp" PROPERTIES COMPILE_OPTIONS "-g0;-O0")

add_library(s2f_mutated_objects OBJECT EXCLUDE_FROM_ALL ${s2f_mutated_names}
    "${s2f_mutated}/tables.cpp" tests/mutation/mutants.cpp)
target_include_directories(s2f_mutated_objects PRIVATE "${PROJECT_SOURCE_DIR}")
target_link_libraries(s2f_mutated_objects PRIVATE slurm2flyte_lib)
find_package(Catch2 REQUIRED) # its targets are known where they are looked for
add_custom_target(s2f_mutants)
foreach(program slurm2flyte slurm2flyte_tests inspect_driver payload_driver)
    # The linker takes nothing out of the library that the objects before it define already.
    add_executable(${program}_mutants EXCLUDE_FROM_ALL
        $<TARGET_OBJECTS:s2f_mutated_objects> $<TARGET_OBJECTS:${program}>)
    get_target_property(libraries ${program} LINK_LIBRARIES)
    target_link_libraries(${program}_mutants PRIVATE ${libraries})
    set_target_properties(${program}_mutants PROPERTIES
        OUTPUT_NAME ${program} RUNTIME_OUTPUT_DIRECTORY "${s2f_mutated}")
    add_dependencies(s2f_mutants ${program}_mutants)
endforeach()
