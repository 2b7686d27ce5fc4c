# Run while installing: prints manual pages and completions with `s2f_program` below `s2f_shares`.
cmake_path(ABSOLUTE_PATH s2f_shares BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" OUTPUT_VARIABLE place)

function(s2f_print file)
    file(MAKE_DIRECTORY "${s2f_from}")
    execute_process(COMMAND "${s2f_program}" ${ARGN} OUTPUT_FILE "${s2f_from}/${file}"
        COMMAND_ERROR_IS_FATAL ANY)
endfunction()

s2f_print(slurm2flyte.1 man)
execute_process(COMMAND "${s2f_program}" man --list OUTPUT_VARIABLE commands
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" commands "${commands}")
set(pages slurm2flyte.1)
foreach(command IN LISTS commands)
    s2f_print(slurm2flyte-${command}.1 man ${command})
    list(APPEND pages slurm2flyte-${command}.1)
endforeach()
foreach(page IN LISTS pages)
    file(INSTALL DESTINATION "${place}/man/man1" TYPE FILE FILES "${s2f_from}/${page}")
endforeach()

s2f_print(slurm2flyte completions bash)
file(INSTALL DESTINATION "${place}/bash-completion/completions" TYPE FILE FILES "${s2f_from}/slurm2flyte")
s2f_print(_slurm2flyte completions zsh)
file(INSTALL DESTINATION "${place}/zsh/site-functions" TYPE FILE FILES "${s2f_from}/_slurm2flyte")
s2f_print(slurm2flyte.fish completions fish)
file(INSTALL DESTINATION "${place}/fish/vendor_completions.d" TYPE FILE FILES "${s2f_from}/slurm2flyte.fish")
