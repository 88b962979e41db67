import { isAllowedFrom } from '#lib/caller/auth/allowed-addresses.server'
import {
  type Account,
  findAccount,
  findAccountOfIdentity,
  type Identity,
} from '#lib/caller/auth/caller.server'
import { database, type Trx, transaction } from '#lib/db/db.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { requestIdOf } from '#lib/ground/http/request-id.server'
import { log } from '#lib/ground/log.server'
import { SignInProblem } from '#lib/people/federation/problem.server'
import { recover } from '#lib/people/identity/recovery.server'

/*
 * Matches a person at a provider to a user. A provider may reassign a nick to another person, but never a subject. So a user is matched by
 * nick only at the first sign-in, which binds them to the subject, and by the subject from then on.
 */

export type Provider = 'OPENID' | 'SAML'

export type Person = {
  provider: Provider
  /** The namespace in which the subject is unique. */
  issuer: string
  /** The permanent name at the provider. Without one, the nick is matched at each sign-in. */
  subject: string | undefined
  /** Empty if the provider names none. Only the first sign-in needs it. */
  nick: string
  /** Whether a user with a password here may be matched by nick. */
  link: boolean
}

const identityOf = ({ provider, issuer, subject }: Person): Identity | undefined =>
  subject === undefined ? undefined : { provider, issuer, subject }

/** Whether an untrusted text has no control characters and fits into an index. */
export const isSound = (text: string | undefined, most: number): text is string =>
  text !== undefined && text !== '' && text.length <= most && !/\p{Cc}/u.test(text)

const refused = (problem: SignInProblem['problem'], reason: string): SignInProblem =>
  new SignInProblem(problem, { step: 'user', cause: new Error(reason) })

const inactive = () => refused('inactive-user', 'The user is inactive or locked')

const isBound = async ({ provider, issuer, subject }: Identity): Promise<boolean> => {
  const row = await database()
    .read.selectFrom('user_identities')
    .where('provider', '=', provider)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .select('id')
    .executeTakeFirst()
  return row !== undefined
}

const isTaken = async (nick: string): Promise<boolean> =>
  (await database().read.selectFrom('users').where('nick', '=', nick).select('id').executeTakeFirst()) !==
  undefined

/** The user with this nick, who is not bound to an identity yet. Throws SignInProblem. */
async function unboundAccount(person: Person): Promise<Account | undefined> {
  const { nick, provider, issuer, subject, link } = person
  if (nick === '') throw refused('invalid', 'No claim names the user')
  if (!isSound(nick, 128) || nick.includes(':')) throw refused('invalid', 'The nick is invalid')
  const account = await findAccount(nick)
  if (!account && (await isTaken(nick))) throw inactive()
  if (!account) return undefined
  const other = await database()
    .read.selectFrom('user_identities')
    .where('user_id', '=', account.id)
    .where('provider', '=', provider)
    .where('issuer', '=', issuer)
    // Another tab may just have bound the user to this subject.
    .$if(subject !== undefined, (others) => others.where('subject', '<>', subject ?? ''))
    .select('id')
    .executeTakeFirst()
  if (other) throw refused('another-person', 'The user with this nick is bound to another subject')
  if (account.auth_type === 'SERVICE')
    throw refused('not-linked', 'The user with this nick is a service account, which signs in nowhere')
  if (!link && account.auth_type === 'LOCAL')
    throw refused('not-linked', 'The user with this nick has a password and is not bound to a subject')
  return account
}

/** The active user of the identity. Throws SignInProblem if the identity belongs to a user who is not active. */
async function boundAccount(identity: Identity): Promise<Account | undefined> {
  const account = await findAccountOfIdentity(identity)
  if (account || !(await isBound(identity))) return account
  // Another tab may have bound the user between the two queries.
  const now = await findAccountOfIdentity(identity)
  if (!now) throw inactive()
  return now
}

/** The user of the person. `bound`: matched by the subject. Throws SignInProblem if the user may not sign in, or not from this address. */
export async function findPerson(
  request: Exchange,
  person: Person,
): Promise<{ account: Account; bound: boolean } | undefined> {
  const { subject, issuer } = person
  if (subject !== undefined && !(isSound(subject, 512) && isSound(issuer, 1024)))
    throw refused('invalid', 'The subject is invalid')
  const identity = identityOf(person)
  const known = identity && (await boundAccount(identity))
  const account = known ?? (await unboundAccount(person))
  if (account && !isAllowedFrom(account, request))
    throw refused('inactive-user', 'The user may not sign in from this address')
  return account && { account, bound: known !== undefined }
}

/** Binds the user to the person's subject, if there is one. Returns false if the subject or the user was bound to another in the meantime. */
export async function bind(trx: Trx, userId: number, person: Person): Promise<boolean> {
  const identity = identityOf(person)
  if (!identity) return true
  const bound = await trx
    .insertInto('user_identities')
    .values({ user_id: userId, ...identity })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return bound !== undefined
}

/** The user of the person, now bound to the subject, or undefined. Throws SignInProblem. */
export async function accountOf(request: Exchange, person: Person): Promise<Account | undefined> {
  const found = await findPerson(request, person)
  if (!found || found.bound || person.subject === undefined) return found?.account
  const { account } = found
  if (!(await transaction((trx) => bind(trx, account.id, person)))) {
    // Another tab was faster, or another person with this nick.
    const now = await findPerson(request, person)
    if (now?.account.id !== account.id)
      throw refused('another-person', 'The subject is bound to another user')
    return now.account
  }
  const { provider, issuer } = person
  const requestId = requestIdOf(request)
  log().info({ requestId, userId: account.id, provider, issuer }, 'a user was bound to an identity')
  return account
}

/** Unlinks the user from identity providers. The next sign-in there is matched by nick again. */
export const resetIdentity = (nick: string): Promise<void> =>
  recover(nick, {
    action: 'reset-identity',
    changes: { identity: { before: 'bound' } },
    set: (trx, id) => trx.deleteFrom('user_identities').where('user_id', '=', id).execute(),
  })
