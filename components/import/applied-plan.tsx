import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { UndoEvent } from '#components/frame/undo/undo-event'
import { Row } from '#components/kit/layout'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import { eventQuery } from '#lib/record/events/events.queries'
import type { PlanHead } from '#lib/state/plans/plans.schema'
import { countsOf } from './plan-rows'

/** A link to the event of an import, and the button that undoes the import. Renders nothing for users who may not see events. */
export function AppliedPlan({ plan }: { plan: PlanHead }) {
  const say = useTranslations('layout.import')
  const id = idOfLink(linkOf(plan, 'event'))
  const { data } = useQuery({ ...eventQuery(id ?? 0), enabled: id !== undefined, retry: false })
  if (id === undefined || !data) return null
  return (
    <Row>
      <AppLink to={paths.events({ event: id })}>{say('event')}</AppLink>
      <UndoEvent event={data.document} name={say('undoName', { count: countsOf(plan).all })} />
    </Row>
  )
}
