# Fetches the sources pinned in grammar/grammars.lock into .deps/src: cmake -DROOT=. -P this-file.
set(deps "${ROOT}/.deps")
set(lock "${ROOT}/grammar/grammars.lock")
file(MAKE_DIRECTORY "${deps}")
# Presets are configured side by side and share the folder.
file(LOCK "${deps}/lock" TIMEOUT 600)

file(SHA256 "${lock}" wanted)
if(EXISTS "${deps}/grammars.stamp")
    file(READ "${deps}/grammars.stamp" have)
    if(have STREQUAL wanted)
        return()
    endif()
endif()

set(work "${deps}/work")
file(REMOVE_RECURSE "${work}")
file(MAKE_DIRECTORY "${work}/src")
set(names tree-sitter tree-sitter-bash tree-sitter-python)
message(STATUS "Fetching ${names} into ${deps}")

set(pip_status "no Python was found")
if(PYTHON)
    execute_process(
        COMMAND "${PYTHON}" -m pip download --quiet --disable-pip-version-check --no-deps
                --no-binary :all: --require-hashes --dest "${work}/sdists" -r "${lock}"
        RESULT_VARIABLE pip_status OUTPUT_VARIABLE pip_log ERROR_VARIABLE pip_log)
endif()

if(pip_status EQUAL 0)
    foreach(name IN LISTS names)
        string(REPLACE "-" "_" stem "${name}")
        file(GLOB archive "${work}/sdists/${stem}-[0-9]*.tar.gz" "${work}/sdists/${name}-[0-9]*.tar.gz")
        file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${work}/${name}")
        file(GLOB folder "${work}/${name}/*")
        file(RENAME "${folder}" "${work}/src/${name}")
    endforeach()
else()
    message(STATUS "pip could not (${pip_status}), trying npm\n${pip_log}")
    find_program(npm npm)
    if(NOT npm)
        message(FATAL_ERROR "The grammars need Python's pip or npm: install python3-pip.")
    endif()
    file(COPY "${ROOT}/cmake/npm/package.json" "${ROOT}/cmake/npm/package-lock.json"
         DESTINATION "${work}/npm")
    execute_process(
        COMMAND "${npm}" ci --ignore-scripts --legacy-peer-deps --no-audit --no-fund
        WORKING_DIRECTORY "${work}/npm" COMMAND_ERROR_IS_FATAL ANY)
    foreach(name IN LISTS names)
        file(RENAME "${work}/npm/node_modules/${name}" "${work}/src/${name}")
    endforeach()
endif()

file(REMOVE_RECURSE "${deps}/src")
file(RENAME "${work}/src" "${deps}/src")
file(REMOVE_RECURSE "${work}")
file(WRITE "${deps}/grammars.stamp" "${wanted}")
