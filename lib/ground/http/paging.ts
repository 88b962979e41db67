import { z } from 'zod'
import { bare } from '#lib/ground/http/fields.schema'
import { coded } from '#lib/ground/http/input.schema'
import { type LinkDocument, link } from '#lib/ground/http/view'

/* Query parameters are texts; `meta` describes their real types in the OpenAPI description. */

const count = (name: string, fallback: number, description: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `${name} must be a number, 0 or more`)
    .transform(Number)
    .default(fallback)
    .meta({ type: 'integer', minimum: 0, pattern: undefined, description })

/** `true` or `false` in any case, because Python writes `True`; anything else is refused (docs/api/conventions.md, "Paths and targets"). */
export const flag = (name: string) =>
  z
    .string()
    .regex(/^(true|false)$/i, `${name} must be true or false`)
    .transform((value) => value.toLowerCase() === 'true')
    .meta({ type: 'boolean', pattern: undefined })

/** The id of a query parameter. */
export const queryId = (name: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,14}$/, `${name} must be an id`)
    .transform(Number)
    .meta({ type: 'integer', minimum: 1, pattern: undefined })

/** A whole number from 1 to `most`. */
export const queryNumber = (name: string, { most, usual }: { most: number; usual: number }) => {
  const message = `${name} must be a number from 1 to ${most}`
  return z.coerce.number(message).int(message).min(1, message).max(most, message).default(usual)
}

/** The query of every list (docs/api/lists.md, "Paging"). The first order is the default. */
export const pageQuery = <Order extends string>(...orders: readonly [Order, ...Order[]]) =>
  z.object({
    startwith: count(
      'startwith',
      0,
      'The first item to retrieve, counted from 0; beyond the end it is the last page',
    ),
    limit: count('limit', 25, 'How many items to retrieve; 0: all'),
    has: z.string().max(1024, 'has is too long').default('').meta({
      description: 'Only items that contain this text, whatever its case; every character is literal',
    }),
    by: z
      .string()
      .default(orders[0])
      .transform((by, context) => {
        const order = orders.find((name) => name === by.toLowerCase())
        if (order) return order
        context.addIssue({
          code: 'custom',
          ...coded('QUERY-0', `by must be one of ${orders.join(', ')}`),
          input: by,
        })
        return z.NEVER
      })
      .meta({ enum: orders, description: 'The field to order by, whatever its case' }),
    asc: flag('asc').default(true).meta({ description: 'false: descending' }),
  })

/** The query of a list of named resources. */
export const nameQuery = pageQuery('name', 'id')

const minutes = { m: 1, h: 60, d: 1440, w: 10_080 }

/** A filter of lists whose rows have a past. */
export const changed = z
  .string()
  .regex(/^[<>][1-9]\d{0,3}[mhdw]$/, 'changed must be like <7d or >1h, in m, h, d or w')
  .optional()
  .meta({
    description:
      'Only items that changed within this time (`<7d`), or that did not (`>1h`), in minutes (m), hours (h), days (d) or weeks (w)',
  })

/** Whether items changed before this time, since when, in whole minutes since 1970: then equal questions within a minute are one. */
export function changeWanted(text: string, now = Date.now()): { within: boolean; since: number } {
  const [, sign, count, unit] = /^([<>])(\d+)([mhdw])$/.exec(text) ?? []
  const long = Number(count) * minutes[unit as keyof typeof minutes]
  return { within: sign === '<', since: Math.floor(now / 60_000) - long }
}

/** A filter by a number of each item. */
export const compared = (name: string, description: string) =>
  z
    .string()
    .regex(/^[<>]\d{1,9}$/, `${name} must be like >10 or <10`)
    .optional()
    .meta({ description })

/** The bound of such a filter. */
export type Compared = { above?: number; below?: number }

export const comparedTo = (text: string | undefined): Compared => {
  const bound = Number(text?.slice(1))
  return text === undefined ? {} : text.startsWith('>') ? { above: bound } : { below: bound }
}

/** The additional query of a list that is also offered as CSV. */
export const formatQuery = z.object({
  format: z
    .literal('csv', 'format must be csv')
    .optional()
    .meta({ description: 'The list as a table, whatever `Accept` says' }),
})

/** If a parameter occurs twice, the last value counts (docs/api/conventions.md, "Paths and targets"), but for one that takes a list. */
export const queryFields = (
  { shape }: z.ZodObject,
  sent: URLSearchParams,
): Record<string, string | string[]> =>
  Object.fromEntries(
    [...sent].map(([name, value]) => [
      name,
      shape[name] && isList(shape[name] as z.ZodType) ? sent.getAll(name) : value,
    ]),
  )

const isList = (field: z.ZodType): boolean => bare(field) instanceof z.ZodArray

export type Paging<Order extends string = string> = {
  startwith: number
  limit: number
  has: string
  by: Order
  asc: boolean
}

export type NamePaging = Paging<'name' | 'id'>
type Tagged = { tag?: readonly string[] | undefined }
export type TaggedPaging = NamePaging & Tagged
export type ChangedPaging = TaggedPaging & { changed?: string | undefined }

/** The first item of the returned page: beyond the end, that of the last page. `limit` 0 means all items. */
export const clampStart = (startwith: number, limit: number, total: number): number =>
  startwith < total ? startwith : limit === 0 ? 0 : Math.max(total - limit, 0)

/** The query of a list as its schema returns it: all fields that do not page it are filters. */
export type ListQuery<Order extends string = string> = Paging<Order> & {
  /** The list is descending by default. */
  descends?: true
  changed?: string | undefined
  tag?: readonly string[] | undefined
} & Record<string, string | number | boolean | readonly string[] | undefined>

/** The links first, last, previous and next of a page. They repeat the filters in the order of the schema. */
export function pageLinks(
  path: string,
  { startwith, limit, has, by, asc, descends, ...filters }: ListQuery,
  total: number,
): LinkDocument[] {
  const written = (parameters: [name: string, value: unknown][]) =>
    parameters
      .flatMap(([name, value]) =>
        Array.isArray(value) ? value.map((each) => [name, each]) : [[name, value]],
      )
      .map(([name, value]) => (value === undefined ? '' : `&${name}=${encodeURIComponent(String(value))}`))
      .join('')
  const before = written([...Object.entries(filters), ['asc', (descends && asc) || undefined]])
  const behind = written([
    ['limit', limit],
    ['has', has || undefined],
    ['by', by],
    ['asc', asc ? undefined : false],
  ])
  const href = (start?: number) =>
    `${path}?${`${before}${start === undefined ? '' : `&startwith=${start}`}${behind}`.slice(1)}`
  const links = [link('first', href()), link('last', href(limit === 0 ? 0 : Math.max(total - limit, 0)))]
  if (startwith > 0) links.push(link('previous', href(limit === 0 ? 0 : Math.max(startwith - limit, 0))))
  if (limit > 0 && startwith + limit < total) links.push(link('next', href(startwith + limit)))
  return links
}
