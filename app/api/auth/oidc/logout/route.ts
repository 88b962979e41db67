import { signOutEverywhere } from '#lib/people/oidc/logout.server'
import { open } from '#lib/request/pipeline/open.server'

export const GET = open(signOutEverywhere, {
  summary:
    'Sign out of the console and at the OpenID Connect provider: redirects the browser to the end-session address of the provider',
  answers: { status: 303 },
})
