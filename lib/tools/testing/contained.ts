import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/* Runs the root file system of an image as a container engine does: read-only, as its user, who gains no privileges, and with one volume. */

export type Contained = {
  root: string
  /** The folder at /data. */
  data: string
  user: number
  folder: string
  env: readonly string[]
}

/** True if this machine lets this process make namespaces and mounts. */
export const canContain = (): boolean =>
  process.getuid?.() === 0 && spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0

const script = `
mount --bind "$ROOT" "$ROOT"
mount -t proc -o nosuid,nodev,noexec proc "$ROOT/proc"
mount --bind -o nosuid,nodev,noexec "$DATA" "$ROOT/data"
mount -o remount,bind,ro,nosuid,nodev "$ROOT"
cd "$ROOT"
exec setpriv --no-new-privs chroot --userspec="$OWNER:$OWNER" --groups= . "$@"
`

/** Node changes to the folder itself: there is no shell in an image. */
const inFolder = ({ folder, env }: Contained, [node = '', ...args]: readonly string[]): string[] => [
  node,
  '--eval',
  `const [env, folder, ...args] = JSON.parse(process.argv[1])
  process.chdir(folder)
  process.execve(process.execPath, [process.execPath, ...args], env)`,
  JSON.stringify([Object.fromEntries(env.map((line) => line.split(/=(.*)/s, 2))), folder, ...args]),
]

/** Starts a program of the image as the first process of its container. */
export function startContained(contained: Contained, command: readonly string[]) {
  mkdirSync(join(contained.root, 'proc'), { recursive: true })
  const outside = spawn(
    'unshare',
    [
      ...['--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child', '--propagation', 'private'],
      ...['sh', '-ec', script, 'sh', ...inFolder(contained, command)],
    ],
    {
      env: { ...process.env, ROOT: contained.root, DATA: contained.data, OWNER: String(contained.user) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const children = `/proc/${outside.pid}/task/${outside.pid}/children`
  /** The first process, as this machine numbers it. */
  const pid = async (): Promise<number> => {
    const [first] = readFileSync(children, 'utf8').split(' ')
    return first ? Number(first) : delay(20).then(pid)
  }
  return { outside, pid }
}
