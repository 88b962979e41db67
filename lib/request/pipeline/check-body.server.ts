import type { z } from 'zod'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { ApiError, type Fault } from '#lib/ground/http/errors'
import type { Incoming } from '#lib/request/pipeline/incoming.server'
import { creates, type Operation, type Path } from '#lib/request/pipeline/spec.server'
import { idFaults, unstorableIn, validate } from '#lib/request/pipeline/validate.server'

/* The body is checked in the transaction, because its references are in the database. */

type BodyContext = ReadContext & { params: Path<string>; found: unknown }

/** The body as its schema returns it. Throws its faults together with those of its references. */
export async function checkBody(
  spec: Operation,
  context: BodyContext,
  { request: { method }, document, schema }: Incoming,
): Promise<unknown> {
  if (!schema || (spec.takes?.optional && document === undefined)) return undefined
  const own = Object.values(context.params).at(-1)
  const creating = creates(spec, method)
  const result = validate(schema, document)
  // SCIM ignores the id of a document (RFC 7643 §3.1).
  const ofId = spec.takes?.as === 'scim' ? [] : idFaults(document, creating, own)
  const faults: Fault[] = [...ofId, ...('faults' in result ? result.faults : [])]
  if ('value' in result && faults.length === 0) return result.value
  const wrong = 'fields' in result ? result.fields : new Set<PropertyKey>()
  const referred = spec.takes?.references?.(context, soundFields(schema, document, wrong))
  throw new ApiError([...faults, ...(await faultsOf(referred))])
}

/** The valid fields of a faulty document. Faulty fields are not parsed again, because they may be long lists. */
function soundFields(
  schema: z.ZodObject,
  document: unknown,
  wrong: ReadonlySet<PropertyKey | undefined>,
): object {
  const fields =
    typeof document === 'object' && document !== null ? (document as Record<string, unknown>) : {}
  const sound = Object.entries(schema.shape)
    .filter(([name]) => !wrong.has(name))
    .map(([name, field]) => [name, (field as z.ZodType).safeParse(fields[name])] as const)
  return Object.fromEntries(
    sound.flatMap(([name, { success, data }]) =>
      success && unstorableIn(data) === undefined ? [[name, data]] : [],
    ),
  )
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
