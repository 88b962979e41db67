import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { User } from '#lib/tools/testing/client'
import {
  type AtIdp,
  answerOf,
  beginRequest,
  bring,
  deliver,
  newIdpServer,
  outcomeOf,
  ownMetadata,
} from '#lib/tools/testing/saml'
import { algorithms, newIdp, newKey, pemOf } from '#lib/tools/testing/saml-idp'

/* The known attacks on SAML, each by its name. The attacker has an account at the provider and wants to sign in as the victim. */

let there: AtIdp
let victim: User
let attacker: User

beforeAll(async () => {
  there = await newIdpServer()
  victim = await there.newPerson()
  attacker = await there.newPerson({ nick: `${victim.nick}.evil` })
})
afterAll(() => there.goDown())

const answer = (said: Parameters<typeof answerOf>[1] = attacker) => answerOf(there, said)
const outcome = async (xml: string) => outcomeOf(await deliver(xml))

const REFUSED = 'problem invalid'

const XMLENC = 'http://www.w3.org/2001/04/xmlenc#'

const assertionIn = (xml: string): string => /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)?.[0] ?? ''
const signatureIn = (xml: string): string => /<ds:Signature.*?<\/ds:Signature>/s.exec(xml)?.[0] ?? ''

const without = (xml: string, part: string): string => xml.replace(part, '')

/** The assertion that the attacker wants to forge. */
const evil = (assertion: string): string =>
  without(assertion, signatureIn(assertion))
    .replaceAll(attacker.nick, victim.nick)
    .replace(/ ID="[^"]*"/, ' ID="_evil"')

test('an unmodified answer signs in the user that it names', () =>
  there.on(async () => {
    expect(await outcome(await answer())).toBe(`nick ${attacker.nick}`)
  }))

