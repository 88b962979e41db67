import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { entityTypes } from '#lib/events/events.schema'
import { events } from '#lib/words/en/events'
import { events as spanish } from '#lib/words/es/events'
import { factsOf, knownActions, nameOf, sentenceOf } from './sentence'

const event = { entityType: 'scope', entityName: 'Iberia', user: 'ana' } as const

test('the action chooses the sentence', () => {
  expect(sentenceOf({ ...event, action: 'create' })).toBe('create')
  expect(sentenceOf({ ...event, action: 'sign-in' })).toBe('sign-in')
})

test('an event without a user has a sentence of its own', () => {
  const user = { entityType: 'user', entityName: 'ana', user: undefined } as const
  expect(sentenceOf({ ...user, action: 'create' })).toBe('create-by-provider')
  expect(sentenceOf({ ...user, userHidden: true, action: 'create' })).toBe('create')
  expect(sentenceOf({ ...user, entityName: '', action: 'sign-in-refused' })).toBe('sign-in-refused-unknown')
  expect(sentenceOf({ ...user, action: 'sign-in-refused' })).toBe('sign-in-refused')
})

test('an action that the console does not know has a general sentence', () => {
  expect(sentenceOf({ ...event, action: 'paint' })).toBe('other')
  expect(sentenceOf({ ...event, action: 'toString' })).toBe('other')
})

test('every named action is known', () => {
  expect(Object.keys(events.actions).sort()).toEqual([...knownActions].sort())
})

const actors = [{ user: 'ana' }, { userHidden: true }, {}]
const things = [{ entityName: 'Iberia', entityId: 7 }, { entityName: '', entityId: 7 }, { entityName: '' }]

test.each([
  ['en', events],
  ['es', spanish],
])('in %s each sentence is complete for every user and object', (locale, words) => {
  const say = createTranslator({ locale, messages: { events: words }, namespace: 'events' })
  const marked = { by: (part: string) => `[${part}]`, on: (part: string) => `[${part}]` }
  const sentences = [...knownActions, 'paint'].flatMap((action) =>
    entityTypes.flatMap((entityType) =>
      things.flatMap((thing) =>
        actors.map((actor) => {
          const event = { action, entityType, ...thing, ...actor, changes: {} }
          return say.markup(`sentences.${sentenceOf(event)}`, { ...factsOf(event, say), ...marked })
        }),
      ),
    ),
  )
  expect(sentences.length).toBeGreaterThan(2000)
  expect(
    sentences.filter((text) => !/^[A-ZÁÉÍÓÚ[].*\.$/.test(text) || /\[\s*\]|undefined|[{}<>]/.test(text)),
  ).toEqual([])
})

test('an object without a name shows its id', () => {
  expect(nameOf({ entityName: '', entityId: 12 })).toBe('#12')
  expect(nameOf({ entityName: 'Iberia', entityId: 12 })).toBe('Iberia')
})
