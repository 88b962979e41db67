import { accountOfSession, callerOf } from '#lib/auth/caller.server'
import type { Authenticated, Strategy } from '#lib/auth/strategy'
import { readToken } from '#lib/auth/tokens.server'
import { Unauthorized } from '#lib/auth/unauthorized'

/** Who a token belongs to. Throws Unauthorized where it opens nothing. */
export async function bearerOf(token: string): Promise<Authenticated> {
  const session = readToken(token)
  const account = session && (await accountOfSession(session))
  if (!session || !account) throw new Unauthorized({ schemes: ['Token'] })
  return { caller: await callerOf(account), session, inConsole: false, mustEnrol: false }
}

/** `Authorization: Token <token>`. */
export const token: Strategy = async (request) => {
  const header = request.headers.get('authorization')
  return header && /^token( |$)/i.test(header) ? bearerOf(header.slice(6).trim()) : null
}
