import { accountById, callerOf } from '#lib/caller/auth/caller.server'
import type { Strategy } from '#lib/caller/auth/strategy.server'
import { newSession } from '#lib/caller/auth/tokens.server'
import { Unauthorized } from '#lib/caller/auth/unauthorized'
import { limitedTo } from '#lib/caller/oauth/applications.server'
import { findAccessToken, recordTokenUse, secretOf } from '#lib/caller/oauth/tokens.server'
import { isSigned, readSigned, required, verifySigned } from '#lib/caller/oauth/verify.server'
import { log } from '#lib/ground/log.server'

/** A request that a program signed on behalf of a user (RFC 5849 §3). It needs no verification code. */
export const oauth1: Strategy = async (request) => {
  if (!isSigned(request)) return null
  const signed = await readSigned(request)
  const token = await findAccessToken(required(signed, 'oauth_token'))
  await verifySigned(request, signed, async (application) =>
    token?.application_id === application.id ? secretOf(token) : undefined,
  )
  const account = token?.user_id ? await accountById(token.user_id) : undefined
  if (!token || !account) throw new Unauthorized({ schemes: ['OAuth'] })
  recordTokenUse(token).catch((err) => log().warn({ err }, 'the use of a token could not be recorded'))
  const session = { ...newSession(account.id, account.token_epoch), grant: token.id }
  const caller = await limitedTo(callerOf(account), token.id)
  if (!caller) throw new Unauthorized({ schemes: ['OAuth'] })
  return { caller, session, inConsole: false, proof: undefined, duty: undefined }
}
