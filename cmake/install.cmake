# What `cmake --install` puts where; the program itself is added where it is built.
include(GNUInstallDirs)
if(SKBUILD)
    # In a wheel programs are scripts: pip puts them into bin/ of the environment.
    set(S2F_PROGRAMS "${SKBUILD_SCRIPTS_DIR}")
else()
    set(S2F_PROGRAMS "${CMAKE_INSTALL_BINDIR}")
endif()

if(S2F_PREBUILT)
    install(PROGRAMS "${S2F_PREBUILT}" DESTINATION "${S2F_PROGRAMS}" RENAME slurm2flyte
        COMPONENT program)
endif()
