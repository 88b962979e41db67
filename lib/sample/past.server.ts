import { hashPassword } from '#lib/auth/passwords.server'
import { removeExpiredSessions } from '#lib/auth/sessions.server'
import { transaction } from '#lib/db/db.server'
import { beginJournal } from '#lib/events/retention.server'
import { beginUseOn } from '#lib/nat/use-days.server'
import { networkScenes } from '#lib/sample/past-networks.server'
import { peopleScenes } from '#lib/sample/past-people.server'
import { scopeScenes } from '#lib/sample/past-scopes.server'
import { seeded } from '#lib/sample/random'
import type { Scene } from '#lib/sample/scenes.server'
import { DAYS } from '#lib/sample/story'
import { openVisits, withClock } from '#lib/sample/visits.server'
import { removeOldStrangers } from '#lib/sign-in/refused-strangers.server'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

const midnightBefore = (now: number): number => Math.floor(now / DAY) * DAY

/** Runs the work that fills the cloud as if the past began with it, so that the journal reaches back to its first day. */
export const beforeThePast = (now: number, work: () => Promise<void>): Promise<void> =>
  withClock(midnightBefore(now) - (DAYS + 2) * DAY, seeded(0), async () => {
    await work()
    await transaction((trx) => beginJournal(trx, Date.now()))
  })

/**
 * Plays the 60 days before `now` in the sample cloud, through the API. The last scene is on the day before `now`, so nothing lies in the
 * future, and all sessions have ended. Calls the API in this process: nothing else may use the clock meanwhile.
 */
export async function samplePast(password: string, now: number, seed = 20_261_123): Promise<void> {
  const random = seeded(seed)
  const midnight = midnightBefore(now)
  const password_hash = await hashPassword(password)
  await withClock(midnight - (DAYS + 1) * DAY, random, async (clock) => {
    const visits = await openVisits(random, clock)
    // The sample cloud is as old as its past.
    await transaction((trx) => beginUseOn(trx, Date.now()))
    const scenes: Scene[] = [
      ...scopeScenes(),
      ...networkScenes(random),
      ...(await peopleScenes(random, { password, password_hash })),
    ]
    const inOrder = scenes.toSorted((one, other) => other.day - one.day || one.hour - other.hour)
    for (const { day, hour, play } of inOrder) {
      clock.moveTo(midnight - day * DAY + hour * HOUR + random.below(HOUR))
      await play(visits)
    }
    clock.moveTo(now)
    await removeExpiredSessions()
    await removeOldStrangers()
  })
}
