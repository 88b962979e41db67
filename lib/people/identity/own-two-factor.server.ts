import { type SqlBool, sql } from 'kysely'
import type { ReadContext, WriteContext } from '#lib/caller/auth/context.server'
import type { Caller } from '#lib/caller/auth/privileges'
import { codeInput, type TwoFactorCredentials, type TwoFactorProvider } from '#lib/caller/auth/session.schema'
import { beginAnew, endSession, endSessionsOf, settleCode } from '#lib/caller/auth/sessions.server'
import type { Session } from '#lib/caller/auth/tokens.server'
import { type CodeRequest, CodeRequired, Unauthorized } from '#lib/caller/auth/unauthorized'
import type { Db } from '#lib/db/db.server'
import type { AnswerHeaders } from '#lib/ground/http/answer.server'
import { clientAddress } from '#lib/ground/http/client-address.server'
import { ApiError, type ErrorCode } from '#lib/ground/http/errors'
import { codeHeader } from '#lib/ground/http/names.server'
import { findUser, type UserPath, type UserRow, userTarget } from '#lib/people/identity/users.server'
import { askForCode, proveOwnCode } from '#lib/people/sign-in/password-sign-in.server'
import { disableTwoFactor, enableTwoFactor, twoFactorState } from '#lib/people/sign-in/two-factor.server'
import { mailCode, renewScratchCodes, type Verdict } from '#lib/people/sign-in/two-factor-codes.server'
import type { Context, Sent } from '#lib/record/events/operation.server'
import { notify } from '#lib/record/mail/outbox.server'

/** Users manage only their own two factor. Throws this code for another user. */
const selfTarget = (code: ErrorCode) => ({
  ids: userTarget.ids,
  wildcard: userTarget.wildcard,
  find: async (context: ReadContext, path: UserPath): Promise<UserRow> => {
    const user = await findUser(context, path)
    if (user.id !== context.caller.id) throw new ApiError(code)
    return user
  },
  seenBy: (_context: ReadContext, { user }: UserPath) => sql<SqlBool>`users.id = ${user}`,
})

export const selfToEnable = selfTarget('2FA-4')
export const selfToDisable = selfTarget('2FA-6')

type Enabling = WriteContext &
  Pick<Context, 'request' | 'session' | 'inConsole' | 'note'> & { body: { type: string } }

export async function enableOwnTwoFactor(context: Enabling): Promise<TwoFactorCredentials> {
  const { request, caller, session, inConsole, db, body, note } = context
  const credentials = await enableTwoFactor(db, { user: caller, type: body.type, session, inConsole })
  const { provider } = credentials
  note('twoFactorProvider', undefined, provider)
  // The mail about an enrolment of the console follows its first correct code.
  if (!inConsole)
    await notify(db, caller.id, { kind: 'two-factor-enabled', provider, address: clientAddress(request) })
  return credentials
}

/** The result of the code check, which runs before the change: a code is used up, and a wrong one is counted. */
type Proof = { right: true } | { right: false; codeRequest: CodeRequest }

/** Checks the code in the request header. If codes come by mail and the header is missing, a code is mailed. */
export async function proveWithHeader({
  request,
  caller,
  params,
  proof,
}: Sent & { params: UserPath }): Promise<Proof | undefined> {
  const { provider } = await twoFactorState(caller.id)
  if (params.user !== caller.id || !provider) return undefined
  const code = request.headers.get(codeHeader())
  if (!code)
    return { right: false, codeRequest: await askForCode({ id: caller.id, two_factor_provider: provider }) }
  // A Basic request has already used its code to authenticate. The same code counts as proof.
  if (proof === 'sent') return { right: true }
  return proofOf(provider, await proveOwnCode(request, caller, code))
}

const proofOf = (type: TwoFactorProvider, { right, ...helps }: Verdict): Proof =>
  right ? { right } : { right: false, codeRequest: { type, ...helps } }

type Going = WriteContext & Pick<Context, 'request' | 'session' | 'inConsole' | 'continueAs' | 'note'>

type Proved = Going & { prepared: Proof | undefined; found: UserRow }

