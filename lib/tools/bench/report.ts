import { availableParallelism, cpus, loadavg } from 'node:os'
import type { Figure, Patience } from '#lib/tools/bench/measure'

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
    // The process of another server may be unknown.
    cpu > 0 ? round(cpu, 3) : '',
    cpu > 0 && empty ? round(cpu / empty, 2) : '',
  ]
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const table = (head: readonly string[], lines: readonly string[][]): string =>
  [row(head), row(head.map(() => '---')), ...lines.map(row)].join('\n')

type Target = { what: string; of: string; to: string; atMost: number }

const SQLITE = 'sqlite 1,000,000'
const POSTGRES = 'postgres 1,000,000'

/** At most this much of the CPU time of the empty route, each request another one. */
const ofTheEmptyRoute: [number, string[]][] = [
  [0.5, ['allips another page', 'allrules another page', 'scopes', 'natnetworks']],
  [0.9, ['allips has another', 'allrules has another']],
  [0.25, ['scope']],
  [0.3, ['login by token']],
  [0.35, ['login by repeated Basic']],
  [0.8, ['NAT network update']],
  [1, ['next free IP']],
]

/** Targets for the ratio of two operations' CPU time per request. */
const targets: Target[] = ofTheEmptyRoute.flatMap(([atMost, operations]) =>
  operations.map((what) => ({ what, of: `${what}@${SQLITE}`, to: EMPTY_NEXT, atMost })),
)
targets.push({
  what: 'login by access token to one by token',
  of: `login by access token@${SQLITE}`,
  to: `login by token@${SQLITE}`,
  atMost: 1.1,
})
for (const list of ['allips', 'allrules']) {
  const first = `${list} startwith 0@${SQLITE}`
  for (const page of ['startwith half', 'last page'])
    targets.push({ what: `${list} ${page}`, of: `${list} ${page}@${SQLITE}`, to: first, atMost: 1.1 })
  const fewer = `${list} startwith 0@sqlite 10,000`
  const another = `${list} another page@${SQLITE}`
  const ofAll = `${list} of all datacenters, another page`
  targets.push({ what: ofAll, of: `${ofAll}@${SQLITE}`, to: another, atMost: 1.5 })
  targets.push({ what: `${list} of 1,000,000 to 10,000`, of: first, to: fewer, atMost: 1.1 })
}

/** The ratio of each operation in XML to the same in JSON. */
const besideJson = (figures: readonly Figure[]): Target[] =>
  [...new Set(figures.map(({ operation }) => operation))]
    .filter((operation) => operation.endsWith(', XML'))
    .map((operation) => ({
      what: `${operation} to JSON`,
      of: `${operation}@${SQLITE}`,
      to: `${operation.replace(', XML', '')}@${SQLITE}`,
      atMost: 1.25,
    }))

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
  return [...targets, ...besideJson(figures), ...besideSqlite(figures)].flatMap(
    ({ what, of, to, atMost }) => {
      const [one, other] = [cpuOf(of), cpuOf(to)]
      if (!one || !other) return []
      return [judgement(what, Number(round(one / other, 2)), atMost)]
    },
  )
}

/** Targets for peak memory and for light requests beside heavy queries. */
function bounded(patience: readonly Patience[]): string[][] {
  const largest = patience.find(({ database }) => database === SQLITE)
  if (!largest) return []
  return [
    judgement('peak memory, MB', largest.peakMemory, 300),
    judgement('longest wait of a light request, ms', Math.round(largest.longestWait), 40),
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
