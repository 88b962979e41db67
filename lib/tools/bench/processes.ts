import { readdirSync, readFileSync } from 'node:fs'

/* CPU time of processes, from the kernel. On a noisy machine it is steadier than elapsed time. */

const statOf = (pid: number): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The program's name, in brackets, may contain spaces and brackets.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

const parentOf = (pid: number): number => Number(statOf(pid)[1])

/** Undefined if the process has ended meanwhile, like the short-lived ones of PostgreSQL. */
function ifThere<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => ifThere(() => parentOf(other)) === pid)
}

const treeOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(treeOf)]

/** CPU time of threads by their ids, in nanoseconds. */
export type CpuTimes = ReadonlyMap<string, number>

/** The CPU times of these processes and all their descendants: the first number of schedstat. The ticks of stat are 10 ms. */
export function cpuTimes(pids: readonly number[]): CpuTimes {
  const times = new Map<string, number>()
  for (const pid of pids.flatMap(treeOf))
    for (const thread of ifThere(() => readdirSync(`/proc/${pid}/task`)) ?? []) {
      const text = ifThere(() => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))
      if (text !== undefined) times.set(thread, Number(text.split(' ', 1)[0]))
    }
  return times
}

/** Milliseconds of CPU time between two readings, without threads that have ended. */
export function cpuBetween(before: CpuTimes, after: CpuTimes): number {
  let sum = 0
  for (const [thread, time] of after) sum += time - (before.get(thread) ?? 0)
  return sum / 1e6
}

const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(ifThere(() => readFileSync(`/proc/${pid}/status`, 'utf8')) ?? '')?.[1] ?? 0)

/** Peak memory of the largest among the process and its descendants, in MB. */
export const peakMemory = (pid: number): number => Math.round(Math.max(...treeOf(pid).map(peakOf)) / 1024)
