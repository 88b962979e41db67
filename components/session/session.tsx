import { createContext, type ReactNode, useContext } from 'react'
import { can, type Privilege } from '#lib/auth/privileges'
import type { SessionDocument } from '#lib/auth/session.schema'

const SessionContext = createContext<SessionDocument | undefined>(undefined)

export const SessionProvider = ({ session, children }: { session: SessionDocument; children: ReactNode }) => (
  <SessionContext value={session}>{children}</SessionContext>
)

/** Who is signed in. Every screen but sign-in has somebody. */
export function useSession(): SessionDocument {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession outside of SessionProvider')
  return session
}

export const holds = (session: SessionDocument, anyOf: readonly Privilege[]): boolean =>
  can({ privileges: new Set(session.privileges) }, anyOf)

/** May the user do what any one of these privileges grants? */
export const useMay = (...anyOf: Privilege[]): boolean => holds(useSession(), anyOf)
