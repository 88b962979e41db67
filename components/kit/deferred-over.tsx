import {
  type ComponentType,
  createContext,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { Button } from './button'
import styles from './deferred-over.module.css'
import { useHeldKeys } from './held-keys'

/** Said where a file of the console cannot be loaded. */
export type NotLoadedWords = Record<'title' | 'text' | 'offline' | 'tryAgain' | 'close', string>

export const NotLoadedContext = createContext<NotLoadedWords>({
  title: '',
  text: '',
  offline: '',
  tryAgain: '',
  close: '',
})

export type Load<Props> = () => Promise<ComponentType<Props>>

/** Loads once. `React.lazy` would keep a failure for good, and give it to the boundary around the whole screen. */
export function fileOf<Props>(load: Load<Props>) {
  let loaded: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  const begin = async () => {
    try {
      loaded = await load()
    } finally {
      loading = undefined
    }
  }
  return {
    loaded: () => loaded,
    load: () => {
      loading ??= begin()
      return loading
    },
  }
}

export function useFile<Props>(file: ReturnType<typeof fileOf<Props>>) {
  const [state, setState] = useState({ isBusy: true, hasFailed: false })
  const Part = file.loaded()
  const isBusy = !Part && state.isBusy
  useEffect(() => {
    if (!isBusy) return
    let isMounted = true
    const end = (hasFailed: boolean) => () => {
      if (isMounted) setState({ isBusy: false, hasFailed })
    }
    file.load().then(end(false), end(true))
    return () => {
      isMounted = false
    }
  }, [file, isBusy])
  return { ...state, isBusy, Part, retry: () => setState({ isBusy: true, hasFailed: true }) }
}

/** What opens over a screen, in a file of its own. A question stands in its place if the file cannot be loaded. */
export function deferredOver<Props extends { onClose: (by: 'button') => void }>(load: Load<Props>) {
  const file = fileOf(load)
  return function DeferredOver(props: Props) {
    const { Part, isBusy, hasFailed, retry } = useFile(file)
    useHeldKeys(isBusy)
    if (Part) return <Part {...props} />
    return hasFailed && !isBusy && <NotLoaded onRetry={retry} onClose={() => props.onClose('button')} />
  }
}

export const reasonIn = ({ text, offline }: NotLoadedWords): string => (navigator.onLine ? text : offline)

type NotLoadedProps = { onRetry: () => void; onClose: () => void }

/** The browser's own dialog, because the file of `Dialog` may be the one that is missing. */
function NotLoaded({ onRetry, onClose }: NotLoadedProps) {
  const words = useContext(NotLoadedContext)
  const id = useId()
  const box = useRef<HTMLDialogElement>(null)
  const again = useRef<HTMLButtonElement>(null)
  // A layout effect ends before the dialog is removed: `close` returns the focus.
  useLayoutEffect(() => {
    const dialog = box.current
    dialog?.showModal()
    again.current?.focus()
    return () => dialog?.close()
  }, [])
  return createPortal(
    <dialog
      ref={box}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      // React Aria leaves the focus here, even over a dialog of its own.
      data-react-aria-top-layer="true"
      className={`kit ${styles.box}`}
      onCancel={onClose}
      // React passes keys on to a form or dialog that holds this one, which Escape would close.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <strong id={`${id}-title`}>{words.title}</strong>
      <p id={`${id}-text`}>{reasonIn(words)}</p>
      <div className={styles.actions}>
        <Button look="quiet" onPress={onClose}>
          {words.close}
        </Button>
        <Button look="main" ref={again} onPress={onRetry}>
          {words.tryAgain}
        </Button>
      </div>
    </dialog>,
    document.body,
  )
}