describe('signatures', () => {
  test.each(['assertion', 'response', 'both'] as const)('unsigned, where %s is asked for', (SAML_SIGNED) =>
    there.on(
      async () => {
        const xml = await answer({ ...attacker, signed: 'both' })
        const bare = without(without(xml, signatureIn(xml)), signatureIn(without(xml, signatureIn(xml))))
        expect(bare).not.toContain('Signature')
        expect(await outcome(bare)).toBe(REFUSED)
      },
      { SAML_SIGNED },
    ),
  )

  test('signature stripped, and the name changed', () =>
    there.on(async () => {
      const xml = await answer()
      expect(await outcome(without(xml, signatureIn(xml)).replaceAll(attacker.nick, victim.nick))).toBe(
        REFUSED,
      )
    }))

  test('the name changed below the signature', () =>
    there.on(async () => {
      expect(await outcome((await answer()).replaceAll(attacker.nick, victim.nick))).toBe(REFUSED)
    }))

  test('signed by another key, which lies in the message', () =>
    there.on(async () => {
      const forger = newIdp({ origin: there.idp.origin })
      const said = { to: await ownMetadata(), requestId: await beginRequest(), nick: victim.nick }
      expect(await outcome(await forger.answer({ ...said, signed: 'both' }))).toBe(REFUSED)
    }))

  test.each([
    ['assertion', 'response'],
    ['response', 'assertion'],
    ['both', 'assertion'],
    ['both', 'response'],
  ] as const)('where %s is asked for, the %s alone is signed', (SAML_SIGNED, signed) =>
    there.on(async () => expect(await outcome(await answer({ ...victim, signed }))).toBe(REFUSED), {
      SAML_SIGNED,
    }),
  )

  test('a signature beyond the required ones is wrong', () =>
    there.on(async () => {
      const xml = await answer({ ...attacker, signed: 'both' })
      expect(await outcome(xml)).toBe(`nick ${attacker.nick}`)
      const other = await answer({ ...attacker, signed: 'both' })
      const changed = other.replace(/(<samlp:Response[^>]* IssueInstant=")[^"]*/, '$12020-01-01T00:00:00Z')
      expect(await outcome(changed)).toBe(REFUSED)
    }))

  test('algorithm downgrade: SHA-1 is refused, and in what is encrypted too', async () => {
    const SAML_PRIVATE_KEY = pemOf(newKey())
    const weak = await newIdpServer({ algorithm: algorithms.RSA_SHA1 })
    await weak.on(
      async () => {
        for (const encrypted of [false, true]) {
          const xml = await answerOf(weak, { ...victim, encrypted })
          expect(xml.includes('EncryptedAssertion')).toBe(encrypted)
          expect(await outcome(xml)).toBe(REFUSED)
        }
      },
      { SAML_PRIVATE_KEY },
    )
    await weak.goDown()
  })

  test.each([
    ['RSA with OAEP and AES with GCM', {}, true],
    ['RSA with PKCS #1 v1.5 (Bleichenbacher)', { keyEncryptionAlgorithm: `${XMLENC}rsa-1_5` }, false],
    ['triple DES (Sweet32)', { dataEncryptionAlgorithm: `${XMLENC}tripledes-cbc` }, false],
  ])('algorithm downgrade: an assertion that is encrypted by %s', async (_by, weaker, isTaken) => {
    const encryption = { dataEncryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes256-gcm', ...weaker }
    const other = await newIdpServer({ encryption })
    await other.on(
      async () => {
        const xml = await answerOf(other, { ...victim, encrypted: true })
        expect(xml).toContain(encryption.dataEncryptionAlgorithm)
        expect(await outcome(xml)).toBe(isTaken ? `nick ${victim.nick}` : REFUSED)
      },
      { SAML_PRIVATE_KEY: pemOf(newKey()) },
    )
    await other.goDown()
  })

  test('algorithm confusion: an HMAC with the certificate as its secret', () =>
    there.on(async () => {
      const xml = await answer(victim)
      const hmac = xml.replace(algorithms.RSA_SHA256, 'http://www.w3.org/2000/09/xmldsig#hmac-sha1')
      expect(hmac).not.toBe(xml)
      expect(await outcome(hmac)).toBe(REFUSED)
    }))
})

describe('signature wrapping', () => {
  type Shape = (xml: string) => string

  const intoResponse = (xml: string, content: string): string => xml.replace(assertionIn(xml), content)
  const intoSubject = (assertion: string, content: string): string =>
    assertion.replace('</saml:Subject>', `</saml:Subject>${content}`)
  const object = (content: string) => `<ds:Object>${content}</ds:Object></ds:Signature>`

  const shapes: Record<string, Shape> = {
    'the evil one before the signed one': (xml) =>
      intoResponse(xml, evil(assertionIn(xml)) + assertionIn(xml)),
    'the evil one after the signed one': (xml) =>
      intoResponse(xml, assertionIn(xml) + evil(assertionIn(xml))),
    'the signed one within the evil one': (xml) =>
      intoResponse(xml, intoSubject(evil(assertionIn(xml)), assertionIn(xml))),
    'the evil one within the signed one': (xml) =>
      intoResponse(xml, intoSubject(assertionIn(xml), evil(assertionIn(xml)))),
    'the signed one moved to the extensions': (xml) =>
      intoResponse(xml, evil(assertionIn(xml))).replace(
        '<samlp:Status>',
        `<samlp:Extensions>${assertionIn(xml)}</samlp:Extensions><samlp:Status>`,
      ),
    'the signed one in an object of its signature, which moved to the evil one': (xml) => {
      const signed = assertionIn(xml)
      const signature = signatureIn(signed)
      const moved = signature.replace('</ds:Signature>', object(without(signed, signature)))
      return intoResponse(xml, evil(signed).replace('<saml:Subject>', `${moved}<saml:Subject>`))
    },
    'the signature moved to the evil one, the signed one after it': (xml) => {
      const signed = assertionIn(xml)
      const signature = signatureIn(signed)
      const wrapping = evil(signed).replace('<saml:Subject>', `${signature}<saml:Subject>`)
      return intoResponse(xml, wrapping + without(signed, signature))
    },
    'two of one id': (xml) => {
      const signed = assertionIn(xml)
      const id = / ID="([^"]*)"/.exec(signed)?.[1] ?? ''
      return intoResponse(xml, evil(signed).replace('_evil', id) + signed)
    },
    'the evil one in another namespace than assertions': (xml) =>
      intoResponse(
        xml,
        assertionIn(xml) +
          evil(assertionIn(xml)).replaceAll('urn:oasis:names:tc:SAML:2.0:assertion', 'urn:example:other'),
      ),
  }

  test.each(Object.entries(shapes))('%s', (_shape, wrap) =>
    there.on(async () => {
      const xml = await answer()
      const wrapped = wrap(xml)
      expect(wrapped).toContain(`>${victim.nick}<`)
      expect(wrapped).not.toBe(xml)
      expect(await outcome(wrapped)).toBe(REFUSED)
    }),
  )

  const responseShapes: Record<string, Shape> = {
    'the signed response in an object of its signature': (xml) => {
      const signature = signatureIn(xml)
      const evilResponse = without(xml, signature)
        .replaceAll(attacker.nick, victim.nick)
        .replace(/ ID="[^"]*"/, ' ID="_evil"')
      const moved = signature.replace('</ds:Signature>', object(without(xml, signature)))
      return evilResponse.replace('<samlp:Status>', `${moved}<samlp:Status>`)
    },
    'the signed response after its signature': (xml) => {
      const signature = signatureIn(xml)
      return without(xml, signature)
        .replaceAll(attacker.nick, victim.nick)
        .replace(/ ID="[^"]*"/, ' ID="_evil"')
        .replace('<samlp:Status>', `${signature}${without(xml, signature)}<samlp:Status>`)
    },
  }

  test.each(Object.entries(responseShapes))('%s', (_shape, wrap) =>
    there.on(
      async () => {
        const xml = await answer({ ...attacker, signed: 'response' })
        expect(await outcome(wrap(xml.replace(/^<\?xml[^>]*>/, '')))).toBe(REFUSED)
        expect(await outcome(await answer({ ...attacker, signed: 'response' }))).toBe(`nick ${attacker.nick}`)
      },
      { SAML_SIGNED: 'response' },
    ),
  )
})

