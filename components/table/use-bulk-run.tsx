import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { FailureText } from '#components/base/forms/failure'
import { useFlash } from '#components/base/forms/flash'
import { access } from '#components/base/screens/access'
import { useMay } from '#components/base/session/session'
import {
  type BulkProgress,
  type BulkSelection,
  changedOf,
  changeInSteps,
  noProgress,
  previewOf,
} from '#lib/record/bulk/bulk.queries'
import type { BulkReport } from '#lib/record/bulk/bulk.schema'
import { useUndo } from '#lib/record/events/events.queries'
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

export type BulkRun = ReturnType<typeof useBulkRun<never>>

/** The state of an action on many rows: preview, question, progress, report. A clean success is a message with Undo. */
export function useBulkRun<Row>(actions: readonly BulkAction<Row>[]) {
  const say = useTranslations('layout.bulk')
  const notify = useFlash()
  const mayUndo = useMay(...access.events)
  const undoing = useUndo(() => undefined)
  const [phase, setPhase] = useState<Phase>('idle')
  const [task, setTask] = useState<Task>()
  const [preview, setPreview] = useState<BulkReport>()
  const [progress, setProgress] = useState<BulkProgress>(noProgress)
  const [failure, setFailure] = useState<unknown>()
  const isStopped = useRef(false)
  const isBusy = useRef(false)
  const finished = useRef<() => void>(undefined)
  const action = actions.find(({ id }) => id === task?.id)

  const questionOf = (current: BulkAction<Row>, asked: Task, count = asked.count) =>
    current.confirm?.(subjectOf(current, asked, { count, ids: asked.selections.flatMap(idsOf) }))

  const succeed = (
    current: BulkAction<Row>,
    { selections, ...asked }: Task,
    { changed: count, ids, events }: BulkProgress,
  ) => {
    setPhase('idle')
    finished.current?.()
    const rows = subjectOf(current, { selections, ...asked }, { count, ids })
    const undo = undoOf(current, changedOf(selections, ids), events)
    notify({
      type: 'success',
      content: count === 0 ? say('unchanged') : current.done(rows),
      undo: undo && count > 0 ? () => void takeBack(undo, current, rows) : undefined,
    })
  }

  /** By the opposite change where there is one, else by the events of the change, for those who may read events. */
  const undoOf = (
    { undo }: BulkAction<Row>,
    selections: readonly BulkSelection[],
    events: readonly number[],
  ) => {
    const steps = { report: () => undefined, isStopped: () => false }
    if (undo) return () => changeInSteps(undo, selections, steps)
    if (!mayUndo || events.length === 0) return undefined
    return async () => {
      for (const event of events.toReversed()) await undoing.mutateAsync(event)
      return noProgress
    }
  }

  const takeBack = async (
    undo: () => Promise<BulkProgress>,
    { changed }: BulkAction<Row>,
    { subject }: BulkSubject,
  ) => {
    try {
      const { changed: done, refused } = await undo()
      if (refused === 0) notify(say('undone', { subject }))
      else notify({ type: 'warning', content: say('someRefused', { refused, done }) })
    } catch (error) {
      notify({ type: 'error', content: <FailureText error={error} /> })
    } finally {
      changed()
    }
  }

  const work = async (current: BulkAction<Row>, asked: Task) => {
    const { selections } = asked
    isStopped.current = false
    setPhase('running')
    let last = noProgress
    const report = (sum: BulkProgress) => {
      last = sum
      setProgress(sum)
    }
    try {
      await changeInSteps(current.call, selections, { report, isStopped: () => isStopped.current })
    } catch (error) {
      setFailure(error)
      setPhase('finished')
      return
    } finally {
      current.changed()
    }
    const left = last.total - last.changed - last.unchanged - last.refused
    if (last.refused + left > 0) setPhase('finished')
    else succeed(current, asked, last)
  }

  /** Shows a preview of the action, if the action has one. */
  const check = async (current: BulkAction<Row>, asked: Task) => {
    if (current.asks === 'never') return work(current, asked)
    // Nothing can be previewed before the field of the question is filled in.
    if (questionOf(current, asked)?.isReady === false) return setPhase('confirming')
    setPhase('checking')
    const report = await previewOf(current.call, asked.selections)
    setPreview(report)
    if (current.asks === 'always' || (report.impact && isInUse(report.impact))) setPhase('confirming')
    else await work(current, asked)
  }

  /** One run at a time, also for two clicks before the next drawing. */
  const alone = async (run: () => Promise<void>) => {
    if (isBusy.current) return
    isBusy.current = true
    try {
      await run()
    } catch (error) {
      setPhase('idle')
      notify({ type: 'error', content: <FailureText error={error} /> })
    } finally {
      isBusy.current = false
    }
  }

  return {
    action,
    question: action && task && questionOf(action, task, preview?.total),
    phase,
    preview,
    progress,
    failure,
    open: (opened: Task, { onDone }: { onDone: () => void }) => {
      const current = actions.find(({ id }) => id === opened.id)
      if (!current) return
      finished.current = onDone
      setTask(opened)
      setPreview(undefined)
      setProgress(noProgress)
      setFailure(undefined)
      void alone(() => check(current, opened))
    },
    begin: () => {
      if (action && task) void alone(() => work(action, task))
    },
    stop: () => {
      isStopped.current = true
    },
    close: () => setPhase('idle'),
  }
}

const idsOf = (selection: BulkSelection): readonly number[] => ('ids' in selection ? selection.ids : [])
