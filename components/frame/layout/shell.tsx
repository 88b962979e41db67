import { type RefObject, useEffect, useRef, useState } from 'react'
import {
  Outlet,
  useLocation,
  useNavigate,
  useNavigation,
  useNavigationType,
  useSearchParams,
} from 'react-router'
import { useLocale, useTranslations } from 'use-intl'
import { Flashes } from '#components/base/forms/flash'
import { LeaveBlocker } from '#components/base/forms/leave-guard'
import { useAsOf } from '#components/base/screens/as-of'
import { paths } from '#components/base/screens/paths'
import { privilegesFor } from '#components/base/screens/screens'
import { useHasDuty, useScreenOf, useSession } from '#components/base/session/session'
import { WhyProvider } from '#components/frame/access/why-provider'
import { COMPARE } from '#components/frame/as-of/keep-moment'
import { AsOf, TimeBarContext, useMomentFault } from '#components/frame/as-of/past'
import { PaletteHost } from '#components/frame/palette/palette-host'
import { useWaitingDevice } from '#components/frame/waiting/waiting-device'
import { deferred } from '#components/kit/deferred'
import { Frame } from '#components/kit/frame'
import { useHeldKeys } from '#components/kit/held-keys'
import styles from './layout.module.css'
import { LostPhone } from './lost-phone'
import { Navigation } from './navigation'
import { BreadcrumbSlot } from './page'
import { TopBar } from './top-bar'

const TimeBar = deferred(async () => (await import('#components/frame/as-of/time-bar')).TimeBar)

const ViewBar = deferred(async () => (await import('#components/frame/see-as/view-bar')).ViewBar)

const SinceThen = deferred(async () => (await import('#components/frame/as-of/since-then')).SinceThen)

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
  const isPast = useAsOf() !== undefined
  const { viewer } = useSession()
  const [isChoosing, setChoosing] = useState(false)
  if (isPast && isChoosing) setChoosing(false)
  useScrollPlaces(main)
  // A program asks here: the only ways on are its two buttons.
  const isBare = useLocation().pathname === paths.consent()
  const isClosed = useHasDuty()
  const follow = (address: string): boolean => {
    const isScreen = privilegesFor(address) !== undefined
    if (isScreen) void navigate(address)
    return isScreen
  }
  return (
    <WhyProvider>
      <Frame
        language={useLocale()}
        bar={
          <AsOf>
            <TopBar breadcrumbs={setBreadcrumbs} />
          </AsOf>
        }
        under={
          !isBare &&
          (viewer || isPast || isChoosing) && (
            <>
              {viewer && <ViewBar />}
              {(isPast || isChoosing) && <TimeBar onClose={() => setChoosing(false)} />}
            </>
          )
        }
        isPast={isPast}
        navigation={
          isClosed ? null : (
            <AsOf>
              <Navigation />
            </AsOf>
          )
        }
        openLabel={say('open')}
        skipLabel={say('skip')}
        main={main}
        onFollow={follow}
        isBare={isBare}
        over={
          <>
            <Travelling />
            <Flashes screenOf={screenOf} />
            <LostPhone />
            {!isBare && (
              <AsOf>
                <PaletteHost />
              </AsOf>
            )}
            <LeaveBlocker />
          </>
        }
      >
        {!isPast && !viewer && <Waiting />}
        <TimeBarContext value={() => setChoosing(true)}>
          <BreadcrumbSlot value={breadcrumbs}>
            <AsOf>
              <Shown />
            </AsOf>
          </BreadcrumbSlot>
        </TimeBarContext>
      </Frame>
    </WhyProvider>
  )
}

/** The screen, unless there is nothing to see at the moment: the time bar says why. */
function Shown() {
  const [search] = useSearchParams()
  if (useMomentFault() !== undefined) return null
  return (
    <>
      {search.get(COMPARE) !== null && <SinceThen />}
      <Outlet />
    </>
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
