import { removeExpiredAccessTokens } from '#lib/caller/auth/access-tokens.server'
import { removeExpiredSessions } from '#lib/caller/auth/sessions.server'
import { removeOldSignatures } from '#lib/caller/oauth/failures.server'
import { removeOldSetAsides } from '#lib/cloud/nat/set-asides.server'
import { removeOldUseDays } from '#lib/cloud/nat/use-history.server'
import { removeOldChanges } from '#lib/cloud/translations/retention.server'
import { log } from '#lib/ground/log.server'
import { remindOfEndingTokens } from '#lib/people/access-tokens/reminders.server'
import { removeOldFlows } from '#lib/people/federation/flows.server'
import { removeOldPlaces } from '#lib/people/sign-in/known-places.server'
import { removeOldChallenges } from '#lib/people/sign-in/passkey-challenges.server'
import { removeOldStrangers } from '#lib/people/sign-in/refused-strangers.server'
import { removeOldFailures } from '#lib/people/sign-in/throttle.server'
import { removeOldDeliveries } from '#lib/people/webhooks/transport.server'
import { removeEventsBefore } from '#lib/record/events/retention.server'
import { removeOldJobs } from '#lib/record/jobs/store.server'
import { removeExpiredKeys } from '#lib/request/pipeline/idempotency.server'
import { removeExpiredPlans } from '#lib/state/plans/kept.server'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/**
 * Removes expired data: events older than this many days (0: never), counters of failed sign-ins, sessions. Sends reminders of tokens that
 * expire soon.
 */
async function clean(eventDays: number): Promise<void> {
  try {
    if (eventDays > 0) await removeEventsBefore(Date.now() - eventDays * DAY)
    await removeOldUseDays()
    await removeOldSetAsides()
    await removeOldFailures()
    await removeOldPlaces()
    await removeOldStrangers()
    await removeExpiredSessions()
    await removeOldSignatures()
    await removeOldFlows()
    await removeExpiredKeys()
    await removeExpiredPlans()
    await removeOldJobs()
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
