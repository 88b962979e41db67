import AppLayoutToolbar from '@cloudscape-design/components/app-layout-toolbar'
import { lazy, Suspense, useState } from 'react'
import { Outlet, ScrollRestoration, useNavigation } from 'react-router'
import { useTranslations } from 'use-intl'
import { Flashes, FlashProvider } from '#components/base/forms/flash'
import { LeaveBlocker } from '#components/base/forms/leave-guard'
import { WhyProvider } from '#components/frame/access/why-provider'
import { AsOf } from '#components/frame/as-of/as-of'
import { PaletteHost } from '#components/frame/palette/palette-host'
import { useWaitingDevice } from '#components/frame/waiting/waiting-device'
import { Deferred } from './deferred'
import styles from './layout.module.css'
import { Navigation } from './navigation'
import { BreadcrumbSlot } from './page'
import { TopBar } from './top-bar'

const WaitingChange = lazy(async () => ({
  default: (await import('#components/frame/waiting/waiting-change')).WaitingChange,
}))

const topBar = 'top-bar'

/** The frame around every screen. */
export function Shell() {
  const say = useTranslations('layout.navigation')
  const [breadcrumbs, setBreadcrumbs] = useState<HTMLElement | null>(null)
  return (
    <FlashProvider>
      <WhyProvider>
        <button type="button" className={styles.skip} onClick={toContent}>
          {say('skip')}
        </button>
        <Travelling />
        <div id={topBar} className={styles.top}>
          <TopBar />
        </div>
        <AppLayoutToolbar
          headerSelector={`#${topBar}`}
          ariaLabels={{
            navigation: say('main'),
            navigationToggle: say('open'),
            navigationClose: say('close'),
            notifications: say('messages'),
          }}
          navigation={
            <Deferred>
              <Navigation />
            </Deferred>
          }
          navigationWidth={260}
          notifications={
            <>
              <Waiting />
              <Flashes />
            </>
          }
          stickyNotifications
          toolsHide
          breadcrumbs={<div ref={setBreadcrumbs} />}
          content={
            <div id="content" tabIndex={-1} className={`kit ${styles.heading}`}>
              <BreadcrumbSlot value={breadcrumbs}>
                <AsOf>
                  <Outlet />
                </AsOf>
              </BreadcrumbSlot>
            </div>
          }
        />
        <PaletteHost />
        <LeaveBlocker />
        <ScrollRestoration />
      </WhyProvider>
    </FlashProvider>
  )
}

function Waiting() {
  const device = useWaitingDevice()
  return device && <Suspense>{<WaitingChange key={device.id} device={device} />}</Suspense>
}

const toContent = (): void => document.getElementById('content')?.focus()

function Travelling() {
  const { state } = useNavigation()
  const say = useTranslations('layout.navigation')
  return state === 'idle' ? null : (
    <div className={styles.travelling} role="progressbar" aria-label={say('travelling')} />
  )
}
