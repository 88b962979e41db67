import { createContext, type ReactNode, useContext } from 'react'
import { hasPast, isOwnAccount, privilegesFor, screenOf } from '#components/base/screens/screens'
import { SeenUserContext } from '#components/base/screens/see-as'
import { can, type Privilege } from '#lib/caller/auth/privileges'
import type { SessionDocument } from '#lib/caller/auth/session.schema'
import { kinds } from '#lib/caller/kinds/kinds'
import type { NamedKind } from '#lib/caller/kinds/named.queries'
import type { LinkDocument } from '#lib/ground/http/view'

/** `isPast`: the screens show a past moment. */
type Session = SessionDocument & { isPast?: boolean }

const SessionContext = createContext<Session | undefined>(undefined)

export const SessionProvider = ({ session, children }: { session: Session; children: ReactNode }) => (
  <SessionContext value={session}>
    <SeenUserContext value={session.viewer && session.nick}>{children}</SeenUserContext>
  </SessionContext>
)

/** The session. Every screen except sign-in has one. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession outside of SessionProvider')
  return session
}

/** Whether the user must first choose a password or set up two factor: there is no other screen until then. */
export function useHasDuty(): boolean {
  const { mustChangePassword, mustEnableTwoFactor } = useSession()
  return mustChangePassword || mustEnableTwoFactor
}

export const holds = (session: SessionDocument, anyOf: readonly Privilege[]): boolean =>
  can({ privileges: new Set(session.privileges) }, anyOf)

/** Whether the user has any one of these privileges. */
export const useMay = (...anyOf: Privilege[]): boolean => holds(useSession(), anyOf)

/** All of these privileges that the user lacks. */
export function useMissing(...needed: readonly Privilege[]): Privilege[] {
  const session = useSession()
  return needed.filter((privilege) => !holds(session, [privilege]))
}

/** Whether the user may read the list of this kind, which a picker searches. */
export const useMayPick = (kind: NamedKind): boolean => useMay(...kinds[kind].readers)

/**
 * Whether there is a screen at this address that the user may open, that has a past while the screens show one, and that is not about their
 * account while another user sees it.
 */
export function mayOpen(session: Session, address: string): boolean {
  if (session.isPast && !hasPast(address)) return false
  if (session.viewer && isOwnAccount(address)) return false
  const needs = privilegesFor(address)
  return needs !== undefined && (needs.length === 0 || holds(session, needs))
}

/** The screen that shows the resource of a link, if the user may open it. */
export function useScreenOf(): (link: LinkDocument | undefined) => string | undefined {
  const session = useSession()
  return (link) => {
    const screen = link && screenOf(link)
    return screen !== undefined && mayOpen(session, screen) ? screen : undefined
  }
}
