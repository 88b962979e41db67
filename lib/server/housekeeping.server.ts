import { remindOfEndingTokens } from '#lib/access-tokens/reminders.server'
import { removeExpiredAccessTokens } from '#lib/auth/access-tokens.server'
import { removeExpiredSessions } from '#lib/auth/sessions.server'
import { removeEventsBefore } from '#lib/events/retention.server'
import { removeOldFlows } from '#lib/federation/flows.server'
import { log } from '#lib/log.server'
import { removeOldUseDays } from '#lib/nat/use-history.server'
import { removeOldSignatures } from '#lib/oauth/failures.server'
import { removeExpiredKeys } from '#lib/pipeline/idempotency.server'
import { removeExpiredPlans } from '#lib/plans/kept.server'
import { removeOldPlaces } from '#lib/sign-in/known-places.server'
import { removeOldChallenges } from '#lib/sign-in/passkey-challenges.server'
import { removeOldStrangers } from '#lib/sign-in/refused-strangers.server'
import { removeOldFailures } from '#lib/sign-in/throttle.server'
import { removeOldChanges } from '#lib/translations/retention.server'
import { removeOldDeliveries } from '#lib/webhooks/transport.server'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/** Removes expired data: events older than this many days (0: never), counters of failed sign-ins, sessions. Tells of tokens that end soon. */
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
    await removeExpiredPlans()
    await removeOldDeliveries()
    await removeExpiredAccessTokens()
    await removeOldChallenges()
    await removeOldChanges()
    await remindOfEndingTokens()
  } catch (err) {
    log().error({ err }, 'the housekeeping failed')
  }
}

/** Cleans now and each hour. */
export function keepHouse(eventDays: number): NodeJS.Timeout {
  void clean(eventDays)
  return setInterval(() => void clean(eventDays), HOUR).unref()
}
