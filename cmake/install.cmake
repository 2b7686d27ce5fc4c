# What `cmake --install` puts where: the program, its manual pages, and what completes it in shells.
include(GNUInstallDirs)
if(SKBUILD)
    # In a wheel programs are scripts: pip puts them into bin/ of the environment.
    set(S2F_PROGRAMS "${SKBUILD_SCRIPTS_DIR}")
    set(s2f_shares "${SKBUILD_DATA_DIR}/share")
else()
    set(S2F_PROGRAMS "${CMAKE_INSTALL_BINDIR}")
    set(s2f_shares "${CMAKE_INSTALL_DATADIR}")
endif()

# The program itself prints them, so they are what it understands.
function(s2f_install_shares program)
    install(CODE "
        set(s2f_program \"${program}\")
        set(s2f_shares \"${s2f_shares}\")
        set(s2f_from \"${PROJECT_BINARY_DIR}/shares\")
        include(\"${PROJECT_SOURCE_DIR}/cmake/install_shares.cmake\")"
        COMPONENT program)
    install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/NOTICE"
        DESTINATION "${s2f_shares}/doc/slurm2flyte" COMPONENT program)
endfunction()

if(S2F_PREBUILT)
    install(PROGRAMS "${S2F_PREBUILT}" DESTINATION "${S2F_PROGRAMS}" RENAME slurm2flyte
        COMPONENT program)
    s2f_install_shares("${S2F_PREBUILT}")
endif()
