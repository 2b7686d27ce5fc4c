#!/bin/bash
#SBATCH --job-name=case_patterns
for f in a.txt b.csv c c.TXT; do
    case $f in
        *.txt) echo "text $f" ;;
        [a-c].csv) echo "table $f" ;;
        ?) echo "one letter" ;;
        *) echo "other $f" ;;
    esac
done