describe('names', () => {
  test.each(['<!---->', '<!-- x -->', '<?x y?>'])('comment inside NameID: %s', (comment) =>
    there.on(async () => {
      const xml = await answer()
      const split = xml.replace(`>${attacker.nick}<`, `>${victim.nick}${comment}.evil<`)
      expect(split).not.toBe(xml)
      expect(await outcome(split)).toBe(REFUSED)
    }),
  )

  test('CDATA inside NameID names whom the provider named', () =>
    there.on(async () => {
      const xml = await answer()
      const split = xml.replace(`>${attacker.nick}<`, `>${victim.nick}<![CDATA[.evil]]><`)
      expect(await outcome(split)).toBe(`nick ${attacker.nick}`)
    }))

  test('another name in an attribute that has the name of the nick as its friendly name', () =>
    there.on(
      async () => {
        const xml = await answer({ ...attacker, attributes: { uid: attacker.nick } })
        expect(await outcome(xml)).toBe(`nick ${attacker.nick}`)
      },
      { SAML_NICK_ATTRIBUTE: 'uid' },
    ))
})

describe('meant for others', () => {
  test.each([
    ['wrong audience', { Audience: 'https://other.example/saml' }],
    ['wrong recipient', { SubjectRecipient: 'https://other.example/acs' }],
    ['no recipient', { SubjectRecipient: undefined }],
    ['wrong destination', { Destination: 'https://other.example/acs' }],
    [
      'a destination that only begins like ours',
      { Destination: 'http://console.localhost/api/auth/saml/acs.evil' },
    ],
    ['no destination', { Destination: undefined }],
    ['wrong issuer', { Issuer: 'https://other.example/idp' }],
  ])('%s', (_what, values) =>
    there.on(async () => expect(await outcome(await answer({ ...victim, values }))).toBe(REFUSED)),
  )

  test('the assertion of another issuer in a response of ours', () =>
    there.on(async () => {
      const issuer = there.idp.entityId
      const xml = await answer({ ...victim, values: { Issuer: 'https://other.example/idp' } })
      const changed = xml.replace('https://other.example/idp', issuer)
      expect(changed.match(/other\.example/g)).toHaveLength(1)
      expect(await outcome(changed)).toBe(REFUSED)
    }))
})

describe('times', () => {
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

  test.each([
    ['expired', { ConditionsNotOnOrAfter: -61 }],
    ['expired confirmation of the subject', { SubjectConfirmationDataNotOnOrAfter: -61 }],
    ['not yet valid', { ConditionsNotBefore: 65 }],
  ])('%s', (_what, values) =>
    there.on(async () => {
      const times = Object.fromEntries(Object.entries(values).map(([name, seconds]) => [name, at(seconds)]))
      expect(await outcome(await answer({ ...victim, values: times }))).toBe(REFUSED)
    }),
  )

  test('without an end of the confirmation', () =>
    there.on(async () => {
      const values = { SubjectConfirmationDataNotOnOrAfter: undefined }
      expect(await outcome(await answer({ ...victim, values }))).toBe(REFUSED)
    }))

  test('clocks that differ by less than a minute are no attack', () =>
    there.on(async () => {
      const late = { ConditionsNotOnOrAfter: at(-50), SubjectConfirmationDataNotOnOrAfter: at(-50) }
      const early = { ConditionsNotBefore: at(50) }
      for (const values of [late, early])
        expect(await outcome(await answer({ ...attacker, values }))).toBe(`nick ${attacker.nick}`)
    }))
})

