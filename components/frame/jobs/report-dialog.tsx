import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/base/forms/dialog'
import { Waiting } from '#components/base/forms/failure'
import { Button } from '#components/kit/button'
import { reportQuery } from '#lib/record/jobs/bulk.queries'
import type { JobDocument } from '#lib/record/jobs/jobs.schema'
import { RefusedRows } from './refused-rows'
import { useJobTitle } from './use-job-title'

/** The rows that a job was refused for. */
export function ReportDialog({ job, onClose }: { job: JobDocument; onClose: () => void }) {
  const sayCommon = useTranslations('common')
  const read = useQuery(reportQuery(job))
  return (
    <Dialog
      header={useJobTitle()(job)}
      onDismiss={onClose}
      actions={
        <Button look="main" onPress={onClose}>
          {sayCommon('close')}
        </Button>
      }
    >
      {read.data ? <RefusedRows report={read.data} /> : <Waiting read={read} />}
    </Dialog>
  )
}
