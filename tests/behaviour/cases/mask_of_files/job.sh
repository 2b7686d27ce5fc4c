#!/bin/bash
umask 027
PART=$(echo f)
touch made
mkdir dir_$PART
stat -c %a made dir_$PART
if [ -f made ]; then
  umask 0077
fi
touch late
stat -c %a late
