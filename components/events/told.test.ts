import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { entityTypes } from '#lib/events/events.schema'
import { events } from '#lib/words/en/events'
import { events as spanish } from '#lib/words/es/events'
import { factsOf, knownActions, nameOf, sentenceOf } from './told'

const event = { entityType: 'scope', entityName: 'Iberia', user: 'ana' } as const

test('an event is told by what was done to which kind of thing', () => {
  expect(sentenceOf({ ...event, action: 'create' })).toBe('create.scope')
  expect(sentenceOf({ ...event, action: 'sign-in' })).toBe('sign-in')
})

test('nobody known is told as such', () => {
  const user = { entityType: 'user', entityName: 'ana', user: undefined } as const
  expect(sentenceOf({ ...user, action: 'create' })).toBe('create-by-provider')
  expect(sentenceOf({ ...user, userHidden: true, action: 'create' })).toBe('create.user')
  expect(sentenceOf({ ...user, entityName: '', action: 'sign-in-refused' })).toBe('sign-in-refused-unknown')
  expect(sentenceOf({ ...user, action: 'sign-in-refused' })).toBe('sign-in-refused')
})

test('of an action that is new to the console what is known is told', () => {
  expect(sentenceOf({ ...event, action: 'paint' })).toBe('other')
  expect(sentenceOf({ ...event, action: 'toString' })).toBe('other')
})

test('every action that has a name has a sentence', () => {
  expect(Object.keys(events.actions).sort()).toEqual([...knownActions].sort())
})

const actors = [{ user: 'ana' }, { userHidden: true }, {}]
const things = [{ entityName: 'Iberia', entityId: 7 }, { entityName: '', entityId: 7 }, { entityName: '' }]

test.each([
  ['en', events],
  ['es', spanish],
])('in %s each sentence is whole, whoever did it and whatever it was done to', (locale, words) => {
  const say = createTranslator({ locale, messages: { events: words }, namespace: 'events' })
  const marked = { by: (part: string) => `[${part}]`, on: (part: string) => `[${part}]` }
  const told = [...knownActions, 'paint'].flatMap((action) =>
    entityTypes.flatMap((entityType) =>
      things.flatMap((thing) =>
        actors.map((actor) => {
          const event = { action, entityType, ...thing, ...actor, changes: {} }
          return say.markup(`told.${sentenceOf(event)}`, { ...factsOf(event, say), ...marked })
        }),
      ),
    ),
  )
  expect(told.length).toBeGreaterThan(2000)
  expect(
    told.filter((text) => !/^[A-ZÁÉÍÓÚ[].*\.$/.test(text) || /\[\s*\]|undefined|[{}<>]/.test(text)),
  ).toEqual([])
})

test('what has no name is told by its id', () => {
  expect(nameOf({ entityName: '', entityId: 12 })).toBe('#12')
  expect(nameOf({ entityName: 'Iberia', entityId: 12 })).toBe('Iberia')
})
