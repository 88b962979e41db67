import type { Account } from '#lib/auth/caller.server'
import { generatePassword, hashPassword } from '#lib/auth/passwords.server'
import { type Db, database, transaction } from '#lib/db/db.server'
import { isDuplicate } from '#lib/db/dialect.server'
import { lookAlikeKey } from '#lib/db/fold'
import { insertEvent } from '#lib/events/record.server'
import {
  accountOf,
  bind,
  findPerson,
  isSound,
  type Person,
  type Provider,
} from '#lib/federation/people.server'
import { SignInProblem } from '#lib/federation/problem.server'
import type { Problem } from '#lib/federation/problems'
import { ApiError } from '#lib/http/errors'
import { settleEmail } from '#lib/identity/email-changes.server'
import { nickProblem } from '#lib/identity/nick'
import { insertUser, updateProfile } from '#lib/identity/users.server'
import { isMailAddress } from '#lib/mail/outbox.server'
import { aboutUser, recordRefusedSignIn, type SignInRefusal } from '#lib/sign-in/sign-in-events.server'

/* The account that signs in to the console through a provider: the user's own, kept as the provider says, or a new one. */

/** What a provider says of somebody. Texts of a stranger: whatever is no sound value is left out. */
export type Profile = {
  nick: string
  name?: string | undefined
  surname?: string | undefined
  email?: string | undefined
  /** Names of a role and an enterprise here. */
  role?: string | undefined
  enterprise?: string | undefined
}

/** Somebody at a provider, and whether a user is made for them. */
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

/** The profile that the provider keeps for its users, as far as it is sound. */
const soundProfile = ({ name, surname, email }: Profile) => ({
  ...(isSound(name, 128) && { name }),
  ...(isSound(surname, 128) && { surname }),
  ...(isSound(email, 254) && isMailAddress(email) && { email }),
})

/** Where a new user belongs. Throws SignInProblem where the provider does not name a role and an enterprise that there are. */
async function placeOf(db: Db, { role, enterprise }: Profile) {
  const roleId = await idByName(db, 'roles', role)
  const enterpriseId = await idByName(db, 'enterprises', enterprise)
  if (roleId === undefined || enterpriseId === undefined) throw new SignInProblem('no-role', { step: 'user' })
  return { roleId, enterpriseId }
}

/** Makes the user that the provider names, of the role and the enterprise that it names. Nobody signs in with its password. */
async function createUser(request: Request, newcomer: Newcomer): Promise<void> {
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

/** Of all that a new user is made of only the nick is taken as the provider says it. */
function badNick(cause: unknown): never {
  throw cause instanceof ApiError ? new SignInProblem('bad-nick', { step: 'user', cause }) : cause
}

/** Keeps name, e-mail and role of a user whom the provider brought as it says them; a user of ours stays as they are. */
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

async function findOrMake(request: Request, newcomer: Newcomer): Promise<Account> {
  const { provider, profile, create } = newcomer
  const known = await accountOf(request, newcomer)
  if (known) await follow(provider, known, profile)
  let taken: unknown
  if (!known && create) {
    try {
      await createUser(request, newcomer)
    } catch (error) {
      // Another tab of theirs was faster, or somebody has a nick that looks alike.
      if (!isDuplicate(error, 'users')) throw error
      taken = error
    }
  }
  const account = await accountOf(request, newcomer)
  if (!account) throw new SignInProblem(taken ? 'bad-nick' : 'unknown-user', { step: 'user', cause: taken })
  return account
}

/** Refusals that are kept among the events, like that of a password. */
const refusals: Partial<Record<Problem, SignInRefusal>> = {
  'unknown-user': 'address',
  'inactive-user': 'address',
  'another-person': 'subject',
  'not-linked': 'not-linked',
}

/** The account that the provider names, made where that is wanted and there is none. Throws SignInProblem. */
export async function accountFor(request: Request, newcomer: Newcomer): Promise<Account> {
  try {
    return await findOrMake(request, newcomer)
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

/** What a sign-in would come to: a user as they are, one who is changed to what the provider says of them, or a new one. */
type Prospect = 'known' | 'followed' | 'created'

/** What `accountFor` would do, with nothing written. Throws what it would throw. */
export async function prospectOf(request: Request, newcomer: Newcomer): Promise<Prospect> {
  const found = await findPerson(request, newcomer)
  if (found) return found.account.auth_type === newcomer.provider ? 'followed' : 'known'
  if (!newcomer.create) throw new SignInProblem('unknown-user', { step: 'user' })
  await placeOf(database().read, newcomer.profile)
  if (nickProblem(newcomer.nick) || (await looksLikeAnother(newcomer.nick)))
    throw new SignInProblem('bad-nick', { step: 'user' })
  return 'created'
}
