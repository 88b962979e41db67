import { api } from '#lib/client/api'
import { resourceQuery, useChange } from '#lib/client/resources.queries'
import type { Progress } from '#lib/ground/http/event-stream'
import { asJob, followWhole } from '#lib/record/jobs/jobs.queries'
import type { JobDocument } from '#lib/record/jobs/jobs.schema'
import type { ExportEntity, PlanDocument, PlanHead, PlanMode } from '#lib/state/plans/plans.schema'

const plansPath = '/api/plans'

/** A list as CSV, in the columns of its export. */
export type SentTable = { entity: ExportEntity; mode: PlanMode; table: Blob }

type OnProgress = (progress: Progress) => void

/** Compares a table with the present state. A plan changes nothing, so a repeat does no harm. */
export async function makePlan(
  { entity, mode, table }: SentTable,
  onProgress: OnProgress,
): Promise<PlanDocument> {
  const made = await api<PlanHead>(plansPath, {
    method: 'POST',
    query: { entity, mode },
    headers: { 'Content-Type': 'text/csv' },
    body: table,
    once: false,
    onProgress,
  })
  return api(`${plansPath}/${made.id}`, { meta: undefined })
}

export const planQuery = (id: number) => resourceQuery<PlanDocument>(`${plansPath}/${id}`)

/** A plan can change anything, so all that was read is read again. It is applied once, so a repeat does no harm. */
export const useApplyPlan = (onProgress: OnProgress) =>
  useChange<PlanDocument, PlanHead>(
    async (plan) => {
      const apply = { method: 'POST', once: false, headers: asJob } as const
      const begun = await api<JobDocument>(`${plansPath}/${plan.id}/action/apply`, apply)
      const job = await followWhole('apply', begun, onProgress)
      return {
        ...plan,
        ...(job.ended !== undefined && { applied: job.ended }),
        links: [...plan.links, ...job.links],
      }
    },
    (client) => client.invalidateQueries(),
  )
