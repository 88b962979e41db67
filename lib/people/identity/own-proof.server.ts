import { proofInput } from '#lib/caller/auth/session.schema'
import { rememberProof } from '#lib/caller/auth/sessions.server'
import { CodeRequired } from '#lib/caller/auth/unauthorized'
import { ApiError } from '#lib/ground/http/errors'
import { type Finding, judge } from '#lib/people/sign-in/proof.server'
import { twoFactorState } from '#lib/people/sign-in/two-factor.server'
import type { Context, Sent } from '#lib/record/events/operation.server'

type Tried = (Finding & { type: string | undefined }) | undefined

/** Checks the proof before the change starts, because a code is used up and a wrong one is counted even if the change fails. */
export async function tryProof({ request, caller, document }: Sent): Promise<Tried> {
  const sent = proofInput.safeParse(document).data
  const finding = sent && (await judge(request, caller, sent))
  return finding && { ...finding, type: (await twoFactorState(caller.id)).provider }
}

type Proving = Pick<Context, 'session' | 'inConsole' | 'db'> & { prepared: Tried }

/** Remembers the proof for the console session. Tokens need a proof with each request. Throws 403, SIGN-IN-3, PASSKEY-2, 2FA-7, 2FA-8. */
export async function proveSelf({ session, inConsole, db, prepared: tried }: Proving): Promise<void> {
  if (!inConsole || !tried) throw new ApiError('403-FORBIDDEN')
  const { right, of, type, ...helps } = tried
  if (right) return rememberProof(db, session)
  if (of === 'password') throw new ApiError('SIGN-IN-3')
  if (of === 'passkey') throw new ApiError('PASSKEY-2')
  if (type === undefined) throw new ApiError('2FA-7')
  throw new CodeRequired('2FA-8', { type, ...helps })
}
