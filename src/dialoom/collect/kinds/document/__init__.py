"""Work of one person on a document that is saved part by part, such as annotating or rewording."""
