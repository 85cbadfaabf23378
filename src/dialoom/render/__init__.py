"""Tables, plots and pages for terminals and HTML."""
