import { z } from 'zod'

export type Counts = { passed: number; failed: number; skipped: number }

const vitestReport = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
})

const hasFailed = ({ status }: { status: string }): boolean => status === 'failed'

/** Did the file fail outside its tests? */
const isBroken = (file: z.infer<typeof vitestReport>['testResults'][number]): boolean =>
  hasFailed(file) && !file.assertionResults.some(hasFailed)

/** A file that fails outside its tests, in an import or a hook, counts as one failed test. */
export function vitestCounts(document: unknown): Counts {
  const report = vitestReport.parse(document)
  const brokenFiles = report.testResults.filter(isBroken)
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** The failures, by name and with the reason: the report of thousands of tests is too long. */
export const vitestFailures = (document: unknown): string[] =>
  vitestReport
    .parse(document)
    .testResults.flatMap((file) =>
      isBroken(file)
        ? [`${file.name}\n  ${file.message}`]
        : file.assertionResults
            .filter(hasFailed)
            .map(
              ({ fullName, failureMessages }) =>
                `${file.name}: ${fullName}\n  ${failureMessages.join('\n  ')}`,
            ),
    )

const playwrightReport = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
  errors: z.array(z.unknown()),
})

/** Errors count failures outside the tests: the server's start, a file that cannot be read. */
export function playwrightCounts(document: unknown): Counts {
  const { stats, errors } = playwrightReport.parse(document)
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  }
}

/** Failures that only the exit code shows. A suite in which no test ran proves nothing and has failed. */
export function settle(counts: Counts, succeeded: boolean): Counts {
  const unproved = counts.failed === 0 && (!succeeded || counts.passed === 0)
  return unproved ? { ...counts, failed: 1 } : counts
}

export const sum = (all: readonly Counts[]): Counts => ({
  passed: all.reduce((total, { passed }) => total + passed, 0),
  failed: all.reduce((total, { failed }) => total + failed, 0),
  skipped: all.reduce((total, { skipped }) => total + skipped, 0),
})

export const inWords = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
