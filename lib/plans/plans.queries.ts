import { api } from '#lib/client/api'
import { useChange } from '#lib/client/resources.queries'
import type { ExportEntity, PlanDocument, PlanMode } from '#lib/plans/plans.schema'

const plansPath = '/api/plans'

/** A list as CSV, in the columns of its export. */
export type SentTable = { entity: ExportEntity; mode: PlanMode; table: Blob }

/** Compares a table with what is there. A plan changes nothing, so a repeat does no harm. */
export const makePlan = ({ entity, mode, table }: SentTable): Promise<PlanDocument> =>
  api(plansPath, {
    method: 'POST',
    query: { entity, mode },
    headers: { 'Content-Type': 'text/csv' },
    body: table,
    once: false,
  })

/** A plan can change anything, so all that was read is read again. It is applied once, so a repeat does no harm. */
export const useApplyPlan = () =>
  useChange<PlanDocument, PlanDocument>(
    ({ id }) => api(`${plansPath}/${id}/action/apply`, { method: 'POST', once: false }),
    (client) => client.invalidateQueries(),
  )
