import { forgetSession } from '#lib/caller/auth/console-cookie.server'
import { isSamlOn } from '#lib/caller/auth/modes.server'
import { transaction } from '#lib/db/db.server'
import type { Answer } from '#lib/ground/http/answer.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { logFailure } from '#lib/people/federation/failure.server'
import { beginFlow, takeFlow } from '#lib/people/federation/flows.server'
import { openStored } from '#lib/people/federation/sign-in.server'
import { signOutWithProvider } from '#lib/people/federation/sign-out.server'
import { judged, orSignInPage, redirectHere } from '#lib/people/saml/answers.server'
import type { NameId, StoredName } from '#lib/people/saml/assertion.server'
import { type Incoming, readIncoming, readSigned, send } from '#lib/people/saml/bindings.server'
import {
  logoutRequest,
  logoutResponse,
  readLogoutRequest,
  readLogoutResponse,
} from '#lib/people/saml/logout-messages.server'
import { findProvider } from '#lib/people/saml/provider.server'
import { newMessageId, selfOf } from '#lib/people/saml/service-provider.server'
import { takeOnce } from '#lib/people/saml/taken-once.server'
import { aboutUser } from '#lib/people/sign-in/sign-in-events.server'
import { insertEvent } from '#lib/record/events/record.server'

/* Single logout (SAML profiles §4.4): begun here, or at the provider, by redirect or POST. */

/** Serves the single logout address: messages of the provider, and our users who sign out. */
export const serveLogout = (request: Exchange): Promise<Answer> =>
  orSignInPage(request, { returnTo: '/' }, async () => {
    const incoming = isSamlOn() ? await judged(() => readIncoming(request)) : undefined
    if (!incoming) return leave(request)
    return incoming.kind === 'SAMLRequest' ? leaveAsAsked(request, incoming) : haveLeft(request, incoming)
  })

const flowOf = (id: string): string => `logout ${id}`

const leave = (request: Exchange): Promise<Answer> =>
  signOutWithProvider<StoredName>(request, 'SAML', async (name, headers) => {
    const { signOut: endpoint } = isSamlOn() ? await findProvider() : {}
    if (!endpoint) return undefined
    const { entityId, key } = selfOf(request)
    const id = newMessageId()
    await beginFlow(request, { kind: 'saml', name: flowOf(id) }, {})
    const xml = logoutRequest({ id, destination: endpoint.location, entityId }, name)
    return send({ endpoint, message: { kind: 'SAMLRequest', xml }, key, headers })
  })

/** Ends the sessions with this provider name: those of the indexes, or all if there are none (SAML core §3.7.1). */
async function endSessionsOf(
  request: Exchange,
  { nameId, indexes }: { nameId: NameId; indexes: readonly string[] },
): Promise<void> {
  await transaction(async (db) => {
    const rows = await db
      .selectFrom('session_providers')
      .innerJoin('sessions', 'sessions.chain', 'session_providers.chain')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .where('session_providers.provider', '=', 'SAML')
      .where('session_providers.subject', '=', nameId.value)
      .select(['sessions.chain as chain', 'sessions.epoch', 'sessions.began', 'session_providers.sealed'])
      .select(['users.id', 'users.nick', 'users.enterprise_id'])
      .execute()
    for (const { chain, epoch, began, sealed, ...user } of rows) {
      const { sessionIndex } = openStored<StoredName>(chain, sealed)
      if (indexes.length > 0 && sessionIndex !== undefined && !indexes.includes(sessionIndex)) continue
      await forgetSession(db, { id: chain, userId: user.id, epoch, began })
      await insertEvent(db, { request, action: 'sign-out', ...aboutUser(user) })
    }
  })
}

/** The provider ends sessions of a user. The request must be signed: otherwise anyone could sign out other users. */
async function leaveAsAsked(request: Exchange, incoming: Incoming): Promise<Answer> {
  const provider = await findProvider()
  const self = selfOf(request)
  const logout = await judged(async () =>
    readLogoutRequest(await readSigned(incoming, provider.certificates), self, provider),
  )
  await takeOnce(`logout ${provider.entityId} ${logout.id}`, logout.expires)
  await endSessionsOf(request, logout)
  const { signOut: endpoint } = provider
  if (!endpoint) return redirectHere(request, '/sign-in')
  const { binding, responseLocation: location } = endpoint
  const envelope = { id: newMessageId(), destination: location, entityId: self.entityId }
  const xml = logoutResponse({ ...envelope, inResponseTo: logout.id })
  const { relayState } = incoming
  const message = { kind: 'SAMLResponse', xml, relayState } as const
  return send({ endpoint: { binding, location }, message, key: self.key })
}

/** The provider's response to a sign-out. The console session has ended already, so failures are only logged. */
async function haveLeft(request: Exchange, incoming: Incoming): Promise<Answer> {
  try {
    const provider = await findProvider()
    const root = await readSigned(incoming, provider.certificates)
    const { inResponseTo, isDone } = readLogoutResponse(root, selfOf(request), provider)
    if (!(await takeFlow('saml', flowOf(inResponseTo))))
      throw new Error('the request for this sign-out is unknown')
    if (!isDone) throw new Error('the provider has not signed the user out everywhere')
  } catch (error) {
    logFailure(request, 'the response to a sign-out is invalid', error)
  }
  return redirectHere(request, '/sign-in')
}
