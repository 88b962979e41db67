import { removeExpiredSessions } from '#lib/auth/sessions.server'
import { removeEventsBefore } from '#lib/events/retention.server'
import { removeOldFlows } from '#lib/federation/flows.server'
import { log } from '#lib/log.server'
import { removeOldUseDays } from '#lib/nat/use-history.server'
import { removeOldSignatures } from '#lib/oauth/failures.server'
import { removeExpiredKeys } from '#lib/pipeline/idempotency.server'
import { removeOldPlaces } from '#lib/sign-in/known-places.server'
import { removeOldStrangers } from '#lib/sign-in/refused-strangers.server'
import { removeOldFailures } from '#lib/sign-in/throttle.server'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/** Removes expired data: events older than this many days (0: never), counters of failed sign-ins, sessions. */
async function clean(eventDays: number): Promise<void> {
  try {
    if (eventDays > 0) await removeEventsBefore(Date.now() - eventDays * DAY)
    await removeOldUseDays()
    await removeOldFailures()
    await removeOldPlaces()
    await removeOldStrangers()
    await removeExpiredSessions()
    await removeOldSignatures()
    await removeOldFlows()
    await removeExpiredKeys()
  } catch (err) {
    log().error({ err }, 'the housekeeping failed')
  }
}

/** Cleans now and each hour. */
export function keepHouse(eventDays: number): NodeJS.Timeout {
  void clean(eventDays)
  return setInterval(() => void clean(eventDays), HOUR).unref()
}
