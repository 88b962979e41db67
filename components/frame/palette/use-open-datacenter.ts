import { useQuery } from '@tanstack/react-query'
import { matchPath, useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { useMay } from '#components/base/session/session'
import { datacenterQuery } from '#lib/cloud/infrastructure/datacenters.queries'

export type OpenDatacenter = { id: number; name: string }

/** The datacenter whose screens are open, if any. */
export function useOpenDatacenter(): OpenDatacenter | undefined {
  const { pathname } = useLocation()
  const say = useTranslations('layout.navigation')
  const mayRead = useMay(...access.datacenters)
  const id = Number(matchPath('/datacenters/:datacenter/*', pathname)?.params.datacenter)
  const isOpen = Number.isSafeInteger(id) && id > 0
  const { data } = useQuery({ ...datacenterQuery(id), enabled: isOpen && mayRead })
  return isOpen ? { id, name: data?.document.name ?? say('datacenter', { id: String(id) }) } : undefined
}
