import { isSamlOn } from '#lib/caller/auth/modes.server'
import { type Answer, AnswerHeaders, answerOf } from '#lib/ground/http/answer.server'
import { redirect } from '#lib/ground/http/bodiless.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { baseOf } from '#lib/ground/http/origin.server'
import { html } from '#lib/ground/markup'
import { logFailure } from '#lib/people/federation/failure.server'
import { SignInProblem } from '#lib/people/federation/problem.server'
import type { Problem, ProviderStep } from '#lib/people/federation/problems'
import { redirectToSignIn } from '#lib/people/federation/sign-in.server'
import { finishTrial, type Receive } from '#lib/people/federation/trials.server'

/* Responses to the browser during a SAML flow. */

/** Throws SignInProblem if SAML is off. */
export function requireSamlOn(): void {
  if (!isSamlOn()) throw invalid('SAML is off', 'refused')
}

export const invalid = (reason: string, problem: Problem = 'invalid', step?: ProviderStep): SignInProblem =>
  new SignInProblem(problem, { step, cause: new Error(reason) })

const asProblem = (error: unknown): SignInProblem =>
  error instanceof SignInProblem ? error : new SignInProblem('invalid', { cause: error })

/** Runs a check of an untrusted message; any failure makes the message invalid. */
export async function judged<T>(read: () => Promise<T> | T): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    throw cause instanceof SignInProblem ? cause : new SignInProblem('invalid', { step: 'answer', cause })
  }
}

/** A failure is logged and redirects to the sign-in page, which explains the problem. */
export async function orSignInPage(
  request: Exchange,
  flow: { returnTo: string },
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    logFailure(request, 'a sign-in or sign-out by SAML failed', error)
    return redirectToSignIn(request, asProblem(error), flow.returnTo)
  }
}

export const redirectHere = (request: Exchange, path: string, headers?: AnswerHeaders): Answer =>
  redirect(baseOf(request) + path, { ...(headers && { headers }) })

/**
 * A form that posts a message to the provider. The user submits the form with a button, because responses of the API never run scripts.
 */
export function formPage(
  location: string,
  fields: Record<string, string>,
  headers: AnswerHeaders = new AnswerHeaders(),
): Answer {
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  const body = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Continue to your identity provider</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"></head>
<body><main><h1>One more step</h1><form method="post" action="${location}">${inputs}
<p>You go on at ${new URL(location).host}.</p>
<button autofocus>Continue to your identity provider</button></form></main></body></html>`
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set('cache-control', 'no-store')
  return answerOf(body.text, { headers })
}

/** Ends a trial of this console session with the provider's answer or the failure. */
export const tryOut = (request: Exchange, session: string, receive: Receive): Promise<Answer> =>
  finishTrial(request, { session, provider: 'SAML', asProblem }, receive)
