import Icon from '@cloudscape-design/components/icon'
import type { ReactNode } from 'react'
import type { SearchType } from '#lib/state/search/search.schema'

/** Icons in the style of Cloudscape, which lacks these. */
const drawing = (shape: ReactNode) => (
  <Icon
    svg={
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" focusable="false" aria-hidden="true">
        {shape}
      </svg>
    }
  />
)

export const icons = {
  api: drawing(<path d="M5.5 4 1.5 8l4 4M10.5 4l4 4-4 4" strokeLinejoin="round" />),
  home: drawing(<path d="M2 7.5 8 2l6 5.5V14h-4v-4H6v4H2z" strokeLinejoin="round" />),
  scopes: drawing(
    <>
      <path d="M6 2h4v4H6zM1 10h4v4H1zM11 10h4v4h-4z" strokeLinejoin="round" />
      <path d="M8 6v2M3 10V8h10v2" />
    </>,
  ),
  datacenters: drawing(
    <>
      <path d="M2 2h12v5H2zM2 9h12v5H2z" strokeLinejoin="round" />
      <path d="M5 4.5h1M5 11.5h1" />
    </>,
  ),
  networks: drawing(
    <>
      <circle cx="8" cy="8" r="6.5" />
      <path d="M1.5 8h13M8 1.5c2.2 1.8 3 4 3 6.5s-.8 4.7-3 6.5c-2.2-1.8-3-4-3-6.5s.8-4.7 3-6.5z" />
    </>,
  ),
  ips: drawing(
    <>
      <path d="M8 15C4.5 11.5 3 9 3 6.5a5 5 0 0 1 10 0C13 9 11.5 11.5 8 15z" strokeLinejoin="round" />
      <circle cx="8" cy="6.5" r="1.5" />
    </>,
  ),
  rules: drawing(<path d="M1 5h13M11 2l3 3-3 3M15 11H2M5 8l-3 3 3 3" strokeLinejoin="round" />),
  enterprises: drawing(
    <>
      <path d="M2 14.5V2h7v12.5M9 6h5v8.5M.5 14.5h15" strokeLinejoin="round" />
      <path d="M4.5 5H6M4.5 8H6M4.5 11H6M11.5 9h.5M11.5 12h.5" />
    </>,
  ),
  users: <Icon name="group" />,
  roles: <Icon name="key" />,
  events: <Icon name="history" />,
  account: <Icon name="user-profile" />,
  settings: <Icon name="settings" />,
  help: <Icon name="status-info" />,
}

const thingIcons: Partial<Record<SearchType, ReactNode>> = {
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

export const thingIcon = (type: SearchType): ReactNode => thingIcons[type] ?? <Icon name="file" />
