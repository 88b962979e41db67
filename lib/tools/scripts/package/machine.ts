import { AssertionError } from 'node:assert'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { ReleaseError } from '#lib/tools/release/ending'

export type Machine = {
  /** Runs a command of the shell on the machine and returns its output. Throws if it fails. */
  inside: (command: string) => string
  /** Runs a command of the shell on the machine and returns its exit code. */
  status: (command: string) => number | null
}

const needed = ['systemd', 'systemd-sysv', 'dbus', 'libstdc++6', 'curl', 'nftables', 'conntrack', 'iproute2']

/** Installs a small Debian into the folder, unless an earlier run has done so. */
export function prepareMachine(folder: string): string {
  if (existsSync(folder)) return folder
  const draft = `${folder}.part`
  rmSync(draft, { recursive: true, force: true })
  execFileSync('debootstrap', ['--variant=minbase', `--include=${needed.join(',')}`, 'bookworm', draft], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  renameSync(draft, folder)
  return folder
}

/** The folder stays unchanged: changes go to an overlay in memory. */
const options = (folder: string, binds: string[]): string[] => [
  ...['--quiet', '--volatile=overlay', '--private-network', '--register=no', '--keep-unit'],
  ...[`--directory=${folder}`, ...binds.map((bind) => `--bind-ro=${bind}`)],
]

/** Runs a command without systemd and returns its output. */
export const runOnce = (folder: string, binds: string[], command: string): string =>
  execFileSync('systemd-nspawn', [...options(folder, binds), '--pipe', 'sh', '-ec', command], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })

export async function bootMachine(folder: string, binds: string[]): Promise<Machine & { end: () => void }> {
  const container = spawn('systemd-nspawn', [...options(folder, binds), '--boot'], { stdio: 'ignore' })
  const init = await childOf(container)
  // With its first process the machine ends at once, and then `container`. Without `container` it would go on.
  const end = (): void => {
    process.off('exit', end)
    spawnSync('kill', ['-KILL', `${init}`])
  }
  process.on('exit', end)
  const enter = ['--target', `${init}`, '--mount', '--uts', '--ipc', '--net', '--pid', '--cgroup', '--']
  const shell = [...enter, 'env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', 'sh', '-ec']
  const inside: Machine['inside'] = (command) => {
    const { status, stdout, stderr } = spawnSync('nsenter', [...shell, command], { encoding: 'utf8' })
    if (status === 0) return stdout
    const message = `${command} ended with ${status}: ${stderr}`
    throw new AssertionError({ message, stackStartFn: inside })
  }
  const machine: Machine = {
    inside,
    status: (command) => spawnSync('nsenter', [...shell, command], { stdio: 'ignore' }).status,
  }
  await started(machine, 300)
  return { ...machine, end }
}

/** The first process of the machine, as this host sees it. */
async function childOf(container: ChildProcess): Promise<number> {
  if (container.exitCode !== null) throw new ReleaseError('systemd-nspawn could not boot the machine')
  const [pid] = readFileSync(`/proc/${container.pid}/task/${container.pid}/children`, 'utf8').split(' ')
  return Number(pid) || pause(200).then(() => childOf(container))
}

async function started(machine: Machine, attempts: number): Promise<void> {
  if (machine.status('systemctl is-system-running --wait') === 0) return
  if (attempts === 0)
    throw new ReleaseError(
      `The machine has not started: ${machine.inside('systemctl --failed --plain || true')}`,
    )
  await pause(200)
  return started(machine, attempts - 1)
}
