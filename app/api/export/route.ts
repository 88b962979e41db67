import { reads } from '#lib/request/pipeline/endpoint.server'
import { exportCloud } from '#lib/state/plans/export.server'
import { exportQuery } from '#lib/state/plans/plans.schema'
import { tables } from '#lib/state/plans/tables.server'

export const GET = reads(exportCloud, {
  summary: 'Read the cloud that you see, by names, as one document',
  who: { anyOf: 'user' },
  query: exportQuery,
  answers: { as: 'export', tables, few: true },
})
