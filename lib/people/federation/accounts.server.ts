import type { Account } from '#lib/caller/auth/caller.server'
import { generatePassword, hashPassword } from '#lib/caller/auth/passwords.server'
import { type Db, database, transaction } from '#lib/db/db.server'
import { isDuplicate } from '#lib/db/dialect.server'
import { lookAlikeKey } from '#lib/db/fold'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import {
  accountOf,
  bind,
  findPerson,
  isSound,
  type Person,
  type Provider,
} from '#lib/people/federation/people.server'
import { SignInProblem } from '#lib/people/federation/problem.server'
import type { Problem } from '#lib/people/federation/problems'
import { settleEmail } from '#lib/people/identity/email-changes.server'
import { nickProblem } from '#lib/people/identity/nick'
import { insertUser, updateProfile } from '#lib/people/identity/users.server'
import { aboutUser, recordRefusedSignIn, type SignInRefusal } from '#lib/people/sign-in/sign-in-events.server'
import { insertEvent } from '#lib/record/events/record.server'
import { isMailAddress } from '#lib/record/mail/outbox.server'

/* Finds, updates or creates the account of a user who signs in to the console through a provider. */

/** A user's profile at the provider. The texts are untrusted: invalid values are ignored. */
export type Profile = {
  nick: string
  name?: string | undefined
  surname?: string | undefined
  email?: string | undefined
  /** Names of a role and an enterprise of this installation. */
  role?: string | undefined
  enterprise?: string | undefined
}

/** A person at a provider. `create`: whether an unknown person gets a new user. */
export type Newcomer = Person & { profile: Profile; create: boolean }

const idByName = async (
  db: Db,
  table: 'roles' | 'enterprises',
  name: string | undefined,
): Promise<number | undefined> => {
  if (name === undefined || name.includes('\0')) return undefined
  const row = await db.selectFrom(table).where('name', '=', name).select('id').executeTakeFirst()
  return row?.id
}

/** The valid fields of the profile. */
const soundProfile = ({ name, surname, email }: Profile) => ({
  ...(isSound(name, 128) && { name }),
  ...(isSound(surname, 128) && { surname }),
  ...(isSound(email, 254) && isMailAddress(email) && { email }),
})

/** The role and enterprise of a new user. Throws SignInProblem unless the provider names an existing role and enterprise. */
async function placeOf(db: Db, { role, enterprise }: Profile) {
  const roleId = await idByName(db, 'roles', role)
  const enterpriseId = await idByName(db, 'enterprises', enterprise)
  if (roleId === undefined || enterpriseId === undefined) throw new SignInProblem('no-role', { step: 'user' })
  return { roleId, enterpriseId }
}

/** Creates the user with the role and enterprise from the provider, and with a random password that is stored nowhere. */
async function createUser(request: Exchange, newcomer: Newcomer): Promise<void> {
  const { provider, profile } = newcomer
  const password_hash = await hashPassword(generatePassword())
  await transaction(async (trx) => {
    const { roleId, enterpriseId } = await placeOf(trx, profile)
    const { nick } = profile
    const id = await insertUser(trx, {
      ...{ nick, name: nick, ...soundProfile(profile) },
      enterpriseId,
      roleId,
      password_hash,
      passwordChosen: true,
      authType: provider,
    }).catch(badNick)
    await bind(trx, id, newcomer)
    await insertEvent(trx, {
      request,
      action: 'create',
      changes: { authType: { after: provider } },
      ...aboutUser({ id, nick, enterprise_id: enterpriseId }),
      by: undefined,
    })
  })
}

/** An ApiError must be about the nick: it is the only value of the provider that is used unchecked. */
function badNick(cause: unknown): never {
  throw cause instanceof ApiError ? new SignInProblem('bad-nick', { step: 'user', cause }) : cause
}

/** Updates name, e-mail and role of a user whom this provider created. A local user stays unchanged. */
async function follow(provider: Provider, account: Account, profile: Profile): Promise<void> {
  if (account.auth_type !== provider) return
  await transaction(async (trx) => {
    const role = await idByName(trx, 'roles', profile.role)
    const user = await trx
      .selectFrom('users')
      .where('id', '=', account.id)
      .select(['nick', 'name', 'surname', 'email'])
      .executeTakeFirstOrThrow()
    const followed = { ...user, ...soundProfile(profile) }
    await updateProfile(trx, account.id, { ...followed, roleId: role })
    await settleEmail(trx, { userId: account.id, from: user.email, to: followed.email })
  })
}

async function findOrCreate(request: Exchange, newcomer: Newcomer): Promise<Account> {
  const { provider, profile, create } = newcomer
  const known = await accountOf(request, newcomer)
  if (known) await follow(provider, known, profile)
  let taken: unknown
  if (!known && create) {
    try {
      await createUser(request, newcomer)
    } catch (error) {
      // Another tab was faster, or another user has a nick that looks alike.
      if (!isDuplicate(error, 'users')) throw error
      taken = error
    }
  }
  const account = await accountOf(request, newcomer)
  if (!account) throw new SignInProblem(taken ? 'bad-nick' : 'unknown-user', { step: 'user', cause: taken })
  return account
}

/** Refusals that are recorded as events, like a wrong password. */
const refusals: Partial<Record<Problem, SignInRefusal>> = {
  'unknown-user': 'address',
  'inactive-user': 'address',
  'another-person': 'subject',
  'not-linked': 'not-linked',
}

/** The account of a person at the provider, created if necessary and allowed. Throws SignInProblem. */
export async function accountFor(request: Exchange, newcomer: Newcomer): Promise<Account> {
  try {
    return await findOrCreate(request, newcomer)
  } catch (error) {
    const refusal = error instanceof SignInProblem && refusals[error.problem]
    if (refusal) await recordRefusedSignIn(request, newcomer.nick, refusal)
    throw error
  }
}

const looksLikeAnother = async (nick: string): Promise<boolean> =>
  (await database()
    .read.selectFrom('users')
    .where('nick_identity', '=', lookAlikeKey(nick))
    .select('id')
    .executeTakeFirst()) !== undefined

/** The result of a sign-in: a user who stays unchanged, a user who is updated from the provider's profile, or a new user. */
type Prospect = 'known' | 'followed' | 'created'

/** A preview of `accountFor`, which writes nothing. Throws the same SignInProblem. */
export async function prospectOf(request: Exchange, newcomer: Newcomer): Promise<Prospect> {
  const found = await findPerson(request, newcomer)
  if (found) return found.account.auth_type === newcomer.provider ? 'followed' : 'known'
  if (!newcomer.create) throw new SignInProblem('unknown-user', { step: 'user' })
  await placeOf(database().read, newcomer.profile)
  if (nickProblem(newcomer.nick) || (await looksLikeAnother(newcomer.nick)))
    throw new SignInProblem('bad-nick', { step: 'user' })
  return 'created'
}
