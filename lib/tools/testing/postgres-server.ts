import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '#lib/tools/testing/free-port'
import {
  type Guard,
  isReady,
  queryPostgres,
  serverAccount,
  settingArguments,
} from '#lib/tools/testing/postgres'
import { findPostgres } from '#lib/tools/testing/programs'

/* PostgreSQL servers that a test stops, starts, kills and promotes. */

/** The server hangs on its standard input as the tests' own does (lib/tools/testing/postgres.ts). */
const guard = `
postgres=$1; shift
exec 3<&0 </dev/null
"$postgres" "$@" 3<&- & server=$!
( cat <&3; while kill -INT $server; do sleep 0.2; done ) >/dev/null 2>&1 &
wait $server`

const run = promisify(execFile)

export type PostgresServer = {
  host: string
  port: number
  url: string
  start: () => Promise<void>
  /** Ends it as a shutdown does: clients are notified. */
  stop: () => Promise<void>
  /** Ends it as `kill -9` does. */
  kill: () => Promise<void>
  /** Stops all of its processes, which close no connection, until `thaw`. */
  freeze: () => void
  thaw: () => void
  sql: <R extends object>(text: string) => Promise<R[]>
  /** Ends it, and takes its files. */
  remove: () => Promise<void>
}

/** A server that is not running yet, empty or a streaming replica of another one by the name of `standby`. */
export async function newPostgresServer({
  replicaOf,
}: {
  replicaOf?: PostgresServer
} = {}): Promise<PostgresServer> {
  const programs = findPostgres()
  if (!programs) throw new Error('The PostgreSQL server programs (initdb, postgres) are not installed')
  const account = serverAccount()
  const directory = mkdtempSync(join(tmpdir(), 'test-postgres-'))
  if (account) chownSync(directory, account.uid, account.gid)
  const data = join(directory, 'data')
  const [program, ...parameters] = replicaOf
    ? [join(dirname(programs.postgres), 'pg_basebackup'), ...copyOf(replicaOf, data)]
    : [programs.initdb, '-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-sync']
  const options = { ...account, cwd: directory, env: { ...process.env, LC_ALL: 'C.UTF-8' } }
  await run(program, parameters, options)
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let running: Guard | undefined

  const start = async () => {
    const settings = [...settingArguments(port, quick), '-D', data]
    const child = spawn('sh', ['-c', guard, 'sh', programs.postgres, ...settings], {
      ...options,
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    running = child
    await isReady(child)
  }
  const end = async (how: (child: Guard) => void) => {
    const child = running
    running = undefined
    if (!child) return
    const ended = once(child, 'exit')
    how(child)
    await ended
  }
  const stop = () => end((child) => child.stdin.end())
  const signal = (name: NodeJS.Signals) => {
    const postmaster = postmasterOf(data)
    for (const pid of [postmaster, ...childrenOf(postmaster)]) process.kill(pid, name)
  }
  return {
    host: `127.0.0.1:${port}`,
    port,
    url,
    start,
    stop,
    kill: () =>
      end((child) => {
        process.kill(postmasterOf(data), 'SIGKILL')
        child.stdin.end()
      }),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    sql: (text) => queryPostgres(url, text),
    remove: async () => {
      await stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const copyOf = ({ url }: PostgresServer, data: string): string[] => [
  ...['-d', `${url}?application_name=standby`],
  ...['-D', data, '--write-recovery-conf', '--wal-method=stream', '--checkpoint=fast', '--no-sync'],
]

/** This tries no power cut, but checks that replicas confirm commits. */
const quick = { fsync: 'off', full_page_writes: 'off' }

function postmasterOf(data: string): number {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) throw new Error('The server is not running')
  return Number(readFileSync(file, 'utf8').split('\n', 1)[0])
}

const childrenOf = (parent: number): number[] =>
  globSync('/proc/[0-9]*/stat').flatMap((file) => {
    const [, pid, ppid] = /^(\d+) \(.*\) \S (\d+)/.exec(statOf(file)) ?? []
    return Number(ppid) === parent ? [Number(pid)] : []
  })

/** Empty if the process has ended meanwhile. */
function statOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
