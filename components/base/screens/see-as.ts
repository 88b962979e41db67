import { createContext, useContext } from 'react'
import { useTranslations } from 'use-intl'

/** The user name of the user whose view the screens show, if it is that of another user. */
export const SeenUserContext = createContext<string | undefined>(undefined)

/** Why nothing can be changed while the screens show what another user sees. */
export function useViewRefusal(): string | undefined {
  const nick = useContext(SeenUserContext)
  const say = useTranslations('layout.seeAs')
  return nick === undefined ? undefined : say('refused', { nick })
}
