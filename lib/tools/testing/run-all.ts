import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import {
  type Counts,
  inWords,
  playwrightCounts,
  settle,
  sum,
  vitestCounts,
  vitestFailures,
} from '#lib/tools/testing/counts'
import { ensureNeeds } from '#lib/tools/testing/needs'
import { processorTime } from '#lib/tools/testing/processor-time'
import { always } from '#lib/tools/testing/search'

const root = join(import.meta.dirname, '../../..')
process.chdir(root)
process.env.PATH = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)
process.env.NEXT_TELEMETRY_DISABLED = '1'
// The type check, a program in Go, would spend a sixth of its processor time on the collection of garbage.
process.env.GOGC = '400'

/** `npm run test:all`: long searches, and the tests of the machine. */
const isWhole = process.argv.includes('--all')
if (isWhole) process.env.TEST_SEARCH = 'long'
/** For a release: no test is skipped because its program is missing. */
const isComplete = process.argv.includes('--complete')

const MEMORY = '/dev/shm'
const GIGABYTE = 2 ** 30

/** True if the files of the tests, less than two gigabytes, fit into memory beside the tests. */
function fitsIntoMemory(): boolean {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > 4 * GIGABYTE && process.availableMemory() > 8 * GIGABYTE
}

// The tests commit tens of thousands of times, and a disk takes a millisecond or more for each.
const scratch = mkdtempSync(join(fitsIntoMemory() ? MEMORY : tmpdir(), 'tests-'))
chmodSync(scratch, 0o755) // The account of PostgreSQL has a directory in it.
process.env.TMPDIR = scratch
// The servers and scripts that the tests start are hundreds of processes of the same code.
process.env.NODE_COMPILE_CACHE = join(scratch, 'compiled')
const report = join(scratch, 'report.json')
process.env.PLAYWRIGHT_JSON_OUTPUT_FILE = report
process.once('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }))

const running = new Set<ChildProcess>()
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    interrupted = true
    for (const child of running) child.kill(signal)
  })
}

type Command = [program: string, ...args: string[]]

async function succeeds([program, ...args]: Command): Promise<boolean> {
  const child = spawn(program, args, { stdio: 'inherit' })
  running.add(child)
  const [code] = await once(child, 'exit')
  running.delete(child)
  if (interrupted) process.exit(1)
  return code === 0
}

const results: { title: string; counts: Counts }[] = []

const seconds = new Map<string, number>()
let secondsBefore = 0

/** Records the usage since the last part of the run as this part's. */
function countSeconds(part: string): void {
  const now = processorTime()
  seconds.set(part, now - secondsBefore)
  secondsBefore = now
}
const failures: string[] = []

const announce = (title: string) => console.log(`\n── ${title}\n`)

/** A command that counts as one test. */
async function check(title: string, command: Command): Promise<boolean> {
  announce(title)
  const passed = await succeeds(command)
  results.push({ title, counts: { passed: Number(passed), failed: Number(!passed), skipped: 0 } })
  return passed
}

/** A command that runs tests and writes a report in which they are counted. */
async function suite(
  title: string,
  {
    counts: read,
    failures: name,
  }: { counts: (report: unknown) => Counts; failures?: (report: unknown) => string[] },
  command: Command,
): Promise<void> {
  announce(title)
  rmSync(report, { force: true })
  const passed = await succeeds(command)
  const document: unknown = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined
  const counts = document === undefined ? sum([]) : read(document)
  if (document !== undefined && name)
    failures.push(...name(document).map((failure) => `${title}: ${failure}`))
  results.push({ title, counts: settle(counts, passed) })
}

const ofVitest = { counts: vitestCounts, failures: vitestFailures }

const vitest = (project: string): Command => {
  const reporters = ['--reporter', 'default', '--reporter', 'json', `--outputFile.json=${report}`]
  return [
    'vitest',
    'run',
    '--config',
    'lib/tools/testing/vitest.config.ts',
    '--project',
    project,
    ...reporters,
  ]
}

function finish(): never {
  const counts = sum(results.map((result) => result.counts))
  for (const failure of failures) console.log(`\n✗ ${failure}`)
  console.log()
  for (const result of results) console.log(`${result.title.padEnd(26)}${inWords(result.counts)}`)
  const total = [...seconds.values()].reduce((sum, part) => sum + part, 0)
  const parts = [...seconds].map(([part, used]) => `${part} ${Math.round(used)}`)
  console.log(`\nProcessor time ${Math.round(total)} s: ${parts.join(', ')}`)
  console.log(`\n${inWords(counts)}`)
  process.exit(counts.failed > 0 ? 1 : 0)
}

const missing = await ensureNeeds(isWhole, isComplete)
if (missing.length > 0) {
  for (const line of missing) console.error(line)
  results.push({ title: 'Needs', counts: { passed: 0, failed: missing.length, skipped: 0 } })
  finish()
}

// The build leaves half of two cores idle for half of its time.
const building = check('Build and type check', ['npm', 'run', '--silent', 'build'])
await check('Lint', ['biome', 'check'])
await check('Licences', [process.execPath, 'lib/tools/scripts/run.js', 'licences'])
await suite('Unit tests', ofVitest, vitest('unit'))
const built = await building
countSeconds('build, lint and unit tests')
await suite('API tests on SQLite', ofVitest, vitest('sqlite'))
countSeconds('SQLite')
await suite('API tests on PostgreSQL', ofVitest, vitest('postgres'))
countSeconds('PostgreSQL')
if (isWhole) {
  await suite('The machine', ofVitest, vitest('machine'))
  await suite('The machine, PostgreSQL', ofVitest, vitest('machine-postgres'))
  countSeconds('machine')
}
if (built) {
  const playwright: Command = ['playwright', 'test', '--config', 'e2e/playwright.config.ts']
  const chosen = isWhole ? [] : ['--grep', always]
  const reporters = ['--reporter', 'list,json']
  await suite('Browser tests', { counts: playwrightCounts }, [...playwright, ...chosen, ...reporters])
  countSeconds('browser')
} else console.log('\nNo browser tests: there is no build to look at')
finish()
