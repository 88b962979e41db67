import type { z } from 'zod'
import type { ReadContext } from '#lib/auth/context.server'
import { bodyForm } from '#lib/http/accept.server'
import { fromXml, readAs, readText } from '#lib/http/body.server'
import { ApiError, type Fault, fault } from '#lib/http/errors'
import { baseOf } from '#lib/http/origin.server'
import { formatQuery } from '#lib/http/paging'
import { ANY_ID } from '#lib/http/path-ids'
import { entityTag, renderDocument } from '#lib/http/render.server'
import { type MediaName, mediaNames, ownLink } from '#lib/http/view'
import type { RouteContext, Spec } from '#lib/pipeline/spec.server'
import { idFaults, unstorableIn, validate } from '#lib/pipeline/validate.server'

/* What of a request is read and checked before its operation runs. */

/** What an operation takes and answers, of those that it declares. */
export type Form<B> = Pick<Spec<string, unknown, B>, 'takes' | 'body' | 'answers' | 'alsoAs' | 'csv'>

export const formsOf = <P extends string, Q, B, A>(
  spec: Pick<Spec<P, Q, B, A>, 'takes' | 'body' | 'answers' | 'alsoAs' | 'csv' | 'or'>,
): Form<B>[] => {
  const { takes, body, answers, alsoAs, csv, or } = spec
  return [{ takes, body, answers, alsoAs, csv }, ...(or ? [or] : [])]
}

/** The document of a request, read but not yet checked, and the form that it has; undefined where it may be left out and is. */
export async function readDocument<P extends string, Q, B, A>(
  spec: Pick<Spec<P, Q, B, A>, 'takes' | 'body' | 'answers' | 'alsoAs' | 'csv' | 'bodyOptional' | 'or'>,
  request: Request,
): Promise<{ document: unknown; form: Form<B> }> {
  const [form = {}] = formsOf(spec)
  const other = spec.or
  if (!form.takes) return { document: undefined, form }
  const text = await readText(request)
  if (spec.bodyOptional && /^\s*(null)?\s*$/.test(text)) return { document: undefined, form }
  const forms = formsOf(spec)
  const { syntax, names } = bodyForm(
    request.headers.get('content-type'),
    forms.flatMap(({ takes }) => takes ?? []),
  )
  const { root, document } = readAs(text, syntax, names)
  const name = root ?? (names.length > 1 && other && hasField(document, other.by) ? other.takes : names[0])
  const chosen = forms.find(({ takes }) => takes === name) ?? form
  if (syntax === 'json' || !chosen.body) return { document, form: chosen }
  return { document: withId(fromXml(chosen.body, document), document), form: chosen }
}

const hasField = (document: unknown, name: string): boolean =>
  typeof document === 'object' && document !== null && name in document

/** The id is compared, not validated: it is kept beside the fields of the schema. */
const withId = (fields: unknown, document: unknown): unknown =>
  typeof document === 'object' && document !== null && 'id' in document
    ? Object.assign({}, fields, { id: document.id })
    : fields

/** A word that is no id names nothing: 404 with the resource's own code. Zero is GEN-1. */
export function pathIds<P extends string>(
  { ids, wildcard }: Pick<Spec<P>, 'ids' | 'wildcard'>,
  params: NonNullable<Awaited<RouteContext['params']>>,
): Record<P, number> {
  const read = Object.entries(ids ?? {}).map(([name, code]) => {
    const text = String(params[name])
    if (name === wildcard && text === '_') return [name, ANY_ID]
    if (/^0+$/.test(text)) throw new ApiError('GEN-1')
    if (!/^\d{1,15}$/.test(text)) throw new ApiError(code as Fault['code'])
    return [name, Number(text)]
  })
  return Object.fromEntries(read) as Record<P, number>
}

/** PostgreSQL has no text with the character 0, and nobody means one: it is refused whatever it stands in. Throws GEN-22. */
export function requireReadableQuery(request: Request): void {
  if (new URL(request.url).search.includes('%00'))
    throw new ApiError(fault('GEN-22', 'The query must not contain the character 0'))
}

/**
 * The query, and the faults of a bad one. The operation then runs with the valid rest, because only the operation knows whether the
 * path names something that exists, and 404 precedes 400 (docs/api.md, "Order of refusals").
 */
