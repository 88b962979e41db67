import { createTranslator } from 'use-intl'
import { describe, expect, test } from 'vitest'
import { words } from '#lib/words/en/words'
import { checkWebhook, emptyWebhook, isPattern, sentWebhook } from './webhook-draft'

const say = createTranslator({ locale: 'en', messages: words, namespace: 'webhooks.form' })
const sayText = createTranslator({ locale: 'en', messages: words, namespace: 'forms.faults' })

const draft = { ...emptyWebhook, name: ' Chat ', url: ' https://example.com/hooks ', events: ['scope.*'] }

const check = (changes: Partial<typeof draft>) => checkWebhook(say, sayText, { ...draft, ...changes })

describe('the draft of a webhook', () => {
  test('is sent without surrounding spaces, and with typed text that was not added', () => {
    expect(sentWebhook({ ...draft, typed: '*.delete' })).toEqual({
      name: 'Chat',
      url: 'https://example.com/hooks',
      events: ['scope.*', '*.delete'],
      active: true,
    })
  })

  test('has its faults at their fields', () => {
    expect(check({})).toEqual({})
    expect(check({ name: ' ' })).toHaveProperty('name')
    expect(check({ url: 'example.com' })).toHaveProperty('url')
    expect(check({ events: [] })).toHaveProperty('events')
    expect(check({ typed: 'scopes.update' })).toHaveProperty(
      'events',
      expect.stringContaining('scopes.update'),
    )
  })

  test.each(['*', 'scope.*', '*.delete', 'user.sign-in'])('%s is a pattern', (text) => {
    expect(isPattern(text)).toBe(true)
  })

  test.each(['', 'scope', 'scopes.*', 'scope.', 'Scope.update', 'scope.update.now'])(
    '%s is invalid',
    (text) => {
      expect(isPattern(text)).toBe(false)
    },
  )
})
