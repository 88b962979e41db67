import type { ReactNode } from 'react'
import { matchPath, useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { paths } from '#components/base/screens/paths'
import { mayOpen, useSession } from '#components/base/session/session'
import { useOpenDatacenter } from '#components/frame/palette/use-open-datacenter'
import { Navigation as Links, type NavigationGroup, type NavigationLink } from '#components/kit/navigation'
import { screenIcons as icons } from '#components/kit/screen-icons'
import type { Say } from '#lib/words/words'

type Entry = {
  name: Exclude<Parameters<Say<'layout.navigation'>>[0], 'datacenter'>
  href: string
  icon?: ReactNode
}

const home: Entry = { name: 'home', href: paths.home(), icon: icons.home }

/** Over all visible datacenters. */
const nat: Entry[] = [
  { name: 'networks', href: paths.natNetworks(), icon: icons.networks },
  { name: 'ips', href: paths.natIps(), icon: icons.ips },
  { name: 'rules', href: paths.natRules(), icon: icons.rules },
]

const cloud: Entry[] = [{ name: 'datacenters', href: paths.datacenters(), icon: icons.datacenters }]

/** What runs in the datacenters. */
const inventory: Entry[] = [
  { name: 'centers', href: paths.virtualDatacenters(), icon: icons.centers },
  { name: 'machines', href: paths.virtualMachines(), icon: icons.machines },
]

const ofDatacenter = (datacenter: number): Entry[] => [
  { name: 'natNetworks', href: paths.natNetworks(datacenter) },
  { name: 'natIps', href: paths.natIps(datacenter) },
  { name: 'natRules', href: paths.natRules(datacenter) },
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

/** Links to all screens that the user may open, including those of the open datacenter. */
export function Navigation() {
  const { pathname } = useLocation()
  const session = useSession()
  const say = useTranslations('layout.navigation')
  const datacenter = useOpenDatacenter()

  const open = (entries: readonly Entry[]): NavigationLink[] =>
    entries
      .filter(({ href }) => mayOpen(session, href))
      .map(({ name, href, icon }) => ({ text: say(name), href, icon }))
  const inDatacenter = datacenter ? open(ofDatacenter(datacenter.id)) : []
  const opened = datacenter && { text: datacenter.name, href: paths.datacenter(datacenter.id) }
  const mayOpenDatacenter = mayOpen(session, paths.datacenters())
  const groups: NavigationGroup[] = [
    { links: open([home]) },
    { title: say('nat'), links: open(nat) },
    {
      title: say('cloud'),
      links: [
        ...open(cloud).map((link) => ({
          ...link,
          links: opened ? [{ ...opened, links: inDatacenter }] : [],
        })),
        ...open(inventory),
      ],
    },
    // Without the privilege for the datacenter's own screen its name is a heading.
    { title: opened?.text ?? '', links: mayOpenDatacenter ? [] : inDatacenter },
    { title: say('access'), links: open(accesses) },
    { links: open([...whole, ...mine]) },
  ]
  const filled = groups.filter(({ links }) => links.length > 0)
  return <Links label={say('main')} groups={filled} current={closest(filled, pathname)} />
}

/** The address of a user begins with that of the enterprise, and the address of a machine with that of the virtual datacenter. */
function listAbove(pathname: string): string {
  if (matchPath('/enterprises/:enterprise/users/*', pathname)) return paths.users()
  const isMachine = matchPath(`${paths.virtualAppliance(':vdc', ':vapp')}/virtualmachines/*`, pathname)
  return isMachine ? paths.virtualMachines() : pathname
}

const addresses = (links: readonly NavigationLink[]): string[] =>
  links.flatMap(({ href, links: below = [] }) => [href, ...addresses(below)])

/** The link to the open screen, or to the nearest screen above it. */
function closest(groups: readonly NavigationGroup[], pathname: string): string | undefined {
  const shown = listAbove(pathname)
  return addresses(groups.flatMap(({ links }) => links))
    .filter((href) => href === shown || (href !== '/' && shown.startsWith(`${href}/`)))
    .sort((one, other) => other.length - one.length)[0]
}