export function parseQuery<Q>(
  { query: schema, csv }: { query?: z.ZodType<Q>; csv?: unknown },
  request: Request,
): { query: Q; refused?: ApiError } {
  requireReadableQuery(request)
  if (!schema) return { query: undefined as Q }
  // If a key occurs twice, the last value counts (docs/api.md, "Paths and targets").
  const sent = Object.fromEntries(new URL(request.url).searchParams)
  const parsed = schema.safeParse(sent)
  const format = csv === undefined ? undefined : formatQuery.safeParse(sent)
  const issues = [...(parsed.error?.issues ?? []), ...(format?.error?.issues ?? [])]
  if (parsed.success && issues.length === 0) return { query: parsed.data }
  const faults = issues.map(({ message, ...issue }) => {
    const byField = issue.code === 'custom' && issue.params?.code === 'QUERY-0'
    return fault(byField ? 'QUERY-0' : 'GEN-22', message)
  })
  const refused = new ApiError(faults)
  const wrong = new Set(issues.map(({ path }) => path[0]))
  const rest = schema.safeParse(Object.fromEntries(Object.entries(sent).filter(([name]) => !wrong.has(name))))
  if (!rest.success) throw refused
  return { query: rest.data, refused }
}

type Found<P extends string> = ReadContext & { params: Record<P, number> }

/** What the operation is about, as it is now; a PUT or DELETE whose If-Match names another state is refused. */
export async function requireCurrent<P extends string, Q, B>(
  spec: Pick<Spec<P, Q, B>, 'exists' | 'takes' | 'answers'>,
  context: Found<P>,
  request: Request,
): Promise<object | undefined> {
  const current = await spec.exists?.(context)
  const wanted = request.headers.get('if-match')
  if (!current || !wanted || wanted.trim() === '*' || request.method === 'POST') return current
  const name = spec.takes ?? spec.answers ?? nameOf(current)
  const tags = (['json', 'xml'] as const).map((syntax) =>
    entityTag(renderDocument(current, name, syntax, baseOf(request))),
  )
  const given = wanted.split(',').map((tag) => tag.trim())
  if (!given.some((tag) => tags.includes(tag))) throw new ApiError('412-PRECONDITION-FAILED')
  return current
}

/** The media type that a document's link to itself names. */
const nameOf = (document: object): MediaName => {
  const type = ownLink(document)?.type
  return type && Object.hasOwn(mediaNames, type) ? (type as MediaName) : 'errors'
}

/** The document as its schema gives it. Throws all its faults together with those of what it names. */
export async function checkBody<P extends string, Q, B>(
  spec: Pick<Spec<P, Q, B>, 'body' | 'bodyOptional' | 'status' | 'references'>,
  context: Found<P>,
  document: unknown,
  method: string,
): Promise<B> {
  if (!spec.body || (spec.bodyOptional && document === undefined)) return undefined as B
  const own = Object.values<number>(context.params).at(-1)
  const creating = method === 'POST' && (spec.status ?? 201) === 201
  const result = validate(spec.body, document)
  const faults: Fault[] = [...idFaults(document, creating, own), ...('faults' in result ? result.faults : [])]
  if ('value' in result && faults.length === 0) return result.value
  const wrong = 'fields' in result ? result.fields : new Set<PropertyKey>()
  const referred = spec.references?.(context, soundFields(spec.body, document, wrong))
  throw new ApiError([...faults, ...(await faultsOf(referred))])
}

/** Those fields of a faulty document that are sound by themselves. Those known to be wrong are not read again: they may be long lists. */
function soundFields<B>(
  schema: z.ZodObject & z.ZodType<B>,
  document: unknown,
  wrong: ReadonlySet<PropertyKey | undefined>,
): Partial<B> {
  const fields =
    typeof document === 'object' && document !== null ? (document as Record<string, unknown>) : {}
  const sound = Object.entries(schema.shape)
    .filter(([name]) => !wrong.has(name))
    .map(([name, field]) => [name, (field as z.ZodType).safeParse(fields[name])] as const)
  return Object.fromEntries(
    sound.flatMap(([name, { success, data }]) =>
      success && unstorableIn(data) === undefined ? [[name, data]] : [],
    ),
  ) as Partial<B>
}

async function faultsOf(check: Promise<unknown> | undefined): Promise<readonly Fault[]> {
  try {
    await check
    return []
  } catch (error) {
    if (error instanceof ApiError) return error.faults
    throw error
  }
}
