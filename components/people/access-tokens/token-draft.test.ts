import { describe, expect, test } from 'vitest'
import { accessTokenInput } from '#lib/people/access-tokens/access-tokens.schema'
import { checkToken, emptyToken, isPossibleEnd, sentToken } from './token-draft'

const DAY = 24 * 60 * 60 * 1000
const say = ((key: string) => key) as never
const check = (changes: object) =>
  checkToken({ say, sayText: say, sayNetwork: say }, { ...emptyToken, ...changes })
const sound = { name: 'Backup', privileges: ['USERS_VIEW'] as const }

describe('the draft of an access token', () => {
  test('proposes the least: no privilege, and a month', () => {
    const now = Date.now()
    const { privileges, expires } = sentToken(emptyToken, now)
    expect(privileges).toEqual([])
    expect(Date.parse(expires)).toBe(now + 30 * DAY)
  })

  test('is the input of the API', () => {
    const sent = sentToken(
      { ...emptyToken, ...sound, name: ' Backup ', allowedCIDRs: ['10.0.0.0/8'] },
      Date.now(),
    )
    expect(accessTokenInput.parse(sent)).toMatchObject({ name: 'Backup', allowedCIDRs: ['10.0.0.0/8'] })
  })

  test('needs a name, a privilege, a possible end, and no half-typed network', () => {
    expect(check(sound)).toEqual({})
    expect(Object.keys(check({})).sort()).toEqual(['name', 'privileges'])
    expect(Object.keys(check({ ...sound, network: '10.' }))).toEqual(['allowedCIDRs'])
    for (const day of ['', '2001-01-01', '2999-01-01'])
      expect(Object.keys(check({ ...sound, days: undefined, day }))).toEqual(['expires'])
  })

  test('ends at the end of the chosen day', () => {
    const { expires } = sentToken({ ...emptyToken, days: undefined, day: '2027-01-31' }, 0)
    expect(new Date(expires).getTime()).toBe(new Date('2027-01-31T23:59:59.999').getTime())
  })

  test('may end today, and not after 366 days', () => {
    const now = new Date(2027, 0, 10, 12).getTime()
    expect(isPossibleEnd(new Date(2027, 0, 10), now)).toBe(true)
    expect(isPossibleEnd(new Date(2027, 0, 9), now)).toBe(false)
    expect(isPossibleEnd(new Date(2028, 0, 10), now)).toBe(true)
    expect(isPossibleEnd(new Date(2028, 0, 12), now)).toBe(false)
  })
})
