import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { database } from '#lib/db/db.server'
import type { Env } from '#lib/ground/env.server'
import { resetIdentity } from '#lib/people/federation/people.server'
import { call, expectStatus, newEnterprise, newUser, type User, unique } from '#lib/tools/testing/client'
import {
  type AtProvider,
  expectNobody,
  expectRefusedBearer,
  loginWithBearer,
  newProvider,
  signInThere,
} from '#lib/tools/testing/oidc'
import { type AtIdp, answerOf, deliver, newIdpServer, outcomeOf } from '#lib/tools/testing/saml'
import { changeUser } from '#lib/tools/testing/session'

/*
 * Account takeover by a reused nick: the provider assigns the nick of a former user to another person, or lets its users
 * choose nicks. The new person has another subject.
 */

let provider: AtProvider
let idp: AtIdp

beforeAll(async () => {
  provider = await newProvider()
  idp = await newIdpServer()
})
afterAll(() => Promise.all([provider.goDown(), idp.goDown()]))

const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

type Claimed = { subject: string; nick: string; role?: string; enterprise?: string }

/** Signs in as a subject with a nick. Returns the user, as `nick ada`, or the refusal, as `problem another-person`. */
const ways = {
  OPENID: async ({ subject, nick, ...claims }: Claimed): Promise<string> => {
    provider.accounts.set(subject, { preferred_username: nick, ...claims })
    const { browser, url } = await signInThere({ nick: subject })
    if (url.pathname === '/sign-in') {
      await expectNobody(browser)
      return `problem ${url.searchParams.get('problem')}`
    }
    return `nick ${(await expectStatus(200, browser.send('/api/session'))).nick}`
  },
  SAML: async ({ subject, nick, ...attributes }: Claimed): Promise<string> => {
    const said = {
      nick: subject,
      attributes: { uid: nick, ...attributes },
      values: { NameIDFormat: PERSISTENT },
    }
    return outcomeOf(await deliver(await answerOf(idp, said)))
  },
}

const settings: Partial<Env> = {
  SAML_NICK_ATTRIBUTE: 'uid',
  SAML_ROLE_ATTRIBUTE: 'role',
  SAML_ENTERPRISE_ATTRIBUTE: 'enterprise',
}

const there = { OPENID: () => provider, SAML: () => idp }

const refusalsOf = async ({ id }: { id: number }) => {
  const { collection } = await expectStatus(200, call('GET', `/api/events?user=${id}`))
  return collection
    .filter(({ action }: { action: string }) => action === 'sign-in-refused')
    .map(({ changes }: { changes: object }) => changes)
}

const subjectsOf = ({ id }: { id: number }) =>
  database().read.selectFrom('user_identities').where('user_id', '=', id).select('subject').execute()

