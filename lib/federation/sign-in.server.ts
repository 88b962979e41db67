import { isAllowedFrom } from '#lib/auth/allowed-addresses.server'
import { type Account, findAccount } from '#lib/auth/caller.server'
import { encrypt } from '#lib/auth/keys.server'
import { generatePassword, hashPassword } from '#lib/auth/passwords.server'
import { endReplacedSession, writeConsoleSession } from '#lib/auth/session.server'
import { beginSession } from '#lib/auth/sessions.server'
import { recordSignIn } from '#lib/auth/sign-in-events.server'
import { sessionEnd } from '#lib/auth/tokens.server'
import { type Db, database, transaction } from '#lib/db/db.server'
import { isDuplicate } from '#lib/db/dialect.server'
import { fold } from '#lib/db/fold'
import { insertEvent } from '#lib/events/record.server'
import { baseOf } from '#lib/http/origin.server'
import { requestIdOf } from '#lib/http/request-id.server'
import { safeReturnTo } from '#lib/http/return-to'
import { insertUser } from '#lib/identity/users.server'
import { isMailAddress } from '#lib/mail/outbox.server'

/* What OpenID Connect and SAML sign-ins have in common: the user behind what the provider says, the session, and the way on. */

export type Provider = 'OPENID' | 'SAML'

/** What a provider says of somebody. Texts of a stranger: whatever is no sound value is left out. */
export type Identity = {
  nick: string
  name?: string | undefined
  surname?: string | undefined
  email?: string | undefined
  /** Names of a role and an enterprise here. */
  role?: string | undefined
  enterprise?: string | undefined
}

/** Why a sign-in by a provider came to nothing; the sign-in page says it in plain words. */
export type Problem =
  | 'unreachable'
  | 'refused'
  | 'expired'
  | 'unknown-user'
  | 'inactive-user'
  | 'no-role'
  | 'invalid'

export class SignInProblem extends Error {
  readonly problem: Problem

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem, options)
    this.problem = problem
  }
}

const idByName = async (
  db: Db,
  table: 'roles' | 'enterprises',
  name: string | undefined,
): Promise<number | undefined> => {
  if (name === undefined || name.includes('\0')) return undefined
  const row = await db.selectFrom(table).where('name', '=', name).select('id').executeTakeFirst()
  return row?.id
}

const isSound = (text: string | undefined, most: number): text is string =>
  text !== undefined && text !== '' && text.length <= most && !/\p{Cc}/u.test(text)

/** The profile that the provider keeps for its users, as far as it is sound. */
const soundProfile = ({ name, surname, email }: Identity) => ({
  ...(isSound(name, 128) && { name }),
  ...(isSound(surname, 128) && { surname }),
  ...(isSound(email, 254) && isMailAddress(email) && { email }),
})

/** Where a new user belongs. Throws SignInProblem where the provider does not name a role and an enterprise that there are. */
async function placeOf(db: Db, { role, enterprise }: Identity) {
  const roleId = await idByName(db, 'roles', role)
  const enterpriseId = await idByName(db, 'enterprises', enterprise)
  if (roleId === undefined || enterpriseId === undefined) throw new SignInProblem('no-role')
  return { roleId, enterpriseId }
}

/** Makes the user that the provider names, of the role and the enterprise that it names. Nobody signs in with its password. */
async function createUser(request: Request, provider: Provider, identity: Identity): Promise<void> {
  const password_hash = await hashPassword(generatePassword())
  await transaction(async (trx) => {
    const { roleId, enterpriseId } = await placeOf(trx, identity)
    const { nick } = identity
    const profile = { nick, name: nick, ...soundProfile(identity) }
    const id = await insertUser(trx, {
      ...profile,
      enterpriseId,
      roleId,
      password_hash,
      passwordChosen: true,
    })
    await trx.updateTable('users').set({ auth_type: provider }).where('id', '=', id).execute()
    await insertEvent(trx, {
      request,
      action: 'create',
      changes: { authType: { after: provider } },
      by: undefined,
      entity: {
        type: 'user',
        id,
        name: identity.nick,
        path: `/admin/enterprises/${enterpriseId}/users/${id}`,
        place: { enterprise: enterpriseId },
      },
    })
  })
}

