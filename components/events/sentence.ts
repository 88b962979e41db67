import type { EventDocument } from '#lib/record/events/events.schema'
import type { English, Say } from '#lib/words/words'

type Sentence = keyof English['events']['sentences']

/** Every action that the console has words for. */
export const knownActions = [
  'create',
  'update',
  'delete',
  'create-natips',
  'change-natips',
  'delete-natips',
  'attach-natips',
  'release-natips',
  'create-natrules',
  'change-natrules',
  'delete-natrules',
  'change-users',
  'delete-users',
  'apply-plan',
  'attach',
  'release',
  'sign-in',
  'sign-in-refused',
  'sign-out',
  'see-as',
  'end-session',
  'end-other-sessions',
  'lock',
  'change-password',
  'add-passkey',
  'rename-passkey',
  'remove-passkey',
  'ask-password-reset',
  'reset-password',
  'enable2fa',
  'disable2fa',
  'take-back-2fa',
  'renew-scratch-codes',
  'reset2fa',
  'ask-2fa-reset',
  'invite',
  'accept-invitation',
  'reset-2fa',
  'reset-identity',
  'rotate-secret',
  'test',
  'change-status',
  'begin-change',
  'confirm-change',
  'take-back-change',
  'end',
  'end-refused',
  'stop',
  'authorize-application',
  'revoke-application',
  'undo',
] as const satisfies Sentence[]

/** The undo of a bulk change contains the undone action: `undo-change-natips`. */
export const knownAction = (action: string) =>
  action.startsWith('undo-') ? 'undo' : knownActions.find((known) => known === action)

type Facts = Pick<EventDocument, 'action' | 'entityType' | 'entityName' | 'user' | 'userHidden'>

/** The sentence for the event. `other` is for actions that the console does not know. */
export function sentenceOf({ action, entityType, entityName, user, userHidden }: Facts): Sentence {
  if (action === 'sign-in-refused' && entityName === '') return 'sign-in-refused-unknown'
  if (action === 'create' && entityType === 'user' && user === undefined && !userHidden)
    return 'create-by-provider'
  return knownAction(action) ?? 'other'
}

/** The name, or the id where the object has no name, such as a NAT rule. */
export const nameOf = (
  { entityName, entityId }: Pick<EventDocument, 'entityName' | 'entityId'>,
  say: Say<'events'>,
): string => entityName.trim() || (entityId === undefined ? say('unnamed') : `#${entityId}`)

type Written = Facts & Pick<EventDocument, 'entityId' | 'changes'> & { count?: number | undefined }

/** The values of the sentence. */
export function factsOf(event: Written, say: Say<'events'>) {
  const known = knownAction(event.action)
  return {
    user: event.user?.trim() || say(event.userHidden ? 'somebodyHidden' : 'somebody'),
    entity: event.entityType,
    thing: say(`things.${event.entityType}`),
    name: nameOf(event, say),
    count: Number(event.changes.count?.after) || 1,
    /** The rows that a bulk change changed; none if all were refused. */
    bulk: Number(event.changes.count?.after ?? event.count) || 0,
    status: event.changes.status?.after ?? '',
    action: known ? say(`actions.${known}`) : event.action,
  }
}

/** What was done, without who did it: "attach 198.51.100.1". */
export function actOf(event: Written, say: Say<'events'>): string {
  const { action: words, entity, thing, name } = factsOf(event, say)
  return say('undo.what', { action: event.action, words, entity, thing, name })
}
