import { type SqlBool, sql } from 'kysely'
import { endAccessTokensMadeBy, endAccessTokensOf } from '#lib/caller/auth/access-tokens.server'
import type { Change, ReadContext, Referring, WriteContext } from '#lib/caller/auth/context.server'
import { unknownPassword } from '#lib/caller/auth/passwords.server'
import { can } from '#lib/caller/auth/privileges'
import { beginAnew, endSessionsOf } from '#lib/caller/auth/sessions.server'
import { removeApplicationsOf } from '#lib/caller/oauth/applications.server'
import { removePreferencesOf } from '#lib/caller/preferences/preferences.server'
import { requireEnterprise } from '#lib/caller/scopes/visibility.server'
import { lookAlikeKey } from '#lib/db/fold'
import { unlessTaken } from '#lib/db/unique.server'
import { env } from '#lib/ground/env.server'
import { endAfter, endFaults } from '#lib/ground/http/ends.schema'
import { ApiError, type Fault, fault, fieldFault, gather } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { ANY_ID } from '#lib/ground/http/path-ids'
import { removeExternalNamesBy, removeExternalNamesOf } from '#lib/people/external-ids/external-ids.server'
import { settleEmail } from '#lib/people/identity/email-changes.server'
import { isWithinReach } from '#lib/people/identity/grants.server'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import { endInvitationOf, inviteUser, requireInvitations } from '#lib/people/identity/invitations.server'
import { scopeOfInvited } from '#lib/people/identity/invited-scope.server'
import { nickProblem } from '#lib/people/identity/nick'
import { setPassword } from '#lib/people/identity/own-password.server'
import { endCredentialsOf } from '#lib/people/identity/user-ends.server'
import type { PreparedPassword } from '#lib/people/identity/user-passwords.server'
import {
  type Assignment,
  defaultScopeOf,
  findTarget,
  holdsMore,
  holdsMoreFault,
  lastAdministratorFaults,
  managersElsewhere,
  managesUsersOf,
  type Named,
  requireManager,
  roleFaults,
  scopeFaults,
  type Target,
  userReferences,
} from '#lib/people/identity/user-rules.server'
import { type NewUserInput, SERVICE, type UserInput } from '#lib/people/identity/users.schema'
import {
  findUser,
  insertUser,
  modifiedNow,
  profileColumns,
  requireNick,
  type UserPath,
  userTarget,
  userView,
} from '#lib/people/identity/users.server'
import { forgetSignInOf } from '#lib/people/sign-in/two-factor.server'
import type { Context, Note } from '#lib/record/events/operation.server'
import { noteEnd, passEnds } from '#lib/record/mail/end-notices.server'
import { isMailAddress } from '#lib/record/mail/outbox.server'

type Writing = WriteContext & { request: Exchange; note: Note; prepared: PreparedPassword }

const requireNone = (faults: Fault[]): void => {
  if (faults.length > 0) throw new ApiError(faults)
}

/** The enterprise of a new user. Throws 403, EN-0. */
export const newUserTarget = {
  ids: { enterprise: 'EN-0' },
  find: async (context: ReadContext, { enterprise }: { enterprise: number }) => {
    requireManager(context.caller, enterprise)
    return requireEnterprise(context, enterprise)
  },
  seenBy: (_context: ReadContext, { enterprise }: { enterprise: number }) => managesUsersOf(enterprise),
  elsewhere: managersElsewhere,
} as const

/** Throws faults of the links and the nick of a new user. */
export async function newUserReferences(context: ReadContext, sent: Partial<NewUserInput>): Promise<Named> {
  const { nick } = sent
  const [named] = await gather(
    userReferences(context, sent),
    (async () => nick !== undefined && requireNick(context.db, nick))(),
  )
  return named
}

/** Without a scope link a user gets the enterprise's default scope, or the caller's own if the default is wider than the caller may grant. */
const scopeWithout = async (context: ReadContext, enterprise: number): Promise<number | null> =>
  (await isWithinReach(context, await defaultScopeOf(context.db, enterprise)))
    ? null
    : context.caller.scope.id

