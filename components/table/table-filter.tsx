import TextFilter from '@cloudscape-design/components/text-filter'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslations } from 'use-intl'

type TableFilterProps = {
  label: string
  has: string
  total: number | undefined
  isLoading: boolean
  onSearch: (has: string) => void
}

const pauseInTyping = 300

/** A text filter that searches after a pause in typing. */
export function TableFilter({ label, has, total, isLoading, onSearch }: TableFilterProps) {
  const say = useTranslations('layout.table')
  const [typed, setTyped] = useState(has)
  const [sent, setSent] = useState(has)
  const [seen, setSeen] = useState(has)
  if (seen !== has) {
    setSeen(has)
    // Back, forward or "clear filter" changed the search: it replaces the typed text.
    if (sent !== has) {
      setSent(has)
      setTyped(has)
    }
  }

  const search = useEffectEvent((text: string) => {
    setSent(text)
    onSearch(text)
  })
  useEffect(() => {
    if (typed.trim() === sent) return
    const timer = setTimeout(() => search(typed.trim()), typed === '' ? 0 : pauseInTyping)
    return () => clearTimeout(timer)
  }, [typed, sent])

  return (
    <div data-key="/">
      <TextFilter
        filteringText={typed}
        filteringPlaceholder={label}
        filteringAriaLabel={label}
        filteringClearAriaLabel={say('clearText')}
        countText={total === undefined || has === '' ? '' : say('matches', { count: total })}
        loading={isLoading}
        onChange={({ detail }) => setTyped(detail.filteringText)}
      />
    </div>
  )
}
