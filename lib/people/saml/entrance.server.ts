import { env } from '#lib/ground/env.server'
import type { Answer } from '#lib/ground/http/answer.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { urlOf } from '#lib/ground/http/route.server'
import { accountFor, type Newcomer, type Profile } from '#lib/people/federation/accounts.server'
import { endedFlowCookie, type InBrowser, takeInBrowser } from '#lib/people/federation/browsers.server'
import { beginFlow } from '#lib/people/federation/flows.server'
import { enterConsole } from '#lib/people/federation/sign-in.server'
import type { Received } from '#lib/people/federation/trials.server'
import { judged, orSignInPage, redirectHere, requireSamlOn, tryOut } from '#lib/people/saml/answers.server'
import type { Assertion, StoredName } from '#lib/people/saml/assertion.server'

/*
 * The end of a sign-in. The provider's POST brings no cookie of this site (SameSite=Lax), so its response is stored for two minutes. The GET
 * to which the browser is redirected brings the cookie: only the browser that began the sign-in is signed in.
 */

/** A sign-in under way, stored under the id of its request. `trial`: the console session that began a trial. */
export type Flow = InBrowser & { returnTo: string; trial?: string | undefined }

/** A verified assertion and its flow. */
type Arrived = Flow & { assertion: Assertion }

/** The stored form: JSON has no maps. */
type Stored = Flow & { assertion: Omit<Assertion, 'attributes'> & { attributes: [string, string[]][] } }

const TWO_MINUTES = 2 * 60 * 1000

const keyOf = (requestId: string): string => `arrived ${requestId}`

/** Stores the assertion and redirects the browser to the entrance. */
export async function redirectToEntrance(
  request: Exchange,
  requestId: string,
  { assertion, ...flow }: Arrived,
): Promise<Answer> {
  const stored: Stored = { ...flow, assertion: { ...assertion, attributes: [...assertion.attributes] } }
  await beginFlow(request, { kind: 'saml', name: keyOf(requestId), lifetime: TWO_MINUTES }, stored)
  return redirectHere(request, `/api/auth/saml/finish?${new URLSearchParams({ request: requestId })}`)
}

async function arrivedIn(request: Exchange, requestId: string): Promise<Arrived> {
  const { assertion, ...flow } = await takeInBrowser<Stored>(request, {
    kind: 'saml',
    flow: requestId,
    key: keyOf(requestId),
  })
  return { ...flow, assertion: { ...assertion, attributes: new Map(assertion.attributes) } }
}

/** Signs in the browser that began the sign-in, or shows the result of a trial. */
export async function finishSignIn(request: Exchange): Promise<Answer> {
  const requestId = urlOf(request).searchParams.get('request') ?? ''
  const flow = { returnTo: '/' }
  const response = await orSignInPage(request, flow, async () => {
    requireSamlOn()
    const arrived = await arrivedIn(request, requestId)
    flow.returnTo = arrived.returnTo
    return arrived.trial === undefined ? enter(request, arrived) : show(request, arrived, arrived.trial)
  })
  response.headers.append('set-cookie', endedFlowCookie(request, 'saml', requestId))
  return response
}

const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
/** The only format whose names are permanent and never reassigned (SAML core §8.3.7). */
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

/** The profile in the assertion; the nick is the NameID unless SAML_NICK_ATTRIBUTE is set (docs/api/identity-providers.md, "SAML 2.0"). */
function profileOf({ nameId, attributes }: Assertion): Profile {
  const {
    SAML_NICK_ATTRIBUTE,
    SAML_NAME_ATTRIBUTE,
    SAML_EMAIL_ATTRIBUTE,
    SAML_ROLE_ATTRIBUTE,
    SAML_ENTERPRISE_ATTRIBUTE,
  } = env()
  const firstOf = (name: string | undefined) => (name === undefined ? undefined : attributes.get(name)?.[0])
  const nick = SAML_NICK_ATTRIBUTE === undefined ? nameId.value : firstOf(SAML_NICK_ATTRIBUTE)
  if (!nick && nameId.format !== PERSISTENT) throw new Error('the assertion lacks the attribute of the nick')
  // A transient name changes at each sign-in (SAML core §8.3.8).
  if (SAML_NICK_ATTRIBUTE === undefined && nameId.format === TRANSIENT)
    throw new Error('the NameID is transient, and SAML_NICK_ATTRIBUTE is not set')
  return {
    nick: nick ?? '',
    name: firstOf(SAML_NAME_ATTRIBUTE),
    email: firstOf(SAML_EMAIL_ATTRIBUTE),
    role: firstOf(SAML_ROLE_ATTRIBUTE),
    enterprise: firstOf(SAML_ENTERPRISE_ATTRIBUTE),
  }
}

/** The person named by the assertion. Throws if there is none. */
function personOf(assertion: Assertion): Newcomer {
  const { issuer = '', nameId } = assertion
  const { SAML_CREATE_USERS: create, SAML_LINK_EXISTING: link } = env()
  const profile = profileOf(assertion)
  const subject = nameId.format === PERSISTENT ? nameId.value : undefined
  return { provider: 'SAML', issuer, subject, nick: profile.nick, profile, create, link }
}

async function enter(request: Exchange, { assertion, returnTo }: Arrived): Promise<Answer> {
  const account = await accountFor(request, await judged(() => personOf(assertion)))
  const { nameId, sessionIndex } = assertion
  const stored: StoredName = { nameId, sessionIndex }
  return enterConsole(request, { account, provider: 'SAML', subject: nameId.value, stored, returnTo })
}

/** The assertion as texts, in the order in which a sign-in reads it. */
const assertionTexts = ({ nameId, attributes }: Assertion): Received['attributes'] => [
  { name: 'NameID', value: nameId.value },
  ...(nameId.format === undefined ? [] : [{ name: 'Format of the NameID', value: nameId.format }]),
  ...[...attributes].map(([name, values]) => ({ name, value: values.join(', ') })),
]

const show = (request: Exchange, { assertion }: Arrived, trial: string): Promise<Answer> =>
  tryOut(request, trial, async (received) => {
    received.attributes = assertionTexts(assertion)
    received.person = await judged(() => personOf(assertion))
  })
