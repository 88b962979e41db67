import { paths } from '#components/base/screens/paths'
import type { Say } from '#lib/words/words'

/* Every shortcut of one or two letters, for the keyboard, the list of keys and the palette. */

type ScreenName = Exclude<Parameters<Say<'layout.navigation'>>[0], 'datacenter'>

/** A screen and the key after `g`. */
type GoTo = { key: string; name: ScreenName; to: string }

export const goTo: readonly GoTo[] = [
  { key: 'h', name: 'home', to: paths.home() },
  { key: 'd', name: 'datacenters', to: paths.datacenters() },
  { key: 'n', name: 'natNetworks', to: paths.natNetworks() },
  { key: 'i', name: 'natIps', to: paths.natIps() },
  { key: 't', name: 'natRules', to: paths.natRules() },
  { key: 's', name: 'scopes', to: paths.scopes() },
  { key: 'e', name: 'enterprises', to: paths.enterprises() },
  { key: 'u', name: 'users', to: paths.users() },
  { key: 'r', name: 'roles', to: paths.roles() },
  { key: 'v', name: 'events', to: paths.events() },
  { key: 'c', name: 'settings', to: paths.settings() },
  { key: 'a', name: 'account', to: paths.account() },
  { key: 'p', name: 'api', to: paths.apiReference() },
  { key: 'm', name: 'help', to: paths.help() },
]

/** The keys that lead to a screen: `['g', 's']`. */
export function keysTo(path: string): readonly string[] | undefined {
  const found = goTo.find(({ to }) => to === path)
  return found && ['g', found.key]
}

/** The action of one key on the open screen, in the order of the list of keys. */
export const pageKeys = {
  j: 'next',
  k: 'previous',
  x: 'select',
  '/': 'search',
  n: 'create',
  e: 'edit',
  z: 'undo',
  o: 'openMessage',
} as const
