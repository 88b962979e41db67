import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cluster, type Filled, filledFile } from '#lib/tools/bench/databases'
import {
  type Figure,
  measure,
  measureAll,
  measurePatience,
  type Patience,
  type Plan,
} from '#lib/tools/bench/measure'
import { measureOrders } from '#lib/tools/bench/orders'
import { measurePlans, planRows } from '#lib/tools/bench/plans'
import { lineOf, report } from '#lib/tools/bench/report'
import { root, run, startFloor, startProduct } from '#lib/tools/bench/servers'
import { startApi } from '#lib/tools/testing/api-process'
import { startPostgres } from '#lib/tools/testing/postgres'
import { findPostgres } from '#lib/tools/testing/programs'

/* Measures the production server: `npm run bench`, or a part of it: `-- --only 'allips|scope' --sizes 10000 --engines sqlite`. Needs a build. */

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    sizes: { type: 'string', default: '10000,1000000' },
    engines: { type: 'string', default: findPostgres() ? 'sqlite,postgres' : 'sqlite' },
    connections: { type: 'string', default: '1,32' },
    /** Requests of a slice. Each operation has three, for each number of connections. */
    requests: { type: 'string', default: '500' },
    /** Rows of plans, which are measured in place of the operations. */
    plans: { type: 'string' },
    /** Rows of long lists, whose orders are measured in place of the operations. Needs no build. */
    orders: { type: 'string' },
    /** Numbers of processes: nine reads and a write are measured with each on PostgreSQL, in place of the operations. */
    processes: { type: 'string' },
    /** An address of any other server, measured in the same run; its headers; its process, for its CPU time. */
    beside: { type: 'string' },
    header: { type: 'string', multiple: true, default: [] },
    pid: { type: 'string' },
    /** Output file. Default: the repository's results page, for a full run only. */
    out: { type: 'string' },
  },
})
const numbers = (text: string) => text.split(',').map(Number)
const sizes = numbers(values.sizes)
const options = process.argv.slice(2).join(' ')
const figures: Figure[] = []
const patience: Patience[] = []

const plan: Plan = {
  connections: numbers(values.connections),
  requests: Number(values.requests),
  only: new RegExp(values.only),
  onFigure: (figure) => {
    figures.push(figure)
    console.log(lineOf(figure))
  },
}

async function besideUs(address: string): Promise<void> {
  const { origin: url, pathname, search } = new URL(address)
  const headers = Object.fromEntries(
    values.header.map((header) => [header.split(':', 1)[0], header.replace(/^[^:]*:\s*/, '')]),
  )
  const other = { url, pid: Number(values.pid), stop: async () => {} }
  const call = () => ({ path: pathname + search, headers })
  await measure({ database: '', server: other }, [{ name: address, call }], plan)
}

/** The floor reads files of SQLite only. */
async function onDatabase(name: string, { settings, pids }: Filled): Promise<void> {
  const server = await startProduct(settings)
  const floor = settings.DATABASE_URL ? undefined : await startFloor(settings)
  try {
    await measureAll({ database: name, server, pids, floor }, plan)
    patience.push(await measurePatience(name, server))
  } finally {
    await floor?.stop()
    await server.stop()
  }
}

/** With each of these numbers of processes on one database. */
async function processesOn(counts: readonly number[]): Promise<void> {
  const postgres = await cluster()
  try {
    for (const size of sizes) {
      const { settings, pids } = await postgres.filled(size)
      for (const count of counts) {
        const server = await startProduct({
          ...settings,
          WEB_CONCURRENCY: String(count),
          DATABASE_CONNECTIONS: String(15 * count),
        })
        const only = /^nine reads and a write$/
        await measureAll({ database: `${count} processes`, server, pids }, { ...plan, only }).finally(
          server.stop,
        )
      }
    }
  } finally {
    await postgres.stop()
  }
}

/** On a new database. */
async function plansOn(engine: string, rows: number): Promise<void> {
  const postgres = engine === 'postgres' ? await startPostgres({ durable: true }) : undefined
  const folder = mkdtempSync(join(tmpdir(), 'bench-plans-'))
  const server = await startProduct({ DATA_DIR: folder, ...(postgres && { DATABASE_URL: postgres.url }) })
  try {
    console.log(planRows(await measurePlans(engine, server, rows)))
  } finally {
    await server.stop()
    await postgres?.stop()
    rmSync(folder, { recursive: true })
  }
}

/** On a new database with this many NAT IPs and as many rules. */
async function ordersOn(engine: string, rows: string): Promise<void> {
  const postgres = engine === 'postgres' ? await startPostgres({ durable: true }) : undefined
  const folder = mkdtempSync(join(tmpdir(), 'bench-orders-'))
  const settings = { DATA_DIR: folder, ...(postgres && { DATABASE_URL: postgres.url }) }
  await run(['lib/tools/scripts/run.js', 'sample', `--nat-ips=${rows}`, `--nat-rules=${rows}`], settings)
  const server = await startApi(settings)
  try {
    await measureOrders(engine, server, console.log)
  } finally {
    await server.stop()
    await postgres?.stop()
    rmSync(folder, { recursive: true })
  }
}

if (values.orders) {
  for (const engine of values.engines.split(',')) await ordersOn(engine, values.orders)
  process.exit()
}
if (values.plans) {
  for (const engine of values.engines.split(',')) await plansOn(engine, Number(values.plans))
  process.exit()
}
if (values.processes) {
  await processesOn(numbers(values.processes))
  process.exit()
}
if (values.beside) await besideUs(values.beside)
for (const engine of values.engines.split(',')) {
  const postgres = engine === 'postgres' ? await cluster() : undefined
  try {
    for (const size of sizes) {
      const filled = postgres ? await postgres.filled(size) : await filledFile(size)
      await onDatabase(`${engine} ${size.toLocaleString('en')}`, filled)
    }
  } finally {
    await postgres?.stop()
  }
}
const page = report(`npm run bench${options ? ` -- ${options}` : ''}`, figures, patience)
const file = values.out ?? (options ? undefined : join(root, 'lib/tools/bench/results.md'))
if (file) writeFileSync(file, page)
console.log(`\n${page}`)
