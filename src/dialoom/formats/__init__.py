"""Published file formats, each read and written without loss."""
