#!/bin/bash
#SBATCH --job-name=heredoc_files
name="a b"
cat > plain.txt <<EOF
name: $name
cost: \$5 and \\ and `echo x`
EOF
cat <<'EOF' > quoted.txt
name: $name
EOF
cat >> plain.txt <<EOF
  more $(echo said)
EOF
cat <<EOF
printed ${name}
EOF
cat plain.txt quoted.txt
