import { expect, test } from 'vitest'
import {
  inWords,
  playwrightCounts,
  settle,
  sum,
  vitestCounts,
  vitestFailures,
} from '#lib/tools/testing/counts'

const failedFile = (...statuses: string[]) => ({
  name: 'a.test.ts',
  status: 'failed',
  message: statuses.length === 0 ? 'no such module' : '',
  assertionResults: statuses.map((status) => ({
    status,
    fullName: `a test that ${status}`,
    failureMessages: status === 'failed' ? ['1 is not 2'] : [],
  })),
})

test('a file that fails outside its tests counts once, a failed test not twice', () => {
  const report = { numPassedTests: 3, numFailedTests: 1, numPendingTests: 1, numTodoTests: 1 }
  const testResults = [failedFile(), failedFile('passed'), failedFile('passed', 'failed')]
  expect(vitestCounts({ ...report, testResults })).toEqual({ passed: 3, failed: 3, skipped: 2 })
})

test('failures are listed, with their reasons', () => {
  const report = { numPassedTests: 1, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0 }
  const testResults = [failedFile(), failedFile('passed', 'failed')]
  expect(vitestFailures({ ...report, testResults })).toEqual([
    'a.test.ts\n  no such module',
    'a.test.ts: a test that failed\n  1 is not 2',
  ])
})

test('a server that does not start fails the browser tests', () => {
  const stats = { expected: 0, unexpected: 0, flaky: 0, skipped: 0 }
  expect(playwrightCounts({ stats, errors: [{ message: 'timed out' }] }).failed).toBe(1)
})

test('a suite in which no test ran has failed', () => {
  expect(settle({ passed: 0, failed: 0, skipped: 4 }, true).failed).toBe(1)
})

test('a suite that ends badly has failed, whatever its report contains', () => {
  expect(settle({ passed: 9, failed: 0, skipped: 0 }, false).failed).toBe(1)
  expect(settle({ passed: 9, failed: 2, skipped: 0 }, false).failed).toBe(2)
})

test('the last line names skipped tests only where there are any', () => {
  const counts = [
    { passed: 2, failed: 0, skipped: 0 },
    { passed: 1, failed: 1, skipped: 0 },
  ]
  expect(inWords(sum(counts))).toBe('3 passed, 1 failed')
  expect(inWords({ passed: 1, failed: 0, skipped: 2 })).toBe('1 passed, 0 failed, 2 skipped')
})
