import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { fold } from '#lib/db/fold'
import { ApiError, fault } from '#lib/ground/http/errors'
import { type Comparison, type Filter, parseFilter, type Value } from '#lib/people/scim/filter'
import { attributeName } from '#lib/people/scim/schema-urns'

/* Filters as conditions on rows, so that the database selects and counts. */

export type Condition = RawBuilder<SqlBool>

/** An attribute of the rows. Without a value its expression is null. */
export type Attribute =
  | {
      type: 'text'
      value: RawBuilder<unknown>
      /** Case counts (RFC 7643 §2.2 `caseExact`). Other expressions are folded. */
      isExact?: true
      /** The rows with this value, by an index. */
      equal?: (value: string) => Condition
    }
  | { type: 'boolean'; value: Condition }
  /** Milliseconds since 1970. `later`: the rows of which one of its columns is later, by their indexes. */
  | {
      type: 'moment'
      value: RawBuilder<unknown>
      later?: (than: (column: RawBuilder<unknown>) => Condition) => Condition
    }
  /** Values in other rows. */
  | { type: 'rows'; some: (condition: (of: Attributes) => Condition) => Condition; of: Attributes }

/** By name in lower case. A multi-valued attribute is also there without `.value`. */
export type Attributes = Readonly<Record<string, Attribute>>

/** The attribute that a client names. Every object has a `constructor`, which is none. */
const attributeNamed = (attributes: Attributes, path: string): Attribute | undefined => {
  const name = attributeName(path)
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined
}

const never = sql<SqlBool>`1 = 0`
const always = sql<SqlBool>`1 = 1`

const not = (condition: Condition): Condition => sql`(not ${condition})`

const joined = (conditions: readonly Condition[], by: 'and' | 'or'): Condition =>
  sql`(${sql.join(conditions, by === 'and' ? sql` and ` : sql` or `)})`

const unsupported = (why: string): ApiError =>
  new ApiError(fault('SCIM-0', `The filter is not supported: ${why}`))

type Compiling = {
  attributes: Attributes
  /** Attributes that the rows lack have no value, because another type of the same search has them. */
  isLenient?: boolean
}

/** Throws SCIM-0. */
export const conditionOf = (filter: string | undefined, compiling: Compiling): Condition =>
  filter === undefined || filter.trim() === '' ? always : compile(parseFilter(filter), compiling)

/** Throws SCIM-0. */
export function compile(filter: Filter, compiling: Compiling): Condition {
  switch (filter.op) {
    case 'and':
    case 'or':
      return joined(
        filter.filters.map((each) => compile(each, compiling)),
        filter.op,
      )
    case 'not':
      return not(compile(filter.filter, compiling))
    case 'within':
      return within(filter, compiling)
    default:
      return compare(filter, compiling)
  }
}

/** In brackets the attributes are those of one element. A row has at most one of these elements, or they are rows of their own. */
function within(
  { path, filter }: { path: string; filter: Filter },
  { attributes, isLenient = false }: Compiling,
): Condition {
  const name = attributeName(path)
  const own = attributeNamed(attributes, path)
  if (own?.type === 'rows') return own.some((of) => compile(filter, { attributes: of, isLenient }))
  const inner = Object.fromEntries(
    Object.entries(attributes).flatMap(([key, attribute]) =>
      key.startsWith(`${name}.`) ? [[key.slice(name.length + 1), attribute]] : [],
    ),
  )
  if (Object.keys(inner).length === 0) {
    if (isLenient) return never
    throw unsupported(`${path} has no filter in brackets`)
  }
  const condition = compile(filter, { attributes: inner, isLenient })
  return own ? joined([isPresent(own), condition], 'and') : condition
}

const isPresent = (attribute: Attribute): Condition => {
  if (attribute.type === 'boolean') return always
  if (attribute.type === 'rows') return attribute.some(() => always)
  if (attribute.type === 'moment') return sql`(${attribute.value} is not null)`
  return sql`(${attribute.value} is not null and ${attribute.value} <> '')`
}

type Compared = Extract<Filter, { path: string }> & { op: Comparison | 'pr'; value?: Value }

function compare(filter: Extract<Filter, { op: Comparison | 'pr' }>, compiling: Compiling): Condition {
  const { path, op, value } = filter as Compared
  const attribute = attributeNamed(compiling.attributes, path)
  if (!attribute) {
    if (compiling.isLenient) return op === 'ne' ? always : never
    throw unsupported(`${path} is no attribute that can be searched`)
  }
  if (attribute.type === 'rows')
    return attribute.some((of) => compare({ ...filter, path: 'value' }, { attributes: of }))
  if (op === 'pr') return isPresent(attribute)
  if (value === null || value === undefined) {
    if (op === 'eq') return not(isPresent(attribute))
    if (op === 'ne') return isPresent(attribute)
    throw unsupported(`${path} ${op} null`)
  }
  if (attribute.type === 'boolean') return compareBoolean(attribute.value, { path, op, value })
  return attribute.type === 'moment'
    ? compareMoment(attribute, { path, op, value })
    : compareText(attribute, { path, op, value })
}

