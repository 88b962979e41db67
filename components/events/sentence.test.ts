import { globSync, readFileSync } from 'node:fs'
import { type AbstractIntlMessages, createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { type EntityType, type EventDocument, entityTypes } from '#lib/record/events/events.schema'
import { events } from '#lib/words/en/events'
import { events as spanish } from '#lib/words/es/events'
import type { TranslationOf } from '#lib/words/translation'
import type { Say } from '#lib/words/words'
import { actOf, factsOf, knownAction, knownActions, nameOf, sentenceOf } from './sentence'

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

test('an act is named without who did it', () => {
  const act = (action: string) =>
    actOf({ ...event, entityId: 7, changes: {}, action }, speaker('en', events).say)
  expect(act('delete')).toBe('delete the scope Iberia')
  expect(act('attach')).toBe('attach Iberia')
  expect(act('apply-plan')).toBe('Apply a plan, Iberia')
})

test('every named action is known', () => {
  expect(Object.keys(events.actions).sort()).toEqual([...knownActions].sort())
})

const languages = [
  ['en', events],
  ['es', spanish],
] satisfies [string, TranslationOf<typeof events>][]

/** The compiler would take two minutes to compare a translator of all events with `Say`. */
type Speaker = { say: Say<'events'>; markup: (key: string, values: object) => string }

function speaker(locale: string, words: TranslationOf<typeof events>): Speaker {
  const messages: AbstractIntlMessages = { events: words }
  const say: unknown = createTranslator({ locale, messages, namespace: 'events' })
  return { say: say as Speaker['say'], markup: (say as Speaker).markup }
}

/** The files that declare or write events. */
const sources = (pattern: string): string[] =>
  globSync(pattern, { exclude: ['**/*.test.ts', 'lib/tools/sample/**', 'lib/openapi/**'] })
    .map((file) => readFileSync(file, 'utf8'))
    .filter((source) => /insertEvent|event: ['{]/.test(source))

const plain = { POST: 'create', PUT: 'update', DELETE: 'delete' } as const

/** Every kind of event: the declared ones of operations, and the ones that other code writes. */
const kinds = [
  ...sources('app/**/route.ts').flatMap((source) =>
    source.split('export const ').flatMap((operation) => {
      const [, entity = '', named, action] =
        /event: (?:'(\w+)'|\{ entity: '(\w+)', action: '([\w-]+)' \})/.exec(operation) ?? []
      const method = /^(POST|PUT|DELETE)\b/.exec(operation)?.[1] as keyof typeof plain | undefined
      return method && (entity || named) ? [[action ?? plain[method], entity || named]] : []
    }),
  ),
  ...sources('lib/**/*.server.ts').flatMap((source) =>
    [...source.matchAll(/action: '([\w-]+)'/g)].map(([, action]) => [action, 'user']),
  ),
  ['create-natips', 'natnetwork'],
  ['change-natips', 'datacenter'],
  ['delete-natips', 'datacenter'],
  ['attach-natips', 'datacenter'],
  ['release-natips', 'datacenter'],
  ['change-natrules', 'datacenter'],
  ['delete-natrules', 'datacenter'],
  ['change-users', 'enterprise'],
  ['delete-users', 'enterprise'],
] as [string, EntityType][]

test('every kind of event has a sentence of its own', () => {
  expect(kinds.length).toBeGreaterThan(50)
  expect(kinds.filter(([action]) => !knownAction(action))).toEqual([])
  expect(kinds.filter(([, entity]) => !entityTypes.includes(entity))).toEqual([])
})

const actors = [{ user: 'ana' }, { user: '' }, { userHidden: true }, {}]
const things = [
  { entityName: 'Iberia', entityId: 7 },
  { entityName: '', entityId: 7 },
  { entityName: ' ' },
  { entityName: '' },
]
const details: EventDocument['changes'][] = [
  {},
  { count: { after: '3' } },
  { count: {} },
  { count: { after: '' } },
]

test.each(languages)('in %s each sentence is complete, whatever is missing', (locale, words) => {
  const { say, markup } = speaker(locale, words)
  const marked = { by: (part: string) => `[${part}]`, on: (part: string) => `[${part}]` }
  const everywhere = [...knownActions, 'paint'].flatMap((action) =>
    entityTypes.map((type) => [action, type] as const),
  )
  const sentencesOf = (
    all: readonly (readonly [string, EntityType])[],
    details: readonly EventDocument['changes'][],
  ) =>
    all.flatMap(([action, entityType]) =>
      things.flatMap((thing) =>
        actors.flatMap((actor) =>
          details.map((changes) => {
            const event = { action, entityType, ...thing, ...actor, changes }
            return markup(`sentences.${sentenceOf(event)}`, { ...factsOf(event, say), ...marked })
          }),
        ),
      ),
    )
  // The count is of the action, whatever the kind.
  const sentences = [
    ...sentencesOf([...kinds, ...knownActions.map((action) => [action, 'user'] as const)], details),
    ...sentencesOf(everywhere, [{}]),
  ]
  expect(
    sentences.filter(
      (text) => !/^[A-ZÁÉÍÓÚ[0-9].*[^ ]\.$/.test(text) || /\[\s*\]|undefined|NaN|[{}<>]| {2}/.test(text),
    ),
  ).toEqual([])
})

test('an object without a name shows its id', () => {
  const { say } = speaker('en', events)
  expect(nameOf({ entityName: '', entityId: 12 }, say)).toBe('#12')
  expect(nameOf({ entityName: 'Iberia', entityId: 12 }, say)).toBe('Iberia')
  expect(nameOf({ entityName: '' }, say)).toBe('(no name)')
})
