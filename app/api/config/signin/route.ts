import { readMechanisms } from '#lib/request/entrance/mechanisms.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(readMechanisms, {
  summary: 'The sign-in mechanisms in force and their settings, without secrets',
  who: { anyOf: ['SYSCONFIG_VIEW'] },
  answers: { as: 'signinmechanisms' },
})
