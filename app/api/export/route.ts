import { reads } from '#lib/pipeline/endpoint.server'
import { exportCloud } from '#lib/plans/export.server'
import { exportQuery } from '#lib/plans/plans.schema'
import { tables } from '#lib/plans/tables.server'

export const GET = reads(exportCloud, {
  summary: 'Read the cloud that you see, by names, as one document',
  who: { anyOf: 'user' },
  query: exportQuery,
  answers: { as: 'export', tables, few: true },
})
