import { serve } from '#lib/server/serve.server'

/* The API's server in a process that measures the costs of a request, and the speed of the machine. */

export type Cost = {
  /** The longest time (ms of the processor) for which the main thread served only this request. */
  wait: number
  /** Milliseconds of the processor, of all threads. */
  work: number
  /** Bytes by which the memory of the process exceeded its earlier maximum. */
  memory: number
}

const thread = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const whole = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const peak = (): number => process.resourceUsage().maxRSS * 1024

const HARMLESS = 30

/** Milliseconds for a harmless document of 1 MiB. */
function harmless(): number {
  const text = JSON.stringify(
    Array.from({ length: 12_000 }, (_, id) => ({ id, name: `network ${id}`, links: ['a', 'b'] })),
  )
  const began = thread()
  // Many, because some machines count the time of a thread in steps of 10 ms.
  for (let count = 0; count < HARMLESS; count += 1) JSON.parse(text)
  return (thread() - began) / HARMLESS
}

let began = { work: 0, memory: 0 }
let timer: NodeJS.Timeout | undefined
let [last, longest] = [0, 0]

const tick = (): void => {
  const now = thread()
  longest = Math.max(longest, now - last)
  last = now
}

process.on('message', (asked: 'speed' | 'begin' | 'end') => {
  if (asked === 'speed') return process.send?.(harmless())
  if (asked === 'end') {
    tick()
    clearInterval(timer)
    const cost: Cost = { wait: longest, work: whole() - began.work, memory: peak() - began.memory }
    return process.send?.(cost)
  }
  timer = setInterval(tick, 1)
  began = { work: whole(), memory: peak() }
  last = thread()
  longest = 0
  return process.send?.('begun')
})

await serve({ pages: '#lib/tools/testing/no-pages' })
