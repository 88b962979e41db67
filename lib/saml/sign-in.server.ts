import type { Account } from '#lib/auth/caller.server'
import { recordRefusedSignIn } from '#lib/auth/sign-in-events.server'
import { env } from '#lib/env.server'
import { beginFlow, takeFlow } from '#lib/federation/flows.server'
import { accountFor, enterConsole, type Identity, SignInProblem } from '#lib/federation/sign-in.server'
import { trialIn } from '#lib/federation/trials.server'
import { safeReturnTo } from '#lib/http/return-to'
import { formPage, invalid, judged, orSignInPage, requireSamlOn, seeOther } from '#lib/saml/answers.server'
import { type Assertion, readAssertion } from '#lib/saml/assertion.server'
import { readIncoming } from '#lib/saml/bindings.server'
import { identityOf } from '#lib/saml/identity.server'
import type { KeptName } from '#lib/saml/kept-name.server'
import { findProvider } from '#lib/saml/provider.server'
import {
  readResponse,
  requireAddressed,
  requireIssuer,
  requireSuccess,
  signedAssertion,
} from '#lib/saml/response.server'
import { libraryFor, newMessageId, selfOf } from '#lib/saml/service-provider.server'
import { takeOnce } from '#lib/saml/taken-once.server'
import { assertionTexts, tryOut } from '#lib/saml/trial.server'
import { attributeOf } from '#lib/saml/xml.server'

/* Sign-in at the identity provider (SAML profiles §4.1): there and back. */

/** What is kept of a sign-in on its way, under the id of its request. `trial`: the console session that tries it out. */
type Flow = { returnTo: string; trial?: string | undefined }

/** Sends the browser to the provider. */
export async function beginSignIn(request: Request): Promise<Response> {
  const flow: Flow = { returnTo: safeReturnTo(new URL(request.url).searchParams.get('returnTo')) }
  return orSignInPage(request, flow, async () => {
    requireSamlOn()
    const trial = await trialIn(request)
    if (trial === undefined) return leadThere(request, flow)
    return leadThere(request, { ...flow, trial }).catch((error: unknown) =>
      tryOut(request, trial, () => Promise.reject(error)),
    )
  })
}

async function leadThere(request: Request, flow: Flow): Promise<Response> {
  const provider = await findProvider()
  const id = newMessageId()
  const library = libraryFor(selfOf(request), provider, { id })
  await beginFlow('saml', id, flow)
  const { binding, location } = provider.signIn
  if (binding === 'redirect') return seeOther(await library.getAuthorizeUrlAsync('', undefined, {}))
  const fields = await library.getAuthorizeMessageAsync('')
  return formPage(location, { SAMLRequest: String(fields.SAMLRequest) })
}

/** Takes the provider's answer, which comes from its site by design: no cookie of ours travels with it. */
export async function finishSignIn(request: Request): Promise<Response> {
  const flow: Flow = { returnTo: '/' }
  return orSignInPage(request, flow, async () => {
    requireSamlOn()
    const answer = await judged(() => readAnswer(request))
    Object.assign(flow, await begun(answer))
    return flow.trial === undefined ? enter(request, answer, flow) : show(request, answer, flow.trial)
  })
}

async function enter(request: Request, answer: Answer, { returnTo }: Flow): Promise<Response> {
  const assertion = await acceptAnswer(request, answer)
  const account = await accountOf(request, await judged(() => identityOf(assertion)))
  const { nameId, sessionIndex } = assertion
  const kept: KeptName = { nameId, sessionIndex }
  return enterConsole(request, account, { provider: 'SAML', subject: nameId.value, kept }, returnTo)
}

const show = (request: Request, answer: Answer, trial: string): Promise<Response> =>
  tryOut(request, trial, async (said) => {
    const assertion = await acceptAnswer(request, answer)
    said.attributes = assertionTexts(assertion)
    said.identity = await judged(() => identityOf(assertion))
  })

/** The account behind it. A refusal is kept among the events, like that of a password. */
async function accountOf(request: Request, identity: Identity): Promise<Account> {
  try {
    return await accountFor(request, { provider: 'SAML', identity, create: env().SAML_CREATE_USERS })
  } catch (error) {
    if (error instanceof SignInProblem && ['unknown-user', 'inactive-user'].includes(error.problem))
      await recordRefusedSignIn(request, identity.nick, 'address')
    throw error
  }
}

/** What was kept when we asked. It is taken with this, whatever becomes of the answer. */
async function begun({ requestId }: Answer): Promise<Flow> {
  const flow = await takeFlow<Flow>('saml', requestId)
  if (!flow) throw invalid('nobody asked, or the answer came too late or twice', 'expired')
  return flow
}

/** The assertion of an answer to what we asked, once everything about it was checked. */
async function acceptAnswer(request: Request, { text, response, requestId }: Answer): Promise<Assertion> {
  const self = selfOf(request)
  const provider = await findProvider()
  const assertion = await judged(async () => {
    requireAddressed(response, self, provider)
    requireSuccess(response)
    const signed = await signedAssertion(text, response, self, provider)
    const read = readAssertion(signed, { ...self, requestId })
    requireIssuer(read.issuer, provider)
    return read
  })
  await takeOnce(`${assertion.issuer} ${assertion.id}`, assertion.expires)
  return assertion
}

type Answer = Awaited<ReturnType<typeof readAnswer>>

async function readAnswer(request: Request) {
  const incoming = await readIncoming(request)
  if (incoming?.kind !== 'SAMLResponse') throw new Error('there is no response')
  const response = await readResponse(incoming.text)
  const requestId = attributeOf(response, 'InResponseTo')
  // An answer that nobody asked for could sign somebody in as somebody else (SAML security considerations §7.1.1).
  if (requestId === undefined) throw new Error('the response answers no request')
  return { text: incoming.text, response, requestId }
}
