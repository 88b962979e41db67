import { passkeyOptionsInput } from '#lib/caller/auth/passkey.schema'
import { passkeyOptions } from '#lib/request/entrance/console-session.server'
import { open } from '#lib/request/pipeline/open.server'

export const POST = open(passkeyOptions, {
  summary:
    'Get the options with which a browser uses a passkey; they are the same whether or not a user has this nick',
  takes: { as: 'passkeyoptions', body: passkeyOptionsInput },
  answers: { as: 'passkeyrequest', status: 200 },
  refuses: ['PASSKEY-4'],
})
