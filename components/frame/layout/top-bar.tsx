import type { ButtonDropdownProps } from '@cloudscape-design/components/button-dropdown'
import TopNavigation, { type TopNavigationProps } from '@cloudscape-design/components/top-navigation'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { useFollow } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { useAppearance, useChooseAppearance } from '#components/base/session/use-appearance'
import { useSignOut } from '#components/base/session/use-sign-out'
import { isMac } from '#components/frame/palette/hear-keys'
import { openPalette } from '#components/frame/palette/open-palette'
import { densities, themes } from '#lib/client/appearance'
import { brandMark, productName } from './product'

export function TopBar() {
  const sayBar = useTranslations('layout.topBar')
  const follow = useFollow()
  const navigate = useNavigate()
  const toHome = (event: CustomEvent) => {
    event.preventDefault()
    void navigate(paths.home())
  }
  const search = useSearchButton()
  const appearance = useAppearanceMenu()
  const user = useUserMenu(follow)
  const { mustChangePassword, mustEnableTwoFactor } = useSession()
  const isClosed = mustChangePassword || mustEnableTwoFactor
  return (
    <TopNavigation
      identity={{
        href: paths.home(),
        title: productName(),
        logo: { src: brandMark, alt: sayBar('logo') },
        onFollow: toHome,
      }}
      utilities={[...(isClosed ? [] : [search]), appearance, user]}
    />
  )
}

function useSearchButton(): TopNavigationProps.ButtonUtility {
  const say = useTranslations('layout.topBar')
  return {
    type: 'button',
    iconName: 'search',
    text: say('search', { keys: isMac() ? '⌘ K' : 'Ctrl K' }),
    title: say('searchTitle'),
    onClick: openPalette,
  }
}

const choices = <T extends string>(values: readonly T[], chosen: T, nameOf: (value: T) => string) =>
  values.map(
    (id): ButtonDropdownProps.CheckboxItem => ({
      id,
      text: nameOf(id),
      itemType: 'checkbox',
      checked: id === chosen,
    }),
  )

function useAppearanceMenu(): TopNavigationProps.MenuDropdownUtility {
  const say = useTranslations('layout.topBar')
  const { theme, density } = useAppearance()
  const choose = useChooseAppearance()
  return {
    type: 'menu-dropdown',
    iconName: 'light-dark',
    ariaLabel: say('appearance'),
    title: say('appearance'),
    items: [
      { id: 'theme', text: say('theme'), items: choices(themes, theme, (name) => say(`themes.${name}`)) },
      {
        id: 'density',
        text: say('density'),
        items: choices(densities, density, (name) => say(`densities.${name}`)),
      },
    ],
    onItemClick: ({ detail: { id } }) =>
      choose({
        theme: themes.find((known) => known === id),
        density: densities.find((known) => known === id),
      }),
  }
}

function useUserMenu(follow: ReturnType<typeof useFollow>): TopNavigationProps.MenuDropdownUtility {
  const { nick, name, surname, email, enterprise, role } = useSession()
  const say = useTranslations('layout.topBar')
  const sayNavigation = useTranslations('layout.navigation')
  const { leave, isLeaving } = useSignOut()
  return {
    type: 'menu-dropdown',
    iconName: 'user-profile',
    text: nick,
    title: [name, surname].filter(Boolean).join(' ') || nick,
    description: [email, `${role.name} · ${enterprise.name}`].filter(Boolean).join(' · '),
    items: [
      { id: 'account', text: sayNavigation('account'), href: paths.account() },
      { id: 'sign-out', text: say('signOut'), disabled: isLeaving },
    ],
    onItemFollow: follow,
    onItemClick: ({ detail }) => {
      if (detail.id === 'sign-out') leave()
    },
  }
}
