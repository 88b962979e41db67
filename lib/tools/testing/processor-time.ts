import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A control group of this process and its descendants, if this account may make one: cgroups(7), version 1 or 2. */
function makeGroup(): string | undefined {
  try {
    for (const line of readFileSync('/proc/self/cgroup', 'utf8').split('\n')) {
      const [, controllers, path] = line.split(':')
      if (path === undefined || (controllers !== '' && !controllers?.split(',').includes('cpuacct'))) continue
      const parent = join('/sys/fs/cgroup', controllers ? 'cpuacct' : '', path)
      if (!existsSync(join(parent, controllers ? 'cpuacct.usage' : 'cpu.stat'))) continue
      const group = join(parent, `tests-${process.pid}`)
      mkdirSync(group)
      process.once('exit', () => {
        try {
          writeFileSync(join(parent, 'cgroup.procs'), String(process.pid))
          rmdirSync(group)
        } catch {
          // Ending processes are still in it. An empty group costs nothing.
        }
      })
      writeFileSync(join(group, 'cgroup.procs'), String(process.pid))
      return group
    }
  } catch {
    // Only the administrator of the machine may do it, and not in every container.
  }
}

const group = makeGroup()

/** Of all ended children and their ended children, except those whose parent did not wait for them: a browser has many. */
function ofChildren(): number {
  if (!existsSync('/proc/self/stat')) return 0
  // proc(5): the name, in parentheses, may hold spaces. cutime and cstime are the 14th and 15th field after it, in hundredths of a second.
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

/** Processor time, user and system, of this process and its descendants, in seconds; without a control group, of ended children only. */
export function processorTime(): number {
  if (group === undefined) return ofChildren()
  const nanoseconds = join(group, 'cpuacct.usage')
  if (existsSync(nanoseconds)) return Number(readFileSync(nanoseconds, 'utf8')) / 1e9
  const microseconds = /^usage_usec (\d+)$/m.exec(readFileSync(join(group, 'cpu.stat'), 'utf8'))
  return Number(microseconds?.[1]) / 1e6
}
