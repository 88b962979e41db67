import type { Account } from '#lib/caller/auth/caller.server'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { database, type Trx, transaction } from '#lib/db/db.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { noteSignIn } from '#lib/ground/metrics/metrics.server'
import { recordPlace } from '#lib/people/sign-in/known-places.server'
import { recordStranger } from '#lib/people/sign-in/refused-strangers.server'
import { insertEvent } from '#lib/record/events/record.server'

export type SignedIn = Pick<Account, 'id' | 'nick' | 'enterprise_id'>

/** The author and the entity of an event about the user's own sign-in. */
export const aboutUser = ({ id, nick, enterprise_id }: SignedIn) => ({
  by: { id, nick, enterpriseId: enterprise_id },
  entity: {
    type: 'user' as const,
    id,
    name: nick,
    path: pathOf(kinds.user, { enterprise: enterprise_id, id }),
    place: { enterprise: enterprise_id },
  },
})

export type CodeKind = 'authenticator' | 'mail' | 'scratch code'

/** The factors that the user presented, or the kind of provider that signed them in. */
type Factors = 'password' | `password, ${CodeKind | 'passkey'}` | 'passkey' | 'OPENID' | 'SAML'

type SigningIn = { request: Exchange; account: SignedIn; factors: Factors }

/** Call in the transaction that uses up the code or begins the session. */
export async function recordSignIn(trx: Trx, { request, account, factors }: SigningIn): Promise<void> {
  const changes = { factors: { after: factors } }
  await insertEvent(trx, { request, action: 'sign-in', changes, ...aboutUser(account) })
  await recordPlace(trx, request, account.id)
  noteSignIn('signed-in')
}

/** Why a sign-in was refused, for the event only: the response does not reveal the reason. */
export type SignInRefusal = 'password' | 'code' | 'address' | 'passkey' | 'subject' | 'not-linked'

/** An unknown nick is not stored, because it may be a password in the wrong field. It takes as long as a known one. */
export async function recordRefusedSignIn(
  request: Exchange,
  nick: string,
  reason: SignInRefusal,
): Promise<void> {
  noteSignIn(reason)
  const account = nick.includes('\0')
    ? undefined
    : await database()
        .read.selectFrom('users')
        .where('nick', '=', nick)
        .select(['id', 'nick', 'enterprise_id', 'active', 'locked'])
        .executeTakeFirst()
  await transaction(async (trx) => {
    if (!account) return recordStranger(trx, request)
    const changes = { reason: { after: reasonOf(account, reason) } }
    await insertEvent(trx, { request, action: 'sign-in-refused', changes, ...aboutUser(account) })
  })
}

const reasonOf = ({ active, locked }: { active: number; locked: number }, reason: SignInRefusal): string => {
  if (active === 0) return 'inactive'
  return locked === 1 ? 'locked' : reason
}
