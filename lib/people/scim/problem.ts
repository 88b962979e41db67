import type { ApiError, ErrorCode } from '#lib/ground/http/errors'
import { ERROR } from '#lib/people/scim/schema-urns'

/** RFC 7644 §3.12, table 9. */
const types: Partial<Record<ErrorCode, string>> = {
  'SCIM-0': 'invalidFilter',
  'SCIM-1': 'invalidPath',
  'SCIM-2': 'noTarget',
  'SCIM-3': 'uniqueness',
  'SCIM-4': 'mutability',
  'SCIM-6': 'invalidSyntax',
  'GEN-3': 'invalidSyntax',
  'USER-4': 'uniqueness',
  'ROLE-7': 'uniqueness',
}

/** A refusal as a SCIM message. Values that the rules of users and roles refuse are `invalidValue`. */
export function scimError({ status, faults }: ApiError): object {
  const scimType = faults.map(({ code }) => types[code]).find((type) => type !== undefined)
  const other = status === 400 ? 'invalidValue' : undefined
  return {
    schemas: [ERROR],
    status: String(status),
    ...((scimType ?? other) && { scimType: scimType ?? other }),
    // The log of a directory shows this text alone.
    detail: faults.map(({ code, message }) => `${code}: ${message}`).join('; '),
  }
}
