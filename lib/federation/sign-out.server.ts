import { accountOfSession } from '#lib/auth/caller.server'
import { signOut } from '#lib/auth/console-cookie.server'
import type { Session } from '#lib/auth/tokens.server'
import { transaction } from '#lib/db/db.server'
import { insertEvent } from '#lib/events/record.server'
import { isForeignWrite } from '#lib/http/origin.server'
import { aboutUser } from '#lib/sign-in/sign-in-events.server'

/** A page of another site may lead a browser to a sign-out, but not carry it out. */
export const isLedByOthers = (request: Request): boolean =>
  isForeignWrite(request) || !['same-origin', 'none', null].includes(request.headers.get('sec-fetch-site'))

/** Ends the session here, as DELETE of it does; its cookies are taken by `headers`. */
export async function endHere(request: Request, session: Session, headers: Headers): Promise<void> {
  const found = await accountOfSession(session, true)
  await transaction(async (db) => {
    await signOut({ request, session, db, headers })
    if (found) await insertEvent(db, { request, action: 'sign-out', ...aboutUser(found.account) })
  })
}
