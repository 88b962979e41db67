import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { emptyDraft, faultsOf, sentBy } from '#components/base/forms/declared-form'
import { accessTokenInput } from '#lib/people/access-tokens/access-tokens.schema'
import { isPossibleEnd } from './token-end'
import { tokenForm } from './token-form-page'

const DAY = 24 * 60 * 60 * 1000
const now = new Date(2027, 0, 10, 12)

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const sound = { ...emptyDraft(tokenForm), name: 'Backup', privileges: ['USERS_VIEW'] as const }

const says = { word: String, sayText: ((key: string) => key) as never }
const faults = (changes: object) => Object.keys(faultsOf(says, tokenForm, { ...sound, ...changes }))

test('a new token has the least: no privilege, and a month', () => {
  const { privileges, expires } = sentBy(tokenForm, emptyDraft(tokenForm))
  expect(privileges).toEqual([])
  expect(Date.parse(expires)).toBe(now.getTime() + 30 * DAY)
})

test('what is sent is the input of the API', () => {
  const sent = sentBy(tokenForm, { ...sound, name: ' Backup ', allowedCIDRs: ['10.0.0.0/8'] })
  expect(accessTokenInput.parse(sent)).toMatchObject({ name: 'Backup', allowedCIDRs: ['10.0.0.0/8'] })
})

test('a token needs a name, a privilege, a possible end, and whole networks', () => {
  expect(faults({})).toEqual([])
  expect(faults({ name: '', privileges: [] })).toEqual(['name', 'privileges'])
  expect(faults({ allowedCIDRs: ['10.0.0.0/8', '10.'] })).toEqual(['allowedCIDRs'])
  for (const day of ['', '2001-01-01', '2999-01-01']) expect(faults({ expires: day })).toEqual(['expires'])
})

test('a token ends at the end of the chosen day', () => {
  const { expires } = sentBy(tokenForm, { ...sound, expires: '2027-01-31' })
  expect(new Date(expires).getTime()).toBe(new Date('2027-01-31T23:59:59.999').getTime())
})

test('a token may end today, and not after 366 days', () => {
  expect(isPossibleEnd('2027-01-10')).toBe(true)
  expect(isPossibleEnd('2027-01-09')).toBe(false)
  expect(isPossibleEnd('2028-01-10')).toBe(true)
  expect(isPossibleEnd('2028-01-12')).toBe(false)
})
