import type { ReactNode } from 'react'
import { screenIcons } from '#components/kit/screen-icons'
import type { SearchType } from '#lib/state/search/search.schema'

const thingIcons: Partial<Record<SearchType, ReactNode>> = {
  scope: screenIcons.scopes,
  enterprise: screenIcons.enterprises,
  datacenter: screenIcons.datacenters,
  natnetwork: screenIcons.networks,
  natip: screenIcons.ips,
  natrule: screenIcons.rules,
  user: screenIcons.account,
  role: screenIcons.roles,
  device: screenIcons.devices,
  virtualdatacenter: screenIcons.centers,
  virtualappliance: screenIcons.centers,
  virtualmachine: screenIcons.machines,
}

export const thingIcon = (type: SearchType): ReactNode => thingIcons[type] ?? screenIcons.document
