import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { useId } from '#components/base/forms/ids'
import { ExactTime } from '#components/base/screens/moments'
import { Page } from '#components/frame/layout/page'
import { AppliedPlan } from '#components/import/applied-plan'
import { Apply, type Applying, ApplyState, PlanSummary, useApplying } from '#components/import/plan-dialog'
import { countsOf } from '#components/import/plan-rows'
import { PlanTable } from '#components/import/plan-table'
import { Facts } from '#components/kit/facts'
import { Card, Stack } from '#components/kit/layout'
import { planQuery } from '#lib/state/plans/plans.queries'
import type { PlanDocument } from '#lib/state/plans/plans.schema'

/** A plan of one's own, such as one that the command line made: its difference, and the button that applies it. */
export function Component() {
  const say = useTranslations('layout.import')
  const id = useId('plan')
  const read = useQuery(planQuery(id))
  const plan = read.data?.document
  const applying = useApplying()
  return (
    <Page
      title={say('plan', { id: String(id) })}
      actions={plan && plan.applied === undefined && <Apply plan={plan} applying={applying} />}
    >
      {plan ? <Plan plan={plan} applying={applying} /> : <Waiting read={read} />}
    </Page>
  )
}

function Plan({ plan, applying }: { plan: PlanDocument; applying: Applying }) {
  const say = useTranslations('layout.import')
  const counts = countsOf(plan)
  const { mode, expires, applied } = plan
  const [when, moment] =
    applied === undefined ? (['expires', expires] as const) : (['applied', applied] as const)
  const isOpen = applied === undefined
  // Its reason is an alert, which needs the width of the page.
  const isRefused = isOpen && (counts.refused > 0 || counts.all === 0)
  return (
    <Stack gap="l">
      <ApplyState applying={applying} />
      {isRefused && <PlanSummary plan={plan} />}
      <Card>
        <Facts
          columns={isRefused ? 2 : 3}
          items={[
            { label: say('modes.plan'), value: say(`modes.${mode}`) },
            { label: say(when), value: <ExactTime at={moment} /> },
            ...(isOpen && !isRefused ? [{ label: say('would'), value: <PlanSummary plan={plan} /> }] : []),
            ...(isOpen
              ? []
              : [
                  {
                    label: say('result'),
                    value: (
                      <Stack gap="xs">
                        <div>{say('done', counts)}</div>
                        <AppliedPlan plan={plan} />
                      </Stack>
                    ),
                  },
                ]),
          ]}
        />
      </Card>
      {counts.all > 0 && (
        <Card>
          <PlanTable plan={plan} counts={counts} />
        </Card>
      )}
    </Stack>
  )
}