describe.each(['OPENID', 'SAML'] as const)('a user of %s', (by) => {
  const signIn = ways[by]
  const on = <T>(work: () => Promise<T>, more: Partial<Env> = {}) =>
    there[by]().on(work, { ...settings, ...more })

  test('is matched by nick the first time, and by the subject from then on, even with another nick', async () => {
    const { nick } = await newUser()
    const subject = unique('subject')
    await on(async () => {
      expect(await signIn({ subject, nick })).toBe(`nick ${nick}`)
      expect(await signIn({ subject, nick: unique('renamed') })).toBe(`nick ${nick}`)
    })
  })

  test('needs a nick the first time alone', async () => {
    const { nick } = await newUser()
    const subject = unique('subject')
    await on(async () => {
      expect(await signIn({ subject, nick: '' })).toBe('problem invalid')
      expect(await signIn({ subject, nick })).toBe(`nick ${nick}`)
      expect(await signIn({ subject, nick: '' })).toBe(`nick ${nick}`)
    })
  })

  test('is not opened to another person who now has the nick: refused, with the reason in an event', async () => {
    const user = await newUser()
    await on(async () => {
      expect(await signIn({ subject: unique('first'), nick: user.nick })).toBe(`nick ${user.nick}`)
      expect(await signIn({ subject: unique('second'), nick: user.nick })).toBe('problem another-person')
    })
    expect(await refusalsOf(user)).toEqual([{ reason: { after: 'subject' } }])
  })

  test('is not matched to another user whose nick the person takes', async () => {
    const [own, other] = [await newUser(), await newUser()]
    const subject = unique('subject')
    await on(async () => {
      expect(await signIn({ subject, nick: own.nick })).toBe(`nick ${own.nick}`)
      expect(await signIn({ subject, nick: other.nick })).toBe(`nick ${own.nick}`)
    })
    expect(await subjectsOf(other)).toEqual([])
  })

  test('a bound and disabled user cannot sign in under another nick', async () => {
    const [own, other] = [await newUser(), await newUser()]
    const subject = unique('subject')
    await on(async () => {
      await signIn({ subject, nick: own.nick })
      await changeUser(own, { active: 0 })
      expect(await signIn({ subject, nick: other.nick })).toBe('problem inactive-user')
    })
  })

  test('a user created by the provider is bound at once', async () => {
    const made = {
      nick: unique('made').replace(' ', '-'),
      role: 'USER',
      enterprise: (await newEnterprise()).name,
    }
    await on(
      async () => {
        expect(await signIn({ ...made, subject: unique('first') })).toBe(`nick ${made.nick}`)
        expect(await signIn({ ...made, subject: unique('second') })).toBe('problem another-person')
      },
      { OIDC_CREATE_USERS: true, SAML_CREATE_USERS: true },
    )
  })

  test('is not created with an invalid nick or one that looks like another', async () => {
    const user = await newUser()
    const made = { role: 'USER', enterprise: (await newEnterprise()).name }
    await on(
      async () => {
        for (const nick of [
          user.nick.toUpperCase(),
          `${user.nick}\u200b`,
          `${user.nick}\u202e`,
          '\u0430dmin',
          'ad\u0338min',
        ])
          expect(await signIn({ ...made, nick, subject: unique('new') })).toBe('problem bad-nick')
      },
      { OIDC_CREATE_USERS: true, SAML_CREATE_USERS: true },
    )
    expect(await subjectsOf(user)).toEqual([])
  })

  test('signing in from two tabs at once is bound once', async () => {
    const user = await newUser()
    const subject = unique('subject')
    await on(async () => {
      const both = await Promise.all([1, 2].map(() => signIn({ subject, nick: user.nick })))
      expect(both).toEqual([`nick ${user.nick}`, `nick ${user.nick}`])
    })
    expect(await subjectsOf(user)).toEqual([{ subject }])
  })

  test('a nick claimed by two persons at once is bound to one of them', async () => {
    const user = await newUser()
    await on(async () => {
      const both = await Promise.all([1, 2].map(() => signIn({ subject: unique('claims'), nick: user.nick })))
      expect(both.sort()).toEqual([`nick ${user.nick}`, 'problem another-person'])
    })
    expect(await subjectsOf(user)).toHaveLength(1)
  })

  test('is never a service account, whose nick a person may have at the provider', async () => {
    const user = await newUser()
    await changeUser(user, { auth_type: 'SERVICE' })
    await on(async () => {
      expect(await signIn({ subject: unique('subject'), nick: user.nick })).toBe('problem not-linked')
    })
    expect(await subjectsOf(user)).toEqual([])
  })

  describe('with a password here, if linking by nick is off', () => {
    const strict: Partial<Env> = { OIDC_LINK_EXISTING: false, SAML_LINK_EXISTING: false }

    test('is refused, with the reason in an event', async () => {
      const user = await newUser()
      await on(async () => {
        expect(await signIn({ subject: unique('subject'), nick: user.nick })).toBe('problem not-linked')
      }, strict)
      expect(await refusalsOf(user)).toEqual([{ reason: { after: 'not-linked' } }])
    })

    test('can still sign in if bound before', async () => {
      const user = await newUser()
      const subject = unique('subject')
      await on(() => signIn({ subject, nick: user.nick }))
      await on(
        async () => expect(await signIn({ subject, nick: user.nick })).toBe(`nick ${user.nick}`),
        strict,
      )
    })

    test('differs from a user whom the provider created before subjects were stored', async () => {
      const user = await newUser()
      await changeUser(user, { auth_type: by })
      await on(
        async () =>
          expect(await signIn({ subject: unique('subject'), nick: user.nick })).toBe(`nick ${user.nick}`),
        strict,
      )
    })
  })

  test('whose subject has changed can sign in again after an administrator reset the identity', async () => {
    const user = await newUser()
    await on(async () => {
      await signIn({ subject: unique('old'), nick: user.nick })
      const subject = unique('new')
      expect(await signIn({ subject, nick: user.nick })).toBe('problem another-person')
      await resetIdentity(user.nick)
      expect(await signIn({ subject, nick: user.nick })).toBe(`nick ${user.nick}`)
    })
  })

  test('a deleted user frees the subject for the next user with that nick', async () => {
    const user = await newUser()
    const subject = unique('subject')
    await on(() => signIn({ subject, nick: user.nick }))
    const path = `/api/admin/enterprises/${user.enterpriseId}/users/${user.id}`
    await expectStatus(204, call('DELETE', path))
    const next = await newUser({ nick: user.nick })
    await on(async () => expect(await signIn({ subject, nick: next.nick })).toBe(`nick ${next.nick}`))
  })
})

