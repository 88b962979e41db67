import { uptime } from 'node:os'

/** The clock of the system may be this much ahead of, or behind, the time that passes (ms). */
const TOLERANCE = 2000
/** After a jump that lasts this long (ms) the new time is the right one. */
const DOUBT = 15 * 60_000

type Clocks = { wall: () => number; up: () => number }

/** The time since the machine was started goes on while it sleeps, and nobody sets it. */
const ofSystem: Clocks = { wall: () => Date.now(), up: () => uptime() * 1000 }

/**
 * The time for work that must not be done early. While the clock of the system differs from the time that has passed, the earlier of both
 * counts: a clock that jumps forth and back starts nothing.
 */
export function steadyClock({ wall, up }: Clocks = ofSystem): () => number {
  let started = wall() - up()
  let doubtedAt: number | undefined
  return () => {
    const [now, passed] = [wall(), up()]
    const differs = Math.abs(now - passed - started) > TOLERANCE
    if (!differs) doubtedAt = undefined
    else doubtedAt ??= passed
    if (doubtedAt !== undefined && passed - doubtedAt < DOUBT) return Math.min(now, started + passed)
    started = now - passed
    doubtedAt = undefined
    return now
  }
}
