import { signOutEverywhere } from '#lib/oidc/logout.server'
import { open } from '#lib/pipeline/open.server'

export const GET = open(signOutEverywhere, {
  summary:
    'Sign out of the console and at the OpenID Connect provider: leads a browser to its end-session address',
  answers: { status: 303 },
})
