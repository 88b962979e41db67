import { useEffect, useEffectEvent, useState } from 'react'
import type { TableState } from './use-table-state'

/** How long (ms) the rows rest before the URL takes their position. */
const rest = 250

/** The first row in view while a table scrolls. The URL keeps it once the rows rest. */
export function useRestingRow({ first, setFirst }: Pick<TableState, 'first' | 'setFirst'>, source: string) {
  const keep = useEffectEvent((row: number) => {
    if (row === first) return
    resting.own.add(row)
    setFirst(row)
  })
  const [resting] = useState(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    /** Positions on their way to the URL. Meanwhile the user may have scrolled on, and the rows stay there. */
    const own = new Set<number>()
    return {
      own,
      onFirst: (row: number) => {
        clearTimeout(timer)
        timer = setTimeout(() => keep(row), rest)
      },
      isOwn: (row: number) => {
        if (own.delete(row)) return true
        own.clear()
        return false
      },
      stop: () => clearTimeout(timer),
    }
  })
  // A position in another order is none in this one.
  useEffect(() => {
    if (source !== '') return resting.stop
  }, [source, resting])
  return resting
}
