import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { paths } from '#components/base/screens/paths'
import { useSingleKeys } from '#components/base/screens/use-single-keys'
import { holds, mayOpen, useSession } from '#components/base/session/session'
import { useAppearance, useChooseAppearance } from '#components/base/session/use-appearance'
import { useSignOut } from '#components/base/session/use-sign-out'
import { screenIcons } from '#components/kit/screen-icons'
import { type Density, densities, type Theme, themes } from '#lib/client/appearance'
import type { Item } from './items'
import { openKeys } from './open-palette'
import { keysTo } from './shortcuts'
import { type OpenDatacenter, useOpenDatacenter } from './use-open-datacenter'

/** Every screen that the user may open, and every action available from any screen. */
export function useCommands(): Item[] {
  const session = useSession()
  const datacenter = useOpenDatacenter()
  const screens = useScreens(datacenter)
  const beginnings = useBeginnings(datacenter)
  return [
    ...[...screens, ...beginnings].filter(({ to }) => to !== undefined && mayOpen(session, to)),
    ...useActs(),
  ]
}

function useScreens(datacenter: OpenDatacenter | undefined): Item[] {
  const say = useTranslations('layout.navigation')
  const sayScreen = useTranslations('palette.screens')
  const { hasPassword } = useSession()
  const [hasSingleKeys] = useSingleKeys()
  const screen = (to: string, text: string, icon: ReactNode): Item => ({
    id: `to ${to}`,
    group: 'screens',
    text,
    icon,
    keys: hasSingleKeys ? keysTo(to) : undefined,
    to,
  })
  return [
    screen(paths.home(), say('home'), screenIcons.home),
    screen(paths.natNetworks(), say('natNetworks'), screenIcons.networks),
    screen(paths.natIps(), say('natIps'), screenIcons.ips),
    screen(paths.natRules(), say('natRules'), screenIcons.rules),
    screen(paths.datacenters(), say('datacenters'), screenIcons.datacenters),
    screen(paths.virtualDatacenters(), say('centers'), screenIcons.centers),
    screen(paths.virtualMachines(), say('machines'), screenIcons.machines),
    ...(datacenter
      ? [
          screen(paths.natNetworks(datacenter.id), say('natNetworks'), screenIcons.networks),
          screen(paths.natIps(datacenter.id), say('natIps'), screenIcons.ips),
          screen(paths.natRules(datacenter.id), say('natRules'), screenIcons.rules),
        ].map((item) => ({ ...item, detail: datacenter.name }))
      : []),
    screen(paths.scopes(), say('scopes'), screenIcons.scopes),
    screen(paths.scopeMap(), sayScreen('scopeMap'), screenIcons.scopes),
    screen(paths.enterprises(), say('enterprises'), screenIcons.enterprises),
    screen(paths.users(), say('users'), screenIcons.users),
    screen(paths.roles(), say('roles'), screenIcons.roles),
    screen(paths.events(), say('events'), screenIcons.events),
    screen(paths.settings(), say('settings'), screenIcons.settings),
    screen(paths.account(), say('account'), screenIcons.account),
    screen(paths.profile(), sayScreen('profile'), screenIcons.account),
    screen(paths.twoFactor(), say('twoFactor'), screenIcons.account),
    ...(hasPassword ? [screen(paths.password(), sayScreen('password'), screenIcons.account)] : []),
    screen(paths.apiReference(), say('api'), screenIcons.api),
    screen(paths.help(), say('help'), screenIcons.help),
  ]
}

/** Actions that open a form on its own screen. */
function useBeginnings(datacenter: OpenDatacenter | undefined): Item[] {
  const say = useTranslations('palette.actions')
  const sayTokens = useTranslations('accessTokens')
  const label = useTranslations('labels')
  const begin = (to: string, text: string): Item => ({
    id: `to ${to}`,
    group: 'actions',
    text,
    icon: screenIcons.plus,
    to,
  })
  const { id, name } = datacenter ?? {}
  const session = useSession()
  const sayPublish = useTranslations('publish')
  const mayPublish = access.publish.every((privilege) => holds(session, [privilege]))
  const mayChangeNetworks = holds(useSession(), access.changeNatNetworks)
  return [
    ...(mayPublish ? [begin(paths.publish(), sayPublish('button'))] : []),
    begin(paths.newScope(), label('createScope')),
    ...(mayChangeNetworks
      ? [
          begin(
            paths.newNatNetwork(id),
            name === undefined ? label('createNetwork') : say('createNatNetwork', { datacenter: name }),
          ),
        ]
      : []),
    begin(paths.newEnterprise(), label('createEnterprise')),
    begin(paths.newUser(), label('createUser')),
    begin(paths.newRole(), label('createRole')),
    begin(paths.newApplication(), label('createApplication')),
    begin(paths.newToken(), sayTokens('create')),
  ]
}

/** Actions that run at once. */
function useActs(): Item[] {
  const say = useTranslations('palette.actions')
  const sayBar = useTranslations('layout.topBar')
  const chosen = useAppearance()
  const choose = useChooseAppearance()
  const { leave } = useSignOut()
  const [hasSingleKeys] = useSingleKeys()
  type Act = Pick<Item, 'id' | 'text' | 'icon' | 'keywords' | 'keys'> & { act: () => void }
  const act = (item: Act): Item => ({ ...item, group: 'actions' })
  const look = screenIcons.theme
  const toTheme = (theme: Theme) =>
    act({
      id: `theme ${theme}`,
      text: say('theme', { theme: sayBar(`themes.${theme}`) }),
      icon: look,
      act: () => choose({ theme, density: undefined }),
    })
  const toDensity = (density: Density) =>
    act({
      id: `density ${density}`,
      text: say('density', { density: sayBar(`densities.${density}`) }),
      icon: look,
      act: () => choose({ theme: undefined, density }),
    })
  return [
    ...themes.filter((theme) => theme !== chosen.theme).map(toTheme),
    ...densities.filter((density) => density !== chosen.density).map(toDensity),
    act({
      id: 'keys',
      text: say('keys'),
      keywords: say('keysAlso'),
      icon: screenIcons.keyboard,
      keys: hasSingleKeys ? ['?'] : undefined,
      act: openKeys,
    }),
    act({ id: 'sign-out', text: sayBar('signOut'), icon: screenIcons.leave, act: leave }),
  ]
}
