import { useTranslations } from 'use-intl'
import type { JobDocument } from '#lib/record/jobs/jobs.schema'

const known = [
  'natip-update',
  'natip-delete',
  'natip-attach',
  'natip-release',
  'natrule-update',
  'natrule-delete',
  'user-update',
  'user-delete',
  'plan-apply',
  'event-undo',
] as const

/** What a job does, such as "Change 200 NAT IPs". */
export function useJobTitle(): (job: JobDocument) => string {
  const say = useTranslations('jobs')
  return ({ operation, total = 0 }) => {
    const name = known.find((each) => each === operation.replace('.', '-'))
    return name ? say(`operations.${name}`, { count: total }) : operation
  }
}
