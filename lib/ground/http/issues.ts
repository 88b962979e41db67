import type { z } from 'zod'
import { type Fault, fault } from '#lib/ground/http/errors'

/* The issues of Zod as faults of the API. */

/**
 * The field of an issue: its path, or the name that its rule gives to this path. A link is named by its rel (docs/api/errors.md, "Fields of
 * faults").
 */
export function fieldOfIssue(issue: z.core.$ZodIssue): string | undefined {
  const { field } = ((issue.code === 'custom' && issue.params) || {}) as { field?: string }
  const path = issue.path.map(String)
  if (field === undefined) return path.join('.') || undefined
  return [...(path.at(-1) === 'links' ? path.slice(0, -1) : path), field].join('.')
}

/** The faults of a query; each names its parameter. */
export const queryFaults = (issues: readonly z.core.$ZodIssue[]): Fault[] =>
  issues.map((issue) => {
    const byField = issue.code === 'custom' && issue.params?.code === 'QUERY-0'
    return fault(byField ? 'QUERY-0' : 'GEN-22', issue.message, fieldOfIssue(issue))
  })
