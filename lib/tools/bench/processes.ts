import { readdirSync, readFileSync } from 'node:fs'

/* CPU time of processes, from the kernel. On a noisy machine it is steadier than elapsed time. */

const TICK = 0.01

const statOf = (pid: number): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The program's name, in brackets, may contain spaces and brackets.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

export const parentOf = (pid: number): number => Number(statOf(pid)[1])

/** Undefined if the process has ended meanwhile, like the short-lived ones of PostgreSQL. */
function ifThere<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** CPU seconds of the process and of its children that have ended. */
function cpuOf(pid: number): number {
  const [user, system, ended, endedSystem] = (ifThere(() => statOf(pid)) ?? []).slice(11, 15).map(Number)
  return ((user ?? 0) + (system ?? 0) + (ended ?? 0) + (endedSystem ?? 0)) * TICK
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => ifThere(() => parentOf(other)) === pid)
}

const treeOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(treeOf)]

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** CPU seconds of these processes and all their descendants. */
export const cpuTime = (pids: readonly number[]): number => sum(pids.flatMap(treeOf).map(cpuOf))

const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(ifThere(() => readFileSync(`/proc/${pid}/status`, 'utf8')) ?? '')?.[1] ?? 0)

/** Peak memory of the process and its descendants, in MB. */
export const peakMemory = (pid: number): number => Math.round(sum(treeOf(pid).map(peakOf)) / 1024)
