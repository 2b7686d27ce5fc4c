echo stopping
exit 3