/** The hash of the password, or of one that nobody knows. Throws USER-28, CONSTR-NOTNULL. */
async function hashOf({ authType, invite }: NewUserInput, { hash }: PreparedPassword): Promise<string> {
  if (invite) requireInvitations()
  if (invite || authType === SERVICE) return unknownPassword()
  if (hash === undefined) throw new ApiError(fault('CONSTR-NOTNULL', undefined, 'password'))
  return hash
}

export async function createUser({
  request,
  caller,
  db,
  found: { id: enterprise },
  body,
  references: { role, scope, enterprise: sent },
  prepared,
  operate,
}: Writing &
  Pick<Context, 'operate'> &
  Referring<typeof newUserReferences> & {
    found: { id: number }
    body: NewUserInput
  }): Promise<UserDocument> {
  const context = { caller, db }
  if (sent !== undefined && sent !== enterprise)
    throw new ApiError(
      fault('GEN-6', 'The enterprise link differs from the enterprise in the path', 'enterprise'),
    )
  if (role === undefined) throw new ApiError('USER-1')
  const isService = body.authType === SERVICE
  const password_hash = await hashOf(body, prepared)
  requireNone([
    ...endFaults(body.ends),
    ...(await roleFaults(context, role)),
    ...(scope === undefined ? [] : await scopeFaults(context, { scope, enterprise }, 'SCOPE-15')),
  ])
  const least =
    body.invite && scope === undefined ? await scopeOfInvited({ ...context, operate }, enterprise) : scope
  const user = await unlessTaken(
    'users',
    'USER-4',
    insertUser(db, {
      ...body,
      endsAt: endAfter(body.ends),
      enterpriseId: enterprise,
      roleId: role,
      scopeId: least ?? (await scopeWithout(context, enterprise)) ?? undefined,
      password_hash,
      passwordChosen: isService,
      authType: isService ? SERVICE : undefined,
    }),
  )
  await planUserEnd(context, user, endAfter(body.ends))
  const { nick, email, invite } = body
  const link = invite ? await inviteUser(db, { request, user: { id: user, nick, email }, how: invite }) : {}
  return { ...userView(await findUser(context, { enterprise, user })), ...link }
}

type Changing = Writing &
  Referring<typeof changedUserReferences> &
  Pick<Context, 'request' | 'session' | 'inConsole' | 'continueAs'> & { found: Target; body: UserInput }

/** The user to change: the caller, or one whom they manage. Throws 403, EN-0, USER-0. */
async function findChangeable(context: ReadContext, path: UserPath): Promise<Target> {
  const { caller } = context
  const isOwn = path.user === caller.id
  if (!isOwn && path.enterprise !== ANY_ID) requireManager(caller, path.enterprise)
  const user = await findTarget(context, path)
  if (!isOwn) requireManager(caller, user.enterprise_id)
  return user
}

export const changeableUserTarget = {
  ...userTarget,
  find: findChangeable,
  seenBy: async (context: ReadContext, path: UserPath) => {
    const { enterprise_id } = await findUser(context, path)
    return sql<SqlBool>`(users.id = ${path.user} or ${managesUsersOf(enterprise_id)})`
  },
  elsewhere: managersElsewhere,
  view: ({ visible }: Target) => userView(visible),
} as const

/** True if the document changes the e-mail address, to which links for a new password go. */
export const changesEmail = (user: Target, { email }: UserInput): boolean => user.email !== email

export const changedUserReferences = (
  { found, ...context }: ReadContext & { found: Target },
  sent: Partial<UserInput>,
): Promise<Named> => userReferences(context, sent, found)

/** The user's role, enterprise and scope after the change. A missing scope link removes their own scope, unless the caller may not change it. */
async function placeAfter(context: ReadContext, user: Target, named: Named): Promise<Assignment> {
  const enterprise = named.enterprise ?? user.enterprise_id
  const role = named.role ?? user.role_id
  const keeps =
    (user.own && !can(context.caller, ['USERS_MANAGE_USERS'])) ||
    (user.scope_id === null && enterprise === user.enterprise_id)
  const scope = named.scope ?? (keeps ? user.scope_id : await scopeWithout(context, enterprise))
  return { role, enterprise, scope }
}

