import type { EventDocument } from '#lib/events/events.schema'
import type { English, Say } from '#lib/words/words'

type Told = English['events']['told']

/** Actions whose sentence differs by what they are done to. */
const onKinds = ['create', 'update', 'delete'] as const satisfies (keyof Told)[]
type OnKind = (typeof onKinds)[number]

/** Actions that are done to one kind of thing. */
const onOneKind = [
  'create-natips',
  'attach',
  'release',
  'sign-in',
  'sign-in-refused',
  'sign-out',
  'end-session',
  'end-other-sessions',
  'lock',
  'change-password',
  'ask-password-reset',
  'reset-password',
  'enable2fa',
  'disable2fa',
  'take-back-2fa',
  'renew-scratch-codes',
  'reset2fa',
  'reset-2fa',
  'reset-identity',
  'rotate-secret',
  'authorize-application',
  'revoke-application',
] as const satisfies (keyof Told)[]

/** Every action that the console has words for. */
export const knownActions = [...onKinds, ...onOneKind]
type KnownAction = (typeof knownActions)[number]

const findIn = <T extends string>(known: readonly T[], action: string): T | undefined =>
  known.find((name) => name === action)

export const knownAction = (action: string): KnownAction | undefined => findIn(knownActions, action)

type Facts = Pick<EventDocument, 'action' | 'entityType' | 'entityName' | 'user' | 'userHidden'>

/** Which sentence tells the event. Of an action that is new to the console `other` says what is known. */
export function sentenceOf({ action, entityType, entityName, user, userHidden }: Facts): Sentence {
  if (action === 'sign-in-refused' && entityName === '') return 'sign-in-refused-unknown'
  if (action === 'create' && entityType === 'user' && user === undefined && !userHidden)
    return 'create-by-provider'
  const onKind = findIn(onKinds, action)
  return onKind ? `${onKind}.${entityType}` : (findIn(onOneKind, action) ?? 'other')
}

type Sentence = `${OnKind}.${Facts['entityType']}` | Exclude<keyof Told, OnKind>

/** Of what has no name of its own, such as a NAT rule, the id. */
export const nameOf = ({ entityName, entityId }: Pick<EventDocument, 'entityName' | 'entityId'>): string =>
  entityName || (entityId === undefined ? '–' : `#${entityId}`)

type Written = Facts & Pick<EventDocument, 'entityId' | 'changes'>

/** What the sentence is filled with. */
export function factsOf(event: Written, say: Say<'events'>) {
  const known = knownAction(event.action)
  return {
    user: event.user ?? say(event.userHidden ? 'somebodyHidden' : 'somebody'),
    name: nameOf(event),
    count: Number(event.changes.count?.after ?? 1),
    action: known ? say(`actions.${known}`) : event.action,
  }
}
