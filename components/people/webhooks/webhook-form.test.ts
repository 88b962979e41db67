import { expect, test } from 'vitest'
import { emptyDraft, faultsOf, sentBy } from '#components/base/forms/declared-form'
import { webhookForm } from './webhook-form-page'

const draft = {
  ...emptyDraft(webhookForm),
  name: ' Chat ',
  url: ' https://example.com/hooks ',
  events: ['scope.*', 'scope.*', '*.delete'],
}

const says = { word: String, sayText: ((key: string) => key) as never }
const faults = (changes: Partial<typeof draft>) => faultsOf(says, webhookForm, { ...draft, ...changes })

test('a webhook is sent without surrounding spaces, and with each pattern once', () => {
  expect(sentBy(webhookForm, draft)).toEqual({
    name: 'Chat',
    url: 'https://example.com/hooks',
    events: ['scope.*', '*.delete'],
    active: true,
  })
})

test('a webhook has its faults at their fields', () => {
  expect(faults({})).toEqual({})
  expect(faults({ name: ' ' })).toEqual({ name: 'length' })
  expect(faults({ url: 'example.com' })).toEqual({ url: 'webhooks.form.noAddress' })
  expect(faults({ events: [] })).toEqual({ events: 'webhooks.form.noEvents' })
})

test.each(['*', 'scope.*', '*.delete', 'user.sign-in'])('%s is a pattern of events', (text) => {
  expect(faults({ events: [text] })).toEqual({})
})

test.each(['scope', 'scopes.*', 'scope.', 'Scope.update', 'scope.update.now'])('%s is none', (text) => {
  expect(faults({ events: ['*', text] })).toEqual({ events: 'webhooks.form.noPattern' })
})