function requireProof({ found, prepared: proof }: Proved): string {
  const { two_factor_provider: provider } = found
  if (!provider || !proof) throw new ApiError('2FA-7')
  if (!proof.right) throw new Unauthorized({ schemes: ['Basic'], codeRequired: proof.codeRequest })
  return provider
}

/**
 * Requires a code, whatever mechanism authenticated the request. If the enterprise requires two factor, all sessions end but the
 * console's, which leads to the enrolment.
 */
export async function disableOwnTwoFactor(context: Proved): Promise<void> {
  const { request, caller, inConsole, db, note } = context
  note('twoFactorProvider', requireProof(context), undefined)
  await disableTwoFactor(db, caller.id)
  await notify(db, caller.id, { kind: 'two-factor-disabled', address: clientAddress(request) })
  if (!(await isMandatory(db, caller))) return
  if (!inConsole) await endSessionsOf(db, caller.id)
  context.continueAs(inConsole ? await beginAnew(context) : null)
}

async function isMandatory(db: Db, { enterpriseId }: Caller): Promise<boolean> {
  const enterprise = await db
    .selectFrom('enterprises')
    .where('id', '=', enterpriseId)
    .select('two_factor_mandatory')
    .executeTakeFirstOrThrow()
  return enterprise.two_factor_mandatory === 1
}

/** Exchanges a code for ten new scratch codes. The previous ones are revoked. */
export async function renewOwnScratchCodes(context: Proved): Promise<TwoFactorCredentials> {
  const { request, caller, db, note } = context
  const provider = requireProof(context) as TwoFactorProvider
  note('scratchCodes', undefined, 'renewed')
  await notify(db, caller.id, { kind: 'new-scratch-codes', address: clientAddress(request) })
  return { links: [], provider, scratchCodes: await renewScratchCodes(db, caller.id) }
}

/** Checks the code before the change starts: a code is used up, and a wrong one is counted. */
export async function tryCode({ request, caller, document }: Sent): Promise<Proof | undefined> {
  const { provider } = await twoFactorState(caller.id)
  const code = codeInput.safeParse(document).data?.code
  return provider && code !== undefined
    ? proofOf(provider, await proveOwnCode(request, caller, code))
    : undefined
}

type Proving = WriteContext & { session: Session; prepared: Proof | undefined }

/** Verifies a code of the caller. Throws 2FA-7, 2FA-8. */
export async function proveCode({ db, session, prepared: proof }: Proving): Promise<void> {
  if (!proof) throw new ApiError('2FA-7')
  if (!proof.right) throw new CodeRequired('2FA-8', proof.codeRequest)
  await settleCode(db, session)
}

/** Mails a code. Throws 2FA-7, 2FA-10, and 429 if the last code was sent a moment ago. */
export async function mailOwnCode({
  caller,
  db,
  headers,
}: WriteContext & { headers: AnswerHeaders }): Promise<void> {
  const { provider } = await twoFactorState(caller.id)
  if (!provider) throw new ApiError('2FA-7')
  if (provider !== 'EMAIL') throw new ApiError('2FA-10')
  const { resendIn } = await mailCode(db, caller.id)
  headers.set('retry-after', String(resendIn))
}

/**
 * Cancels an enrolment that no code has confirmed yet, in the session that began it. A program's session ends too, because the
 * enrolment may have started it. Throws 2FA-7, 2FA-11.
 */
export async function takeBackEnrolment(context: Going): Promise<void> {
  const { caller, db, session, inConsole, note } = context
  const user = await db
    .selectFrom('users')
    .where('id', '=', caller.id)
    .select(['two_factor_provider', 'two_factor_began_by'])
    .executeTakeFirstOrThrow()
  if (!user.two_factor_provider) throw new ApiError('2FA-7')
  if (user.two_factor_began_by !== session.id) throw new ApiError('2FA-11')
  note('twoFactorProvider', user.two_factor_provider, undefined)
  await disableTwoFactor(db, caller.id)
  if (inConsole) return settleCode(db, session)
  await endSession({ db, session })
  context.continueAs(null)
}
