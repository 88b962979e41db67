import { memo, type Ref } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { useIsPast } from '#components/base/screens/as-of'
import { paths } from '#components/base/screens/paths'
import { useHasDuty, useSession } from '#components/base/session/session'
import { useAppearance, useChooseAppearance } from '#components/base/session/use-appearance'
import { useSignOut } from '#components/base/session/use-sign-out'
import { JobsButton } from '#components/frame/jobs/jobs-button'
import { isMac } from '#components/frame/palette/hear-keys'
import { openPalette } from '#components/frame/palette/open-palette'
import { useAddress } from '#components/kit/address'
import { Button } from '#components/kit/button'
import { MenuButton } from '#components/kit/menu'
import { screenIcons } from '#components/kit/screen-icons'
import { Tool } from '#components/kit/tool'
import { densities, themes } from '#lib/client/appearance'
import { brandMark, productName } from './product'
import styles from './top-bar.module.css'

/** The one bar: the product, the place, search, appearance and the user. */
export const TopBar = memo(({ breadcrumbs }: { breadcrumbs: Ref<HTMLDivElement> }) => {
  const isPast = useIsPast()
  const isClosed = useHasDuty()
  return (
    <>
      <Brand />
      <div ref={breadcrumbs} className={styles.place} />
      {!isClosed && <Search />}
      {!isClosed && !isPast && <JobsButton />}
      <AppearanceMenu />
      <span className={styles.user}>
        <UserMenu />
      </span>
    </>
  )
})

/** The way home, if there is one. */
function Brand() {
  const address = useAddress()(paths.home())
  const brand = (
    <>
      <img src={brandMark} width={20} height={20} alt="" />
      <span>{productName()}</span>
    </>
  )
  return useHasDuty() ? (
    <span className={styles.brand}>{brand}</span>
  ) : (
    <a href={address} className={styles.brand}>
      {brand}
    </a>
  )
}

function Search() {
  const say = useTranslations('layout.topBar')
  return (
    <button type="button" className={styles.search} title={say('searchTitle')} onClick={openPalette}>
      {screenIcons.search}
      <span>{say('search')}</span> <kbd>{isMac() ? '⌘ K' : 'Ctrl K'}</kbd>
    </button>
  )
}

function AppearanceMenu() {
  const say = useTranslations('layout.topBar')
  const { theme, density } = useAppearance()
  const choose = useChooseAppearance()
  return (
    <MenuButton
      label={say('appearance')}
      entries={[
        {
          title: say('theme'),
          entries: themes.map((id) => ({
            id,
            text: say(`themes.${id}`),
            isChosen: id === theme,
            run: () => choose({ theme: id, density: undefined }),
          })),
        },
        {
          title: say('density'),
          entries: densities.map((id) => ({
            id,
            text: say(`densities.${id}`),
            isChosen: id === density,
            run: () => choose({ theme: undefined, density: id }),
          })),
        },
      ]}
    >
      <Tool look="quiet" icon={screenIcons.theme} label={say('appearance')} />
    </MenuButton>
  )
}

function UserMenu() {
  const { nick, name, surname, email, enterprise, role, viewer } = useSession()
  const say = useTranslations('layout.topBar')
  const sayNavigation = useTranslations('layout.navigation')
  const navigate = useNavigate()
  const { leave } = useSignOut()
  const isClosed = useHasDuty()
  const account = {
    id: 'account',
    text: sayNavigation('account'),
    icon: screenIcons.account,
    run: () => void navigate(paths.account()),
  }
  return (
    <MenuButton
      label={nick}
      entries={[
        {
          title: [name, surname].filter(Boolean).join(' ') || nick,
          about: [email, `${role.name} · ${enterprise.name}`].filter(Boolean).join(' · '),
          entries: [
            ...(isClosed || viewer ? [] : [account]),
            { id: 'sign-out', text: say('signOut'), icon: screenIcons.leave, run: leave },
          ],
        },
      ]}
    >
      <Button look="quiet" icon={screenIcons.account}>
        {nick}
      </Button>
    </MenuButton>
  )
}
