import type { z } from 'zod'
import { newPasswordFaults } from '#lib/caller/auth/password-rules.server'
import { type ErrorCode, type Fault, fault, fieldFault } from '#lib/ground/http/errors'
import { MOST_INPUT_FAULTS } from '#lib/ground/http/input.schema'
import { fieldOfIssue } from '#lib/ground/http/issues'

/** The faults of a document, and its faulty fields. */
type Wrong = { faults: Fault[]; fields: Set<PropertyKey | undefined> }

/** Checks a document against its schema. Each fault has a code of the catalogue and names the property. */
export function validate<T>(schema: z.ZodType<T>, document: unknown): { value: T } | Wrong {
  const result = schema.safeParse(document, { reportInput: true })
  const found = result.error?.issues.slice(0, MOST_INPUT_FAULTS).map(toFault) ?? []
  const faults = [...found, ...newPasswordFaults(schema, document)]
  const fields = new Set(result.error?.issues.map(({ path }) => path[0]))
  if (!result.success || faults.length > 0) return { faults, fields }
  const unstorable = unstorableIn(result.data)
  return unstorable === undefined
    ? { value: result.data }
    : {
        fields,
        faults: [
          fieldFault(
            'CONSTR-PATTERN',
            unstorable,
            'must not contain a null character or half a surrogate pair',
          ),
        ],
      }
}

/** The path of a text that PostgreSQL cannot store, because it contains a null character or half a surrogate pair. Schemas need no rule for this. */
export function unstorableIn(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, field] of Object.entries(value)) {
    const found = unstorableIn(name, path) ?? unstorableIn(field, path === '' ? name : `${path}.${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const inWords = (type: string): string => typeWords[type] ?? `of type ${type}`

function toFault(issue: z.core.$ZodIssue): Fault {
  const property = issue.path.join('.')
  const named = (code: ErrorCode, message: string) => {
    // An empty text is too short rather than malformed (docs/api/errors.md, "Codes of faulty documents").
    const isEmpty = code === 'CONSTR-PATTERN' && issue.input === ''
    const [shownCode, why] = isEmpty ? (['CONSTR-LENGTH', 'must not be empty'] as const) : [code, message]
    return fault(shownCode, property ? `${property}: ${why}` : why, fieldOfIssue(issue))
  }
  if (issue.code === 'custom') {
    const { code = 'CONSTR-PATTERN', message } = (issue.params ?? {}) as {
      code?: ErrorCode
      message?: string
    }
    return code.startsWith('CONSTR-')
      ? named(code, message ?? issue.message)
      : fault(code, message, fieldOfIssue(issue))
  }
  // Whatever kind of field it is: text, choice, literal or union.
  const isMissing = issue.input === undefined || issue.input === null
  if (isMissing && property) return named('CONSTR-NOTNULL', 'must not be missing')
  if (issue.code === 'invalid_type') return named('GEN-3', `must be ${inWords(issue.expected)}`)
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    if (issue.origin === 'string' || issue.origin === 'array') return named('CONSTR-LENGTH', issue.message)
    return named(issue.code === 'too_small' ? 'CONSTR-MIN' : 'CONSTR-MAX', issue.message)
  }
  if (issue.code === 'invalid_format' && issue.format === 'email')
    return named('CONSTR-EMAIL', 'must be an e-mail address')
  return named('CONSTR-PATTERN', issue.message)
}

/** GEN-11 on create, GEN-16 if the document's id differs from the path. */
export function idFaults(document: unknown, creating: boolean, id: number | undefined): Fault[] {
  const sent = typeof document === 'object' && document !== null && 'id' in document ? document.id : undefined
  if (sent === undefined || sent === null) return []
  if (creating) return [fault('GEN-11')]
  return id !== undefined && Number(sent) !== id ? [fault('GEN-16')] : []
}
