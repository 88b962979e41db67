import { isAllowedFrom } from '#lib/caller/auth/allowed-addresses.server'
import { type Account, accountById, dutyOf } from '#lib/caller/auth/caller.server'
import { setCredentials } from '#lib/caller/auth/credentials.server'
import { passwordFault } from '#lib/caller/auth/password-rules.server'
import { hashPassword } from '#lib/caller/auth/passwords.server'
import { type Invitation, invitationAnswerInput, invitationTokenInput } from '#lib/caller/auth/session.schema'
import { type Db, database, type Trx, transaction } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import { negotiate } from '#lib/ground/http/accept.server'
import type { Answer } from '#lib/ground/http/answer.server'
import { clientAddress } from '#lib/ground/http/client-address.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import {
  findInvited,
  invitationHash,
  requireInvitations,
  useInvitation,
} from '#lib/people/identity/invitations.server'
import {
  insertPasskey,
  offersPasskeys,
  readRegistration,
  registrationOptions,
  requirePasskeys,
} from '#lib/people/sign-in/passkeys.server'
import { aboutUser, recordSignIn } from '#lib/people/sign-in/sign-in-events.server'
import { insertEvent } from '#lib/record/events/record.server'
import type { StoredChanges } from '#lib/record/events/stored'
import { notify } from '#lib/record/mail/outbox.server'
import { answerNewSession, replaceSession } from '#lib/request/entrance/console-session.server'
import { answerOpenly, readOpenly } from '#lib/request/pipeline/open.server'

/* Invited users open the page of their link, choose a password or make a passkey, and are signed in. */

/** The invitation, and the account that it is for. A user who may not sign in from here has none. Throws SIGN-IN-10. */
async function findOpen(request: Exchange, db: Db, token: string) {
  requireInvitations()
  const invited = await findInvited(db, token)
  const account = invited && (await accountById(invited.id, db))
  if (!account || !isAllowedFrom(account, request)) throw new ApiError('SIGN-IN-10')
  return { invited, account }
}

/** What the page of a link shows. The token is in the body, because logs have addresses. */
export async function readInvitation(request: Exchange): Promise<Answer> {
  negotiate(request.headers.get('accept'), 'invitation')
  const { token } = await readOpenly(request, invitationTokenInput, 'invitationtoken')
  const { invited } = await findOpen(request, database().read, token)
  const document: Invitation = {
    links: [],
    nick: invited.nick,
    name: invited.name,
    locale: invited.locale,
    enterprise: invited.enterprise,
    requiresTwoFactor: invited.two_factor_mandatory === 1,
    passkey: offersPasskeys(request),
    passwordMinLength: env().PASSWORD_MIN_LENGTH,
    expires: new Date(invited.expires_at).toISOString(),
  }
  return answerOpenly(request, { as: 'invitation', document })
}

/** The challenge of a passkey is for this link. */
const holderOf = (token: string): string => `invitation ${invitationHash(token)}`

export async function invitationPasskeyOptions(request: Exchange): Promise<Answer> {
  requirePasskeys(request)
  negotiate(request.headers.get('accept'), 'passkeycreation')
  const { token } = await readOpenly(request, invitationTokenInput, 'invitationtoken')
  const { account } = await findOpen(request, database().read, token)
  const document = await registrationOptions(request, account, holderOf(token))
  return answerOpenly(request, { as: 'passkeycreation', document })
}

/** Takes the password or the passkey, uses up the link, and signs the user in. Throws SIGN-IN-10, PASSKEY-2, PASSKEY-4. */
export async function acceptInvitation(request: Exchange): Promise<Answer> {
  negotiate(request.headers.get('accept'), 'session')
  const { token, password, passkey } = await readOpenly(request, invitationAnswerInput, 'invitationanswer')
  if (passkey) requirePasskeys(request)
  // Hashing is expensive, so an invalid link is refused first.
  const { account: known } = await findOpen(request, database().read, token)
  const weak = password !== undefined && passwordFault(password, known.nick)
  if (weak) throw new ApiError(weak)
  const hash = password === undefined ? undefined : await hashPassword(password)
  const { account, session } = await transaction(async (trx) => {
    const { account } = await findOpen(request, trx, token)
    if (!(await useInvitation(trx, token))) throw new ApiError('SIGN-IN-10')
    await setCredentials(trx, account.id, {
      invited: 0,
      first_login: 0,
      ...(hash && { password_hash: hash }),
    })
    if (passkey) await addPasskey(trx, { request, account, token, passkey })
    const changes: StoredChanges = {
      ...(hash && { password: { after: 'changed' } }),
      ...(passkey && { passkey: { after: passkey.name } }),
    }
    await insertEvent(trx, { request, action: 'accept-invitation', changes, ...aboutUser(account) })
    await recordSignIn(trx, { request, account, factors: hash ? 'password' : 'passkey' })
    return { account, session: await replaceSession(trx, request, { account, owesCode: false }) }
  })
  const duty = dutyOf({ ...account, first_login: 0 }, true)
  return answerNewSession(request, { account, session, duty })
}

type Adding = {
  request: Exchange
  account: Account
  token: string
  passkey: { name: string; response: Parameters<typeof readRegistration>[1]['response'] }
}

async function addPasskey(trx: Trx, { request, account, token, passkey }: Adding): Promise<void> {
  const { name, response } = passkey
  const made = await readRegistration(trx, { request, holder: holderOf(token), response })
  if (!made) throw new ApiError('PASSKEY-2')
  await insertPasskey(trx, { ...made, user_id: account.id, name })
  await notify(trx, account.id, { kind: 'passkey-added', name, address: clientAddress(request) })
}
