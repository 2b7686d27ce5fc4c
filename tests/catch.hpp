// Includes Catch2 whichever major version is installed: 2 is one header, 3 is several.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
