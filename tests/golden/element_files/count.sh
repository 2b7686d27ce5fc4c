#!/bin/bash
cat calls_*.txt | wc -l
