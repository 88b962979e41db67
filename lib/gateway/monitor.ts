import { createInterface } from 'node:readline'
import { pause } from '#lib/gateway/api'
import { isOwnProcess, start, type TableLocation } from '#lib/gateway/nft'

/* Changes of the gateway's table that others make, as `nft monitor` reports them. */

/** Milliseconds until a monitor that ended is started again. */
const AGAIN = 1000

/**
 * Calls `heard` after each transaction of another process that names the table, and after each end of the monitor, because changes
 * may have been missed. Ends with the signal.
 */
export async function listen(
  place: TableLocation,
  { heard, signal }: { heard: () => void; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    await monitor(place, { heard, signal }).catch(() => {})
    if (signal.aborted) return
    await pause(AGAIN, signal)
    heard()
  }
}

async function monitor(
  place: TableLocation,
  { heard, signal }: { heard: () => void; signal: AbortSignal },
): Promise<void> {
  const child = start(place, ['nft', 'monitor'], 'ignore')
  const end = () => void child.kill()
  signal.addEventListener('abort', end, { once: true })
  child.stderr.resume()
  child.once('error', end)
  const named = new RegExp(`\\b(ip|ip6) ${place.table}\\b`)
  let isNamed = false
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const [, pid] = /^# new generation \d+ by process (\d+)/.exec(line) ?? []
      isNamed ||= pid === undefined && named.test(line)
      if (pid === undefined) continue
      if (isNamed && !isOwnProcess(Number(pid))) heard()
      isNamed = false
    }
  } finally {
    signal.removeEventListener('abort', end)
  }
}
