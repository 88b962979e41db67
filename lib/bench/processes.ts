import { readdirSync, readFileSync } from 'node:fs'

/* What the kernel says of processes: their own time is steady on a noisy machine, the time that passes is not. */

const TICK = 0.01

const statOf = (pid: number): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of a program stands in brackets and may hold anything.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

export const parentOf = (pid: number): number => Number(statOf(pid)[1])

/** What is read of a process; undefined where it has ended meanwhile, as those do by which PostgreSQL tidies up. */
function ifThere<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Seconds of CPU that the process has used, and those of its children that have ended. */
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

/** Seconds of CPU of these processes and all below them. */
export const cpuTime = (pids: readonly number[]): number => sum(pids.flatMap(treeOf).map(cpuOf))

const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(ifThere(() => readFileSync(`/proc/${pid}/status`, 'utf8')) ?? '')?.[1] ?? 0)

/** The most memory that the process and all below it have held so far, in MB. */
export const peakMemory = (pid: number): number => Math.round(sum(treeOf(pid).map(peakOf)) / 1024)
