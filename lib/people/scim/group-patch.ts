import { ApiError, type ErrorCode, fault } from '#lib/ground/http/errors'
import { type Filter, parsePath } from '#lib/people/scim/filter'
import type { Operation } from '#lib/people/scim/operations'
import { attributeName } from '#lib/people/scim/schema-urns'
import { elementsOf, idOf, isFields, textOf, wrongValue } from '#lib/people/scim/values'

/* PATCH of a group (RFC 7644 §3.5.2). A group may have many members, so the operations become sets of ids to add and to remove. */

export type GroupDraft = {
  displayName?: string | undefined
  externalId?: string | undefined
  /** The members that are not named leave the group. */
  isWhole: boolean
  joining: ReadonlySet<number>
  leaving: ReadonlySet<number>
}

/** The members of the group that match a filter. */
type Find = (filter: Filter) => Promise<number[]>

const refused = (code: ErrorCode, message: string): ApiError => new ApiError(fault(code, message, 'path'))

/** The ids that the elements name. Throws SCIM-5. */
export const membersIn = (value: unknown): number[] =>
  elementsOf(value, 'members').map((element) => {
    const id = idOf(element)
    if (id === undefined) throw wrongValue('members', 'must be users, each by its id as value')
    return id
  })

/** The sets are changed in place: a message may have many operations, and a group many members. */
type Changing = GroupDraft & { joining: Set<number>; leaving: Set<number> }

function joined(draft: Changing, ids: readonly number[]): Changing {
  for (const id of ids) {
    draft.joining.add(id)
    draft.leaving.delete(id)
  }
  return draft
}

function left(draft: Changing, ids: readonly number[]): Changing {
  for (const id of ids) {
    draft.joining.delete(id)
    draft.leaving.add(id)
  }
  return draft
}

export const withMembers = (draft: GroupDraft, ids: readonly number[]): Changing => ({
  ...draft,
  isWhole: true,
  joining: new Set(ids),
  leaving: new Set(),
})

/** Each search reads the members, in the transaction of the change. */
const MOST_SEARCHES = 20

/** The draft after the operations, in their order. Throws SCIM-1, SCIM-2, SCIM-4, SCIM-5, 413. */
export async function patchedGroup(
  draft: GroupDraft,
  operations: readonly Operation[],
  find: Find,
): Promise<GroupDraft> {
  let searches = 0
  const findFew: Find = (filter) => {
    searches += 1
    if (searches > MOST_SEARCHES)
      throw new ApiError(
        fault('413-PAYLOAD-TOO-LARGE', `A request can search for members ${MOST_SEARCHES} times at most`),
      )
    return find(filter)
  }
  let after: Changing = { ...draft, joining: new Set(draft.joining), leaving: new Set(draft.leaving) }
  for (const operation of operations) after = await afterOne(after, operation, findFew)
  return after
}

async function afterOne(draft: Changing, { op, path, value }: Operation, find: Find): Promise<Changing> {
  if (path !== undefined) return afterPath(draft, { op, path, value }, find)
  if (op === 'remove') throw refused('SCIM-2', 'A remove operation needs a path')
  if (!isFields(value)) throw refused('SCIM-5', 'An operation without a path needs an object as its value')
  let after = draft
  for (const [name, part] of Object.entries(value))
    if (!['id', 'schemas', 'meta'].includes(attributeName(name)))
      after = await afterPath(after, { op, path: name, value: part }, find)
  return after
}

type Targeted = Operation & { path: string }

async function afterPath(draft: Changing, operation: Targeted, find: Find): Promise<Changing> {
  const { op, value } = operation
  const { attribute, filter, sub } = parsePath(operation.path)
  const name = attributeName(attribute)
  const sent = op === 'remove' ? undefined : value
  if (['id', 'schemas', 'meta'].includes(name)) throw refused('SCIM-4', `${attribute} cannot be changed`)
  if (name === 'displayname' && !filter) return { ...draft, displayName: textOf(sent, 'displayName') }
  if (name === 'externalid' && !filter) return { ...draft, externalId: textOf(sent, 'externalId') }
  if (sub !== undefined || name.startsWith('members.'))
    throw refused('SCIM-4', 'A member cannot be changed, only added or removed')
  if (name !== 'members') throw refused('SCIM-1', `Groups have no attribute ${attribute}`)
  if (filter) return membersMatching(draft, operation, { filter, find })
  if (op === 'add') return joined(draft, membersIn(value))
  if (op === 'replace') return withMembers(draft, membersIn(value))
  return value === undefined ? withMembers(draft, []) : left(draft, membersIn(value))
}

/** Removed users need not be members: providers repeat what they did. */
async function membersMatching(
  draft: Changing,
  { op }: Targeted,
  { filter, find }: { filter: Filter; find: Find },
): Promise<Changing> {
  const named = filter.op === 'eq' && attributeName(filter.path) === 'value' ? idOf(filter.value) : undefined
  if (op === 'remove') return left(draft, named === undefined ? await find(filter) : [named])
  if (op === 'add' && named !== undefined) return joined(draft, [named])
  throw refused('SCIM-4', 'A member cannot be changed, only added or removed')
}
