import { type FieldErrors, textFaults } from '#components/base/forms/form-faults'
import type { Privilege } from '#lib/caller/auth/privileges'
import { accessTokenInput } from '#lib/people/access-tokens/access-tokens.schema'
import type { Say } from '#lib/words/words'

/** The choices for the end, in days from now. */
export const lifetimes = [7, 30, 90, 180, 365] as const

const DAY = 24 * 60 * 60 * 1000

/** `days` is empty if the user chooses a day: then `day` counts. `network`: typed and not in the list yet. */
export type TokenDraft = {
  name: string
  privileges: readonly Privilege[]
  days: (typeof lifetimes)[number] | undefined
  day: string
  allowedCIDRs: readonly string[]
  network: string
}

export type TokenField = 'name' | 'privileges' | 'expires' | 'allowedCIDRs'

/** The least: no privilege, and an end within a month. */
export const emptyToken: TokenDraft = {
  name: '',
  privileges: [],
  days: 30,
  day: '',
  allowedCIDRs: [],
  network: '',
}

/** The last millisecond of a day, in the time zone of the user. */
const endOf = (day: string): Date => new Date(`${day}T23:59:59.999`)

export const endAfter = (days: number, now: number): Date => new Date(now + days * DAY)

/** Whether a token may end on this day: today or later, within a year. */
export const isPossibleEnd = (day: Date, now: number): boolean => {
  const end = new Date(day).setHours(23, 59, 59, 999)
  return end > now && end <= now + 366 * DAY
}

export const sentToken = ({ name, privileges, days, day, allowedCIDRs }: TokenDraft, now: number) => ({
  name: name.trim(),
  privileges: [...privileges],
  expires: (days === undefined ? endOf(day) : endAfter(days, now)).toISOString(),
  allowedCIDRs: [...allowedCIDRs],
})

type Says = { say: Say<'accessTokens.form'>; sayText: Say<'forms.faults'>; sayNetwork: Say<'users.faults'> }

/** The faults of the draft, by field. */
export function checkToken({ say, sayText, sayNetwork }: Says, draft: TokenDraft): FieldErrors<TokenField> {
  const isWithoutEnd =
    draft.days === undefined && !(draft.day !== '' && isPossibleEnd(endOf(draft.day), Date.now()))
  return {
    ...textFaults(sayText, accessTokenInput, { name: draft.name.trim() }),
    ...(draft.privileges.length === 0 && { privileges: say('noPrivilege') }),
    ...(isWithoutEnd && { expires: say('noDay') }),
    ...(draft.network.trim() !== '' && { allowedCIDRs: sayNetwork('network') }),
  }
}
