# Compiles through ccache where it is installed, so that build folders share their objects.
find_program(S2F_CCACHE ccache)
if(S2F_CCACHE)
    # Paths relative to the checkout, and no working directory in the hash: otherwise build/dev and
    # build/other would never hit each other's entries.
    set(s2f_launcher env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1)
    if(S2F_PRECOMPILE)
        # With a precompiled header ccache wants to be told that no file depends on the time of its
        # compilation; none does.
        list(APPEND s2f_launcher CCACHE_SLOPPINESS=pch_defines,time_macros)
    endif()
    foreach(language C CXX)
        set(CMAKE_${language}_COMPILER_LAUNCHER ${s2f_launcher} "${CMAKE_CURRENT_LIST_DIR}/compile.sh")
    endforeach()
endif()
