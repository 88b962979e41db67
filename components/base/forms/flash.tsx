import Flashbar, { type FlashbarProps } from '@cloudscape-design/components/flashbar'
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { type Call, takeChanges } from '#lib/client/calls'
import { Buttons } from './buttons'
import { CallsButton } from './calls-button'

export type FlashMessage = {
  type: 'success' | 'error' | 'warning' | 'info'
  header?: ReactNode
  content: ReactNode
  action?: ReactNode
}

/** `calls`: the changes that a success is about. */
type Flash = FlashMessage & { id: string; screens: number; calls: Call[] }

const NotifyContext = createContext<(message: FlashMessage | string) => void>(() => undefined)
const FlashContext = createContext<{ flashes: Flash[]; dismiss: (id: string) => void }>({
  flashes: [],
  dismiss: () => undefined,
})

/** A message survives one change of screen, such as the one after saving, and disappears with the next. */
const age = (flashes: Flash[]): Flash[] =>
  flashes.filter(({ screens }) => screens === 0).map((flash) => ({ ...flash, screens: 1 }))

const mostSuccesses = 3

/** The newest successes, and all other messages. */
const atMost = (flashes: Flash[]): Flash[] => {
  const outdated = flashes.filter(({ type }) => type === 'success').slice(mostSuccesses)
  return flashes.filter((flash) => !outdated.includes(flash))
}

let lastId = 0

export function FlashProvider({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  const [screen, setScreen] = useState(pathname)
  const [flashes, setFlashes] = useState<Flash[]>([])
  if (screen !== pathname) {
    setScreen(pathname)
    setFlashes(age)
  }
  const notify = useCallback((message: FlashMessage | string) => {
    lastId += 1
    const id = String(lastId)
    const whole = typeof message === 'string' ? { type: 'success' as const, content: message } : message
    const changed = takeChanges()
    const calls = whole.type === 'success' ? changed : []
    // An earlier success is no longer true beside a failure.
    const keeps = ({ type }: Flash) => whole.type !== 'error' || type !== 'success'
    setFlashes((shown) => atMost([{ ...whole, id, screens: 0, calls }, ...shown.filter(keeps)]))
  }, [])
  const dismiss = useCallback(
    (id: string) => setFlashes((shown) => shown.filter((flash) => flash.id !== id)),
    [],
  )
  const value = useMemo(() => ({ flashes, dismiss }), [flashes, dismiss])
  return (
    <NotifyContext value={notify}>
      <FlashContext value={value}>{children}</FlashContext>
    </NotifyContext>
  )
}

/** `const notify = useFlash()`; `notify('Scope saved')`, or another message than a success. */
export const useFlash = () => useContext(NotifyContext)

const itemOf = (
  flash: Flash,
  dismissLabel: string,
  dismiss: (id: string) => void,
): FlashbarProps.MessageDefinition => ({
  id: flash.id,
  type: flash.type,
  header: flash.header,
  content: flash.content,
  action:
    flash.calls.length > 0 ? (
      <Buttons>
        {flash.action}
        <CallsButton look="plain" find={() => flash.calls} />
      </Buttons>
    ) : (
      flash.action
    ),
  dismissible: true,
  dismissLabel,
  onDismiss: () => dismiss(flash.id),
  ariaRole: flash.type === 'error' ? 'alert' : 'status',
})

export function Flashes() {
  const { flashes, dismiss } = useContext(FlashContext)
  const dismissLabel = useTranslations('layout.navigation')('dismiss')
  return <Flashbar items={flashes.map((flash) => itemOf(flash, dismissLabel, dismiss))} />
}
