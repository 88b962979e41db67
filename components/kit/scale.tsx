import { type PointerEvent, type RefObject, useSyncExternalStore } from 'react'
import styles from './scale.module.css'

/** The rows in view, the header of the first, and whether the user has scrolled. */
export type Place = { first: number; last: number; name: string; isMoved: boolean }

/** Where a table is. Only its readers are rendered while the table scrolls. */
export function createPlace() {
  let place: Place | undefined
  const listeners = new Set<() => void>()
  return {
    get: () => place,
    set: (next: Place) => {
      if (place?.first === next.first && place.last === next.last && place.name === next.name) return
      place = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

type ScaleProps = {
  label: string
  /** The id of the box that scrolls. */
  controls: string
  box: RefObject<HTMLElement | null>
  place: ReturnType<typeof createPlace>
  total: number
  /** The position in words. */
  text: (row: number) => string
}

/** A slim scale beside the rows, whose mark is pressed or dragged to any row. Keys move in the rows themselves. */
export function Scale({ label, controls, box, place, total, text }: ScaleProps) {
  const seen = useSyncExternalStore(place.subscribe, place.get, place.get)
  if (!seen) return <div className={styles.scale} />
  const { first, last, name, isMoved } = seen
  const part = Math.min(1, (last + 1 - first) / total)
  const at = first / Math.max(1, total - (last + 1 - first))
  const words = [text(first + 1), name].filter(Boolean).join(' · ')
  const move = ({ currentTarget, clientY }: PointerEvent<HTMLElement>) => {
    if (!box.current) return
    const { top, height } = currentTarget.getBoundingClientRect()
    const { scrollHeight, clientHeight } = box.current
    box.current.scrollTop = ((clientY - top) / height) * (scrollHeight - clientHeight)
  }
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the rows have the focus, and keys that lead to each of them.
    <div
      role="scrollbar"
      aria-label={label}
      aria-controls={controls}
      aria-orientation="vertical"
      aria-valuemin={1}
      aria-valuemax={total}
      aria-valuenow={first + 1}
      aria-valuetext={words}
      className={styles.scale}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        move(event)
        event.preventDefault()
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && move(event)}
    >
      <i
        style={{
          blockSize: `max(24px, ${part * 100}%)`,
          insetBlockStart: `calc(${at} * (100% - max(24px, ${part * 100}%)))`,
        }}
      />
      {isMoved && (
        // Another one for each row: its fading begins again.
        <span
          key={first}
          aria-hidden="true"
          className={styles.words}
          style={{ insetBlockStart: `clamp(0px, ${at * 100}% - 14px, 100% - 28px)` }}
        >
          {words}
        </span>
      )}
    </div>
  )
}
