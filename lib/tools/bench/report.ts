import { availableParallelism, cpus, loadavg } from 'node:os'
import type { Figure, Patience } from '#lib/tools/bench/measure'

const headings = [
  ...['operation', 'database', 'connections', 'requests/s', 'p50 ms', 'p99 ms', 'CPU ms', 'floor CPU ms'],
  'ratio',
]

const round = (value: number, digits: number): string => value.toFixed(digits)

const ratioOf = ({ cpu, floor }: Figure): string => (cpu > 0 && floor ? round(cpu / floor, 2) : '')

const cellsOf = (figure: Figure): string[] => [
  figure.operation,
  figure.database,
  String(figure.connections),
  round(figure.throughput, 0),
  round(figure.p50, 2),
  round(figure.p99, 2),
  // The process of another server may be unknown.
  figure.cpu > 0 ? round(figure.cpu, 3) : '',
  figure.floor ? round(figure.floor, 3) : '',
  ratioOf(figure),
]

/** A figure as it is printed while the others are measured. */
export function lineOf(figure: Figure): string {
  const { operation, database, connections, throughput, p50, p99, cpu, floor } = figure
  return (
    `${operation.padEnd(40)} ${database.padEnd(18)} ${String(connections).padStart(3)} ${throughput.toFixed(0).padStart(7)}/s` +
    `  p50 ${round(p50, 2)}  p99 ${round(p99, 2)}  CPU ${round(cpu, 3)} ms` +
    `${floor ? `, floor ${round(floor, 3)} ms, ratio ${ratioOf(figure)}` : ''}`
  )
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const table = (head: readonly string[], lines: readonly string[][]): string =>
  [row(head), row(head.map(() => '---')), ...lines.map(row)].join('\n')

/** `of` and `to`: an operation and its database. Without `to` the ratio is to the floor. */
type Target = { what: string; of: string; to?: string; atMost: number }

type Limit = { operations: RegExp; floor: number; postgres: number }

/** At most this much of the CPU time of the floor, and on PostgreSQL, database included, of the time on SQLite. */
const limits: Limit[] = [
  { operations: /^all(ips|rules) another page$/, floor: 2, postgres: 2 },
  { operations: /^all(ips|rules) has another$/, floor: 2.5, postgres: 2 },
  { operations: /^(scopes|natnetworks|users|enterprises|events)$/, floor: 2, postgres: 2 },
  { operations: /^(scope|login by token|login by repeated Basic)$/, floor: 2, postgres: 2 },
  { operations: /^NAT network (update|rename)$/, floor: 3, postgres: 2.5 },
  { operations: /^(next free IP|attach an IP)$/, floor: 3, postgres: 2 },
]

/** The databases of this engine, the smallest first. */
const databasesOf = (figures: readonly Figure[], engine: string): string[] => [
  ...new Set(figures.map(({ database }) => database).filter((name) => name.startsWith(engine))),
]

/** The ratios of the largest databases, in the order of the operations. */
function targetsOf(figures: readonly Figure[]): Target[] {
  const sqlite = databasesOf(figures, 'sqlite').at(-1) ?? ''
  const postgres = databasesOf(figures, 'postgres').at(-1) ?? ''
  const smallest = databasesOf(figures, 'sqlite')[0] ?? ''
  const names = [...new Set(figures.map(({ operation }) => operation))]
  const limited = names.flatMap((name) => {
    const limit = limits.find(({ operations }) => operations.test(name))
    return limit ? [{ name, ...limit }] : []
  })
  const lists = ['allips', 'allrules'].flatMap((list): Target[] => {
    const first = `${list} first page@${sqlite}`
    const ofAll = `${list} of all datacenters, another page`
    return [
      { what: `${list} last page to first`, of: `${list} last page@${sqlite}`, to: first, atMost: 1.1 },
      { what: ofAll, of: `${ofAll}@${sqlite}`, to: `${list} another page@${sqlite}`, atMost: 1.5 },
      ...(smallest === sqlite
        ? []
        : [
            {
              what: `${list} first page, ${sqlite} to ${smallest}`,
              of: first,
              to: `${list} first page@${smallest}`,
              atMost: 1.1,
            },
          ]),
    ]
  })
  return [
    ...limited.map(({ name, floor }) => ({ what: name, of: `${name}@${sqlite}`, atMost: floor })),
    {
      what: 'login by access token to one by token',
      of: `login by access token@${sqlite}`,
      to: `login by token@${sqlite}`,
      atMost: 1.1,
    },
    ...lists,
    ...names
      .filter((name) => name.endsWith(', XML'))
      .map((name) => ({
        what: `${name} to JSON`,
        of: `${name}@${sqlite}`,
        to: `${name.replace(', XML', '')}@${sqlite}`,
        atMost: 1.15,
      })),
    ...limited.map(({ name, postgres: atMost }) => ({
      what: `${name}: PostgreSQL to SQLite`,
      of: `${name}@${postgres}`,
      to: `${name}@${sqlite}`,
      atMost,
    })),
  ]
}

/** The ratios at the most connections, as far as they were measured. */
function judged(figures: readonly Figure[]): string[][] {
  const connections = Math.max(...figures.map((figure) => figure.connections))
  const figureOf = (name: string) => {
    const [operation, database] = name.split('@')
    return figures.find(
      (figure) =>
        figure.operation === operation && figure.connections === connections && figure.database === database,
    )
  }
  return targetsOf(figures).flatMap(({ what, of, to, atMost }) => {
    const one = figureOf(of)
    const other = to === undefined ? one?.floor : figureOf(to)?.cpu
    return one && other ? [judgement(what, Number(round(one.cpu / other, 2)), atMost)] : []
  })
}

const MEMORY = { sqlite: 280, postgres: 350 }

/** Targets for peak memory and for light requests beside heavy queries, with the most rows of each engine. */
const bounded = (patience: readonly Patience[]): string[][] =>
  (['sqlite', 'postgres'] as const).flatMap((engine) => {
    const largest = patience.findLast(({ database }) => database.startsWith(engine))
    if (!largest) return []
    const { database, peakMemory, longestWait } = largest
    return [
      judgement(`peak memory of one process, MB: ${database}`, peakMemory, MEMORY[engine]),
      judgement(`longest wait of a light request, ms: ${database}`, Math.round(longestWait), 40),
    ]
  })

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
    'CPU is the CPU time per request, for PostgreSQL including its processes. The ratio is to the floor (docs/performance.md), which was measured in turns. Searches, "another page" and "by" request another word or page each time.',
    table(headings, figures.map(cellsOf)),
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
