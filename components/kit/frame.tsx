import {
  type KeyboardEvent as KeyEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import styles from './frame.module.css'
import { watchFocus } from './return-focus'
import { screenIcons } from './screen-icons'
import { Tool } from './tool'

type FrameProps = {
  /** The language of what the parts say themselves, and of their dates and numbers. */
  language: string
  bar: ReactNode
  /** Null: there is nowhere to go. */
  navigation: ReactNode
  openLabel: string
  skipLabel: string
  /** The part that scrolls. */
  main?: RefObject<HTMLElement | null>
  /** Opens an address of this site without loading the page, and returns whether it did. */
  onFollow?: (address: string) => boolean
  /** The screen alone, without bar and navigation. */
  isBare?: boolean
  /** Below the bar, over the whole width. */
  under?: ReactNode
  /** The whole frame shows the past. */
  isPast?: boolean
  /** What opens over the screen. */
  over?: ReactNode
  children: ReactNode
}

/** The address of a plain click on a link within this site. */
function followed(event: MouseEvent): string | undefined {
  const link = event.target instanceof Element && event.target.closest('a')
  const isHeld = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
  if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || isHeld) return undefined
  const isElsewhere = link.target !== '' || link.hasAttribute('download')
  return isElsewhere || !link.getAttribute('href')?.startsWith('/')
    ? undefined
    : link.pathname + link.search + link.hash
}

/** The bar, the navigation and the screen. On a phone the navigation opens over the screen. */
export function Frame({
  language,
  bar,
  navigation,
  openLabel,
  skipLabel,
  main: given,
  onFollow,
  isBare = false,
  under,
  isPast = false,
  over,
  children,
}: FrameProps) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const burger = useRef<HTMLButtonElement>(null)
  const own = useRef<HTMLElement>(null)
  const main = given ?? own
  useEffect(() => {
    const stop = new AbortController()
    const load = (event: Event) => {
      // The browser reports a pointer that rests, too.
      if (
        event instanceof PointerEvent &&
        event.type === 'pointermove' &&
        event.movementX + event.movementY === 0
      )
        return
      stop.abort()
      // A part that is opened asks once more, and reports the failure.
      import('./overlays').catch(() => undefined)
    }
    for (const kind of ['pointermove', 'pointerdown', 'keydown'])
      addEventListener(kind, load, { signal: stop.signal, passive: true })
    return () => stop.abort()
  }, [])
  useEffect(watchFocus, [])
  // Links in dialogs and menus too: React passes their clicks on to where they are written.
  const follow = (event: MouseEvent) => {
    const address = followed(event)
    if (address !== undefined && onFollow?.(address)) event.preventDefault()
  }
  const closeByKey = (event: KeyEvent) => {
    if (event.key !== 'Escape' || !isOpen) return
    event.preventDefault()
    close()
    burger.current?.focus()
  }
  return (
    <I18nProvider locale={language}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter on a link clicks it. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link clicks it. */}
      <div
        className={`kit ${styles.frame} ${isBare ? styles.alone : ''} ${navigation ? '' : styles.closed} ${under ? styles.timed : ''}`}
        data-past={isPast || undefined}
        onClick={follow}
      >
        <button type="button" className={styles.skip} onClick={() => main.current?.focus()}>
          {skipLabel}
        </button>
        <header className={styles.bar}>
          <span className={styles.burger}>
            <Tool
              look="quiet"
              icon={screenIcons.menu}
              label={openLabel}
              aria-expanded={isOpen}
              onPress={() => setOpen(!isOpen)}
              onKeyDown={closeByKey}
              ref={burger}
            />
          </span>
          {bar}
        </header>
        {under && <div className={styles.under}>{under}</div>}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a click on any link inside closes it. */}
        <div
          className={`${styles.side} ${isOpen ? styles.shown : ''}`}
          onClick={close}
          onKeyDown={closeByKey}
        >
          {navigation}
        </div>
        {/* The navigation would cover what has the focus. */}
        <main ref={main} tabIndex={-1} className={styles.main} onFocus={close} onPointerDown={close}>
          {children}
        </main>
        {over}
      </div>
    </I18nProvider>
  )
}

/** The one band above a table or a form. */
export const Band = ({ children, label }: { children: ReactNode; label: string }) => (
  <section className={styles.band} aria-label={label}>
    {children}
  </section>
)

/** Above the screen: a notice about all of it. */
export const Banner = ({ children }: { children: ReactNode }) => (
  <div className={styles.banner}>{children}</div>
)

type PanelProps = {
  title: ReactNode
  label: string
  /** Which keys do what. */
  about?: string
  /** Beside the button that closes it. */
  tools?: ReactNode
  actions?: ReactNode
  closeLabel: string
  onClose: () => void
  onKeyDown?: (event: KeyEvent<HTMLElement>) => void
  ref?: RefObject<HTMLElement | null>
  children: ReactNode
}

/**
 * Beside the list: what is known of one row. Opened by a key it takes the focus, and gives it back. On a phone it covers the list, which
 * nobody reaches then.
 */
export function Panel(props: PanelProps) {
  const { title, label, about, tools, actions, onClose, closeLabel, onKeyDown, ref, children } = props
  const own = useRef<HTMLElement>(null)
  const panel = ref ?? own
  const before = useRef<HTMLElement>(null)
  // Before the browser takes the focus from what is covered.
  useLayoutEffect(() => {
    const { current } = panel
    const active = document.activeElement
    // React may run this twice, and one of the buttons may have the focus already.
    if (!current || !(active instanceof HTMLElement) || current.contains(active)) return
    const covers = getComputedStyle(current).position === 'fixed'
    if (!covers && !active.matches(':focus-visible')) return
    before.current = active
    current.focus()
  }, [panel])
  useEffect(
    () => () => {
      // The screen may have moved the focus already.
      if (document.activeElement === document.body) before.current?.focus()
    },
    [],
  )
  const hear = useEffectEvent(({ key, target, defaultPrevented }: KeyboardEvent) => {
    // Escape belongs to a dialog, a menu or a text first.
    const isTaken = target instanceof Element && target.closest('input, [role=dialog], [role=menu]')
    if (key === 'Escape' && !defaultPrevented && !isTaken) onClose()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => hear(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return (
    <aside
      ref={panel}
      className={styles.panel}
      aria-label={label}
      aria-description={about}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div className={styles.panelHead}>
        <h2>{title}</h2>
        {tools}
        <Tool look="quiet" icon={screenIcons.close} label={closeLabel} onPress={onClose} />
      </div>
      <div className={styles.panelBody}>{children}</div>
      {actions && <div className={styles.panelActions}>{actions}</div>}
    </aside>
  )
}
