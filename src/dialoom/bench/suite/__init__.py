"""The suite of all experiments: runs those that the data allow, and makes one page of them."""
