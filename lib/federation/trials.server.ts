import { consoleCookie } from '#lib/auth/console-cookie.server'
import { can } from '#lib/auth/privileges'
import type { Session } from '#lib/auth/tokens.server'
import { Unauthorized } from '#lib/auth/unauthorized'
import type { Db } from '#lib/db/db.server'
import { type Newcomer, prospectOf } from '#lib/federation/accounts.server'
import { noteFailure, reasonsOf } from '#lib/federation/failure.server'
import { beginFlow, newFlowName, readFlow } from '#lib/federation/flows.server'
import type { SignInTrial } from '#lib/federation/mechanisms.schema'
import type { Provider } from '#lib/federation/people.server'
import { SignInProblem } from '#lib/federation/problem.server'
import { redirect } from '#lib/http/bodiless.server'
import { ApiError } from '#lib/http/errors'
import { baseOf } from '#lib/http/origin.server'

/*
 * A sign-in that is tried out: it goes to the provider and back like any other, and signs nobody in. What it would have come to is kept
 * for ten minutes, for the console session that began it and nobody else.
 */

const asks = (request: Request): boolean => new URL(request.url).searchParams.has('trial')

/** The console session that begins a trial with this request; undefined: it asks for none. Throws SignInProblem: it may not. */
export async function trialIn(request: Request): Promise<string | undefined> {
  if (!asks(request)) return undefined
  const found = await consoleCookie(request).catch(nobody)
  if (!found || found.duty || !can(found.caller, ['SYSCONFIG_VIEW'])) throw new SignInProblem('refused')
  return found.session.id
}

function nobody(error: unknown): null {
  if (error instanceof Unauthorized) return null
  throw error
}

/** What a provider said in a trial, as far as it came. */
export type Said = { attributes: { name: string; value: string }[]; person?: Newcomer }

/** Reads what the provider said, as far as it is readable. */
export type Listen = (said: Said) => Promise<void>

type Trial = {
  /** The console session that began it. */
  session: string
  provider: Provider
  asProblem: (error: unknown) => SignInProblem
}

/** Reads what the provider says, as far as it can, and judges it as a sign-in does. Leads to the page that shows it. */
export async function finishTrial(
  request: Request,
  { session, provider, asProblem }: Trial,
  listen: Listen,
): Promise<Response> {
  const said: Said = { attributes: [] }
  const judged = await outcomeOf(async () => {
    await listen(said).catch((error: unknown) => {
      noteFailure(request, `a trial of a sign-in by ${provider} failed`, error)
      throw asProblem(error)
    })
    if (!said.person) throw new SignInProblem('invalid')
    return prospectOf(request, said.person)
  })
  const { attributes, person } = said
  const trial: SignInTrial = { links: [], provider, attributes, user: person?.profile, ...judged }
  const id = newFlowName()
  await beginFlow('trial', `${session} ${id}`, trial)
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
