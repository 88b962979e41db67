import { z } from 'zod'
import type { ErrorCode } from './errors'

/** Turns a Zod issue into this code of the catalogue. The default message and field are the catalogue's. */
export const coded = (code: ErrorCode, message?: string, field?: string) => ({
  params: { code, message, field },
  ...(message && { message }),
})

/** Characters that XML 1.0 §2.2 does not allow: control characters, lone surrogates, non-characters. */
const unprintable = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u

/** At most this many faults of a document are reported, to bound the size of the response. */
export const MOST_INPUT_FAULTS = 200

/** Text with a length limit, counted in code points. */
export const text = (min: number, max: number) =>
  z
    .string()
    .refine(
      (value) => value.length <= 2 * max && [...value].length >= min && [...value].length <= max,
      coded('CONSTR-LENGTH', `must have ${min} to ${max} characters`),
    )
    .refine(
      // A text of 1 MiB is refused for its length alone, which costs nothing.
      (value) => value.length > 2 * max || !unprintable.test(value),
      coded('CONSTR-PATTERN', 'must not contain control characters'),
    )
    .meta({ minLength: min, maxLength: max })

const staying = z.registry<{ stays: true }>()

/** Marks a field that keeps its value if a PUT is without it. */
export const staysInPut = <Field extends z.ZodType>(field: Field): Field => {
  staying.add(field, { stays: true })
  return field
}

/** The names of these fields. */
export const stayingIn = ({ shape }: z.ZodObject): string[] =>
  Object.keys(shape).filter((name) => staying.has(shape[name] as z.ZodType))

/**
 * A link that a document may contain: the path of its href below /api (`:id` is the target's id, other names any segment),
 * and the code for a missing mandatory link.
 */
type LinkRule = { path: string; missing?: ErrorCode; wrong?: ErrorCode }

// Optional, because Zod would otherwise refuse a missing key before the rules are checked.
const sentLinks = z.unknown().optional()

/** A link whose rel may occur several times, with or without a number: `nic0`, `nic1`. */
export type NumberedLink = { id: number; number: number | undefined }

type FoundLinks<Rel extends string, Many extends string> = Partial<Record<Rel, number>> &
  Partial<Record<Many, NumberedLink[]>>

/**
 * Reads the links of a document by rel: `{device: 5}`, and `numbered` rels as lists. The host of an href and links with other rels
 * are ignored. A link without rel is LINK-0, without href LINK-1, and with the wrong kind of target GEN-6 (or the rule's own code).
 */
export const linksOf = <Rel extends string, Many extends string = never>(
  rules: Record<Rel, LinkRule>,
  numbered?: Record<Many, LinkRule>,
) => {
  const many: Record<string, LinkRule> = numbered ?? {}
  return readLinks<Rel, Many>(rules, many)
    .register(linkRules, { rules: { ...many, ...rules } })
    .meta({
      type: 'array',
      items: { $ref: '#/components/schemas/link' },
      description: describeRules(rules, many),
    })
}

const describeRules = (rules: Record<string, LinkRule>, numbered: Record<string, LinkRule>): string => {
  const one = Object.entries(rules).map(
    ([rel, { path, missing }]) => `\`${rel}\` to \`/api${path}\`${missing ? ' (mandatory)' : ''}`,
  )
  const many = Object.entries(numbered).map(
    ([rel, { path }]) => `any number of \`${rel}\` (or \`${rel}1\`, \`${rel}2\`, …) to \`/api${path}\``,
  )
  return `The links that count: ${[...one, ...many].join(', ')}. Others are ignored.`
}

/** The link rules of a schema, for the OpenAPI description. */
export const linkRules = z.registry<{ rules: Record<string, LinkRule> }>()

/** The rule for a rel, with its name and, for numbered rels, the number. */
function ruleOf(
  rel: string,
  rules: Record<string, LinkRule>,
  numbered: Record<string, LinkRule>,
): { name: string; rule: LinkRule; number?: number } | undefined {
  const single = Object.hasOwn(rules, rel) ? rules[rel] : undefined
  if (single) return { name: rel, rule: single }
  const [, name = '', digits = ''] = /^(.*?)(\d{0,9})$/.exec(rel) ?? []
  const rule = Object.hasOwn(numbered, name) ? numbered[name] : undefined
  return rule && { name, rule, ...(digits !== '' && { number: Number(digits) }) }
}

const twice = (rel: string): string => `There are two links ${rel} to different resources`

const readLinks = <Rel extends string, Many extends string>(
  rules: Record<Rel, LinkRule>,
  numbered: Record<string, LinkRule>,
) =>
  sentLinks.transform((links, context): FoundLinks<Rel, Many> => {
    const found: Record<string, number | NumberedLink[]> = {}
    const answer = found as FoundLinks<Rel, Many>
    let faults = 0
    const refuse = (code: ErrorCode, message?: string, rel?: string) => {
      faults += 1
      context.addIssue({ code: 'custom', ...coded(code, message, rel), input: links })
    }
    if (links !== undefined && links !== null && !Array.isArray(links)) {
      refuse('GEN-3', 'links must be a list')
      return answer
    }
    const given: unknown[] = links ?? []
    for (const link of given) {
      if (faults >= MOST_INPUT_FAULTS) break
      if (typeof link !== 'object' || link === null) {
        refuse('GEN-3', 'a link must be an object')
        continue
      }
      const rel = 'rel' in link && typeof link.rel === 'string' ? link.rel : ''
      const href = 'href' in link && typeof link.href === 'string' ? link.href : ''
      if (rel === '') refuse('LINK-0')
      const known = ruleOf(rel, rules, numbered)
      if (rel !== '' && href === '') refuse('LINK-1', undefined, known?.name)
      if (!known || href === '') continue
      const { name, rule, number } = known
      const id = idInHref(href, rule.path)
      if (id === undefined)
        refuse(
          rule.wrong ?? 'GEN-6',
          `The href of the link ${rel} is not the address of such a resource`,
          name,
        )
      else if (id === 0) refuse('GEN-1', undefined, name)
      else if (Object.hasOwn(rules, name)) {
        if (![undefined, id].includes(found[name] as number | undefined)) refuse('GEN-6', twice(rel), name)
        found[name] = id
      } else {
        const same = (found[name] ?? []) as NumberedLink[]
        const isOther = (one: NumberedLink) => one.number === number && one.id !== id
        if (number !== undefined && same.length < MOST_INPUT_FAULTS && same.some(isOther))
          refuse('GEN-6', twice(rel), name)
        same.push({ id, number })
        found[name] = same
      }
    }
    for (const [rel, { missing }] of Object.entries<LinkRule>(rules)) {
      const sent = given.some(
        (link) => typeof link === 'object' && link !== null && 'rel' in link && link.rel === rel,
      )
      if (missing && !sent) refuse(missing, undefined, rel)
    }
    return answer
  })

/** The id at `:id` in an href, or undefined if the href does not have this path. */
export function idInHref(href: string, path: string): number | undefined {
  // URL.parse does not throw: thousands of exceptions would cost more than reading the rest of the document.
  const address = URL.parse(href, 'http://ignored.invalid')
  if (!address) return undefined
  const given = address.pathname.split('/').filter(Boolean)
  const wanted = ['api', ...path.split('/').filter(Boolean)]
  if (given.length !== wanted.length) return undefined
  const fits = wanted.every((part, index) => part.startsWith(':') || part === given[index])
  const id = given[wanted.indexOf(':id')]
  return fits && id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : undefined
}
