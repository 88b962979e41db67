import { z } from 'zod'
import { coded, text } from '#lib/ground/http/input.schema'
import { flag } from '#lib/ground/http/paging'
import { links } from '#lib/ground/http/view'

/* Changes of many rows in one call (docs/api/bulk-changes.md, "Bulk changes"). */

/** The most rows of one call. */
export const MOST_ROWS = 10_000

/** The most refused rows that a report names. Its totals count all. */
export const MOST_REFUSALS = 100

export const bulkSelection = {
  ids: z
    .array(z.int().min(1))
    .max(MOST_ROWS, `must have ${MOST_ROWS} entries at most`)
    .transform((ids) => [...new Set(ids)].sort((one, other) => one - other))
    .optional()
    .meta({ description: 'The rows to change. A call has `ids` or `filter`', example: [1, 2] }),
  filter: text(0, 2048).optional().meta({
    description: 'The query of the list, such as `has=10.1&quarantine=true`: all rows that match',
    example: undefined,
  }),
  most: z.int().min(1).max(MOST_ROWS).optional().meta({
    description:
      'The most rows of this call, by default 10,000, or all if it runs as a job. `next` of the report says where the next call begins',
    example: 500,
  }),
  after: z.int().min(0).default(0).meta({ description: 'Only rows with a greater id', example: 0 }),
  event: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'The event of the call before, which this call continues' }),
  dryrun: z
    .boolean()
    .default(false)
    .meta({ description: 'true: change nothing, count the rows and what uses them', example: false }),
}

/** As for an undo: who knows that spelling must not change all rows by it. */
export const bulkQuery = z.object({
  dryrun: flag('dryrun').default(false).meta({ description: 'As `dryrun` of the body' }),
})

type Selected = { ids?: number[] | undefined; filter?: string | undefined }

/** A call without a selection must not change everything by accident. */
export function requireOneSelection(body: Selected, context: z.RefinementCtx): void {
  if ((body.ids === undefined) !== (body.filter === undefined)) return
  const message = 'Send either ids or filter'
  context.addIssue({ code: 'custom', ...coded('CONSTR-NOTNULL', message), input: body })
}

/** Body of a bulk change that has no fields to set. */
export const bulkInput = z.object(bulkSelection).superRefine(requireOneSelection)
export type BulkInput = z.infer<typeof bulkInput>

/** The uses of the rows. Holders that the caller does not see are left out. */
const bulkImpact = z.object({
  attached: z.int(),
  defaultSnat: z.int(),
  rules: z.int(),
  enterprises: z.array(z.string()),
  /** `enterprises` names the first of these. */
  totalEnterprises: z.int(),
})
export type BulkImpact = z.infer<typeof bulkImpact>

/** A row that was not changed. It has no name if the caller does not see it. */
const bulkRefusal = z.object({
  id: z.int(),
  name: z.string().optional(),
  code: z.string(),
  message: z.string(),
})
export type BulkRefusal = z.infer<typeof bulkRefusal>

export const bulkReport = z.object({
  links,
  /** The rows that were selected when the call began, after `after`. */
  total: z.int(),
  changed: z.int(),
  /** The rows that were in the wanted state already. */
  unchanged: z.int(),
  refused: z.int(),
  refusals: z.array(bulkRefusal),
  /** The changed rows. */
  ids: z.array(z.int()),
  /** The last event of the call, for the call that goes on. Absent if nothing was changed or refused. */
  event: z.int().optional(),
  /** `after` of the call that goes on. Absent if no rows are left. */
  next: z.int().optional(),
  impact: bulkImpact.optional(),
})
export type BulkReport = z.infer<typeof bulkReport>
