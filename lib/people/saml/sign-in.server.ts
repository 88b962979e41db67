import { type Answer, AnswerHeaders } from '#lib/ground/http/answer.server'
import { redirect } from '#lib/ground/http/bodiless.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { safeReturnTo } from '#lib/ground/http/return-to'
import { urlOf } from '#lib/ground/http/route.server'
import { bindToBrowser } from '#lib/people/federation/browsers.server'
import { beginFlow, takeFlow } from '#lib/people/federation/flows.server'
import { confirmationFor } from '#lib/people/federation/sign-in.server'
import { trialIn } from '#lib/people/federation/trials.server'
import {
  formPage,
  invalid,
  judged,
  orSignInPage,
  requireSamlOn,
  tryOut,
} from '#lib/people/saml/answers.server'
import { type Assertion, readAssertion } from '#lib/people/saml/assertion.server'
import { readIncoming } from '#lib/people/saml/bindings.server'
import { type Flow, redirectToEntrance } from '#lib/people/saml/entrance.server'
import { findProvider } from '#lib/people/saml/provider.server'
import {
  readResponse,
  requireAddressed,
  requireIssuer,
  requireSuccess,
  signedAssertion,
} from '#lib/people/saml/response.server'
import { libraryFor, newMessageId, selfOf } from '#lib/people/saml/service-provider.server'
import { takeOnce } from '#lib/people/saml/taken-once.server'
import { attributeOf } from '#lib/people/saml/xml.server'

/* Sign-in at the identity provider (SAML profiles §4.1): our request and its response. */

type Started = Omit<Flow, 'browser'>

/** Sends the browser to the provider. */
export async function beginSignIn(request: Exchange): Promise<Answer> {
  const flow: Started = { returnTo: safeReturnTo(urlOf(request).searchParams.get('returnTo')) }
  return orSignInPage(request, flow, async () => {
    requireSamlOn()
    const confirmation = confirmationFor(request, flow.returnTo)
    if (confirmation) return confirmation
    const trial = await trialIn(request)
    if (trial === undefined) return sendToProvider(request, flow)
    return sendToProvider(request, { ...flow, trial }).catch((error: unknown) =>
      tryOut(request, trial, () => Promise.reject(error)),
    )
  })
}

async function sendToProvider(request: Exchange, started: Started): Promise<Answer> {
  const provider = await findProvider()
  const id = newMessageId()
  const library = libraryFor(selfOf(request), provider, { id })
  const headers = new AnswerHeaders()
  const flow: Flow = { ...started, browser: bindToBrowser(request, { headers, kind: 'saml', flow: id }) }
  await beginFlow(request, { kind: 'saml', name: id }, flow)
  const { binding, location } = provider.signIn
  if (binding === 'redirect')
    return redirect(await library.getAuthorizeUrlAsync('', undefined, {}), { headers })
  const fields = await library.getAuthorizeMessageAsync('')
  return formPage(location, { SAMLRequest: String(fields.SAMLRequest) }, headers)
}

/**
 * Takes the provider's response. The cross-site POST brings no cookie of ours, so no session begins here: the browser is redirected to
 * the entrance, which checks the cookie of the flow.
 */
export async function takeAnswer(request: Exchange): Promise<Answer> {
  const started: Started = { returnTo: '/' }
  return orSignInPage(request, started, async () => {
    requireSamlOn()
    const answer = await judged(() => readAnswer(request))
    const flow = await takeFlowOf(answer)
    Object.assign(started, flow)
    try {
      return await redirectToEntrance(request, answer.requestId, {
        ...flow,
        assertion: await acceptAnswer(request, answer),
      })
    } catch (error) {
      if (flow.trial === undefined) throw error
      return tryOut(request, flow.trial, () => Promise.reject(error))
    }
  })
}

/** Takes the stored flow of our request, which works once, even if the response is refused. */
async function takeFlowOf({ requestId }: Received): Promise<Flow> {
  const flow = await takeFlow<Flow>('saml', requestId)
  if (!flow) throw invalid('the request is unknown, expired, or was answered before', 'expired')
  return flow
}

/** The assertion of the response, after every check. */
async function acceptAnswer(request: Exchange, { text, response, requestId }: Received): Promise<Assertion> {
  const self = selfOf(request)
  const provider = await findProvider()
  const assertion = await judged(async () => {
    requireAddressed(response, self, provider)
    requireSuccess(response)
    const signed = await signedAssertion({ text, response }, self, provider)
    const read = readAssertion(signed, { ...self, requestId })
    requireIssuer(read.issuer, provider)
    return read
  })
  await takeOnce(`${assertion.issuer} ${assertion.id}`, assertion.expires)
  return assertion
}

type Received = Awaited<ReturnType<typeof readAnswer>>

async function readAnswer(request: Exchange) {
  const incoming = await readIncoming(request)
  if (incoming?.kind !== 'SAMLResponse') throw new Error('there is no response')
  const response = await readResponse(incoming.text)
  const requestId = attributeOf(response, 'InResponseTo')
  // An unsolicited response could sign the user in to another person's account (SAML security considerations §7.1.1).
  if (requestId === undefined) throw new Error('the response answers no request')
  return { text: incoming.text, response, requestId }
}
