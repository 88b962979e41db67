import { isCaller } from '#lib/caller/auth/caller.server'
import type { ReadContext } from '#lib/caller/auth/context.server'
import type { PasskeyDocument, PasskeyInput, PasskeyQuery } from '#lib/caller/auth/passkey.schema'
import type { Db, Trx } from '#lib/db/db.server'
import { hasText, list } from '#lib/db/list.server'
import { clientAddress } from '#lib/ground/http/client-address.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Listing } from '#lib/ground/http/render.server'
import { link } from '#lib/ground/http/view'
import {
  insertPasskey,
  readRegistration,
  registrationOptions,
  removePasskey,
  renamePasskey,
  requirePasskeys,
} from '#lib/people/sign-in/passkeys.server'
import type { Context } from '#lib/record/events/operation.server'
import { notify } from '#lib/record/mail/outbox.server'

/* The caller's own passkeys. Programs sign in without them, so the routes are for sessions of the console alone. */

const PATH = '/session/passkeys'

const passkeysOf = (db: Db, user: number) =>
  db
    .selectFrom('passkeys')
    .where('passkeys.user_id', '=', user)
    .select(['passkeys.id', 'passkeys.name', 'passkeys.created_at', 'passkeys.last_used'])

type PasskeyRow = Awaited<ReturnType<ReturnType<typeof passkeysOf>['executeTakeFirstOrThrow']>>

const passkeyView = ({ id, name, created_at, last_used }: PasskeyRow): PasskeyDocument => ({
  links: [link('self', `${PATH}/${id}`, 'passkey', name)],
  id,
  name,
  created: new Date(created_at).toISOString(),
  ...(last_used !== null && { lastUsed: new Date(last_used).toISOString() }),
})

/** Throws PASSKEY-0. */
async function findPasskey(
  { caller, db }: ReadContext,
  { passkey }: { passkey: number },
): Promise<PasskeyRow> {
  return passkeysOf(db, caller.id)
    .where('passkeys.id', '=', passkey)
    .executeTakeFirstOrThrow(() => new ApiError('PASSKEY-0'))
}

export const passkeyTarget = {
  ids: { passkey: 'PASSKEY-0' },
  find: findPasskey,
  seenBy: isCaller,
  view: passkeyView,
} as const

export async function listPasskeys(context: Context & { query: PasskeyQuery }): Promise<Listing> {
  requirePasskeys(context.request)
  const { caller, query: paging } = context
  return list({
    from: (db) => passkeysOf(db, caller.id).where(hasText('passkeys.name_key', paging.has)),
    orders: {
      name: ['passkeys.name_key'],
      id: [],
      created: ['passkeys.created_at'],
      lastused: ['passkeys.last_used'],
    },
    id: 'passkeys.id',
    paging,
    path: PATH,
    views: (rows) => rows.map(passkeyView),
  })
}

export async function optionsForPasskey(context: Context): Promise<object> {
  requirePasskeys(context.request)
  return registrationOptions(context.request, context.caller, context.session.id)
}

type Adding = Context & { db: Trx; body: PasskeyInput }

/** Throws PASSKEY-1, PASSKEY-2, PASSKEY-3, PASSKEY-4, PASSKEY-5. */
export async function addPasskey(context: Adding): Promise<PasskeyDocument> {
  requirePasskeys(context.request)
  const { request, session, caller, db, body, note } = context
  const passkey = await readRegistration(db, { request, holder: session.id, response: body.response })
  if (!passkey) throw new ApiError('PASSKEY-2')
  const id = await insertPasskey(db, { ...passkey, user_id: caller.id, name: body.name })
  note('passkey', undefined, body.name)
  await notify(db, caller.id, { kind: 'passkey-added', name: body.name, address: clientAddress(request) })
  return passkeyView({ id, name: body.name, created_at: passkey.created_at, last_used: null })
}

type Changing<Body = unknown> = Context & { db: Trx; found: PasskeyRow; body: Body }

/** Throws PASSKEY-1, PASSKEY-4. */
export async function nameOwnPasskey(context: Changing<{ name: string }>): Promise<void> {
  requirePasskeys(context.request)
  const { db, found, body, note } = context
  await renamePasskey(db, found.id, body.name)
  if (found.name !== body.name) note('passkey', found.name, body.name)
}

/** Throws PASSKEY-4. */
export async function removeOwnPasskey(context: Changing): Promise<void> {
  requirePasskeys(context.request)
  const { db, found, note } = context
  await removePasskey(db, found.id)
  note('passkey', found.name, undefined)
}
