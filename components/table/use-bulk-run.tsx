import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { FailureText } from '#components/base/forms/failure'
import { useFlash } from '#components/base/forms/flash'
import { access } from '#components/base/screens/access'
import { useMay } from '#components/base/session/session'
import { openJobs } from '#components/frame/palette/open-palette'
import type { BulkReport } from '#lib/record/bulk/bulk.schema'
import {
  type BulkJob,
  type BulkProgress,
  type BulkSelection,
  beginJobs,
  changedOf,
  followJobs,
  noProgress,
  previewOf,
} from '#lib/record/jobs/bulk.queries'
import { jobsChanged, stopJob, useUndo } from '#lib/record/jobs/jobs.queries'
import { type BulkAction, type BulkSubject, isInUse } from './bulk'

type Phase = 'idle' | 'checking' | 'confirming' | 'running' | 'finished'

type Task = {
  id: string
  selections: readonly BulkSelection[]
  /** The number of rows when the action was chosen. */
  count: number
  /** The name of a row, if the screen knows it. */
  nameOf: (row: number) => string | undefined
}

function subjectOf<Row>(
  { counted }: BulkAction<Row>,
  { nameOf }: Task,
  { count, ids }: { count: number; ids: readonly number[] },
): BulkSubject {
  const [only] = ids.length === 1 ? ids : []
  return { count, subject: (only !== undefined && nameOf(only)) || counted(count) }
}

/** The jobs of a run. The dialog shows the last run; the jobs of others go on without it. */
type Running = { jobs: readonly BulkJob[] }

/** A preview that takes longer (ms) has a dialog of its own. */
const SLOW = 300

export type BulkRun = ReturnType<typeof useBulkRun<never>>

