#!/bin/bash
#SBATCH --job-name=process_id
name=work.$$
echo text > /tmp/$name
eval "cat /tmp/work.$$"
rm /tmp/$name
echo "$(( $$ > 1 ))"
