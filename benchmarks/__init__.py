"""Each benchmark is a comparison in one run: `python -m benchmarks.NAME`."""