/** Fields of their own account that users without USERS_MANAGE_USERS cannot change (docs/api/authorization.md, "Own user"). */
function ownFaults(
  { caller }: ReadContext,
  user: Target,
  { body, after }: { body: UserInput; after: Assignment },
): Fault[] {
  if (!user.own || can(caller, ['USERS_MANAGE_USERS'])) return []
  const changed = {
    nick: body.nick !== user.nick,
    active: body.active !== (user.active === 1),
    locked: body.locked !== (user.locked === 1),
    allowedCIDRs: JSON.stringify(body.allowedCIDRs) !== user.allowed_cidrs,
    // Administrators select users by their tags.
    tags: body.tags !== undefined && JSON.stringify(body.tags) !== user.visible.tags,
    role: after.role !== user.role_id,
    enterprise: after.enterprise !== user.enterprise_id,
    scope: after.scope !== user.scope_id,
  }
  const names = Object.entries(changed).flatMap(([name, differs]) => (differs ? [name] : []))
  return names.length === 0
    ? []
    : [fault('GEN-15', `You cannot change this in your own account: ${names.join(', ')}`, names[0])]
}

/** Nobody moves their own end: a user whose access is limited in time would prolong it. */
const userEndFaults = ({ own, ends_at: present }: Target, { ends }: UserInput): Fault[] =>
  own && endAfter(ends, present) !== present
    ? [fault('GEN-15', 'You cannot change the end of your own account', 'ends')]
    : endFaults(ends, present)

const planUserEnd = ({ caller, db }: WriteContext, id: number, endsAt: number | null): Promise<void> =>
  noteEnd(db, { entity: 'user', id, endsAt, by: caller.id })

/** Changing one's own password needs the old one, whatever the privileges. */
function passwordFaults(user: Target, body: UserInput, { old }: PreparedPassword): Fault[] {
  if (body.password !== undefined && user.auth_type === SERVICE) return [fault('USER-26')]
  if (!user.own || body.password === undefined) return []
  if (body.oldPassword === undefined)
    return [fault('GEN-15', 'To change your own password, send the old one in oldPassword', 'oldPassword')]
  const proved = old?.correct && old.stored === user.password_hash
  return proved ? [] : [fault('GEN-15', 'The old password is wrong', 'oldPassword')]
}

/** A nick from before this rule stays valid until it changes. */
function nickFaults(user: Target, body: UserInput): Fault[] {
  const problem = body.nick === user.nick ? undefined : nickProblem(body.nick)
  return problem === undefined ? [] : [fieldFault('CONSTR-PATTERN', 'nick', problem)]
}

/** A user who changes the address receives its codes, as if they had turned two factor authentication off. */
const mailedCodeFaults = (user: Target, body: UserInput): Fault[] =>
  user.two_factor_provider === 'EMAIL' &&
  !user.own &&
  changesEmail(user, body) &&
  env().TWO_FACTOR_RESET_APPROVALS > 1
    ? [
        fault(
          'GEN-15',
          'Two administrators must reset two factor authentication before the address changes',
          'email',
        ),
      ]
    : []

async function changeFaults(
  context: ReadContext,
  user: Target,
  { body, named, after }: { body: UserInput; named: Named; after: Assignment },
): Promise<Fault[]> {
  const moved = after.enterprise !== user.enterprise_id
  const { scope } = named
  const placed = scope !== undefined && (moved || scope !== user.scope_id)
  const roleChanged = after.role !== user.role_id
  return [
    ...((await holdsMore(context, user)) ? [holdsMoreFault] : []),
    ...ownFaults(context, user, { body, after }),
    ...userEndFaults(user, body),
    ...nickFaults(user, body),
    ...(user.two_factor_provider === 'EMAIL' && !isMailAddress(body.email)
      ? [fault('2FA-5', undefined, 'email')]
      : []),
    ...mailedCodeFaults(user, body),
    ...(roleChanged ? await roleFaults(context, after.role) : []),
    ...(placed ? await scopeFaults(context, { scope, enterprise: after.enterprise }, 'SCOPE-16') : []),
    ...(await lastAdministratorFaults(context.db, user, {
      ...after,
      active: body.active,
      locked: body.locked,
    })),
  ]
}