test('subjects of different providers are independent', async () => {
  const [one, other] = [await newUser(), await newUser()]
  const subject = unique('subject')
  await provider.on(async () =>
    expect(await ways.OPENID({ subject, nick: one.nick })).toBe(`nick ${one.nick}`),
  )
  await idp.on(
    async () => expect(await ways.SAML({ subject, nick: other.nick })).toBe(`nick ${other.nick}`),
    settings,
  )
})

describe('a SAML name that is not permanent', () => {
  const signIn = async (nick: string) => outcomeOf(await deliver(await answerOf(idp, { nick })))

  test('binds no user: the nick is matched each time', async () => {
    const user = await newUser()
    await idp.on(async () => {
      for (let times = 0; times < 2; times += 1) expect(await signIn(user.nick)).toBe(`nick ${user.nick}`)
    })
    expect(await subjectsOf(user)).toEqual([])
  })

  test('is not enough for a user who is bound to a permanent one', async () => {
    const user = await newUser()
    await idp.on(() => ways.SAML({ subject: unique('subject'), nick: user.nick }), settings)
    await idp.on(async () => expect(await signIn(user.nick)).toBe('problem another-person'))
  })
})

describe('Bearer tokens', () => {
  const tokenFor = (user: User, sub: string, more: object = {}) =>
    provider.sign({
      iss: provider.issuer,
      aud: 'console',
      sub,
      preferred_username: user.nick,
      scope: 'openid',
      exp: Math.floor(Date.now() / 1000) + 60,
      ...more,
    })

  test('and sign-ins share the bound subject', () =>
    provider.on(async () => {
      const [signedIn, called] = [await newUser(), await newUser()]
      const subject = unique('subject')
      await ways.OPENID({ subject, nick: signedIn.nick })
      await expectStatus(200, loginWithBearer(await tokenFor(signedIn, subject)))
      const renamed = { ...signedIn, nick: unique('renamed') }
      const found = loginWithBearer(await tokenFor(renamed, subject))
      expect(await expectStatus(200, found)).toMatchObject({ nick: signedIn.nick })
      const unnamed = loginWithBearer(await tokenFor({ ...signedIn, nick: '' }, subject))
      expect(await expectStatus(200, unnamed)).toMatchObject({ nick: signedIn.nick })
      await expectRefusedBearer(loginWithBearer(await tokenFor(signedIn, unique('another'))))
      await expectStatus(200, loginWithBearer(await tokenFor(called, unique('first'))))
      expect(await ways.OPENID({ subject: unique('second'), nick: called.nick })).toBe(
        'problem another-person',
      )
    }))

  test('of a provider whose subjects differ by audience are bound separately', async () => {
    const pairwise = await newProvider()
    pairwise.alter('/.well-known/openid-configuration', (metadata) => ({
      ...metadata,
      subject_types_supported: ['pairwise'],
    }))
    await pairwise.on(
      async () => {
        const user = await newUser()
        pairwise.accounts.set('for the client', { preferred_username: user.nick })
        const { url } = await signInThere({ nick: 'for the client' })
        expect(url.pathname).toBe('/')
        const claims = (sub: string) => ({
          iss: pairwise.issuer,
          aud: 'api',
          sub,
          preferred_username: user.nick,
          exp: Math.floor(Date.now() / 1000) + 60,
        })
        await expectStatus(200, loginWithBearer(await pairwise.sign(claims('for the API'))))
        await expectRefusedBearer(loginWithBearer(await pairwise.sign(claims('another'))))
      },
      { OIDC_AUDIENCE: 'api' },
    )
    await pairwise.goDown()
  })
})

test('a trial reports a refusal, and binds no user', async () => {
  const [admin, user] = [await provider.newPerson(), await newUser()]
  await provider.on(async () => {
    const { browser } = await signInThere(admin)
    const tried = async (subject: string) => {
      provider.accounts.set(subject, { preferred_username: user.nick })
      const { url } = await signInThere(
        { nick: subject },
        { browser, path: '/api/auth/oidc/login?trial=1&prompt=login' },
      )
      const path = `/api/config/signin/trial?id=${url.searchParams.get('trial')}`
      return (await expectStatus(200, browser.send(path))).outcome
    }
    expect(await tried('one')).toBe('known')
    expect(await tried('two')).toBe('known')
    await ways.OPENID({ subject: 'one', nick: user.nick })
    expect(await tried('two')).toBe('another-person')
  })
})
