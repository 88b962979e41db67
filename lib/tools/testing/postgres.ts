import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import pg from 'pg'
import { freePort } from '#lib/tools/testing/free-port'
import { findPostgres } from '#lib/tools/testing/programs'

type Cluster = {
  url: string
  /** The same by a Unix socket: sending by TCP takes a third of the processor time of a query. */
  socketUrl: string
  stop(): Promise<void>
}

/**
 * The server hangs on the standard input of this shell, a pipe from the process that started it: in whatever way that
 * one ends, the pipe closes, the server stops and its directory goes. A signal that comes before the server listens to
 * any is lost, hence the loop.
 */
const guard = `
directory=$1 initdb=$2 postgres=$3; shift 3
exec 3<&0 </dev/null
"$initdb" -D "$directory/data" -U postgres --auth=trust --encoding=UTF8 --locale=C.UTF-8 --no-sync >&2 3<&- || {
  rm -rf "$directory"
  exit 1
}
"$postgres" -D "$directory/data" "$@" 3<&- & server=$!
( cat <&3; while kill -INT $server; do sleep 0.2; done ) >/dev/null 2>&1 &
wait $server
rm -rf "$directory"`

export type Guard = ChildProcessByStdio<Writable, null, Readable>

/** Starts a PostgreSQL cluster on a free port of 127.0.0.1. Unless `durable` it is quick and would not survive a power cut. */
export async function startPostgres({ durable = false } = {}): Promise<Cluster> {
  const programs = findPostgres()
  if (!programs) throw new Error('The PostgreSQL server programs (initdb, postgres) are not installed')
  const account = serverAccount()
  const directory = mkdtempSync(join(tmpdir(), 'test-postgres-'))
  if (account) chownSync(directory, account.uid, account.gid)
  const port = await freePort()
  const { initdb, postgres } = programs
  const quick = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
  const further = { unix_socket_directories: directory, ...(durable ? {} : quick) }
  const parameters = [directory, initdb, postgres, ...settingArguments(port, further)]
  const child = spawn('sh', ['-c', guard, 'sh', ...parameters], {
    ...account,
    cwd: directory,
    env: { ...process.env, LC_ALL: 'C' },
    detached: true, // the terminal's Ctrl-C ends the tests first, and these the server
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  await isReady(child)
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  return { url, socketUrl: `${url}?host=${directory}`, stop: () => stop(child) }
}

/** The settings of each test server, and the additional ones of this server. */
export const settingArguments = (port: number, further: Record<string, string>): string[] =>
  Object.entries({
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    log_min_messages: 'log',
    ...further,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])

/** Runs statements on a connection of their own, and returns the rows of a single one. */
export async function queryPostgres<R extends object>(connectionString: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query<R>(text)).rows
  } finally {
    await client.end()
  }
}

/** PostgreSQL refuses to run as root. */
export function serverAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** Throws the server's output if the server ends. */
export async function isReady(child: Guard): Promise<void> {
  let log = ''
  for await (const chunk of child.stderr.iterator({ destroyOnReturn: false })) {
    log += chunk
    if (/ready to accept (read-only )?connections/.test(log)) {
      child.stderr.resume()
      return
    }
  }
  child.stdin.destroy()
  throw new Error(`PostgreSQL did not start:\n${log}`)
}

async function stop(child: Guard): Promise<void> {
  const ended = once(child, 'exit')
  child.stdin.end()
  if (child.exitCode === null) await ended
}
