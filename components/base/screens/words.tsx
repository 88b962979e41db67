import { createContext, type ReactNode, use, useContext, useEffect } from 'react'
import { IntlProvider, useTranslations } from 'use-intl'
import { NotLoadedContext } from '#components/kit/deferred-over'
import { type Language, languages, type Speech } from '#lib/words/language'
import type { TranslateFault } from '#lib/words/translation'
import type { Area, Dictionary, English } from '#lib/words/words'

const { timeZone } = Intl.DateTimeFormat().resolvedOptions()

const TranslateFaultContext = createContext<TranslateFault>(({ message }) => ({ text: message }))

/** Codes of failures that the console reports in words of its own: no answer came, or the user never saw the Idempotency-Key. */
const ownCode = /^(CONSOLE|NETWORK|STOPPED|NO-PAST|IDEMPOTENCY-2|\d{3})$/

/** Translates a refusal of the API into the user's language. */
export function useTranslateFault(): TranslateFault {
  const translateFault = useContext(TranslateFaultContext)
  const say = useTranslations('common.ownFaults')
  return (fault) => {
    if (!ownCode.test(fault.code)) return translateFault(fault)
    const code = knownCodes.find((known) => known === fault.code)
    return { text: say(code ?? 'other') }
  }
}

const knownCodes = [
  'CONSOLE',
  'NETWORK',
  'STOPPED',
  'NO-PAST',
  'IDEMPOTENCY-2',
  '401',
  '403',
  '404',
  '412',
  '429',
] as const

const DepthContext = createContext(0)

/** The languages of nested `Speaking` elements, by depth. */
const spoken = new Map<number, Language>()

/** The document takes the innermost language, in any order of mounting. */
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
  /** Loaded outside of components, once for each language. */
  dictionary: Promise<Dictionary<Extract<Area, 'common' | 'signIn'>>>
  children: ReactNode
}

/** Sets the language of its children. */
export function Speaking({ speech: { language, locale }, dictionary, children }: SpeakingProps) {
  const { words, translateFault } = use(dictionary)
  const depth = useContext(DepthContext) + 1
  useEffect(() => tellLanguage(depth, language), [depth, language])
  return (
    // The type of a translation guarantees every message of the English words.
    <IntlProvider locale={locale} messages={words as English} timeZone={timeZone}>
      <DepthContext value={depth}>
        <TranslateFaultContext value={translateFault}>
          <NotLoadedWords>{children}</NotLoadedWords>
        </TranslateFaultContext>
      </DepthContext>
    </IntlProvider>
  )
}

/** What the kit says where a file of the console cannot be loaded. */
function NotLoadedWords({ children }: { children: ReactNode }) {
  const say = useTranslations('common')
  const [title, text, offline] = [say('notLoaded.title'), say('notLoaded.text'), say('notLoaded.offline')]
  return (
    <NotLoadedContext value={{ title, text, offline, tryAgain: say('tryAgain'), close: say('close') }}>
      {children}
    </NotLoadedContext>
  )
}
