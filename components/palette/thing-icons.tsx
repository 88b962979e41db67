import Icon from '@cloudscape-design/components/icon'
import type { ReactNode } from 'react'
import type { SearchType } from '#lib/search/search.schema'
import { icons } from './icons'

export const thingIcons: Record<SearchType, ReactNode> = {
  scope: icons.scopes,
  enterprise: icons.enterprises,
  datacenter: icons.datacenters,
  natnetwork: icons.networks,
  natip: icons.ips,
  user: icons.account,
  role: icons.roles,
  device: <Icon name="multiscreen" />,
  virtualdatacenter: <Icon name="suggestions" />,
}
