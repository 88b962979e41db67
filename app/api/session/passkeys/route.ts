import { passkeyInput, passkeyQuery } from '#lib/caller/auth/passkey.schema'
import { addPasskey, listPasskeys } from '#lib/people/identity/own-passkeys.server'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listPasskeys, {
  summary: 'List your passkeys, in the console',
  who: { anyOf: 'user', inConsole: true, ownAccount: 'always' },
  query: passkeyQuery,
  answers: { as: 'passkeys' },
  refuses: ['PASSKEY-4'],
})

export const POST = writes(addPasskey, {
  summary: 'Add a passkey with the answer of your browser to the options, in the console',
  who: { anyOf: 'user', inConsole: true, proof: 'always', ownAccount: 'always' },
  takes: { as: 'passkey', body: passkeyInput },
  answers: { as: 'passkey' },
  event: { entity: 'user', action: 'add-passkey', cannotUndo: 'passkeys' },
  refuses: ['PASSKEY-1', 'PASSKEY-2', 'PASSKEY-3', 'PASSKEY-4'],
})
