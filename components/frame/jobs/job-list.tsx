import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNow, useTranslations } from 'use-intl'
import { FailureText } from '#components/base/forms/failure'
import { useAction } from '#components/base/forms/use-action'
import { access } from '#components/base/screens/access'
import { AppButton } from '#components/base/screens/app-link'
import { TimeAgo } from '#components/base/screens/moments'
import { paths } from '#components/base/screens/paths'
import { useMay } from '#components/base/session/session'
import { Button } from '#components/kit/button'
import { Progress } from '#components/kit/progress'
import { screenIcons } from '#components/kit/screen-icons'
import { Status, type StatusKind } from '#components/kit/status'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import { beginUndo, isOpen, jobsChanged, stopJob } from '#lib/record/jobs/jobs.queries'
import type { JobDocument } from '#lib/record/jobs/jobs.schema'
import styles from './jobs.module.css'
import { useJobTitle } from './use-job-title'

type ListProps = {
  jobs: readonly JobDocument[]
  /** Called when a link leads to another screen. */
  onLeave: () => void
  onReport: (job: JobDocument) => void
}

/** The newest jobs, with how far they are and what can be done about each. */
export function JobList({ jobs, ...actions }: ListProps) {
  const say = useTranslations('jobs')
  return (
    <>
      <h2>{say('title')}</h2>
      {jobs.length === 0 && <p className="quiet">{say('none')}</p>}
      <ul className={styles.jobs}>
        {jobs.map((job) => (
          <Job key={job.id} job={job} {...actions} />
        ))}
      </ul>
    </>
  )
}

const signs = {
  waiting: 'off',
  running: 'busy',
  done: 'good',
  stopped: 'off',
  failed: 'bad',
} as const satisfies Record<JobDocument['state'], StatusKind>

function Job({ job, ...actions }: { job: JobDocument } & Omit<ListProps, 'jobs'>) {
  const say = useTranslations('jobs')
  const title = useJobTitle()(job)
  const { state, done = 0, total, created, ended, message } = job
  return (
    <li>
      <div className={styles.head}>
        <Status kind={signs[state]} signLabel={say(`states.${state}`)} />
        <strong>{title}</strong>
        <small>
          <TimeAgo at={ended ?? created} now={useNow()} />
        </small>
      </div>
      {isOpen(job) && (
        <Progress label={title} isBare value={total ? done / total : state === 'waiting' ? 0 : undefined} />
      )}
      <div className={styles.foot}>
        <small>
          <Figures job={job} />
        </small>
        <Actions job={job} {...actions} />
      </div>
      {state === 'failed' && <p className={styles.fault}>{message}</p>}
    </li>
  )
}

function Figures({ job: { state, done = 0, total, refused = 0 } }: { job: JobDocument }) {
  const say = useTranslations('jobs')
  if (state === 'waiting') return say('states.waiting')
  const rows =
    state === 'done' || !total ? say('rows', { done: done - refused }) : say('progress', { done, total })
  return state === 'stopped' ? `${say('states.stopped')}: ${rows}` : rows
}

function Actions({ job, onLeave, onReport }: { job: JobDocument } & Omit<ListProps, 'jobs'>) {
  const say = useTranslations('jobs')
  const sayCommon = useTranslations('common')
  const client = useQueryClient()
  const { refused = 0 } = job
  const mayUndo = useMay(...access.events)
  const event = idOfLink(linkOf(job, 'event'))
  const onSettled = () => jobsChanged(client)
  const failed = (header: string) => (_: unknown, error: Error) => ({
    type: 'error' as const,
    header,
    content: <FailureText error={error} />,
  })
  const stopping = useMutation({ mutationFn: stopJob, onSettled })
  const undoing = useMutation({ mutationFn: beginUndo, onSettled })
  const stop = useAction(stopping, { done: () => say('stopped'), failed: failed(say('notStopped')) })
  const undo = useAction(undoing, { done: () => say('undoing'), failed: failed(say('notUndone')) })
  return (
    <span className={styles.actions}>
      {refused > 0 && linkOf(job, 'result') && (
        <Button look="link" onPress={() => onReport(job)}>
          {say('refused', { count: refused })}
        </Button>
      )}
      {linkOf(job, 'stop') && (
        <Button look="link" icon={screenIcons.stop} busy={stopping.isPending} onPress={() => stop(job)}>
          {say('stop')}
        </Button>
      )}
      {event !== undefined && mayUndo && (
        <>
          <Button look="link" icon={screenIcons.undo} busy={undoing.isPending} onPress={() => undo(event)}>
            {sayCommon('undo')}
          </Button>
          <AppButton look="link" to={paths.events({ event })} onClick={onLeave}>
            {say('event')}
          </AppButton>
        </>
      )}
    </span>
  )
}
