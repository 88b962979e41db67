import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { hasPast } from '#components/base/screens/screens'
import { useMay } from '#components/base/session/session'
import { icons } from '#components/kit/icons'
import { screenIcons } from '#components/kit/screen-icons'
import { Tool } from '#components/kit/tool'
import { eventsQuery } from '#lib/record/events/events.queries'
import { subjectOf } from './screen-subject'

type StepsProps = { moment: string; isFaulty: boolean; onGo: (moment: string) => void }

const one = { by: 'timestamp', limit: 1, signins: false }

/** The moment so many milliseconds later, or earlier. */
const shifted = (moment: string, by: number): string => new Date(Date.parse(moment) + by).toISOString()

/** Steps from event to event of what is on the screen. */
export function EventSteps({ isFaulty, ...steps }: StepsProps) {
  const { pathname } = useLocation()
  return useMay(...access.events) && !isFaulty && hasPast(pathname) ? <Steps {...steps} /> : null
}

function Steps({ moment, onGo }: Omit<StepsProps, 'isFaulty'>) {
  const say = useTranslations('layout.asOf')
  const subject = subjectOf(useLocation().pathname)
  // The client of the present: the next event is after the moment.
  const client = useQueryClient()
  const { entity, entityid } = subject ?? {}
  // A network's page shows its IPs and rules too.
  const isNetwork = entity === 'natnetwork' && entityid !== undefined
  const of = { ...one, ...(isNetwork ? { natnetwork: entityid } : { entity, entityid }) }
  const before = useQuery({ ...eventsQuery({ ...of, to: shifted(moment, -1), asc: false }) }, client)
  const after = useQuery({ ...eventsQuery({ ...of, from: shifted(moment, 1), asc: true }) }, client)
  const step = (name: 'earlier' | 'later', { data, isFetching }: typeof before) => {
    const at = isFetching ? undefined : data?.collection[0]?.timestamp
    return (
      <Tool
        look="quiet"
        icon={name === 'earlier' ? icons.before : screenIcons.after}
        label={say(name)}
        busy={isFetching}
        refused={
          isFetching || at !== undefined ? undefined : say(name === 'earlier' ? 'noEarlier' : 'noLater')
        }
        onPress={() => at !== undefined && onGo(at)}
      />
    )
  }
  return (
    <>
      {step('earlier', before)}
      {step('later', after)}
    </>
  )
}
