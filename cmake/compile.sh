#!/bin/sh
# Compiles through ccache, but for a precompiled header: while the last one is still in its place,
# ccache would take that for the headers it is made of, and give it back.
case " $* " in
*" -x c++-header "*) exec "$@" ;;
esac
exec ccache "$@"
