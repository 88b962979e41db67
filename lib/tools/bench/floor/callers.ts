import { createHash, createHmac, createSecretKey, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { verifySync } from '@node-rs/argon2'
import type { Env } from '#lib/ground/env.server'
import type { File } from '#lib/tools/bench/floor/file'

const COLUMNS = `users.id, users.nick, users.enterprise_id, users.token_epoch, users.password_hash,
  users.role_id, users.two_factor_provider, users.two_factor_began_by, users.allowed_cidrs, users.first_login,
  users.auth_type, enterprises.two_factor_mandatory, scopes.id, scopes.all_datacenters, scopes.all_enterprises,
  (select string_agg(privilege, ',') from role_privileges where role_privileges.role_id = users.role_id)`

const TABLES = `from users inner join enterprises on enterprises.id = users.enterprise_id
  inner join scopes on scopes.id = coalesce(users.scope_id, enterprises.default_scope_id)`

const ACTIVE = 'where users.active = 1 and users.locked = 0'

type Account = [id: number, nick: string, enterprise: number, epoch: number, passwordHash: string]
type Behind = [ended: string | null, sessionEpoch: number | null, ...Account]

export type Caller = { id: number; nick: string; enterprise: number; token: string; expires: number }

/** Checks a token or a Basic pair, and issues the next token (lib/caller/auth/tokens.server.ts). Undefined: 401. */
export function callers({ prepare }: File, settings: Env): (authorization: string) => Caller | undefined {
  const { SECRET_KEY, TOKEN_TTL_SECONDS, SESSION_MAX_SECONDS } = settings
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', SECRET_KEY, '', 'console/token', 32)))
  const sign = (body: string): string => createHmac('sha256', key).update(body).digest('base64url')

  const byToken = prepare<Behind>(`select ended_sessions.id, sessions.epoch, ${COLUMNS},
    session_providers.provider, sessions.last_used, sessions.expires_at, sessions.proved_at ${TABLES}
    left join ended_sessions on ended_sessions.id = ? left join sessions on sessions.chain = ?
    left join session_providers on session_providers.chain = ? ${ACTIVE} and users.id = ?`)
  const byNick = prepare<Account>(`select ${COLUMNS} ${TABLES} ${ACTIVE} and users.nick = ?`)
  const places = prepare('select network, last from sign_in_places where user_id = ? and network like ?')
  const failures = prepare(`select key, failures, since, last, waits, blocked_until, pending
    from sign_in_failures where key in (?)`)

  const signedIn = (account: Account, chain: string, began: number): Caller => {
    const [id, nick, enterprise, epoch] = account
    const expires = Math.min(Date.now() + TOKEN_TTL_SECONDS * 1000, began + SESSION_MAX_SECONDS * 1000)
    const payload = `${chain}.${id}.${epoch}.${began}.${expires}.${randomUUID().slice(0, 13)}`
    const body = Buffer.from(payload).toString('base64url')
    return { id, nick, enterprise, token: `${body}.${sign(body)}`, expires }
  }

  const ofToken = (token: string): Caller | undefined => {
    const [body = '', signature] = token.split('.')
    if (sign(body) !== signature) return undefined
    const [chain = '', id, epoch, began, expires] = Buffer.from(body, 'base64url').toString().split('.')
    if (Number(expires) <= Date.now()) return undefined
    const [found] = byToken(chain, chain, chain, Number(id))
    if (!found) return undefined
    const [ended, sessionEpoch, ...account] = found
    const isCurrent = account[3] === Number(epoch) || sessionEpoch === Number(epoch)
    return ended === null && isCurrent ? signedIn(account, chain, Number(began)) : undefined
  }

  /** Passwords that were verified before: a repeated one is not hashed again. */
  const verified = new Set<string>()

  const ofBasic = (pair: string): Caller | undefined => {
    const text = Buffer.from(pair, 'base64').toString()
    const colon = text.indexOf(':')
    const [nick, password] = [text.slice(0, colon), text.slice(colon + 1)]
    const [account] = byNick(nick)
    if (!account) return undefined
    const [id, , , , stored] = account
    const isKnown = places(id, '127.0.0.1').length > 0
    const hash = createHash('sha256').update(nick).digest('base64url')
    const isClean = failures(`password ${hash} 127.0.0.1`).length === 0
    const digest = createHash('sha256').update(`${stored}\0${password}`).digest('base64url')
    if (!isKnown || !isClean || !verified.has(digest)) {
      if (!verifySync(stored, password)) return undefined
      verified.add(digest)
    }
    return signedIn(account, randomBytes(16).toString('base64url'), Date.now())
  }

  return (authorization) =>
    authorization.startsWith('Token ') ? ofToken(authorization.slice(6)) : ofBasic(authorization.slice(6))
}
