import { describe, expect, test } from 'vitest'
import { type SignInTrial, trialOutcomes } from '#lib/federation/mechanisms.schema'
import { lengthOf, verdictOf } from './words'

test.each([
  [0, '0 seconds'],
  [1, '1 second'],
  [1800, '30 minutes'],
  [5400, '1 hour 30 minutes'],
  [43_200, '12 hours'],
  [90_061, '1 day 1 hour 1 minute 1 second'],
])('%i seconds are %s', (seconds, text) => {
  expect(lengthOf(seconds)).toBe(text)
})

const trial = (
  outcome: SignInTrial['outcome'],
  provider: SignInTrial['provider'] = 'OPENID',
): SignInTrial => ({
  links: [],
  provider,
  attributes: [],
  user: { nick: 'ada' },
  outcome,
})

describe('what a trial came to', () => {
  test.each(trialOutcomes)('%s has words', (outcome) => {
    const { text, detail } = verdictOf(trial(outcome))
    expect([text, detail].every((words) => words.length > 10)).toBe(true)
  })

  test('only somebody who would be signed in is a success', () => {
    const successes = trialOutcomes.filter((outcome) => verdictOf(trial(outcome)).type === 'success')
    expect(successes).toEqual(['known', 'followed', 'created'])
  })

  test('who is unknown is told the setting of that provider', () => {
    expect(verdictOf(trial('unknown-user')).detail).toContain('OIDC_CREATE_USERS')
    expect(verdictOf(trial('unknown-user', 'SAML')).detail).toContain('SAML_CREATE_USERS')
  })
})
