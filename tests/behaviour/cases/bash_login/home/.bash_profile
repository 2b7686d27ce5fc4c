export FROM_PROFILE=hello
