import { useSearchParams } from 'react-router'

type Changes = Readonly<Record<string, string | undefined>>

/** Sets parameters in the query of the address; an empty or undefined value removes its parameter. */
export function useSearchChange(): (changes: Changes, options?: { replace?: boolean }) => void {
  const [, setSearch] = useSearchParams()
  return (changes, options) =>
    setSearch(
      (now) => {
        const changed = new URLSearchParams(now)
        for (const [name, value] of Object.entries(changes)) {
          if (value) changed.set(name, value)
          else changed.delete(name)
        }
        return changed
      },
      { ...options, preventScrollReset: true },
    )
}
