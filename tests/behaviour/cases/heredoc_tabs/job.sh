#!/bin/bash
#SBATCH --job-name=tabs
cat <<-EOT
	indented
		twice
	EOT
