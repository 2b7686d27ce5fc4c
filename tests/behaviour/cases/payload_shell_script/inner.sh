#!/bin/bash
echo "inner $0 $1 ${2:-none}"
