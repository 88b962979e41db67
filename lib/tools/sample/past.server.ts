import { hashPassword } from '#lib/caller/auth/passwords.server'
import { removeExpiredSessions, usesRecorded } from '#lib/caller/auth/sessions.server'
import { beginUseOn } from '#lib/cloud/nat/use-days.server'
import { transaction } from '#lib/db/db.server'
import { removeOldStrangers } from '#lib/people/sign-in/refused-strangers.server'
import { beginJournal } from '#lib/record/events/retention.server'
import { networkScenes } from '#lib/tools/sample/past-networks.server'
import { peopleScenes } from '#lib/tools/sample/past-people.server'
import { scopeScenes } from '#lib/tools/sample/past-scopes.server'
import { seeded } from '#lib/tools/sample/random'
import type { Scene } from '#lib/tools/sample/scenes.server'
import { DAYS } from '#lib/tools/sample/story'
import { openVisits, withClock } from '#lib/tools/sample/visits.server'

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
    await usesRecorded()
    await removeExpiredSessions()
    await removeOldStrangers()
  })
}
