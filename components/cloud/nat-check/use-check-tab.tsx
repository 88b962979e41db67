import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { useIsPast } from '#components/base/screens/as-of'
import { useMay } from '#components/base/session/session'
import { deferred } from '#components/kit/deferred'
import { type CheckPlace, natFindingCountsQuery } from '#lib/cloud/nat/check.queries'

const CheckTab = deferred(async () => (await import('./check-tab')).CheckTab)

/** The tab "Check" of a datacenter or a network. The number of findings is read after everything else on the screen. */
export function useCheckTab(place: CheckPlace) {
  const say = useTranslations('natCheck')
  const [search] = useSearchParams()
  const may = useMay('PHYS_DC_RETRIEVE_DETAILS')
  const isPast = useIsPast()
  const isOpen = search.get('tab') === 'check'
  const client = useQueryClient()
  const isBusy = useIsFetching() > 0
  const [isDue, setDue] = useState(false)
  // The effects of the tables, which begin their reads, run before this one.
  useEffect(() => {
    if (!isBusy && client.isFetching() === 0) setDue(true)
  }, [client, isBusy])
  const { data } = useQuery({ ...natFindingCountsQuery(place), enabled: may && !isPast && (isOpen || isDue) })
  const found = data && data.error + data.warning + data.info
  return {
    id: 'check',
    label: found ? say('tabWith', { count: found }) : say('tab'),
    content: <CheckTab place={place} />,
    isNow: true,
  }
}
