import { callerOf, findAnyAccount, owesPassword, owesTwoFactor } from '#lib/caller/auth/caller.server'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { type Caller, can, type Privilege } from '#lib/caller/auth/privileges'
import { linkTo } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { lineOf } from '#lib/caller/scopes/family.server'
import { seesScope } from '#lib/caller/scopes/visibility.server'
import { ApiError, about } from '#lib/ground/http/errors'
import { ANY_ID } from '#lib/ground/http/path-ids'
import { type LinkDocument, linkIf } from '#lib/ground/http/view'
import { findUser, type UserRow } from '#lib/people/identity/users.server'
import type { AccessExplanation, AccessQuestion } from '#lib/request/access/access.schema'
import { type Asked, askedOperation, atMoment, pastOf, sightOf } from '#lib/request/access/asked.server'
import { isGranted } from '#lib/request/pipeline/authorize.server'
import type { Operation } from '#lib/request/pipeline/spec.server'

type Standing = Pick<AccessExplanation, 'active' | 'locked' | 'owesPassword' | 'owesTwoFactor'>
type Verdict = Pick<AccessExplanation, 'status' | 'visible'>

/** Throws the code for resources that the caller of the question does not see themselves. */
export async function requireSight(asked: Asked, context: ReadContext): Promise<void> {
  const { hidden } = await sightOf(asked, context)
  if (hidden) throw hidden
  const past = await pastOf(asked, context)
  if (!past) return
  const then = await atMoment(context, past.moment, (then) => sightOf(past.asked, then))
  if (then.hidden) throw new ApiError('EVENT-1')
}

/** Explains why a user may or may not do something, without doing it. Throws USER-0, and 404 for resources that the caller does not see. */
export async function explainAccess({
  body: { user: named, links, method, path },
  ...context
}: ReadContext & { body: AccessQuestion }): Promise<AccessExplanation> {
  const asked = await askedOperation(method, path)
  const wanted = { enterprise: ANY_ID, user: named ?? links.user ?? 0 }
  const user = await about('user', findUser(context, wanted))
  if (asked !== 'open') await requireSight(asked, context)
  const account = await findAnyAccount(context.db, user.id)
  if (!account) throw new ApiError('USER-0')
  const standing = {
    active: account.active === 1,
    locked: account.locked === 1,
    owesPassword: owesPassword(account),
    owesTwoFactor: owesTwoFactor(account),
  }
  const holder = callerOf(account)
  if (asked === 'open')
    return {
      links: linksOf(user),
      ...{ granted: true, status: 200, privileges: [], held: [], visible: true },
      ...standing,
      missing: [],
    }
  const { status, visible } = await verdictOf(asked, { ...context, caller: holder })
  const isKnown = maySignIn(asked.spec, standing)
  const groups = await privilegesFor(asked, holder, context)
  const privileges = groups.flat()
  // A path of the user's own needs none of the first group.
  const isOwn = isGranted(asked.spec.who, holder, asked.segments)
  const missing = groups.filter((group) => !can(holder, group) && !(isOwn && group === asked.spec.who.anyOf))
  return {
    links: [...linksOf(user), ...(await scopeLinks(asked, { holder, visible }, context))],
    granted: isKnown && status < 400,
    status: isKnown ? status : 401,
    privileges,
    held: privileges.filter((name) => holder.privileges.has(name)),
    visible,
    ...standing,
    missing: missing.map((group) => group.join('|')),
  }
}

/**
 * A required change of password blocks only the console, not programs. Required two factor authentication leaves only the operations that
 * are open to everyone in this state.
 */
const maySignIn = (
  { who: { despiteDuty } }: Operation,
  { active, locked, owesTwoFactor: twoFactor }: Standing,
): boolean => active && !locked && (despiteDuty === 'anywhere' || !twoFactor)

/** The status of the request, as far as it depends on privileges and visibility, in the order of the pipeline. */
async function verdictOf(asked: Asked, context: ReadContext): Promise<Verdict> {
  const { spec, segments } = asked
  const { refused, hidden } = await sightOf(asked, context)
  const visible = hidden === undefined
  if (!isGranted(spec.who, context.caller, segments)) return { status: 403, visible }
  if (refused) return { status: refused.status, visible }
  return spec.past ? verdictOfPast(asked, context) : { status: statusOf(asked), visible }
}

async function verdictOfPast(asked: Asked, context: ReadContext): Promise<Verdict> {
  try {
    const past = await pastOf(asked, context)
    if (!past) return { status: 404, visible: false }
    const { spec, segments } = past.asked
    if (!isGranted(spec.who, context.caller, segments)) return { status: 403, visible: true }
    return await atMoment(context, past.moment, (then) => verdictOf(past.asked, then))
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, visible: false }
    throw error
  }
}

function statusOf({ method, spec: { answers } }: Asked): number {
  if (!(answers?.as || answers?.oneOf || answers?.stream)) return 204
  return answers.status ?? (method === 'POST' ? 201 : 200)
}

/** Of each group any one grants its part of the operation. For users of another enterprise the target may require more. */
async function privilegesFor(
  { spec, params }: Asked,
  holder: Caller,
  context: ReadContext,
): Promise<(readonly Privilege[])[]> {
  const { who, target } = spec
  const ownEnterprise = target?.elsewhere && (await enterpriseOf(params, context))
  const isElsewhere = ownEnterprise !== holder.enterpriseId && params.user !== holder.id
  const { anyOf, alsoAnyOf = [] } = who
  const also = target?.elsewhere && isElsewhere ? target.elsewhere : []
  return [anyOf === 'user' ? [] : anyOf, alsoAnyOf, also].filter((group) => group.length > 0)
}

async function enterpriseOf(
  { user, enterprise }: Partial<Record<string, number>>,
  context: ReadContext,
): Promise<number | undefined> {
  return user === undefined
    ? enterprise
    : (await findUser(context, { enterprise: ANY_ID, user })).enterprise_id
}

const linksOf = (user: UserRow): LinkDocument[] => [
  linkTo(kinds.user, { enterprise: user.enterprise_id, id: user.id }, user.nick),
  ...(user.role_name === null ? [] : [linkTo(kinds.role, { id: user.role_id }, user.role_name)]),
]

type Sighted = { holder: Caller; visible: boolean }

/** The scope that applies to the user, and the visible scopes on the way from a named scope up to it. */
async function scopeLinks(
  { params }: Asked,
  { holder, visible }: Sighted,
  { caller, db }: ReadContext,
): Promise<LinkDocument[]> {
  const own = holder.scope.id
  const line = visible && params.scope !== undefined ? await lineOf(db, params.scope) : []
  const above = line.includes(own) ? line.filter((id) => id !== params.scope) : []
  const rows = await db
    .selectFrom('scopes')
    .where('id', 'in', [own, ...above])
    .where(seesScope(caller, 'scopes.id'))
    .select(['id', 'name'])
    .execute()
  const scopeLink = (rel: string, id: number) => {
    const row = rows.find((each) => each.id === id)
    return linkIf(row?.id ?? null, linkTo(kinds.scope, { id }, row?.name, rel))
  }
  return [
    ...scopeLink('scope', own),
    ...above.slice(0, above.indexOf(own) + 1).flatMap((id) => scopeLink('scopeParent', id)),
  ]
}
