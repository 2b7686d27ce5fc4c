# Compiles through ccache where it is installed, so that build folders share their objects.
find_program(S2F_CCACHE ccache)
if(S2F_CCACHE)
    # Paths relative to the checkout, and no working directory in the hash: otherwise build/dev and
    # build/other would never hit each other's entries.
    foreach(language C CXX)
        set(CMAKE_${language}_COMPILER_LAUNCHER env
            "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1 "${S2F_CCACHE}")
    endforeach()
endif()
