import type { Caller } from '#lib/auth/privileges'
import { rememberProof } from '#lib/auth/sessions.server'
import type { Authenticated } from '#lib/auth/strategy.server'
import { CodeRequired } from '#lib/auth/unauthorized'
import { transaction } from '#lib/db/db.server'
import { readText } from '#lib/http/body.server'
import { ApiError, fault } from '#lib/http/errors'
import { codeHeader } from '#lib/http/names.server'
import { PASSWORD_LENGTH } from '#lib/password-length'
import { namesCaller, type Words } from '#lib/pipeline/own-account.server'
import { type Evidence, type Finding, judge } from '#lib/sign-in/proof.server'
import { twoFactorState } from '#lib/sign-in/two-factor.server'

type Brought = { request: Request; document: unknown; words: Words }

/**
 * What refuses the operation where it needs a proof of who asks; undefined where there is one, or none is asked for. What the request
 * brings is judged before its transaction: a wrong password counts although the change is undone. Throws SIGN-IN-6 where a proof only adds
 * to the answer, and is wrong.
 */
export async function missingProof(
  { proof }: { proof?: 'always' | 'forSecrets' | ((...given: never[]) => boolean) | undefined },
  authenticated: Authenticated,
  { request, document, words }: Brought,
): Promise<ApiError | undefined> {
  const isAboutCaller = words.user === undefined || namesCaller(authenticated, words)
  if (!proof || authenticated.proof || !isAboutCaller) return undefined
  const { caller, session, inConsole } = authenticated
  // A program that acts by a grant proves nothing: it would guess codes.
  if (session.grant !== undefined) return new ApiError('SIGN-IN-6')
  const finding = await judge(request, caller, await evidenceIn(request, document))
  if (finding?.right) {
    if (inConsole) await transaction((trx) => rememberProof(trx, session))
    return undefined
  }
  const refusal = await refusalOf(caller, finding)
  if (proof === 'forSecrets' && finding) throw refusal
  return refusal
}

async function evidenceIn(request: Request, document: unknown): Promise<Evidence> {
  return {
    oldPassword: oldPasswordIn(document === undefined ? await loneDocument(request) : document),
    code: request.headers.get(codeHeader()) ?? undefined,
  }
}

/** The body of an operation that takes none: anything but JSON is ignored (docs/api.md, "Media types"). */
async function loneDocument(request: Request): Promise<unknown> {
  if (!request.body || request.bodyUsed) return undefined
  try {
    return JSON.parse(await readText(request))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function oldPasswordIn(document: unknown): string | undefined {
  if (typeof document !== 'object' || document === null || !('oldPassword' in document)) return undefined
  const { oldPassword } = document
  const isPassword = typeof oldPassword === 'string' && oldPassword.length <= 2 * PASSWORD_LENGTH.most
  return isPassword ? oldPassword : undefined
}

const wrong = { password: 'The password is wrong', code: 'The verification code is wrong' }

/** With two factor on the answer says whose code would do, in the header that Basic knows. */
async function refusalOf({ id }: Caller, finding: Finding | undefined): Promise<ApiError> {
  const problem = fault('SIGN-IN-6', finding && wrong[finding.of])
  const { provider: type } = await twoFactorState(id)
  if (!type) return new ApiError(problem)
  const clockOffset = finding?.clockOffset
  return new CodeRequired(problem, { type, ...(clockOffset !== undefined && { clockOffset }) })
}
