import type { Caller } from '#lib/caller/auth/privileges'
import { rememberProof } from '#lib/caller/auth/sessions.server'
import { type Authenticated, actsByGrant } from '#lib/caller/auth/strategy.server'
import { CodeRequired } from '#lib/caller/auth/unauthorized'
import { transaction } from '#lib/db/db.server'
import { parseDocument, readText } from '#lib/ground/http/body.server'
import { ApiError, fault } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { codeHeader } from '#lib/ground/http/names.server'
import { PASSWORD_LENGTH } from '#lib/ground/password-length'
import { type Evidence, type Finding, judge } from '#lib/people/sign-in/proof.server'
import { twoFactorState } from '#lib/people/sign-in/two-factor.server'
import { namesCaller } from '#lib/request/pipeline/own-account.server'
import type { Segments, Spec } from '#lib/request/pipeline/spec.server'

type Brought = { request: Exchange; document: unknown; segments: Segments }

/**
 * The refusal of a request without a proof of identity; undefined if it has one, or needs none. The proof is checked before the
 * transaction, so that a wrong password counts although the change is rolled back. Throws SIGN-IN-6 for a wrong proof if the proof would
 * only add fields to the response.
 */
export async function missingProof(
  { proof }: Spec['who'],
  authenticated: Authenticated,
  { request, document, segments }: Brought,
): Promise<ApiError | undefined> {
  const isAboutCaller = segments.user === undefined || namesCaller(authenticated, segments)
  if (!proof || authenticated.proof || !isAboutCaller) return undefined
  const { caller, session, inConsole } = authenticated
  // Programs with a grant could try codes, so they cannot give a proof. Nor can the viewer of another user.
  if (actsByGrant(authenticated) || authenticated.viewer) return new ApiError('SIGN-IN-6')
  const finding = await judge(request, caller, await evidenceIn(request, document))
  if (finding?.right) {
    if (inConsole) await transaction((trx) => rememberProof(trx, session))
    return undefined
  }
  const refusal = await refusalOf(caller, finding)
  if (proof === 'forSecrets' && finding) throw refusal
  return refusal
}

async function evidenceIn(request: Exchange, document: unknown): Promise<Evidence> {
  return {
    oldPassword: oldPasswordIn(document === undefined ? await loneDocument(request) : document),
    code: request.headers.get(codeHeader()) ?? undefined,
  }
}

/** The body of an operation without a document. Anything but JSON is ignored (docs/api/conventions.md, "Media types"). */
async function loneDocument(request: Exchange): Promise<unknown> {
  if (!request.body || request.read) return undefined
  const text = await readText(request)
  try {
    return parseDocument(text, 'json', '')
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

function oldPasswordIn(document: unknown): string | undefined {
  if (typeof document !== 'object' || document === null || !('oldPassword' in document)) return undefined
  const { oldPassword } = document
  const isPassword = typeof oldPassword === 'string' && oldPassword.length <= 2 * PASSWORD_LENGTH.most
  return isPassword ? oldPassword : undefined
}

const wrong = {
  password: 'The password is wrong',
  code: 'The verification code is wrong',
  passkey: 'The passkey was not accepted',
}

/** If two factor authentication is on, the response names the provider in the header that Basic uses. */
async function refusalOf({ id }: Caller, finding: Finding | undefined): Promise<ApiError> {
  const problem = fault('SIGN-IN-6', finding && wrong[finding.of])
  const { provider: type } = await twoFactorState(id)
  if (!type) return new ApiError(problem)
  const clockOffset = finding?.clockOffset
  return new CodeRequired(problem, { type, ...(clockOffset !== undefined && { clockOffset }) })
}
