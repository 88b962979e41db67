import SideNavigation, { type SideNavigationProps } from '@cloudscape-design/components/side-navigation'
import type { ReactNode } from 'react'
import { matchPath, useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { useFollow } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { mayOpen, useSession } from '#components/base/session/session'
import { icons } from '#components/frame/palette/icons'
import { type OpenDatacenter, useOpenDatacenter } from '#components/frame/palette/use-open-datacenter'
import type { Say } from '#lib/words/words'

type Entry = {
  name: Exclude<Parameters<Say<'layout.navigation'>>[0], 'datacenter'>
  href: string
  icon: ReactNode
}

const home: Entry = { name: 'home', href: paths.home(), icon: icons.home }

/** Over all visible datacenters. */
const nat: Entry[] = [
  { name: 'networks', href: paths.natNetworks(), icon: icons.networks },
  { name: 'ips', href: paths.natIps(), icon: icons.ips },
  { name: 'rules', href: paths.natRules(), icon: icons.rules },
]

const cloud: Entry[] = [{ name: 'datacenters', href: paths.datacenters(), icon: icons.datacenters }]

const ofDatacenter = (datacenter: number): Entry[] => [
  { name: 'natNetworks', href: paths.natNetworks(datacenter), icon: icons.networks },
  { name: 'natIps', href: paths.natIps(datacenter), icon: icons.ips },
  { name: 'natRules', href: paths.natRules(datacenter), icon: icons.rules },
]

const accesses: Entry[] = [
  { name: 'scopes', href: paths.scopes(), icon: icons.scopes },
  { name: 'enterprises', href: paths.enterprises(), icon: icons.enterprises },
  { name: 'users', href: paths.users(), icon: icons.users },
  { name: 'roles', href: paths.roles(), icon: icons.roles },
]

const whole: Entry[] = [
  { name: 'events', href: paths.events(), icon: icons.events },
  { name: 'settings', href: paths.settings(), icon: icons.settings },
]

const mine: Entry[] = [
  { name: 'account', href: paths.account(), icon: icons.account },
  { name: 'api', href: paths.apiReference(), icon: icons.api },
  { name: 'help', href: paths.help(), icon: icons.help },
]

const enrolment: Entry = { name: 'twoFactor', href: paths.twoFactor(), icon: icons.account }

/** Links to all screens that the user may open, including those of the open datacenter. */
export function Navigation() {
  const { pathname } = useLocation()
  const follow = useFollow()
  const session = useSession()
  const say = useTranslations('layout.navigation')
  const datacenter = useOpenDatacenter()

  const open = (entries: readonly Entry[]): SideNavigationProps.Link[] =>
    entries
      .filter(({ href }) => mayOpen(session, href))
      .map(({ name, href, icon }) => ({ type: 'link', text: say(name), href, icon }))
  const frame = (links: readonly { href: string }[], items: SideNavigationProps.Item[]) => (
    <SideNavigation activeHref={closest(links, pathname)} items={items} onFollow={follow} />
  )

  if (session.mustEnableTwoFactor) return frame([], open([enrolment]))

  const inDatacenter = datacenter ? open(ofDatacenter(datacenter.id)) : []
  const mayOpenDatacenter = mayOpen(session, paths.datacenters())
  const shown = {
    nat: open(nat),
    cloud: open(cloud),
    access: open(accesses),
    whole: open(whole),
    mine: open(mine),
  }
  const start = open([home])
  const items: SideNavigationProps.Item[] = [
    ...start,
    ...group(say('nat'), shown.nat),
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

/** An empty group is left out. */
const group = (title: string, items: readonly Grouped[]): SideNavigationProps.SectionGroup[] =>
  items.length > 0 ? [{ type: 'section-group', title, items }] : []

/** The screens of the open datacenter, below its name. */
function section(
  datacenter: OpenDatacenter | undefined,
  items: readonly SideNavigationProps.Link[],
  mayOpen: boolean,
): Grouped[] {
  if (!datacenter || items.length === 0) return []
  const { id, name: text } = datacenter
  return mayOpen
    ? [{ type: 'expandable-link-group', text, href: paths.datacenter(id), items, defaultExpanded: true }]
    : [{ type: 'section', text, items }]
}

/** The link to the open screen, or to the nearest screen above it. */
function closest(links: readonly { href: string }[], pathname: string): string | undefined {
  // The address of a user begins with the address of the enterprise.
  const shown = matchPath('/enterprises/:enterprise/users/*', pathname) ? paths.users() : pathname
  return links
    .map(({ href }) => href)
    .filter((href) => href === shown || (href !== '/' && shown.startsWith(`${href}/`)))
    .sort((one, other) => other.length - one.length)[0]
}
