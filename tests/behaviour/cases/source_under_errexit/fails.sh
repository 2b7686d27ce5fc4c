echo failing; false; echo never
