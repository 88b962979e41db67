import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { useAsOf } from '#components/base/screens/as-of'
import { momentText } from '#components/base/screens/moments'
import { hasPast } from '#components/base/screens/screens'
import { searchWith } from '#components/base/screens/use-search-change'
import { Button } from '#components/kit/button'
import { screenIcons } from '#components/kit/screen-icons'
import { Switch } from '#components/kit/switch'
import { Tool } from '#components/kit/tool'
import { EventSteps } from './event-steps'
import { asWritten, COMPARE } from './keep-moment'
import { MomentForm } from './moment-form'
import { useMomentFault } from './past'
import { subjectOf } from './screen-subject'
import styles from './time-bar.module.css'

/** Goes to a moment on this screen, or back to the present. */
export function useTravel(): (moment: string | undefined) => void {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  return (moment) =>
    void navigate(
      `${pathname}?${searchWith(search, { asof: moment, ...(moment === undefined && { [COMPARE]: undefined }) })}`,
      { state: asWritten, preventScrollReset: true },
    )
}

/** Below the header: the moment that all screens show, ways to others, and back to now. `onClose`: before a moment is chosen. */
export function TimeBar({ onClose }: { onClose: () => void }) {
  const say = useTranslations('layout.asOf')
  const moment = useAsOf()
  const fault = useMomentFault()
  const travel = useTravel()
  const [isOpen, setOpen] = useState(false)
  const bar = useFirstFocus(moment === undefined)
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    if (moment === undefined) onClose()
    else setOpen(false)
  }
  return (
    <section ref={bar} aria-label={say('bar')} className={styles.bar} onKeyDown={leave}>
      {moment !== undefined && (
        <>
          <EventSteps moment={moment} isFaulty={fault !== undefined} onGo={travel} />
          <MomentShown moment={moment} isFaulty={fault !== undefined} />
          <span className={styles.more}>
            <Tool
              look="quiet"
              icon={screenIcons.edit}
              label={say('change')}
              aria-expanded={isOpen}
              onPress={() => setOpen(!isOpen)}
            />
          </span>
        </>
      )}
      <div
        className={styles.fold}
        data-open={isOpen || moment === undefined || fault !== undefined || undefined}
      >
        <MomentForm moment={moment} fault={fault && say(`faults.${fault}`)} onGo={travel} />
        {moment !== undefined && fault === undefined && <CompareSwitch />}
      </div>
      <span className={styles.end}>
        {moment === undefined ? (
          <Button look="quiet" icon={screenIcons.close} label={say('close')} onPress={onClose} />
        ) : (
          <Button onPress={() => travel(undefined)}>{say('back')}</Button>
        )}
      </span>
    </section>
  )
}

/** A bar that opens before a moment is chosen takes the focus; closed, it gives the focus back. */
function useFirstFocus(isChoosing: boolean) {
  const bar = useRef<HTMLElement>(null)
  const isFirst = useRef(isChoosing)
  useEffect(() => {
    if (!isFirst.current) return
    const before = document.activeElement
    bar.current?.querySelector('input')?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return bar
}

/** The moment in words; screen readers announce each new one. */
function MomentShown({ moment, isFaulty }: { moment: string; isFaulty: boolean }) {
  const say = useTranslations('layout.asOf')
  const format = useFormatter()
  return (
    <strong role="status" className={styles.moment}>
      {isFaulty ? say('nothing') : say('banner', { time: momentText(format, moment) })}
    </strong>
  )
}

function CompareSwitch() {
  const say = useTranslations('layout.asOf')
  const { pathname } = useLocation()
  const [search, setSearch] = useSearchParams()
  if (!hasPast(pathname)) return null
  if (!subjectOf(pathname)) return <span className="quiet">{say('notCompared')}</span>
  return (
    <Switch
      on={search.get(COMPARE) !== null}
      onChange={(on) =>
        setSearch((now) => searchWith(now, { [COMPARE]: on ? 'now' : undefined }), {
          state: asWritten,
          preventScrollReset: true,
        })
      }
    >
      {say('compare')}
    </Switch>
  )
}
