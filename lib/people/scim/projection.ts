import type { Projection } from '#lib/people/scim/list-query.schema'
import { attributeName } from '#lib/people/scim/schema-urns'

/* The attributes of a resource that the client asks for (RFC 7644 §3.9). */

type Resource = Record<string, unknown>

/** In each answer (RFC 7643 §3.1, §7 `returned`). */
const always = new Set(['schemas', 'id'])

const isFields = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Named = { names: ReadonlySet<string>; isExcluded: boolean }

/** Whether the answer has the attribute, so that others need not be read. */
export function isWanted(name: string, { attributes, excludedAttributes = [] }: Projection): boolean {
  const named = (attributes ?? excludedAttributes).map(attributeName)
  return attributes
    ? named.some((each) => each === name || each.startsWith(`${name}.`))
    : !named.includes(name)
}

/** `attributes` wins, where a client sends both. */
export function projected(resource: Resource, { attributes, excludedAttributes }: Projection): Resource {
  const sent = attributes ?? excludedAttributes
  if (!sent) return resource
  const names = new Set(sent.map(attributeName))
  return select(resource, '', { names, isExcluded: attributes === undefined })
}

/** An attribute that is named stays or goes as a whole, else those of its parts that are. */
function select(resource: Resource, prefix: string, named: Named): Resource {
  const entries = Object.entries(resource).flatMap(([key, value]): [string, unknown][] => {
    const name = prefix + attributeName(key)
    if (prefix === '' && always.has(name)) return [[key, value]]
    if (named.names.has(name)) return named.isExcluded ? [] : [[key, value]]
    const inner = name.endsWith(':') ? name : `${name}.`
    if (![...named.names].some((each) => each.startsWith(inner)))
      return named.isExcluded ? [[key, value]] : []
    const part = (each: unknown) => (isFields(each) ? select(each, inner, named) : each)
    return [[key, Array.isArray(value) ? value.map(part) : part(value)]]
  })
  return Object.fromEntries(entries)
}
