import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ChangeProgress } from '#components/base/forms/change-progress'
import { ChangeTool } from '#components/base/forms/change-tool'
import { Dialog } from '#components/base/forms/dialog'
import { Failure } from '#components/base/forms/failure'
import { useAction } from '#components/base/forms/use-action'
import { Button } from '#components/kit/button'
import { Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { ApiFailure } from '#lib/client/api'
import type { Progress } from '#lib/ground/http/event-stream'
import { useApplyPlan } from '#lib/state/plans/plans.queries'
import type { PlanDocument, PlanHead } from '#lib/state/plans/plans.schema'
import { AppliedPlan } from './applied-plan'
import { changesIn, countsOf } from './plan-rows'
import { PlanTable } from './plan-table'

type PlanDialogProps = {
  plan: PlanDocument
  /** Ranges of the file that are not in the plan. */
  leftOut: readonly string[]
  applying: Applying
  isComparing: boolean
  /** Data has changed since the user looked at the difference. */
  isOther: boolean
  progress: Progress | undefined
  error: Error | null
  /** Compares the same file again, after other users have changed the resources. */
  onCompare: () => void
  /** Leaves the refused lines out. Undefined if that is not possible. */
  onGood: (() => void) | undefined
  onDownload: () => void
  onBack: () => void
  onClose: () => void
}

const MOST_SHOWN = 12

/** The difference between the file and the present state, and the button that applies it. */
export function PlanDialog(props: PlanDialogProps) {
  const { plan, leftOut, applying, isComparing, progress, error, onCompare, onDownload, onBack, onClose } =
    props
  const say = useTranslations('layout.import')
  const sayCommon = useTranslations('common')
  const counts = countsOf(plan)
  return (
    <Dialog
      header={say('difference')}
      size="max"
      onDismiss={(by) => by !== 'outside' && onClose()}
      actions={
        <>
          <Button look="quiet" onPress={onClose}>
            {sayCommon('cancel')}
          </Button>
          <Button onPress={onBack}>{say('back')}</Button>
          <Button busy={isComparing} busyText={say('comparing')} onPress={onCompare}>
            {say('again')}
          </Button>
          <Apply plan={plan} applying={applying} onGood={props.onGood} />
        </>
      }
    >
      <ApplyState applying={applying} />
      {error && <Failure error={error} retry={onCompare} />}
      {props.isOther && (
        <Notice kind="warn" title={say('other')}>
          {say('otherAbout')}
        </Notice>
      )}
      <ChangeProgress progress={progress} />
      {leftOut.length > 0 && (
        <Notice title={say('leftOut', { count: leftOut.length })}>
          {leftOut.slice(0, MOST_SHOWN).join(', ')}
          {leftOut.length > MOST_SHOWN && ' …'}
        </Notice>
      )}
      <PlanSummary plan={plan} action={<Button onPress={onDownload}>{say('downloadRefused')}</Button>} />
      {counts.all > 0 && <PlanTable plan={plan} counts={counts} />}
    </Dialog>
  )
}

type ApplyProps = { plan: PlanDocument; applying: Applying; onGood?: (() => void) | undefined }

/** Applies the plan or, if lines are refused, the good ones alone. */
export function Apply({ plan, applying: { apply, isApplying }, onGood }: ApplyProps) {
  const say = useTranslations('layout.import')
  const changes = changesIn(plan)
  const isRefused = plan.refused > 0
  const busy = { busy: isApplying, busyText: say('applying') }
  if (isRefused && onGood)
    return (
      <ChangeTool look="main" {...busy} onPress={onGood}>
        {say('applyGood', { count: changes })}
      </ChangeTool>
    )
  const reason = isRefused ? say('refusedFirst') : changes === 0 ? say('nothing') : undefined
  return (
    <ChangeTool look="main" {...busy} refused={reason} onPress={() => apply(plan)}>
      {isRefused ? say('applyNone') : say('apply', { count: changes })}
    </ChangeTool>
  )
}

/** The changes of the plan, or the number of refused lines. */
export function PlanSummary({ plan, action }: { plan: PlanDocument; action?: ReactNode }) {
  const say = useTranslations('layout.import')
  const counts = countsOf(plan)
  if (counts.refused > 0)
    return (
      <Notice
        kind="bad"
        title={say(plan.incomplete ? 'refusedAtLeast' : 'refused', { count: counts.lines })}
        action={action}
      >
        {say('refusedFirst')}
      </Notice>
    )
  if (counts.all === 0) return <Notice kind="good">{say('same', { count: counts.none })}</Notice>
  return (
    <div>
      {say('summary', counts)} {plan.applied === undefined && say('whole')}
    </div>
  )
}

export type Applying = ReturnType<typeof useApplying>

/** Applies a plan, and reports it with its undo. */
export function useApplying(onDone?: () => void) {
  const say = useTranslations('layout.import')
  const [progress, setProgress] = useState<Progress>()
  const applying = useApplyPlan(setProgress)
  const apply = useAction(applying, {
    done: (applied: PlanHead) => ({
      type: 'success',
      content: say('done', countsOf(applied)),
      action: <AppliedPlan plan={applied} />,
    }),
    ...(onDone && { onDone }),
  })
  const { isPending: isApplying, error } = applying
  return { apply, isApplying, error, progress: isApplying ? progress : undefined }
}

/** How far the changes are, or why they were refused. */
export function ApplyState({ applying: { error, progress } }: { applying: Applying }) {
  const say = useTranslations('layout.import')
  const isMoved = error instanceof ApiFailure && (error.has('PLAN-1') || error.has('PLAN-3'))
  return (
    <Stack gap="s">
      <ChangeProgress progress={progress} />
      {error && <Failure error={error} />}
      {isMoved && <div>{say('moved')}</div>}
    </Stack>
  )
}
