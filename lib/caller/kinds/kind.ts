import type { Privilege } from '#lib/caller/auth/privileges'
import type { ErrorCode } from '#lib/ground/http/errors'
import { type LinkDocument, link, type MediaName } from '#lib/ground/http/view'

/**
 * Where the resources of a kind are, which decides who sees them: the columns with the ids of these places. A column of the row itself, or,
 * as `via.column`, of the row that it belongs to. A place is in itself: its column is `id`.
 */
type PlaceColumns = {
  /** The row that it belongs to: its table, and the column that names it. */
  via?: readonly [table: string, column: string]
  enterprise?: string
  datacenter?: string
  scope?: string
  /** Rows without an enterprise exist in all of them. */
  orEveryEnterprise?: true
}

/** How the search finds a resource, and shows it. */
type Found = {
  /** The column of the folded name, which has an index. */
  key: string
  /** The column of the name as it is shown. By default `name`. */
  name?: string
  /** Other columns that may start with the text, or contain it. By default the text is looked for in the name alone. */
  alike?: readonly string[]
  within?: readonly string[]
  /** The columns of the ids in its path, besides those of its places. */
  ids?: Readonly<Record<string, string>>
  /** What distinguishes hits with similar names: columns of the row, or the name of the row that one of them names. */
  detail?: readonly string[] | { of: readonly [table: string, column: string] }
}

/** The facts about a kind of resource, without behaviour. Code for all kinds reads them from here. */
export type Facts = {
  /** Its media type, and how links, events and searches name it. */
  name: MediaName
  table: string
  /** Its path below {api}: a part in braces is an id, the last one its own. */
  path: string
  /** The code for a resource that is missing, or that the caller does not see. */
  missing: ErrorCode
  /** The privileges that open its list; any one is enough (docs/api/authorization.md, "Privileges"). */
  readers?: readonly Privilege[]
  /** The privileges that change the resources in its list. */
  writers?: readonly Privilege[]
  place?: PlaceColumns
  found?: Found
  /** The members that identify it in an export and a plan. They never change. */
  identity?: readonly string[]
}

export type Ids<Path extends string> = Path extends `${string}{${infer Id}}${infer Rest}`
  ? Id | Ids<Rest>
  : never

/** The parts of the path of a list: a text, and the name of the id after it. */
type Parts = readonly { text: string; id?: string | undefined }[]

export type Kind<F extends Facts = Facts> = F & { parts: Parts }

export function kind<const F extends Facts>(facts: F): Kind<F> {
  const pieces = facts.path.replace(/\/\{id\}$/, '').split(/[{}]/)
  const parts = pieces.flatMap((text, index) => (index % 2 === 0 ? [{ text, id: pieces[index + 1] }] : []))
  return { ...facts, parts }
}

type Id = number | string | null

function filled(parts: Parts, ids: object): string {
  let path = ''
  for (const { text, id } of parts) path += id === undefined ? text : text + (ids as Record<string, Id>)[id]
  return path
}

/** The path of a resource below {api}. */
export const pathOf = <F extends Facts>(
  { parts }: Kind<F>,
  ids: { readonly [Name in Ids<F['path']>]: Id },
): string => `${filled(parts, ids)}/${(ids as { id: Id }).id}`

/** The path of the list that has the resource. */
export const collectionOf = <F extends Facts>(
  { parts }: Kind<F>,
  ...[ids = {}]: Exclude<Ids<F['path']>, 'id'> extends never
    ? [ids?: object]
    : [ids: { readonly [Name in Exclude<Ids<F['path']>, 'id'>]: Id }]
): string => filled(parts, ids)

/** The path as the rule of a link has it: `/admin/scopes/:id`. */
export const patternOf = ({ path }: Kind): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** A link to a resource. Its rel is the name of the kind. */
export const linkTo = <F extends Facts>(
  kind: Kind<F>,
  ids: { readonly [Name in Ids<F['path']>]: Id },
  title?: string | null,
  rel: string = kind.name,
): LinkDocument => link(rel, pathOf(kind, ids), kind.name, title)