type Simple = { path: string; op: Comparison; value: string | number | boolean }

/** Microsoft Entra sends booleans as texts. */
function compareBoolean(column: Condition, { path, op, value }: Simple): Condition {
  const text = String(value).toLowerCase()
  if ((op !== 'eq' && op !== 'ne') || !['true', 'false'].includes(text))
    throw unsupported(`${path} ${op} takes true or false, with eq or ne`)
  return (text === 'true') === (op === 'eq') ? column : not(column)
}

const dateTime = z.iso.datetime({ offset: true })

/** A moment without a zone is one of UTC. */
function compareMoment(
  { value: column, later }: Extract<Attribute, { type: 'moment' }>,
  { path, op, value }: Simple,
): Condition {
  const sent = [value, `${value}Z`].map(String).find((text) => dateTime.safeParse(text).success)
  if (sent === undefined) throw unsupported(`${path} ${op} takes a moment, as in 2026-01-31T12:00:00Z`)
  const time = Date.parse(sent)
  const than = (by: RawBuilder<unknown>) => (each: RawBuilder<unknown>) => sql<SqlBool>`${each} ${by} ${time}`
  if (op === 'eq') return sql`(${column} is not null and ${column} = ${time})`
  if (op === 'ne') return sql`(${column} is null or ${column} <> ${time})`
  if (op === 'co' || op === 'sw' || op === 'ew') throw unsupported(`${path} ${op}`)
  const compared = than(inOrder[op])
  if (later && (op === 'gt' || op === 'ge')) return later(compared)
  return sql`(${column} is not null and ${compared(column)})`
}

const inOrder = { gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=` }
const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

function compareText(
  { value: column, isExact, equal }: Extract<Attribute, { type: 'text' }>,
  { path, op, value }: Simple,
): Condition {
  if (typeof value === 'boolean') throw unsupported(`${path} ${op} takes a text`)
  const text = isExact ? String(value) : fold(String(value))
  if (text.includes('\0') || !text.isWellFormed()) throw unsupported('a text has a null character')
  const present = (condition: Condition): Condition => sql`(${column} is not null and ${condition})`
  const same = () => (equal ? equal(text) : present(sql`${column} = ${text}`))
  if (op === 'eq') return same()
  if (op === 'ne') return not(same())
  if (op === 'co' || op === 'sw' || op === 'ew')
    return present(text === '' ? always : isExact ? exactly(column, op, text) : like(column, op, text))
  return present(sql`${column} ${inOrder[op]} ${text}`)
}

function like(column: RawBuilder<unknown>, op: 'co' | 'sw' | 'ew', text: string): Condition {
  const [before, after] = [op === 'sw' ? '' : '%', op === 'ew' ? '' : '%']
  return sql`${column} like ${before + literally(text) + after} escape '\\'`
}

/** LIKE ignores the case of ASCII on SQLite. */
function exactly(column: RawBuilder<unknown>, op: 'co' | 'sw' | 'ew', text: string): Condition {
  if (op === 'co') return sql`replace(${column}, ${text}, '') <> ${column}`
  const length = sql.lit([...text].length)
  return op === 'sw'
    ? sql`substr(${column}, 1, ${length}) = ${text}`
    : sql`substr(${column}, length(${column}) - ${length} + 1) = ${text}`
}

/** The columns of an order: rows without a value are last, and first in reverse (RFC 7644 §3.4.2.3). Throws SCIM-5. */
export function orderOf(
  sortBy: string | undefined,
  { attributes, isLenient }: Compiling,
): RawBuilder<unknown>[] {
  if (sortBy === undefined) return []
  const attribute = attributeNamed(attributes, sortBy)
  if (!attribute && isLenient) return []
  if (!attribute || attribute.type === 'rows')
    throw new ApiError(fault('SCIM-5', `sortBy: ${sortBy} is no attribute that can be sorted by`, 'sortBy'))
  if (attribute.type === 'boolean') return [sql`case when ${attribute.value} then 1 else 0 end`]
  return [sql`case when ${attribute.value} is null then 1 else 0 end`, attribute.value]
}

/** Whether an index finds the rows, so that the query needs no scan. */
export function isSelective(filter: string | undefined, attributes: Attributes): boolean {
  if (filter === undefined || filter.trim() === '') return false
  const isFound = (each: Filter): boolean => {
    if (each.op === 'and') return each.filters.some(isFound)
    const attribute = each.op === 'eq' ? attributeNamed(attributes, each.path) : undefined
    return attribute?.type === 'text' && attribute.equal !== undefined
  }
  return isFound(parseFilter(filter))
}

/** An id is a text in SCIM, and a number in its column. */
export const idAttribute = (column: string): Attribute => ({
  type: 'text',
  value: sql`cast(${sql.ref(column)} as text)`,
  isExact: true,
  equal: (text) => (/^[1-9]\d{0,14}$/.test(text) ? sql`${sql.ref(column)} = ${Number(text)}` : never),
})
