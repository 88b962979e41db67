import { consoleCookie } from '#lib/caller/auth/console-cookie.server'
import { can } from '#lib/caller/auth/privileges'
import type { Session } from '#lib/caller/auth/tokens.server'
import { Unauthorized } from '#lib/caller/auth/unauthorized'
import type { Db } from '#lib/db/db.server'
import type { Answer } from '#lib/ground/http/answer.server'
import { redirect } from '#lib/ground/http/bodiless.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { baseOf } from '#lib/ground/http/origin.server'
import { urlOf } from '#lib/ground/http/route.server'
import { type Newcomer, prospectOf } from '#lib/people/federation/accounts.server'
import { logFailure, reasonsOf } from '#lib/people/federation/failure.server'
import { beginFlow, newFlowName, readFlow } from '#lib/people/federation/flows.server'
import type { SignInTrial } from '#lib/people/federation/mechanisms.schema'
import type { Provider } from '#lib/people/federation/people.server'
import { SignInProblem } from '#lib/people/federation/problem.server'

/*
 * A trial goes to the provider and back like any sign-in, but starts no session. Its result is stored for ten minutes, and only the console
 * session that began the trial can read it.
 */

const isTrial = (request: Exchange): boolean => urlOf(request).searchParams.has('trial')

/** The id of the console session that begins a trial; undefined if the request begins none. Throws SignInProblem if it may not. */
export async function trialIn(request: Exchange): Promise<string | undefined> {
  if (!isTrial(request)) return undefined
  const found = await consoleCookie(request).catch(nullIfUnauthorized)
  if (!found || found.duty || !can(found.caller, ['SYSCONFIG_VIEW'])) throw new SignInProblem('refused')
  return found.session.id
}

function nullIfUnauthorized(error: unknown): null {
  if (error instanceof Unauthorized) return null
  throw error
}

/** The provider's data in a trial so far. */
export type Received = { attributes: { name: string; value: string }[]; person?: Newcomer }

/** Adds the provider's readable data. */
export type Receive = (received: Received) => Promise<void>

type Trial = {
  /** The id of the console session that began the trial. */
  session: string
  provider: Provider
  asProblem: (error: unknown) => SignInProblem
}

/** Evaluates the provider's response as a sign-in would, stores the result and redirects to the page that shows it. */
export async function finishTrial(
  request: Exchange,
  { session, provider, asProblem }: Trial,
  receive: Receive,
): Promise<Answer> {
  const received: Received = { attributes: [] }
  const outcome = await outcomeOf(async () => {
    await receive(received).catch((error: unknown) => {
      logFailure(request, `a trial of a sign-in by ${provider} failed`, error)
      throw asProblem(error)
    })
    if (!received.person) throw new SignInProblem('invalid')
    return prospectOf(request, received.person)
  })
  const { attributes, person } = received
  const trial: SignInTrial = {
    links: [],
    provider,
    attributes,
    user: person?.profile.nick ? person.profile : undefined,
    ...outcome,
  }
  const id = newFlowName()
  await beginFlow(request, { kind: 'trial', name: `${session} ${id}` }, trial)
  const location = `${baseOf(request)}/settings?${new URLSearchParams({ trial: id })}`
  return redirect(location)
}

async function outcomeOf(
  work: () => Promise<SignInTrial['outcome']>,
): Promise<Pick<SignInTrial, 'outcome' | 'reason'>> {
  try {
    return { outcome: await work() }
  } catch (error) {
    if (!(error instanceof SignInProblem)) throw error
    const reason = reasonsOf(error.cause)
      .flatMap(({ message, error: code, description }) => [message, code, description])
      .filter(Boolean)
      .join(': ')
    return { outcome: error.problem, ...(reason !== '' && { reason }) }
  }
}

/** The result of a trial, for the session that began it. */
export async function readTrial({
  db,
  session,
  query,
}: {
  db: Db
  session: Session
  query: { id: string }
}): Promise<SignInTrial> {
  const trial = await readFlow<SignInTrial>(db, 'trial', `${session.id} ${query.id}`)
  if (!trial) throw new ApiError('TRIAL-0')
  return trial
}
