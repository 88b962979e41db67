import { createContext, type ReactNode, use, useContext, useEffect } from 'react'
import { IntlProvider, useTranslations } from 'use-intl'
import { type Language, languages, type Speech } from '#lib/words/language'
import type { Area, Dictionary, English, TranslateFault } from '#lib/words/words'

const { timeZone } = Intl.DateTimeFormat().resolvedOptions()

const TranslateFaultContext = createContext<TranslateFault>(({ message }) => ({ text: message }))

/** The codes of what the console notes itself, where the API said nothing. */
const ownCode = /^(CONSOLE|NETWORK|\d{3})$/

/** How a refusal of the API is told in the reader's language. */
export function useTranslateFault(): TranslateFault {
  const translateFault = useContext(TranslateFaultContext)
  const say = useTranslations('common.ownFaults')
  return (fault) => {
    if (!ownCode.test(fault.code)) return translateFault(fault)
    const code = knownCodes.find((known) => known === fault.code)
    return { text: say(code ?? 'other') }
  }
}

const knownCodes = ['CONSOLE', 'NETWORK', '401', '403', '404', '412', '429'] as const

const DepthContext = createContext(0)

/** What is spoken, from outside to inside. */
const spoken = new Map<number, Language>()

/** The innermost language is that of the document, whatever is mounted first. */
function tellLanguage(depth: number, language: Language): () => void {
  const tell = () => {
    document.documentElement.lang = spoken.get(Math.max(...spoken.keys())) ?? languages[0]
  }
  spoken.set(depth, language)
  tell()
  return () => {
    spoken.delete(depth)
    tell()
  }
}

type SpeakingProps = {
  speech: Speech
  /** Asked for outside of any component, once a language. */
  dictionary: Promise<Dictionary<Extract<Area, 'common' | 'signIn'>>>
  children: ReactNode
}

/** What is inside speaks this language. */
export function Speaking({ speech: { language, locale }, dictionary, children }: SpeakingProps) {
  const { words, translateFault } = use(dictionary)
  const depth = useContext(DepthContext) + 1
  useEffect(() => tellLanguage(depth, language), [depth, language])
  return (
    // A translation has every message of the English words: its type says so.
    <IntlProvider locale={locale} messages={words as English} timeZone={timeZone}>
      <DepthContext value={depth}>
        <TranslateFaultContext value={translateFault}>{children}</TranslateFaultContext>
      </DepthContext>
    </IntlProvider>
  )
}
