import { passkeyNameInput } from '#lib/caller/auth/passkey.schema'
import { nameOwnPasskey, passkeyTarget, removeOwnPasskey } from '#lib/people/identity/own-passkeys.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const PUT = writes(nameOwnPasskey, {
  summary: 'Rename one of your passkeys, in the console',
  who: { anyOf: 'user', inConsole: true, proof: 'always', ownAccount: 'always' },
  target: passkeyTarget,
  takes: { as: 'passkey', body: passkeyNameInput },
  answers: { as: 'passkey' },
  event: { entity: 'user', action: 'rename-passkey', cannotUndo: 'passkeys' },
  refuses: ['PASSKEY-1', 'PASSKEY-4'],
})

export const DELETE = writes(removeOwnPasskey, {
  summary: 'Remove one of your passkeys, in the console',
  who: { anyOf: 'user', inConsole: true, proof: 'always', ownAccount: 'always' },
  target: passkeyTarget,
  event: { entity: 'user', action: 'remove-passkey', cannotUndo: 'passkeys' },
  refuses: ['PASSKEY-4'],
})
