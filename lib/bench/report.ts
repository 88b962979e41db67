import { availableParallelism, cpus, loadavg } from 'node:os'
import type { Figure, Patience } from '#lib/bench/measure'

export const EMPTY_NEXT = 'empty route under next start'

const headings = ['operation', 'database', 'connections', 'requests/s', 'p50 ms', 'p99 ms', 'CPU ms', 'ratio']

const round = (value: number, digits: number): string => value.toFixed(digits)

/** The last cell is the CPU time as a ratio to the empty route. */
function cellsOf(figure: Figure, figures: readonly Figure[]): string[] {
  const { operation, database, connections, throughput, p50, p99, cpu } = figure
  const empty = figures.find(
    (other) => other.operation === EMPTY_NEXT && other.connections === connections,
  )?.cpu
  return [
    operation,
    database,
    String(connections),
    round(throughput, 0),
    round(p50, 2),
    round(p99, 2),
    round(cpu, 3),
    empty ? round(cpu / empty, 2) : '',
  ]
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const table = (head: readonly string[], lines: readonly string[][]): string =>
  [row(head), row(head.map(() => '---')), ...lines.map(row)].join('\n')

type Target = { what: string; of: string; to: string; atMost: number }

const SQLITE = 'sqlite 1,000,000'
const POSTGRES = 'postgres 1,000,000'

/** Targets for the ratio of two operations' CPU time per request. */
const targets: Target[] = ['allips', 'allrules'].flatMap((list): Target[] => [
  ...['startwith 0', 'another page'].map((page) => ({
    what: `${list} ${page}`,
    of: `${list} ${page}@${SQLITE}`,
    to: EMPTY_NEXT,
    atMost: 0.6,
  })),
  ...['startwith half', 'last page'].map((page) => ({
    what: `${list} ${page}`,
    of: `${list} ${page}@${SQLITE}`,
    to: `${list} startwith 0@${SQLITE}`,
    atMost: 1.25,
  })),
  {
    what: `${list} of 1,000,000 to 10,000`,
    of: `${list} startwith 0@${SQLITE}`,
    to: `${list} startwith 0@sqlite 10,000`,
    atMost: 1.25,
  },
  ...['none', 'few', 'many', 'another'].map((has) => ({
    what: `${list} has ${has}`,
    of: `${list} has ${has}@${SQLITE}`,
    to: `${list} ${has === 'another' ? 'another page' : 'startwith 0'}@${SQLITE}`,
    atMost: 2.5,
  })),
])
targets.push({
  what: 'repeated Basic to token',
  of: `login by repeated Basic@${SQLITE}`,
  to: `login by token@${SQLITE}`,
  atMost: 1.25,
})

/** The ratio of each operation on PostgreSQL, database included, to the same on SQLite. */
const besideSqlite = (figures: readonly Figure[]): Target[] =>
  [...new Set(figures.filter(({ database }) => database === POSTGRES).map(({ operation }) => operation))]
    .filter((operation) => operation !== 'version' && !operation.endsWith(', XML'))
    .map((operation) => ({
      what: `${operation}: PostgreSQL to SQLite`,
      of: `${operation}@${POSTGRES}`,
      to: `${operation}@${SQLITE}`,
      atMost: 2,
    }))

function judged(figures: readonly Figure[]): string[][] {
  const connections = Math.max(...figures.map((figure) => figure.connections))
  const cpuOf = (name: string) => {
    const [operation, database] = name.split('@')
    return figures.find(
      (figure) =>
        figure.operation === operation &&
        figure.connections === connections &&
        (database === undefined || figure.database === database),
    )?.cpu
  }
  return [...targets, ...besideSqlite(figures)].flatMap(({ what, of, to, atMost }) => {
    const [one, other] = [cpuOf(of), cpuOf(to)]
    if (!one || !other) return []
    return [judgement(what, Number(round(one / other, 2)), atMost)]
  })
}

/** Targets for peak memory and for light requests beside heavy queries. */
function bounded(patience: readonly Patience[]): string[][] {
  const largest = patience.find(({ database }) => database === SQLITE)
  if (!largest) return []
  return [
    judgement('peak memory, MB', largest.peakMemory, 400),
    judgement('longest wait of a light request, ms', Math.round(largest.longestWait), 100),
  ]
}

const judgement = (what: string, measured: number, atMost: number): string[] => [
  what,
  String(measured),
  String(atMost),
  measured <= atMost ? 'reached' : 'short',
]

/** The results as a Markdown page. */
export function report(command: string, figures: readonly Figure[], patience: readonly Patience[]): string {
  const machine = `Node ${process.versions.node}, ${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'CPU'}`
  return `${[
    '# Measured',
    `\`${command}\`, ${new Date().toISOString().slice(0, 10)}, ${machine}, load average ${round(loadavg()[2] ?? 0, 0)}.`,
    `CPU is the CPU time per request, for PostgreSQL including its processes. The ratio is to the ${EMPTY_NEXT}. "half" is half of the total. Searches, "another page" and "by" request another word or page each time.`,
    table(
      headings,
      figures.map((figure) => cellsOf(figure, figures)),
    ),
    '## Targets',
    'Ratios of CPU time per request, unless a unit is given.',
    table(['what', 'measured', 'at most', ''], [...judged(figures), ...bounded(patience)]),
    '## Beside heavy queries',
    'A full export and uncached searches, all at once, on the server that has just been measured.',
    table(
      ['database', 'full export s', 'longest wait of a light request ms', 'peak memory of the server MB'],
      patience.map(({ database, wholeListSeconds, longestWait, peakMemory }) => [
        database,
        round(wholeListSeconds, 1),
        round(longestWait, 0),
        String(peakMemory),
      ]),
    ),
  ].join('\n\n')}\n`
}
