import { optionsForPasskey } from '#lib/people/identity/own-passkeys.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(optionsForPasskey, {
  summary:
    'Get the options with which your browser makes a passkey; they are valid for ten minutes, in this session',
  who: { anyOf: 'user', inConsole: true, proof: 'always', ownAccount: 'always' },
  answers: { as: 'passkeycreation', status: 200 },
  event: null,
  refuses: ['PASSKEY-4', 'PASSKEY-5'],
})
