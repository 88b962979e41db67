import { call, expectStatus, type User, unique } from '#lib/tools/testing/client'

export const WEBHOOKS = '/api/admin/webhooks'

/** Inactive, so that no process sends anything to the address. */
export const webhookBody = (fields: object = {}) => ({
  name: unique('Webhook'),
  url: 'https://hooks.example.com/console',
  events: ['scope.*'],
  active: false,
  ...fields,
})

/** A new webhook as its creator gets it: with its secret. */
export const newWebhook = (fields: object = {}, as?: User) =>
  expectStatus(201, call('POST', WEBHOOKS, { body: webhookBody(fields), ...(as && { as }) }))
