import { readMechanisms } from '#lib/entrance/mechanisms.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'The sign-in mechanisms in force and their settings, without secrets',
    anyOf: ['SYSCONFIG_VIEW'],
    answers: 'signinmechanisms',
  },
  readMechanisms,
)
