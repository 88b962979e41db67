import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ChangeProgress } from '#components/base/forms/change-progress'
import { Confirm } from '#components/base/forms/confirm'
import { Dialog } from '#components/base/forms/dialog'
import type { FlashMessage } from '#components/base/forms/flash'
import { Button } from '#components/kit/button'
import { Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { Tool } from '#components/kit/tool'
import type { Progress } from '#lib/ground/http/event-stream'
import { useApplyPlan } from '#lib/state/plans/plans.queries'
import type { PlanDocument, PlanHead } from '#lib/state/plans/plans.schema'
import { AppliedPlan } from './applied-plan'
import { countsOf } from './plan-rows'
import { PlanTable } from './plan-table'

type PlanDialogProps = {
  plan: PlanDocument
  isComparing: boolean
  progress: Progress | undefined
  /** Compares the same file again, after other users have changed the resources. */
  onCompare: () => void
  onBack: () => void
  onClose: () => void
}

/** The difference between the file and the present state, and the button that applies it. */
export function PlanDialog({ plan, isComparing, progress, onCompare, onBack, onClose }: PlanDialogProps) {
  const say = useTranslations('layout.import')
  const sayCommon = useTranslations('common')
  const [isAsking, setAsking] = useState(false)
  const counts = countsOf(plan)
  const changes = counts.all - counts.refused
  const reason = counts.refused > 0 ? say('refusedFirst') : say('nothing')
  return (
    <>
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
            <Tool
              look="main"
              refused={counts.refused > 0 || changes === 0 ? reason : undefined}
              onPress={() => setAsking(true)}
            >
              {say('apply', { count: changes })}
            </Tool>
          </>
        }
      >
        <ChangeProgress progress={progress} />
        <PlanSummary plan={plan} />
        {counts.all > 0 && <PlanTable plan={plan} counts={counts} />}
      </Dialog>
      {isAsking && <ApplyDialog plan={plan} onCancel={() => setAsking(false)} onDone={onClose} />}
    </>
  )
}

/** The changes of the plan, or the rules that refuse it. */
export function PlanSummary({ plan }: { plan: PlanHead }) {
  const say = useTranslations('layout.import')
  const counts = countsOf(plan)
  if (counts.refused > 0)
    return (
      <Notice
        kind="bad"
        title={say(plan.incomplete ? 'refusedAtLeast' : 'refused', { count: counts.refused })}
      >
        {say('refusedFirst')}
      </Notice>
    )
  if (counts.all === 0) return <Notice kind="good">{say('same', { count: counts.none })}</Notice>
  return <div>{say('summary', counts)}</div>
}

type ApplyDialogProps = { plan: PlanDocument; onCancel: () => void; onDone: () => void }

/** Asks before the plan is applied, and shows how far it is. */
export function ApplyDialog({ plan, onCancel, onDone }: ApplyDialogProps) {
  const say = useTranslations('layout.import')
  const counts = countsOf(plan)
  const [progress, setProgress] = useState<Progress>()
  const applying = useApplyPlan(setProgress)
  const done = (applied: PlanHead): FlashMessage => ({
    type: 'success',
    content: say('done', countsOf(applied)),
    action: <AppliedPlan plan={applied} />,
  })
  return (
    <Confirm
      title={say('confirm')}
      label={say('apply', { count: counts.all })}
      busyLabel={say('applying')}
      mutation={applying}
      input={plan}
      done={done}
      advice={{ 'PLAN-1': say('moved'), 'PLAN-3': say('moved') }}
      onDone={onDone}
      onCancel={onCancel}
    >
      <Stack>
        <div>
          {say('summary', counts)} {say('whole')}
        </div>
        <ChangeProgress progress={applying.isPending ? progress : undefined} />
      </Stack>
    </Confirm>
  )
}
