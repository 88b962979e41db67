import type { ReactNode } from 'react'
import { matchPath } from 'react-router'
import { useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { paths } from '#components/base/screens/paths'
import { holds, mayOpen, useSession } from '#components/base/session/session'
import { screenIcons } from '#components/kit/screen-icons'
import type { SearchType } from '#lib/state/search/search.schema'
import type { Say } from '#lib/words/words'
import type { Item } from './items'
import type { RecentThing } from './use-recent'

type Action = {
  does: Exclude<Parameters<Say<'palette.thing'>>[0], 'title'>
  to: string
  icon: ReactNode
  /** If absent, every user who may open the screen may act. */
  needs?: (typeof access)[keyof typeof access]
}

const edit = (to: string): Action => ({ does: 'edit', to, icon: screenIcons.edit })

/** The address of the screen with a dialog open. */
const asking = (to: string, action: string): string => `${to}${to.includes('?') ? '&' : '?'}do=${action}`

/** The numbers in the address of the item's screen. */
const idsIn = (to: string): Readonly<Record<string, string | undefined>> =>
  matchPath('/datacenters/:datacenter/natnetworks/:network', to.split('?', 1)[0] ?? '')?.params ?? {}

function networkActions({ to, id }: RecentThing): Action[] {
  const { datacenter = '' } = idsIn(to)
  return [
    { does: 'ips', to: paths.natNetwork(datacenter, id, 'ips'), icon: screenIcons.ips },
    { does: 'rules', to: paths.natNetwork(datacenter, id, 'rules'), icon: screenIcons.rules },
    { does: 'map', to: paths.natNetwork(datacenter, id, 'map'), icon: screenIcons.map },
    edit(paths.editNatNetwork(datacenter, id)),
  ]
}

const actionsOf: Partial<Record<SearchType, (thing: RecentThing) => Action[]>> = {
  scope: ({ to, id }) => [
    edit(paths.editScope(id)),
    {
      does: 'move',
      to: asking(to, 'move'),
      icon: screenIcons.move,
      needs: access.manageScopes,
    },
    { does: 'createBelow', to: paths.newScope(id), icon: screenIcons.plus },
  ],
  enterprise: ({ id }) => [
    edit(paths.editEnterprise(id)),
    { does: 'users', to: paths.users({ enterprise: id }), icon: screenIcons.users },
  ],
  datacenter: ({ id }) => [
    { does: 'networks', to: paths.natNetworks(id), icon: screenIcons.networks },
    { does: 'ips', to: paths.natIps(id), icon: screenIcons.ips },
    { does: 'rules', to: paths.natRules(id), icon: screenIcons.rules },
  ],
  natnetwork: networkActions,
  natip: ({ to, name }) => [
    { does: 'history', to: paths.address(name), icon: screenIcons.events },
    {
      does: 'quarantine',
      to: asking(to, 'quarantine'),
      icon: screenIcons.lock,
      needs: access.changeNatNetworks,
    },
    {
      does: 'unavailable',
      to: asking(to, 'makeUnavailable'),
      icon: screenIcons.stop,
      needs: access.changeNatNetworks,
    },
  ],
  natrule: ({ to }) => [
    { does: 'switch', to: asking(to, 'switch'), icon: screenIcons.stop, needs: access.changeRules },
  ],
  user: ({ to }) => [edit(`${to}/edit`)],
  role: ({ id }) => [edit(paths.editRole(id))],
}

/** The user's actions on an item that the palette has found; opening it comes first. */
export function useThingActions(): (thing: RecentThing) => Item[] {
  const say = useTranslations('palette.thing')
  const session = useSession()
  return (thing) => {
    const all: Action[] = [
      { does: 'open', to: thing.to, icon: screenIcons.after },
      ...(actionsOf[thing.type]?.(thing) ?? []),
    ]
    return all
      .filter(({ to, needs }) => mayOpen(session, to) && (!needs || holds(session, needs)))
      .map(({ does, to, icon }) => ({
        id: `do ${does}`,
        group: 'thing',
        text: say(does),
        icon,
        to,
        thing,
      }))
  }
}
