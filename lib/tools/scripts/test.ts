await import('#lib/tools/testing/run-all')
