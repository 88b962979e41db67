import { isSamlOn } from '#lib/caller/auth/modes.server'
import { redirect } from '#lib/ground/http/bodiless.server'
import { baseOf } from '#lib/ground/http/origin.server'
import { logFailure } from '#lib/people/federation/failure.server'
import { SignInProblem } from '#lib/people/federation/problem.server'
import type { Problem, ProviderStep } from '#lib/people/federation/problems'
import { redirectToSignIn } from '#lib/people/federation/sign-in.server'
import { finishTrial, type Receive } from '#lib/people/federation/trials.server'
import { escaped } from '#lib/people/saml/xml.server'

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
  request: Request,
  flow: { returnTo: string },
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    logFailure(request, 'a sign-in or sign-out by SAML failed', error)
    return redirectToSignIn(request, asProblem(error), flow.returnTo)
  }
}

export const redirectHere = (request: Request, path: string, headers?: Headers): Response =>
  redirect(baseOf(request) + path, { ...(headers && { headers }) })

/**
 * A form that posts a message to the provider. The user submits the form with a button, because responses of the API never run scripts.
 */
export function formPage(
  location: string,
  fields: Record<string, string>,
  headers: Headers = new Headers(),
): Response {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  )
  const body = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Continue to your identity provider</title>',
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"></head>',
    `<body><main><h1>One more step</h1><form method="post" action="${escaped(location)}">${inputs.join('')}`,
    `<p>You go on at ${escaped(new URL(location).host)}.</p>`,
    '<button autofocus>Continue to your identity provider</button></form></main></body></html>',
  ].join('')
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set('cache-control', 'no-store')
  return new Response(body, { headers })
}

/** Ends a trial of this console session with the provider's answer or the failure. */
export const tryOut = (request: Request, session: string, receive: Receive): Promise<Response> =>
  finishTrial(request, { session, provider: 'SAML', asProblem }, receive)
