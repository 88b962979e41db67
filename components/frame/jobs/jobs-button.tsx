import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useSession } from '#components/base/session/session'
import { onOpenJobs } from '#components/frame/palette/open-palette'
import { deferred } from '#components/kit/deferred'
import { deferredOver } from '#components/kit/deferred-over'
import { Opening } from '#components/kit/opening'
import { screenIcons } from '#components/kit/screen-icons'
import { Spinner } from '#components/kit/spinner'
import { Tool } from '#components/kit/tool'
import { isAtOrBelow } from '#lib/client/resources.queries'
import { isOpen, jobsPath, jobsQuery } from '#lib/record/jobs/jobs.queries'
import type { JobDocument } from '#lib/record/jobs/jobs.schema'
import styles from './jobs.module.css'

const JobList = deferred(async () => (await import('./job-list')).JobList)
const ReportDialog = deferredOver(async () => (await import('./report-dialog')).ReportDialog)

/** The tray of the user's jobs in the top bar: those of this tab, of others, and of before a reload. */
export function JobsButton() {
  const say = useTranslations('jobs')
  const { data } = useQuery(jobsQuery(useSession().id))
  const [report, setReport] = useState<JobDocument>()
  useReadAfterwards(data?.collection)
  const jobs = data?.collection ?? []
  const running = jobs.filter(isOpen).length
  return (
    <>
      <Opening
        label={say('title')}
        className={styles.tray}
        opens={onOpenJobs}
        button={
          <Tool
            look="quiet"
            icon={running > 0 ? <Spinner /> : screenIcons.jobs}
            label={running > 0 ? say('running', { count: running }) : say('title')}
          />
        }
      >
        {(close) => (
          <JobList
            jobs={jobs}
            onLeave={close}
            onReport={(job) => {
              close()
              setReport(job)
            }}
          />
        )}
      </Opening>
      {report && <ReportDialog job={report} onClose={() => setReport(undefined)} />}
    </>
  )
}

/** What a job has changed is read again once it has ended, also where another tab began it. */
function useReadAfterwards(jobs: readonly JobDocument[] | undefined): void {
  const client = useQueryClient()
  const known = useRef<ReadonlySet<number>>(undefined)
  useEffect(() => {
    if (!jobs) return
    const ended = jobs.filter((job) => !isOpen(job)).map(({ id }) => id)
    const isNews = known.current !== undefined && ended.some((id) => !known.current?.has(id))
    known.current = new Set(ended)
    if (isNews)
      void client.invalidateQueries({ predicate: ({ queryKey }) => !isAtOrBelow(queryKey, jobsPath) })
  }, [jobs, client])
}
