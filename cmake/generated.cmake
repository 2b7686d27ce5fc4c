# Turns grammar/*.json into C++ tables, and templates and rule pages into C++ text, at build time.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(s2f_compiler "${PROJECT_SOURCE_DIR}/grammar/compile_tables.py")
set(s2f_generated "${PROJECT_BINARY_DIR}/generated")

file(GLOB s2f_tables CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/grammar/*.json")
set(s2f_stamps)
foreach(table IN LISTS s2f_tables)
    cmake_path(GET table STEM name)
    string(REPLACE "-" "_" name "${name}")
    set(header "${s2f_generated}/tables/${name}.hpp")
    # The header is written only when it changes; the stamp is what tells that the table was looked
    # at, so an edit that changes no value recompiles nothing.
    add_custom_command(
        OUTPUT "${header}.stamp" BYPRODUCTS "${header}"
        COMMAND "${Python3_EXECUTABLE}" "${s2f_compiler}" table "${table}" "${header}"
        COMMAND "${CMAKE_COMMAND}" -E touch "${header}.stamp"
        DEPENDS "${table}" "${s2f_compiler}" COMMENT "Table ${name}" VERBATIM)
    list(APPEND s2f_stamps "${header}.stamp")
endforeach()

file(GLOB_RECURSE s2f_templates CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/templates/*.mustache")
file(GLOB s2f_pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/rules/*.md")
set(S2F_GENERATED_SOURCES "${s2f_generated}/embedded.cpp")
# The list goes through a file: two hundred pages would make a long command line.
list(JOIN s2f_templates "\n" listed)
file(CONFIGURE OUTPUT "${s2f_generated}/templates.list" CONTENT "@listed@\n" @ONLY)
list(JOIN s2f_pages "\n" listed)
file(CONFIGURE OUTPUT "${s2f_generated}/rule_pages.list" CONTENT "@listed@\n" @ONLY)
file(CONFIGURE OUTPUT "${s2f_generated}/notices.list" CONTENT "${PROJECT_SOURCE_DIR}/NOTICE\n" @ONLY)
add_custom_command(
    OUTPUT "${s2f_generated}/embedded.stamp"
    BYPRODUCTS "${s2f_generated}/embedded.hpp" "${s2f_generated}/embedded.cpp"
    COMMAND "${Python3_EXECUTABLE}" "${s2f_compiler}" embed "${PROJECT_SOURCE_DIR}"
            "${s2f_generated}"
    COMMAND "${CMAKE_COMMAND}" -E touch "${s2f_generated}/embedded.stamp"
    DEPENDS ${s2f_templates} ${s2f_pages} "${s2f_compiler}"
            "${s2f_generated}/templates.list" "${s2f_generated}/rule_pages.list"
            "${s2f_generated}/notices.list" "${PROJECT_SOURCE_DIR}/NOTICE"
    COMMENT "Embedded templates and rule pages" VERBATIM)
add_custom_target(s2f_generated DEPENDS ${s2f_stamps} "${s2f_generated}/embedded.stamp")
