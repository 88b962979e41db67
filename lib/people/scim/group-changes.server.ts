import type { ReadContext } from '#lib/caller/auth/context.server'
import { can } from '#lib/caller/auth/privileges'
import { collectionOf, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { chunksOf } from '#lib/db/chunks'
import type { Trx } from '#lib/db/db.server'
import { ApiError, fault } from '#lib/ground/http/errors'
import { setExternalNames } from '#lib/people/external-ids/external-ids.server'
import type { RoleDocument } from '#lib/people/identity/identity.schema'
import { roleView } from '#lib/people/identity/roles.server'
import { compile } from '#lib/people/scim/conditions.server'
import { type GroupDraft, membersIn, patchedGroup, withMembers } from '#lib/people/scim/group-patch'
import {
  findScimGroup,
  groupVersion,
  memberAttributes,
  memberIds,
  memberSums,
  type ScimGroupRow,
} from '#lib/people/scim/groups.server'
import type { Message, Projection } from '#lib/people/scim/list-query.schema'
import { groupViews } from '#lib/people/scim/lists.server'
import { operationsOf } from '#lib/people/scim/operations'
import { defaultRole, moveUsers, requireVersion } from '#lib/people/scim/user-changes.server'
import { type ScimUserRow, scimBase, scimUsers } from '#lib/people/scim/users.server'
import { attributeOf, requireKeepable, textOf, wrongValue } from '#lib/people/scim/values'
import type { Context } from '#lib/record/events/operation.server'

/*
 * Changes of roles as groups. A user has one role: a group that adds a user takes them from another, and a user who leaves a group gets the
 * default role. Each change is the operation of the API, with its rules, privileges and event.
 */

type Changing = Context & { db: Trx }
type Writing = Changing & { query: Projection }
type Found = { found: ScimGroupRow }

export const scimGroupTarget = {
  ids: { role: 'ROLE-0' },
  find: (context: ReadContext, { role }: { role: number }) => findScimGroup(context, role),
} as const

const rolePath = (id: number): string => pathOf(kinds.role, { id })

/** More moves would hold up other writers for too long. */
const MOST_MOVES = 1000

const empty: GroupDraft = { isWhole: false, joining: new Set(), leaving: new Set() }

function nameIn({ displayName }: GroupDraft): string {
  if (displayName === undefined) throw wrongValue('displayName', 'must not be missing')
  return displayName
}

/** Reads the document of POST and PUT. A PUT without `members` keeps them (RFC 7644 §3.5.1 leaves it open). Throws SCIM-5. */
function draftOf(body: Message): GroupDraft {
  const members = attributeOf(body, 'members')
  return {
    ...(members === undefined ? empty : withMembers(empty, membersIn(members))),
    displayName: textOf(attributeOf(body, 'displayName'), 'displayName'),
    externalId: textOf(attributeOf(body, 'externalId'), 'externalId'),
  }
}

/** Nothing to those who move users but read no roles. */
async function shown(context: Writing, id: number): Promise<object | undefined> {
  const { caller, query, request } = context
  if (!can(caller, kinds.role.readers)) return undefined
  const rows = [await findScimGroup(context, id)]
  const [view] = await groupViews(context, { rows, query, base: scimBase(request) })
  return view
}

export const readScimGroup = async (context: Omit<Writing, 'db'> & ReadContext & Found) =>
  (
    await groupViews(context, {
      rows: [context.found],
      query: context.query,
      base: scimBase(context.request),
    })
  )[0]

/** A new role has no privileges: only who may grant them adds some. */
export async function createScimGroup(context: Writing & { body: Message }) {
  const { caller, db, body, operate } = context
  const draft = draftOf(body)
  const { externalId } = draft
  requireKeepable({ externalId })
  const path = collectionOf(kinds.role)
  const document = { name: nameIn(draft), links: [] }
  const made = (await operate({ method: 'POST', path, document, isOwnChange: true })) as RoleDocument
  if (externalId !== undefined)
    await setExternalNames(db, { owner: caller.id, kind: 'role', id: made.id }, { externalId })
  await changeMembers(context, made.id, draft)
  return shown(context, made.id)
}

async function requireGroupVersion(context: Changing & Found): Promise<void> {
  const { found, request } = context
  if (!request.headers.has('if-match')) return
  const sums = await memberSums(context, [found.id])
  requireVersion(request, groupVersion(found, sums.get(found.id)))
}

export async function replaceScimGroup(context: Writing & Found & { body: Message }) {
  await requireGroupVersion(context)
  await saveGroup(context, draftOf(context.body))
  return shown(context, context.found.id)
}

/** Without the group in the answer, which may be long, unless the client names attributes (RFC 7644 §3.5.2). */
export async function patchScimGroup(context: Writing & Found & { body: Message }) {
  await requireGroupVersion(context)
  const { body, found, query } = context
  const { name, external_id } = found
  const draft = await patchedGroup(
    { ...empty, displayName: name, externalId: external_id ?? undefined },
    operationsOf(body, 'group'),
    (filter) => memberIds(context, found.id, compile(filter, { attributes: memberAttributes })),
  )
  await saveGroup(context, draft)
  return query.attributes ? shown(context, found.id) : undefined
}

async function saveGroup(context: Changing & Found, draft: GroupDraft): Promise<void> {
  const { caller, db, found, operate } = context
  const { externalId } = draft
  requireKeepable({ externalId })
  const name = nameIn(draft)
  if (name !== found.name) {
    const links = roleView(found)
      .links.filter(({ rel }) => rel === 'enterprise' || rel === 'scope')
      .map(({ rel, href }) => ({ rel, href: `/api${href}` }))
    const document = { id: found.id, name, links }
    await operate({ method: 'PUT', path: rolePath(found.id), document, isOwnChange: true })
  }
  if ((externalId ?? null) !== found.external_id)
    await setExternalNames(db, { owner: caller.id, kind: 'role', id: found.id }, { externalId })
  await changeMembers(context, found.id, draft)
}

/** The users of a group leave it first: a role in use cannot be deleted. */
export async function removeScimGroup(context: Changing & Found): Promise<void> {
  await requireGroupVersion(context)
  const { found, operate } = context
  await changeMembers(context, found.id, withMembers(empty, []))
  await operate({ method: 'DELETE', path: rolePath(found.id), isOwnChange: true })
}

async function changeMembers(context: Changing, role: number, draft: GroupDraft): Promise<void> {
  const { isWhole, joining } = draft
  if (!isWhole && joining.size === 0 && draft.leaving.size === 0) return
  const present = isWhole ? await memberIds(context, role) : []
  const leaving = isWhole ? present.filter((id) => !joining.has(id)) : [...draft.leaving]
  const known = new Set(present)
  const added = await usersOf(
    context,
    [...joining].filter((id) => !known.has(id)),
  )
  requireAll(added, joining, known)
  const joins = added.filter(({ role_id }) => role_id !== role)
  const leaves = (await usersOf(context, leaving)).filter(({ role_id }) => role_id === role)
  if (joins.length + leaves.length > MOST_MOVES)
    throw new ApiError(
      fault('413-PAYLOAD-TOO-LARGE', `A request can move ${MOST_MOVES} users at most`, 'members'),
    )
  await moveUsers(context, joins, role)
  if (leaves.length === 0) return
  const fallback = await defaultRole(context)
  if (fallback !== role) await moveUsers(context, leaves, fallback)
}

/** Throws SCIM-5 for members that are no users, or that the caller does not see. */
function requireAll(
  found: readonly ScimUserRow[],
  wanted: ReadonlySet<number>,
  known: ReadonlySet<number>,
): void {
  const ids = new Set(found.map(({ id }) => id))
  const missing = [...wanted].find((id) => !ids.has(id) && !known.has(id))
  if (missing !== undefined) throw wrongValue('members', `has no user ${missing}`)
}

/** The visible users among these. */
async function usersOf({ caller, db }: ReadContext, ids: readonly number[]): Promise<ScimUserRow[]> {
  const rows: ScimUserRow[] = []
  for (const some of chunksOf([...ids]))
    rows.push(
      ...(await scimUsers(db, caller, caller.id).where('users.id', 'in', some).orderBy('users.id').execute()),
    )
  return rows
}
