import SideNavigation, { type SideNavigationProps } from '@cloudscape-design/components/side-navigation'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { matchPath, useLocation } from 'react-router'
import { access } from '#components/access'
import { useFollow } from '#components/layout/app-link'
import { icons } from '#components/layout/icons'
import { holds, useSession } from '#components/layout/session'
import { paths } from '#components/paths'
import type { Privilege } from '#lib/auth/privileges'
import { datacenterQuery } from '#lib/infrastructure/datacenters.queries'

type Entry = { text: string; href: string; icon: ReactNode; needs?: readonly Privilege[] }

const general: Entry[] = [
  { text: 'Home', href: paths.home(), icon: icons.home },
  { text: 'Scopes', href: paths.scopes(), icon: icons.scopes, needs: access.scope },
  { text: 'Datacenters', href: paths.datacenters(), icon: icons.datacenters, needs: access.datacenters },
  { text: 'Settings', href: paths.settings(), icon: icons.settings, needs: access.settings },
]

const ofDatacenter = (datacenter: number): Entry[] => [
  {
    text: 'NAT networks',
    href: paths.natNetworks(datacenter),
    icon: icons.networks,
    needs: access.natNetworks,
  },
  { text: 'NAT IPs', href: paths.natIps(datacenter), icon: icons.ips, needs: access.natAddresses },
  { text: 'NAT rules', href: paths.natRules(datacenter), icon: icons.rules, needs: access.natAddresses },
]

const mine: Entry[] = [
  { text: 'My account', href: paths.account(), icon: icons.account },
  { text: 'API', href: paths.apiReference(), icon: icons.api },
]

const enrolment: Entry = { text: 'Two factor authentication', href: paths.twoFactor(), icon: icons.account }

/** The way to every screen that the user may open; inside a datacenter also to what it holds. */
export function Navigation() {
  const { pathname } = useLocation()
  const follow = useFollow()
  const session = useSession()
  const datacenter = useOpenDatacenter(pathname)

  const open = (entries: Entry[]): SideNavigationProps.Link[] =>
    entries
      .filter(({ needs }) => !needs || holds(session, needs))
      .map(({ text, href, icon }) => ({ type: 'link', text, href, icon }))
  const inDatacenter = datacenter ? open(ofDatacenter(datacenter.id)) : []
  const links = [...open(general), ...inDatacenter, ...open(mine)]

  if (session.mustEnableTwoFactor)
    return <SideNavigation activeHref={pathname} items={open([enrolment])} onFollow={follow} />
  const items: SideNavigationProps.Item[] = [...open(general), { type: 'divider' }]
  if (datacenter && inDatacenter.length > 0) {
    items.push({ type: 'section-group', title: datacenter.name, items: inDatacenter }, { type: 'divider' })
  }
  items.push(...open(mine))
  return <SideNavigation activeHref={closest(links, pathname)} items={items} onFollow={follow} />
}

function useOpenDatacenter(pathname: string): { id: number; name: string } | undefined {
  const id = Number(matchPath('/datacenters/:datacenter/*', pathname)?.params.datacenter)
  const session = useSession()
  const isOpen = Number.isSafeInteger(id) && id > 0
  const { data } = useQuery({ ...datacenterQuery(id), enabled: isOpen && holds(session, access.datacenters) })
  return isOpen ? { id, name: data?.document.name ?? `Datacenter ${id}` } : undefined
}

/** The link to the open screen, else to the one nearest above it. */
const closest = (links: readonly { href: string }[], pathname: string): string | undefined =>
  links
    .map(({ href }) => href)
    .filter((href) => href === pathname || (href !== '/' && pathname.startsWith(`${href}/`)))
    .sort((one, other) => other.length - one.length)[0]
