"""The harness: plans, runs, results, tables and paired tests of experiments."""