/** Keeps name, e-mail and role of a user whom the provider brought as it says them; a user of ours stays as he is. */
async function follow(provider: Provider, account: Account, identity: Identity): Promise<void> {
  if (account.auth_type !== provider) return
  await transaction(async (trx) => {
    const role = await idByName(trx, 'roles', identity.role)
    const user = await trx
      .selectFrom('users')
      .where('id', '=', account.id)
      .select(['nick', 'name', 'surname', 'email'])
      .executeTakeFirstOrThrow()
    const { nick, name, surname, email } = { ...user, ...soundProfile(identity) }
    await trx
      .updateTable('users')
      .set({
        name,
        surname,
        email,
        name_key: fold(`${name} ${surname}`),
        search_key: fold([nick, name, surname, email].join('\n')),
        ...(role !== undefined && { role_id: role }),
      })
      .where('id', '=', account.id)
      .execute()
  })
}

type Named = { provider: Provider; identity: Identity; create: boolean }

/** The account of this nick, or undefined where nobody has it. Throws SignInProblem: he may not sign in, or may not from here. */
async function knownAccount(request: Request, nick: string): Promise<Account | undefined> {
  if (!isSound(nick, 128) || nick.includes(':')) throw new SignInProblem('invalid')
  const account = await findAccount(nick)
  if (account ? !isAllowedFrom(account, request) : await isTaken(nick))
    throw new SignInProblem('inactive-user')
  return account
}

const isTaken = async (nick: string): Promise<boolean> =>
  (await database().read.selectFrom('users').where('nick', '=', nick).select('id').executeTakeFirst()) !==
  undefined

/**
 * The account that the provider names, made where that is wanted and there is none. Throws SignInProblem: nobody of this nick, who may
 * not sign in, or may not from here.
 */
export async function accountFor(request: Request, { provider, identity, create }: Named): Promise<Account> {
  const known = await knownAccount(request, identity.nick)
  if (known) await follow(provider, known, identity)
  else if (create) {
    try {
      await createUser(request, provider, identity)
    } catch (error) {
      // Another tab of his was faster.
      if (!isDuplicate(error, 'users')) throw error
    }
  }
  const account = await knownAccount(request, identity.nick)
  if (!account) throw new SignInProblem('unknown-user')
  return account
}

/** What a sign-in would come to: a user as he is, one who is changed to what the provider says of him, or a new one. */
type Prospect = 'known' | 'followed' | 'created'

/** What `accountFor` would do, with nothing written. Throws what it would throw. */
export async function prospectOf(request: Request, { provider, identity, create }: Named): Promise<Prospect> {
  const known = await knownAccount(request, identity.nick)
  if (known) return known.auth_type === provider ? 'followed' : 'known'
  if (!create) throw new SignInProblem('unknown-user')
  await placeOf(database().read, identity)
  return 'created'
}

/** What the session keeps of the provider: what names the user there, and tokens. */
type AtProvider = { provider: Provider; subject: string; kept: object }

export const providerContext = (chain: string) => `session-providers/${chain}`

/** Signs the account in to the console, and leads on to where the user was going. */
export async function enterConsole(
  request: Request,
  account: Account,
  { provider, subject, kept }: AtProvider,
  returnTo: string,
): Promise<Response> {
  const session = await transaction(async (trx) => {
    await recordSignIn(trx, request, account)
    await endReplacedSession(trx, request)
    const begun = await beginSession(trx, request, {
      userId: account.id,
      epoch: account.token_epoch,
      inConsole: true,
    })
    await trx
      .insertInto('session_providers')
      .values({
        chain: begun.id,
        user_id: account.id,
        provider,
        subject,
        sealed: encrypt(JSON.stringify(kept), providerContext(begun.id)),
        expires_at: sessionEnd(begun),
      })
      .execute()
    return begun
  })
  const headers = new Headers({
    location: baseOf(request) + safeReturnTo(returnTo),
    'cache-control': 'no-store',
    'content-length': '0',
  })
  await writeConsoleSession(request, headers, session)
  return new Response(null, { status: 303, headers })
}

/** Leads to the sign-in page, which says in plain words what went wrong, with the request id and a way on. */
export function leadToSignIn(request: Request, problem: Problem, returnTo = '/'): Response {
  const query = new URLSearchParams({
    problem,
    request: requestIdOf(request),
    returnTo: safeReturnTo(returnTo),
  })
  return new Response(null, {
    status: 303,
    headers: {
      location: `${baseOf(request)}/sign-in?${query}`,
      'cache-control': 'no-store',
      'content-length': '0',
    },
  })
}