/** The state of an action on many rows: preview, question, progress, report. A clean success is a message with Undo. */
export function useBulkRun<Row>(actions: readonly BulkAction<Row>[]) {
  const say = useTranslations('layout.bulk')
  const notify = useFlash()
  const client = useQueryClient()
  const undoing = useUndo(() => undefined)
  const mayUndoEvents = useMay(...access.events)
  const [phase, setPhase] = useState<Phase>('idle')
  const [task, setTask] = useState<Task>()
  const [preview, setPreview] = useState<BulkReport>()
  const [progress, setProgress] = useState<BulkProgress>(noProgress)
  const busy = useRef<object>(undefined)
  const shown = useRef<Running>(undefined)
  const asking = useRef<Task>(undefined)
  const finished = useRef<() => void>(undefined)
  const action = actions.find(({ id }) => id === task?.id)

  const questionOf = (current: BulkAction<Row>, asked: Task, count = asked.count) =>
    current.confirm?.(subjectOf(current, asked, { count, ids: asked.selections.flatMap(idsOf) }))

  const follow = async (jobs: readonly BulkJob[], report: (sum: BulkProgress) => void) => {
    void jobsChanged(client)
    const sum = await followJobs(jobs, report)
    void jobsChanged(client)
    return sum
  }

  /** The undo of the events, or for users who may not undo events the opposite change of the same rows. */
  const undoOf = (
    { undo }: BulkAction<Row>,
    { selections }: Task,
    { ids, changed, events }: BulkProgress,
  ): (() => Promise<BulkProgress>) | undefined => {
    if (changed === 0) return undefined
    if (mayUndoEvents)
      return async () => {
        for (const event of events) await undoing.mutateAsync(event)
        return noProgress
      }
    return undo && ids.length === changed
      ? async () => follow(await beginJobs(undo, changedOf(selections, ids)), () => undefined)
      : undefined
  }

  const succeed = (current: BulkAction<Row>, asked: Task, sum: BulkProgress) => {
    const { changed: count, ids } = sum
    const rows = subjectOf(current, asked, { count, ids })
    const undo = undoOf(current, asked, sum)
    notify({
      type: 'success',
      content: count === 0 ? say('unchanged') : current.done(rows),
      undo: undo && (() => void takeBack(current, undo, rows)),
    })
  }

  const takeBack = async (
    { changed }: Pick<BulkAction<Row>, 'changed'>,
    undo: () => Promise<BulkProgress>,
    { subject }: BulkSubject,
  ) => {
    try {
      const { changed: done, refused, failure } = await undo()
      if (failure) throw failure
      if (refused === 0) notify(say('undone', { subject }))
      else notify({ type: 'warning', content: say('someRefused', { refused, done }) })
    } catch (error) {
      notify({ type: 'error', content: <FailureText error={error} /> })
    } finally {
      changed()
    }
  }

  /** The end of a run whose dialog was closed. */
  const reportHidden = ({ changed: done, refused, failure }: BulkProgress) =>
    notify({
      type: failure ? 'error' : 'warning',
      content: failure ? <FailureText error={failure} /> : say('someRefused', { refused, done }),
      open: { run: openJobs },
    })

  const finish = (
    current: BulkAction<Row>,
    asked: Task,
    { sum, mine }: { sum: BulkProgress; mine: Running },
  ) => {
    const isShown = shown.current === mine
    const left = sum.total - sum.changed - sum.unchanged - sum.refused
    const isClean = sum.refused + left <= 0 && !sum.failure
    if (isShown) setProgress(sum)
    if (isShown) setPhase(isClean ? 'idle' : 'finished')
    if (isShown && isClean) finished.current?.()
    if (isClean) succeed(current, asked, sum)
    else if (!isShown) reportHidden(sum)
  }

  const work = async (current: BulkAction<Row>, asked: Task) => {
    setPhase('running')
    const mine: Running = { jobs: await beginJobs(current.call, asked.selections) }
    shown.current = mine
    const report = (sum: BulkProgress) => {
      if (shown.current === mine) setProgress(sum)
    }
    const run = async () => {
      try {
        finish(current, asked, { sum: await follow(mine.jobs, report), mine })
      } catch (error) {
        notify({ type: 'error', content: <FailureText error={error} /> })
        if (shown.current === mine) setPhase('idle')
      } finally {
        current.changed()
      }
    }
    void run()
  }

  /** Says that the preview takes long, so that it can be cancelled. */
  const counted = async (preview: Promise<BulkReport>) => {
    const slow = setTimeout(() => setPhase('checking'), SLOW)
    return preview.finally(() => clearTimeout(slow))
  }

  /** Shows a preview of the action, if the action has one. */
  const check = async (current: BulkAction<Row>, asked: Task) => {
    if (current.asks === 'never') return work(current, asked)
    // Nothing can be previewed before the field of the question is filled in.
    if (questionOf(current, asked)?.isReady === false) return setPhase('confirming')
    const report = await counted(previewOf(current.call, asked.selections))
    if (asking.current !== asked) return
    setPreview(report)
    if (current.asks === 'always' || (report.impact && isInUse(report.impact))) setPhase('confirming')
    else await work(current, asked)
  }

  /** One step at a time, also for two clicks before the next drawing. A cancelled step no longer counts. */
  const alone = async (run: () => Promise<void>) => {
    if (busy.current) return
    const mine = {}
    busy.current = mine
    try {
      await run()
    } catch (error) {
      if (busy.current !== mine) return
      setPhase('idle')
      notify({ type: 'error', content: <FailureText error={error} /> })
    } finally {
      if (busy.current === mine) busy.current = undefined
    }
  }

  return {
    action,
    question: action && task && questionOf(action, task, preview?.total),
    phase,
    preview,
    progress,
    open: (opened: Task, { onDone }: { onDone: () => void }) => {
      const current = actions.find(({ id }) => id === opened.id)
      if (!current) return
      finished.current = onDone
      shown.current = undefined
      asking.current = opened
      setTask(opened)
      setPreview(undefined)
      setProgress(noProgress)
      void alone(() => check(current, opened))
    },
    begin: () => {
      if (action && task) void alone(() => work(action, task))
    },
    /** Rows that were changed by now stay so. A job that has ended meanwhile refuses. */
    stop: () => {
      for (const { job } of shown.current?.jobs ?? []) stopJob(job).catch(() => undefined)
    },
    /** Closes the dialog; the jobs go on. */
    hide: () => {
      shown.current = undefined
      setPhase('idle')
      finished.current?.()
    },
    close: () => {
      asking.current = undefined
      busy.current = undefined
      setPhase('idle')
    },
  }
}

const idsOf = (selection: BulkSelection): readonly number[] => ('ids' in selection ? selection.ids : [])
