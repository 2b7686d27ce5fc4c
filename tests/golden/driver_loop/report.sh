#!/bin/bash
python say.py report
