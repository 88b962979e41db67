import { createTranslator } from 'use-intl/core'
import { describe, expect, test } from 'vitest'
import { type SignInTrial, trialOutcomes } from '#lib/people/federation/mechanisms.schema'
import { words } from '#lib/words/en/words'
import { verdictOf } from './trial-result'

const say = createTranslator({ locale: 'en-US', messages: words, namespace: 'settings.trial' })

const verdict = (outcome: SignInTrial['outcome'], provider: SignInTrial['provider'] = 'OPENID') =>
  verdictOf(say, { provider, outcome, user: { nick: 'ada' } })

describe('the result of a trial', () => {
  test.each(trialOutcomes)('%s has words', (outcome) => {
    const { text, detail } = verdict(outcome)
    expect([text, detail].every((part) => part.length > 10)).toBe(true)
  })

  test('a trial succeeds only if the user would be signed in', () => {
    const successes = trialOutcomes.filter((outcome) => verdict(outcome).kind === 'good')
    expect(successes).toEqual(['known', 'followed', 'created'])
  })

  test('a problem that an administrator can solve is a warning', () => {
    const warnings = trialOutcomes.filter((outcome) => verdict(outcome).kind === 'warn')
    expect(warnings).toEqual([
      'unknown-user',
      'inactive-user',
      'another-person',
      'not-linked',
      'no-role',
      'bad-nick',
    ])
  })

  test('users with a password see the setting of that provider', () => {
    expect(verdict('not-linked').detail).toContain('OIDC_LINK_EXISTING')
    expect(verdict('not-linked', 'SAML').detail).toContain('SAML_LINK_EXISTING')
  })

  test('unknown users see the setting of that provider', () => {
    expect(verdict('unknown-user').detail).toContain('OIDC_CREATE_USERS')
    expect(verdict('unknown-user', 'SAML').detail).toContain('SAML_CREATE_USERS')
  })
})
