import { expect, test } from 'vitest'
import { newAccessToken } from '#lib/caller/auth/access-tokens.server'
import { generatePassword } from '#lib/caller/auth/passwords.server'
import { newSession } from '#lib/caller/auth/tokens.server'
import { newFlowName } from '#lib/people/federation/flows.server'
import { newMessageId } from '#lib/people/saml/service-provider.server'

// Base 62 has 5.95 bits a letter.
const BITS = { base64url: 6, base62: 5.95, hex: 4 }

test.each([
  ['the id of a session', 'base64url', () => newSession(1, 0).id],
  ['a generated password', 'base64url', generatePassword],
  ['the name of a sign-in that is under way', 'base64url', newFlowName],
  ['an access token', 'base62', () => newAccessToken().slice(4, 44)],
  ['the id of a SAML message', 'hex', () => newMessageId().slice(1)],
] as const)('guessing: %s has 128 random bits or more, and no value repeats', (_what, letters, make) => {
  const made = Array.from({ length: 100 }, make)
  for (const text of made)
    expect(Math.floor((text.length * BITS[letters]) / 8) * 8).toBeGreaterThanOrEqual(128)
  expect(new Set(made).size).toBe(made.length)
})
