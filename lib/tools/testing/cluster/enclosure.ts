import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { env } from '#lib/tools/testing/cluster/network'
import { findPostgres } from '#lib/tools/testing/programs'

/*
 * Runs an experiment inside namespaces of its own for processes, network and mounts. When the experiment ends, in whatever way, the kernel
 * ends all of its processes and removes its machines, links and files. Nothing outside can be reached from inside, or be hit by mistake.
 */

const programs = ['unshare', 'nsenter', 'ip', 'nft', 'patroni', 'etcd', 'haproxy', 'pgbouncer']
const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']

/** The reason why no experiment can run here, or undefined. */
export function obstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  const missing = programs.filter((name) => spawnSync(name, ['--version'], { env, stdio: 'ignore' }).error)
  if (missing.length > 0) return `${missing.join(', ')} is not installed`
  if (!findPostgres()) return 'the PostgreSQL server programs (initdb, postgres) are not installed'
  mkdirSync('/run/netns', { recursive: true })
  const { status } = spawnSync('unshare', [...namespaces, 'mount', '-t', 'tmpfs', 'tmpfs', '/run/netns'], {
    stdio: 'ignore',
  })
  return status === 0 ? undefined : 'this machine lets nobody make namespaces'
}

/** The first process inside: a shell, because the first one has to collect the ended children of others. */
const first = `data=$1; shift
mount -t tmpfs tmpfs /run/netns
mount -t tmpfs -o mode=755 tmpfs "$data"
"$@"; exit $?`

/** Runs this file of lib/tools/testing/cluster; gives its exit code. `data` is an empty folder, which is in memory inside. */
export async function enclosed(file: string, data: string, words: readonly string[]): Promise<number> {
  const program = [process.execPath, join(import.meta.dirname, file)]
  const child = spawn('unshare', [...namespaces, 'sh', '-c', first, 'sh', data, ...program, data, ...words], {
    // The pipe closes when this process ends: then so does the experiment.
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const stop = () => child.kill('SIGKILL')
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const [code] = (await once(child, 'exit')) as [number | null]
  process.off('SIGINT', stop).off('SIGTERM', stop)
  return code ?? 130
}
