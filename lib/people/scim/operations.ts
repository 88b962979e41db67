import { ApiError, fault } from '#lib/ground/http/errors'
import { PATCH } from '#lib/people/scim/schema-urns'
import { attributeOf, type Fields, isFields } from '#lib/people/scim/values'

/** An operation of PATCH (RFC 7644 §3.5.2). */
export type Operation = { op: 'add' | 'replace' | 'remove'; path?: string; value?: unknown }

/** A group may get each of its members by an operation of its own. */
const mostOperations = { user: 100, group: 1000 }

const invalid = (message: string): ApiError => new ApiError(fault('SCIM-6', message))

/** Microsoft Entra writes the operations with a capital letter. Throws SCIM-6. */
function operationOf(sent: unknown): Operation {
  if (!isFields(sent)) throw invalid('An operation must be an object')
  const op = String(attributeOf(sent, 'op')).toLowerCase()
  const path = attributeOf(sent, 'path')
  const value = attributeOf(sent, 'value')
  if (op !== 'add' && op !== 'replace' && op !== 'remove') throw invalid('op must be add, replace or remove')
  if (path !== undefined && typeof path !== 'string') throw invalid('path must be a text')
  if (op === 'add' && value === undefined) throw invalid('An add operation needs a value')
  return { op, value, ...(path !== undefined && path.trim() !== '' && { path: path.trim() }) }
}

/** Throws SCIM-6, 413. */
export function operationsOf(message: Fields, of: keyof typeof mostOperations): Operation[] {
  const schemas = attributeOf(message, 'schemas')
  const isPatch =
    Array.isArray(schemas) && schemas.some((each) => String(each).toLowerCase() === PATCH.toLowerCase())
  if (!isPatch) throw invalid(`schemas must name ${PATCH}`)
  const operations = attributeOf(message, 'Operations')
  if (!Array.isArray(operations) || operations.length === 0) throw invalid('Operations must be a list')
  if (operations.length > mostOperations[of]) throw new ApiError('413-PAYLOAD-TOO-LARGE')
  return operations.map(operationOf)
}
