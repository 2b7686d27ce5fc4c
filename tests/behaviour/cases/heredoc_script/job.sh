#!/bin/bash
#SBATCH --job-name=heredoc_script
cat > inner.sh <<'EOT'
#!/bin/bash
echo "inner got $1"
exit 4
EOT
chmod +x inner.sh
./inner.sh value
