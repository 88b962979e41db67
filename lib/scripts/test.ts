await import('#lib/testing/run-all')
