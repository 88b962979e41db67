import SideNavigation, { type SideNavigationProps } from '@cloudscape-design/components/side-navigation'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { matchPath, useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { icons } from '#components/palette/icons'
import { access } from '#components/screens/access'
import { useFollow } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { holds, useSession } from '#components/session/session'
import type { Privilege } from '#lib/auth/privileges'
import { datacenterQuery } from '#lib/infrastructure/datacenters.queries'
import type { Say } from '#lib/words/words'

type Entry = {
  name: Exclude<Parameters<Say<'layout.navigation'>>[0], 'datacenter'>
  href: string
  icon: ReactNode
  needs?: readonly Privilege[]
}

const home: Entry = { name: 'home', href: paths.home(), icon: icons.home }

const cloud: Entry[] = [
  { name: 'datacenters', href: paths.datacenters(), icon: icons.datacenters, needs: access.datacenters },
]

const ofDatacenter = (datacenter: number): Entry[] => [
  {
    name: 'natNetworks',
    href: paths.natNetworks(datacenter),
    icon: icons.networks,
    needs: access.natNetworks,
  },
  { name: 'natIps', href: paths.natIps(datacenter), icon: icons.ips, needs: access.natAddresses },
  { name: 'natRules', href: paths.natRules(datacenter), icon: icons.rules, needs: access.natAddresses },
]

const accesses: Entry[] = [
  { name: 'scopes', href: paths.scopes(), icon: icons.scopes, needs: access.scope },
  { name: 'enterprises', href: paths.enterprises(), icon: icons.enterprises, needs: access.enterprises },
  { name: 'users', href: paths.users(), icon: icons.users, needs: access.users },
  { name: 'roles', href: paths.roles(), icon: icons.roles, needs: access.roles },
]

const whole: Entry[] = [
  { name: 'events', href: paths.events(), icon: icons.events, needs: access.events },
  { name: 'settings', href: paths.settings(), icon: icons.settings, needs: access.settings },
]

const mine: Entry[] = [
  { name: 'account', href: paths.account(), icon: icons.account },
  { name: 'api', href: paths.apiReference(), icon: icons.api },
]

const enrolment: Entry = { name: 'twoFactor', href: paths.twoFactor(), icon: icons.account }

/** The way to every screen that the user may open; inside a datacenter also to what it holds. */
export function Navigation() {
  const { pathname } = useLocation()
  const follow = useFollow()
  const session = useSession()
  const say = useTranslations('layout.navigation')
  const datacenter = useOpenDatacenter(pathname)

  const open = (entries: readonly Entry[]): SideNavigationProps.Link[] =>
    entries
      .filter(({ needs }) => !needs || holds(session, needs))
      .map(({ name, href, icon }) => ({ type: 'link', text: say(name), href, icon }))
  const frame = (links: readonly { href: string }[], items: SideNavigationProps.Item[]) => (
    <SideNavigation activeHref={closest(links, pathname)} items={items} onFollow={follow} />
  )

  if (session.mustEnableTwoFactor) return frame([], open([enrolment]))

  const inDatacenter = datacenter ? open(ofDatacenter(datacenter.id)) : []
  const mayOpenDatacenter = holds(session, access.datacenters)
  const shown = { cloud: open(cloud), access: open(accesses), whole: open(whole), mine: open(mine) }
  const start = open([home])
  const items: SideNavigationProps.Item[] = [
    ...start,
    ...group(say('cloud'), [...shown.cloud, ...section(datacenter, inDatacenter, mayOpenDatacenter)]),
    ...group(say('access'), shown.access),
    { type: 'divider' },
    ...shown.whole,
    ...shown.mine,
  ]
  const links = [...start, ...Object.values(shown).flat(), ...inDatacenter]
  return frame(datacenter ? [...links, { href: paths.datacenter(datacenter.id) }] : links, items)
}

type Grouped = SideNavigationProps.SectionGroup['items'][number]

/** A group that nothing is in is none. */
const group = (title: string, items: readonly Grouped[]): SideNavigationProps.SectionGroup[] =>
  items.length > 0 ? [{ type: 'section-group', title, items }] : []

/** What the open datacenter holds, below its name. */
function section(
  datacenter: { id: number; name: string } | undefined,
  items: readonly SideNavigationProps.Link[],
  mayOpen: boolean,
): Grouped[] {
  if (!datacenter || items.length === 0) return []
  const { id, name: text } = datacenter
  return mayOpen
    ? [{ type: 'expandable-link-group', text, href: paths.datacenter(id), items, defaultExpanded: true }]
    : [{ type: 'section', text, items }]
}

function useOpenDatacenter(pathname: string): { id: number; name: string } | undefined {
  const id = Number(matchPath('/datacenters/:datacenter/*', pathname)?.params.datacenter)
  const session = useSession()
  const say = useTranslations('layout.navigation')
  const isOpen = Number.isSafeInteger(id) && id > 0
  const { data } = useQuery({ ...datacenterQuery(id), enabled: isOpen && holds(session, access.datacenters) })
  return isOpen ? { id, name: data?.document.name ?? say('datacenter', { id: String(id) }) } : undefined
}

/** The link to the open screen, else to the one nearest above it. */
function closest(links: readonly { href: string }[], pathname: string): string | undefined {
  // The address of a user begins with that of their enterprise.
  const shown = matchPath('/enterprises/:enterprise/users/*', pathname) ? paths.users() : pathname
  return links
    .map(({ href }) => href)
    .filter((href) => href === shown || (href !== '/' && shown.startsWith(`${href}/`)))
    .sort((one, other) => other.length - one.length)[0]
}
