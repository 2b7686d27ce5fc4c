echo leaving; exit 3
