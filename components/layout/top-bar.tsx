import type { ButtonDropdownProps } from '@cloudscape-design/components/button-dropdown'
import TopNavigation, { type TopNavigationProps } from '@cloudscape-design/components/top-navigation'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useFollow } from '#components/layout/app-link'
import { FailureText } from '#components/layout/failure'
import { useFlash } from '#components/layout/flash'
import { productName } from '#components/layout/product'
import { useSession } from '#components/layout/session'
import { useAppearance } from '#components/layout/use-appearance'
import { paths } from '#components/paths'
import { signOut } from '#lib/auth/session.queries'
import {
  chooseDensity,
  chooseTheme,
  type Density,
  densities,
  type Theme,
  themes,
} from '#lib/client/appearance'

export function TopBar() {
  const follow = useFollow()
  const navigate = useNavigate()
  const toHome = (event: CustomEvent) => {
    event.preventDefault()
    void navigate(paths.home())
  }
  const appearance = useAppearanceMenu()
  const user = useUserMenu(follow)
  return (
    <TopNavigation
      identity={{
        href: paths.home(),
        title: productName,
        logo: { src: '/favicon.svg', alt: 'Logo' },
        onFollow: toHome,
      }}
      utilities={[appearance, user]}
    />
  )
}

const themeNames: Record<Theme, string> = { system: 'As the system', light: 'Light', dark: 'Dark' }
const densityNames: Record<Density, string> = { comfortable: 'Comfortable', compact: 'Compact' }

const choices = <T extends string>(values: readonly T[], names: Record<T, string>, chosen: T) =>
  values.map(
    (id): ButtonDropdownProps.CheckboxItem => ({
      id,
      text: names[id],
      itemType: 'checkbox',
      checked: id === chosen,
    }),
  )

function useAppearanceMenu(): TopNavigationProps.MenuDropdownUtility {
  const { theme, density } = useAppearance()
  return {
    type: 'menu-dropdown',
    iconName: 'light-dark',
    ariaLabel: 'Appearance',
    title: 'Appearance',
    items: [
      { id: 'theme', text: 'Theme', items: choices(themes, themeNames, theme) },
      { id: 'density', text: 'Density', items: choices(densities, densityNames, density) },
    ],
    onItemClick: ({ detail: { id } }) => {
      const chosenTheme = themes.find((known) => known === id)
      const chosenDensity = densities.find((known) => known === id)
      if (chosenTheme) chooseTheme(chosenTheme)
      if (chosenDensity) chooseDensity(chosenDensity)
    },
  }
}

const logoutOf = { OPENID: '/api/auth/oidc/logout', SAML: '/api/auth/saml/logout' }

function useUserMenu(follow: ReturnType<typeof useFollow>): TopNavigationProps.MenuDropdownUtility {
  const { nick, name, surname, email, enterprise, role, provider } = useSession()
  const notify = useFlash()
  const leave = useMutation({
    mutationFn: signOut,
    // The page is loaded anew, so that nothing of this user stays in memory.
    onSuccess: () => window.location.assign(paths.signIn()),
    onError: (error) =>
      notify({ type: 'error', header: 'You are still signed in', content: <FailureText error={error} /> }),
  })
  return {
    type: 'menu-dropdown',
    iconName: 'user-profile',
    text: nick,
    title: [name, surname].filter(Boolean).join(' ') || nick,
    description: [email, `${role.name} · ${enterprise.name}`].filter(Boolean).join(' · '),
    items: [
      { id: 'account', text: 'My account', href: paths.account() },
      { id: 'sign-out', text: 'Sign out', disabled: leave.isPending },
    ],
    onItemFollow: follow,
    onItemClick: ({ detail }) => {
      if (detail.id !== 'sign-out') return
      // The session at the provider ends with this one.
      if (provider) window.location.assign(logoutOf[provider])
      else leave.mutate()
    },
  }
}
