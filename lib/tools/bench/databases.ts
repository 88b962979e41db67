import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from '#lib/tools/bench/servers'
import { queryPostgres, startPostgres } from '#lib/tools/testing/postgres'

export type Engine = 'sqlite' | 'postgres'

/** A filled database: the server's settings for it, and the ids of the database's own processes. */
export type Filled = { settings: Record<string, string>; pids: number[] }

const SCOPES = 10_000
const ENTERPRISES = 100
const USERS = 1000

/** The second datacenter has this part of the first one's IPs and rules, at the same addresses. */
const NEIGHBOUR = 0.1

async function fill(settings: Record<string, string>, size: number): Promise<void> {
  const sample = (amount: number, others: string[] = []) => {
    const amounts = [`--nat-ips=${amount}`, `--nat-rules=${amount}`, ...others]
    return run(['lib/tools/scripts/run.js', 'sample', ...amounts], settings)
  }
  // The last datacenter is measured.
  await sample(size * NEIGHBOUR)
  await sample(size, [`--scopes=${SCOPES}`, `--enterprises=${ENTERPRISES}`, `--users=${USERS}`])
}

/** A SQLite database of this size. Filled once, then reused. */
export async function filledFile(size: number): Promise<Filled> {
  const folder = join(root, 'data/bench', String(size))
  const done = join(folder, 'filled-with-users')
  const settings = { DATA_DIR: folder }
  if (!existsSync(done)) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    await fill(settings, size)
    writeFileSync(done, '')
  }
  return { settings, pids: [] }
}

export type Cluster = { filled: (size: number) => Promise<Filled>; stop: () => Promise<void> }

/** A PostgreSQL server with a database for each size. */
export async function cluster(): Promise<Cluster> {
  const { url, stop } = await startPostgres({ durable: true })
  const filled = async (size: number): Promise<Filled> => {
    await queryPostgres(url, `create database bench_${size}`)
    const servers = await queryPostgres<{ pid: number }>(
      url,
      `select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::integer as pid`,
    )
    const own = new URL(url)
    own.pathname = `bench_${size}`
    const settings = { DATABASE_URL: own.href, DATA_DIR: join(root, 'data/bench') }
    await fill(settings, size)
    return { settings, pids: servers.map(({ pid }) => pid) }
  }
  return { filled, stop }
}
