import { readConsoleSession } from '#lib/auth/console-cookie.server'
import { isSamlOn } from '#lib/auth/modes.server'
import { database } from '#lib/db/db.server'
import { noteFailure } from '#lib/federation/failure.server'
import { beginFlow, takeFlow } from '#lib/federation/flows.server'
import { readKept } from '#lib/federation/sign-in.server'
import { endHere, isLedByOthers } from '#lib/federation/sign-out.server'
import { judged, orSignInPage, seeOurs } from '#lib/saml/answers.server'
import { type Incoming, readIncoming, readSigned, send } from '#lib/saml/bindings.server'
import { endSessionsOf, type KeptName } from '#lib/saml/kept-name.server'
import {
  logoutRequest,
  logoutResponse,
  readLogoutRequest,
  readLogoutResponse,
} from '#lib/saml/logout-messages.server'
import { findProvider } from '#lib/saml/provider.server'
import { newMessageId, selfOf } from '#lib/saml/service-provider.server'
import { takeOnce } from '#lib/saml/taken-once.server'

/* Single logout (SAML profiles §4.4): begun here, or at the provider, by redirect or POST. */

/** Whatever comes to the address of single logout: a message of the provider, or a user of ours who leaves. */
export const serveLogout = (request: Request): Promise<Response> =>
  orSignInPage(request, { returnTo: '/' }, async () => {
    const incoming = isSamlOn() ? await judged(() => readIncoming(request)) : undefined
    if (!incoming) return leave(request)
    return incoming.kind === 'SAMLRequest' ? leaveAsAsked(request, incoming) : haveLeft(request, incoming)
  })

/** The user signs out: here first, whatever becomes of the rest, then at the provider where the session was begun there. */
async function leave(request: Request): Promise<Response> {
  if (isLedByOthers(request)) return seeOurs(request, '/')
  const headers = new Headers()
  const session = await readConsoleSession(request)
  const name = session && (await readKept<KeptName>(database().read, session.id, 'SAML'))
  if (session) await endHere(request, session, headers)
  const there = name && isSamlOn() ? await leaveThere(request, name, headers) : undefined
  return there ?? seeOurs(request, '/sign-in', headers)
}

const flowOf = (id: string): string => `logout ${id}`

/** Leads to the provider's single logout; undefined where it has none, or is out of reach. */
async function leaveThere(request: Request, name: KeptName, headers: Headers): Promise<Response | undefined> {
  try {
    const { signOut: endpoint } = await findProvider()
    if (!endpoint) return undefined
    const { entityId, key } = selfOf(request)
    const id = newMessageId()
    await beginFlow('saml', flowOf(id), {})
    const xml = logoutRequest({ id, destination: endpoint.location, entityId }, name)
    return send(endpoint, { kind: 'SAMLRequest', xml }, key, headers)
  } catch (error) {
    noteFailure(request, 'a session at the provider could not be ended', error)
    return undefined
  }
}

/** The provider ends the sessions of somebody. It must have signed that: who may end sessions of others could keep anybody out. */
async function leaveAsAsked(request: Request, incoming: Incoming): Promise<Response> {
  const provider = await findProvider()
  const self = selfOf(request)
  const asked = await judged(async () =>
    readLogoutRequest(await readSigned(incoming, provider.certificates), self, provider),
  )
  await takeOnce(`logout ${provider.entityId} ${asked.id}`, asked.expires)
  await endSessionsOf(request, asked)
  const { signOut: endpoint } = provider
  if (!endpoint) return seeOurs(request, '/sign-in')
  const { binding, responseLocation: location } = endpoint
  const envelope = { id: newMessageId(), destination: location, entityId: self.entityId }
  const xml = logoutResponse({ ...envelope, inResponseTo: asked.id })
  const { relayState } = incoming
  return send({ binding, location }, { kind: 'SAMLResponse', xml, relayState }, self.key, new Headers())
}

/** The provider's answer to a sign-out. The user has left here already: what is wrong with it is for the log. */
async function haveLeft(request: Request, incoming: Incoming): Promise<Response> {
  try {
    const provider = await findProvider()
    const root = await readSigned(incoming, provider.certificates)
    const { inResponseTo, isDone } = readLogoutResponse(root, selfOf(request), provider)
    if (!(await takeFlow('saml', flowOf(inResponseTo)))) throw new Error('nobody asked for this sign-out')
    if (!isDone) throw new Error('the provider has not signed the user out everywhere')
  } catch (error) {
    noteFailure(request, 'the answer to a sign-out is not good', error)
  }
  return seeOurs(request, '/sign-in')
}
