import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { FailureText } from '#components/base/forms/failure'
import { useFlash } from '#components/base/forms/flash'
import { Button } from '#components/kit/button'
import {
  type BulkProgress,
  type BulkSelection,
  changedOf,
  changeInSteps,
  noProgress,
  previewOf,
} from '#lib/record/bulk/bulk.queries'
import type { BulkReport } from '#lib/record/bulk/bulk.schema'
import { type BulkAction, isInUse } from './bulk'

type Phase = 'idle' | 'checking' | 'confirming' | 'running' | 'finished'

type Task = { id: string; selections: readonly BulkSelection[] }

export type BulkRun = ReturnType<typeof useBulkRun<never>>

/** The state of an action on many rows: preview, question, progress, report. A clean success is a message with Undo. */
export function useBulkRun<Row>(actions: readonly BulkAction<Row>[]) {
  const say = useTranslations('layout.bulk')
  const notify = useFlash()
  const [phase, setPhase] = useState<Phase>('idle')
  const [task, setTask] = useState<Task>()
  const [preview, setPreview] = useState<BulkReport>()
  const [progress, setProgress] = useState<BulkProgress>(noProgress)
  const [failure, setFailure] = useState<unknown>()
  const isStopped = useRef(false)
  const isBusy = useRef(false)
  const finished = useRef<() => void>(undefined)
  const action = actions.find(({ id }) => id === task?.id)

  const succeed = (
    { label, undo, changed }: BulkAction<Row>,
    selections: readonly BulkSelection[],
    { changed: count }: Pick<BulkProgress, 'changed'>,
  ) => {
    setPhase('idle')
    finished.current?.()
    notify({
      type: 'success',
      content: say('success', { action: label, count }),
      ...(undo &&
        selections.length > 0 && { action: <Undo call={undo} selections={selections} changed={changed} /> }),
    })
  }

  const work = async (current: BulkAction<Row>, selections: readonly BulkSelection[]) => {
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
    else succeed(current, changedOf(selections, last.ids), last)
  }

  /** Shows a preview of the action, if the action has one. */
  const check = async (current: BulkAction<Row>, selections: readonly BulkSelection[]) => {
    if (current.asks === 'never') return work(current, selections)
    // Nothing can be previewed before the field of the question is filled in.
    if (current.confirm?.isReady === false) return setPhase('confirming')
    setPhase('checking')
    const report = await previewOf(current.call, selections)
    setPreview(report)
    if (current.asks === 'always' || (report.impact && isInUse(report.impact))) setPhase('confirming')
    else await work(current, selections)
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
      void alone(() => check(current, opened.selections))
    },
    begin: () => {
      if (action && task) void alone(() => work(action, task.selections))
    },
    stop: () => {
      isStopped.current = true
    },
    close: () => setPhase('idle'),
  }
}

type UndoProps = Pick<BulkAction<never>, 'call' | 'changed'> & { selections: readonly BulkSelection[] }

function Undo({ call, selections, changed }: UndoProps) {
  const say = useTranslations('layout.bulk')
  const notify = useFlash()
  const [isUsed, setUsed] = useState(false)
  const undo = async () => {
    setUsed(true)
    try {
      const sum = await changeInSteps(call, selections, { report: () => undefined, isStopped: () => false })
      const { changed: done, refused } = sum
      if (refused === 0) notify(say('undone', { count: done }))
      else notify({ type: 'warning', content: say('someRefused', { refused, done }) })
    } catch (error) {
      setUsed(false)
      notify({ type: 'error', content: <FailureText error={error} /> })
    } finally {
      changed()
    }
  }
  return (
    <Button disabled={isUsed} onPress={() => void undo()}>
      {say('undo')}
    </Button>
  )
}
