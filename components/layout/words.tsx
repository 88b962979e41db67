import { createContext, type ReactNode, use, useContext, useEffect } from 'react'
import { IntlProvider } from 'use-intl'
import type { TellFault } from '#lib/words/faults'
import type { Speech } from '#lib/words/language'
import type { Area, Dictionary, English } from '#lib/words/words'

const { timeZone } = Intl.DateTimeFormat().resolvedOptions()

const TellFaultContext = createContext<TellFault>(({ message }) => ({ text: message }))

/** How a refusal of the API is told in the reader's language. */
export const useTellFault = (): TellFault => useContext(TellFaultContext)

type SpeakingProps = {
  speech: Speech
  /** Asked for outside of any component, once a language. */
  dictionary: Promise<Dictionary<Extract<Area, 'common' | 'signIn'>>>
  children: ReactNode
}

/** What is inside speaks this language. */
export function Speaking({ speech: { language, locale }, dictionary, children }: SpeakingProps) {
  const { words, tellFault } = use(dictionary)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  return (
    // A translation has every message of the English words: its type says so.
    <IntlProvider locale={locale} messages={words as English} timeZone={timeZone}>
      <TellFaultContext value={tellFault}>{children}</TellFaultContext>
    </IntlProvider>
  )
}