describe('requests', () => {
  test('InResponseTo unknown', () =>
    there.on(async () => {
      expect(await outcome(await answer({ ...victim, requestId: '_unknown' }))).toBe('problem expired')
    }))

  test('InResponseTo missing: an answer without a request', () =>
    there.on(async () => {
      expect(await outcome(await answer({ ...victim, requestId: undefined }))).toBe(REFUSED)
    }))

  test('replayed: each request takes one answer', () =>
    there.on(async () => {
      const xml = await answer()
      expect(await outcome(xml)).toBe(`nick ${attacker.nick}`)
      expect(await outcome(xml)).toBe('problem expired')
    }))

  test('replayed at the same time: one of them signs in', () =>
    there.on(async () => {
      const xml = await answer()
      const outcomes = await Promise.all([xml, xml, xml].map(outcome))
      expect(outcomes.sort()).toEqual([`nick ${attacker.nick}`, 'problem expired', 'problem expired'])
    }))

  test('replayed for another request', () =>
    there.on(async () => {
      const xml = await answer(victim)
      const [before = ''] = / InResponseTo="[^"]*"/.exec(xml) ?? []
      expect(await outcome(xml.replace(before, ` InResponseTo="${await beginRequest()}"`))).toBe(REFUSED)
    }))

  test('an assertion is used once, whatever it answers, and of two at a time one', () =>
    there.on(async () => {
      const AssertionID = `_once-${process.pid}-${Date.now()}`
      const both = [await answer({ ...attacker, values: { AssertionID } })]
      both.push(await answer({ ...attacker, values: { AssertionID } }))
      expect((await Promise.all(both.map(outcome))).sort()).toEqual([`nick ${attacker.nick}`, REFUSED])
    }))

  test('a refused answer takes its request with it', () =>
    there.on(async () => {
      const requestId = await beginRequest()
      const wrong = { Destination: 'https://other.example/acs' }
      expect(await outcome(await answer({ ...victim, requestId, values: wrong }))).toBe(REFUSED)
      expect(await outcome(await answer({ ...victim, requestId }))).toBe('problem expired')
    }))

  test('the request of a sign-out is not accepted as one of a sign-in', () =>
    there.on(async () => {
      const requestId = await beginRequest()
      expect(await outcome(await answer({ ...victim, requestId: `logout ${requestId}` }))).toBe(
        'problem expired',
      )
    }))
})

describe('documents', () => {
  const declaring = (xml: string, declaration: string) =>
    declaration + xml.replace(/^<\?xml[^>]*>/, '').replace(`>${attacker.nick}<`, '>&name;<')

  test.each([
    ['DTD', '<!DOCTYPE r>'],
    ['an entity', `<!DOCTYPE r [<!ENTITY name "admin">]>`],
    ['an external entity', '<!DOCTYPE r [<!ENTITY name SYSTEM "file:///etc/hostname">]>'],
    [
      'entity expansion',
      '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;"><!ENTITY name "&b;&b;&b;&b;">]>',
    ],
  ])('%s', (_what, declaration) =>
    there.on(async () => expect(await outcome(declaring(await answer(), declaration))).toBe(REFUSED)),
  )

  test('a DTD in another encoding', () =>
    there.on(async () => {
      const xml = declaring(await answer(), '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE r>')
      const SAMLResponse = Buffer.from(`\ufeff${xml}`, 'utf16le').toString('base64')
      expect(await outcomeOf(await bring('/api/auth/saml/acs', { SAMLResponse }))).toBe(REFUSED)
    }))

  test.each(['', 'x', '<x', '<a/>', '<a/><b/>', '&', '<Response ID="a"/>', '<a b="1" b="2"/>'])(
    'no response: %j',
    (xml) => there.on(async () => expect(await outcome(xml)).toBe(REFUSED)),
  )

  test.each([
    ['deep', '<a>'.repeat(20_000) + '</a>'.repeat(20_000)],
    ['wide', '<a/>'.repeat(40_000)],
    ['as large as is allowed', '<a/>'.repeat(900)],
  ])('that would keep the server busy: %s', (_what, content) =>
    there.on(async () => {
      const xml = await answer(victim)
      const large = xml.replace('</saml:Subject>', `</saml:Subject>${content}`)
      const began = performance.now()
      expect(await outcome(large)).toBe(REFUSED)
      expect(performance.now() - began).toBeLessThan(3000)
    }),
  )

  test('two answers in one form, and none', () =>
    there.on(async () => {
      const SAMLResponse = encodeURIComponent(Buffer.from(await answer()).toString('base64'))
      const twice = `SAMLResponse=${SAMLResponse}&SAMLResponse=${SAMLResponse}`
      for (const form of [twice, '', 'SAMLResponse=', 'SAMLResponse=%', 'SAMLResponse=%ff', '{}'])
        expect(await outcomeOf(await bring('/api/auth/saml/acs', form))).toBe(REFUSED)
    }))

  test('an encrypted assertion that no key of ours opens', () =>
    there.on(async () => {
      const to = await there.on(ownMetadata, { SAML_PRIVATE_KEY: pemOf(newKey()) })
      expect(await outcome(await answer({ ...victim, to, encrypted: true }))).toBe(REFUSED)
    }))
})

test('a refusal sets no cookie, and ends no session', () =>
  there.on(async () => {
    const response = await deliver(await answer({ ...victim, values: { Audience: 'x' } }))
    expect(await outcomeOf(response)).toBe(REFUSED)
    expect(response.headers.getSetCookie()).toEqual([])
  }))