/** Whether a field or the enterprise changes. A role belongs to its group in SCIM, and may be one that not every reader sees. */
function changesFields({ visible, enterprise_id }: Target, body: UserInput, after: Assignment): boolean {
  const before: Readonly<Record<string, unknown>> = visible
  return (
    after.enterprise !== enterprise_id ||
    Object.entries(profileColumns(body)).some(
      ([column, value]) => column in before && before[column] !== value,
    )
  )
}

export async function updateUser(context: Changing): Promise<UserDocument> {
  const { db, found: user, body, references: named, prepared } = context
  const after = await placeAfter(context, user, named)
  if (after.enterprise !== user.enterprise_id) requireMover(context)
  requireNone([
    ...(await changeFaults(context, user, { body, named, after })),
    ...passwordFaults(user, body, prepared),
  ])
  const ends = endAfter(body.ends, user.ends_at)
  await unlessTaken(
    'users',
    'USER-4',
    db
      .updateTable('users')
      .set({
        ...profileColumns(body),
        ...(body.nick !== user.nick && { nick_identity: lookAlikeKey(body.nick) }),
        ...(changesFields(user, body, after) && modifiedNow()),
        role_id: after.role,
        enterprise_id: after.enterprise,
        scope_id: after.scope,
        ends_at: ends,
      })
      .where('id', '=', user.id)
      .execute(),
  )
  if (ends !== user.ends_at) await planUserEnd(context, user.id, ends)
  await settleSignIn(context, user)
  return userView(await findUser(context, { enterprise: ANY_ID, user: user.id }))
}

/**
 * A changed password, disabling and locking end all sessions for good (docs/api/authentication.md, "Tokens and cookies"). Users who change their own
 * password continue in a new session. Disabling and locking end access tokens too, and disabling also ends all other credentials.
 */
async function settleSignIn(context: Changing, user: Target): Promise<void> {
  const { request, db, body, prepared, note } = context
  await settleEmail(db, { userId: user.id, from: user.email, to: body.email })
  const changed = body.password !== undefined && prepared.hash !== undefined
  const shut = (user.active === 1 && !body.active) || (user.locked === 0 && body.locked)
  if (changed)
    await setPassword(db, {
      userId: user.id,
      hash: prepared.hash ?? '',
      by: user.own ? 'user' : 'administrator',
      request,
      note,
    })
  // A lock may come from a stranger's wrong passwords, so passkeys, authorizations and mailed links outlive it.
  if (user.active === 1 && !body.active) {
    await endCredentialsOf(db, user.id)
    await passEnds(db, { from: user.id, to: context.caller.id })
  } else if (shut) await endAccessTokensOf(db, user.id)
  if (changed && user.own && !shut) context.continueAs(await beginAnew(context))
  else if (changed || shut) await endSessionsOf(db, user.id)
}

function requireMover({ caller }: ReadContext): void {
  if (!can(caller, ['USERS_MANAGE_OTHER_ENTERPRISES']))
    throw new ApiError(fault('403-FORBIDDEN', undefined, 'enterprise'))
}

/** The user's machines stay, without an owner. Users cannot delete themselves, or an installation could lose its last administrator. */
export async function removeUser({ caller, db, found: user }: Change<Target>): Promise<void> {
  if (user.own) throw new ApiError(fault('GEN-15', 'You cannot delete yourself'))
  requireNone([
    ...((await holdsMore({ caller, db }, user)) ? [holdsMoreFault] : []),
    ...(await lastAdministratorFaults(db, user, undefined)),
  ])
  await db.updateTable('virtual_machines').set({ user_id: null }).where('user_id', '=', user.id).execute()
  await forgetSignInOf(db, user.id)
  await endInvitationOf(db, user.id)
  await removeApplicationsOf(db, user.id)
  await endAccessTokensOf(db, user.id)
  await endAccessTokensMadeBy(db, user.id)
  await removePreferencesOf(db, user.id)
  await removeExternalNamesOf(db, 'user', user.id)
  await removeExternalNamesBy(db, user.id)
  await passEnds(db, { from: user.id, to: caller.id })
  await db.deleteFrom('users').where('id', '=', user.id).execute()
}
