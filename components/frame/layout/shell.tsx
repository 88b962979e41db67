import { type RefObject, useEffect, useRef, useState } from 'react'
import { Outlet, useLocation, useNavigate, useNavigation, useNavigationType } from 'react-router'
import { useLocale, useTranslations } from 'use-intl'
import { Flashes } from '#components/base/forms/flash'
import { LeaveBlocker } from '#components/base/forms/leave-guard'
import { paths } from '#components/base/screens/paths'
import { privilegesFor } from '#components/base/screens/screens'
import { useScreenOf } from '#components/base/session/session'
import { WhyProvider } from '#components/frame/access/why-provider'
import { AsOf } from '#components/frame/as-of/as-of'
import { PaletteHost } from '#components/frame/palette/palette-host'
import { useWaitingDevice } from '#components/frame/waiting/waiting-device'
import { deferred } from '#components/kit/deferred'
import { Frame } from '#components/kit/frame'
import { useHeldKeys } from '#components/kit/held-keys'
import styles from './layout.module.css'
import { Navigation } from './navigation'
import { BreadcrumbSlot } from './page'
import { TopBar } from './top-bar'

const WaitingChange = deferred(
  async () => (await import('#components/frame/waiting/waiting-change')).WaitingChange,
)

/** The frame around every screen. */
export function Shell() {
  const say = useTranslations('layout.navigation')
  const navigate = useNavigate()
  const screenOf = useScreenOf()
  const main = useRef<HTMLElement>(null)
  const [breadcrumbs, setBreadcrumbs] = useState<HTMLElement | null>(null)
  useScrollPlaces(main)
  // A program asks here: the only ways on are its two buttons.
  const isBare = useLocation().pathname === paths.consent()
  const follow = (address: string): boolean => {
    const isScreen = privilegesFor(address) !== undefined
    if (isScreen) void navigate(address)
    return isScreen
  }
  return (
    <WhyProvider>
      <Frame
        language={useLocale()}
        bar={<TopBar breadcrumbs={setBreadcrumbs} />}
        navigation={<Navigation />}
        openLabel={say('open')}
        skipLabel={say('skip')}
        main={main}
        onFollow={follow}
        isBare={isBare}
        over={
          <>
            <Travelling />
            <Flashes screenOf={screenOf} />
            {!isBare && <PaletteHost />}
            <LeaveBlocker />
          </>
        }
      >
        <Waiting />
        <BreadcrumbSlot value={breadcrumbs}>
          <AsOf>
            <Outlet />
          </AsOf>
        </BreadcrumbSlot>
      </Frame>
    </WhyProvider>
  )
}

/** Another screen begins at its top; back and forward lead to where the screen was left. */
function useScrollPlaces(main: RefObject<HTMLElement | null>): void {
  const { key, pathname } = useLocation()
  const isBack = useNavigationType() === 'POP'
  const places = useRef(new Map<string, number>())
  const shown = useRef(pathname)
  useEffect(() => {
    const element = main.current
    if (!element) return
    if (isBack) element.scrollTop = places.current.get(key) ?? 0
    else if (shown.current !== pathname) element.scrollTop = 0
    shown.current = pathname
    const note = () => places.current.set(key, element.scrollTop)
    element.addEventListener('scroll', note, { passive: true })
    return () => element.removeEventListener('scroll', note)
  }, [main, key, pathname, isBack])
}

function Waiting() {
  const device = useWaitingDevice()
  return device && <WaitingChange key={device.id} device={device} />
}

function Travelling() {
  const { state } = useNavigation()
  useHeldKeys(state !== 'idle')
  const say = useTranslations('layout.navigation')
  return state === 'idle' ? null : (
    <div className={styles.travelling} role="progressbar" aria-label={say('travelling')} />
  )
}
