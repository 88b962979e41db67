import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env, type Machine, processesOf } from '#lib/tools/testing/cluster/network'
import { serverAccount } from '#lib/tools/testing/postgres'

/* Programs on the machines of an experiment. */

/** The files that each command needs on a machine. */
export const onMachine = (machine: Machine): string[] => ['nsenter', `--net=/run/netns/${machine}`]

type Options = { logs: string; name: string; environment?: Record<string, string> }

/** A program that starts as the owner of the database, logs into a file, and may be ended and started again. */
export class Program {
  readonly #machine: Machine
  readonly #words: readonly string[]
  readonly #options: Options
  #child: ChildProcess | undefined

  constructor(machine: Machine, words: readonly string[], options: Options) {
    this.#machine = machine
    this.#words = words
    this.#options = options
  }

  start(): void {
    const { logs, name, environment } = this.#options
    const log = openSync(join(logs, `${name}.log`), 'a')
    const account = serverAccount()
    const [program = '', ...rest] = [
      ...onMachine(this.#machine),
      ...(account ? [`--setuid=${account.uid}`, `--setgid=${account.gid}`] : []),
      ...this.#words,
    ]
    this.#child = spawn(program, rest, { env: { ...env, ...environment }, stdio: ['ignore', log, log] })
    this.#child.on('error', () => {})
  }

  isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#child
    if (!child || !this.isRunning()) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
}

/** The process may have ended meanwhile. */
function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Sends a signal to all processes of a machine, or to those whose program has this name. */
export function signalAll(machine: Machine, signal: NodeJS.Signals, name?: string): void {
  for (const pid of processesOf(machine))
    if (name === undefined || nameOf(pid) === name) signalOne(pid, signal)
}

function nameOf(pid: number): string | undefined {
  const file = `/proc/${pid}/comm`
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}
