import { signInWaysOf } from '#lib/request/entrance/console-session.server'
import { open } from '#lib/request/pipeline/open.server'

export const GET = open(signInWaysOf, {
  summary: 'Read how users can sign in to the console',
  answers: { as: 'signinways' },
})
