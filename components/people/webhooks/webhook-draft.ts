import { type FieldErrors, textFaults } from '#components/base/forms/form-faults'
import { type WebhookDocument, type WebhookInput, webhookInput } from '#lib/people/webhooks/webhooks.schema'
import type { Say } from '#lib/words/words'

/** `typed` is a pattern that is not in the list yet. */
export type WebhookDraft = {
  name: string
  url: string
  events: readonly string[]
  typed: string
  active: boolean
}

export type WebhookField = 'name' | 'url' | 'events'

export const emptyWebhook: WebhookDraft = { name: '', url: '', events: [], typed: '', active: true }

export const draftOf = ({ name, url, events, active }: WebhookDocument): WebhookDraft => ({
  name,
  url,
  events,
  typed: '',
  active,
})

/** The body to send. A typed pattern counts even without Enter. */
export const sentWebhook = ({ name, url, events, typed, active }: WebhookDraft): WebhookInput => ({
  name: name.trim(),
  url: url.trim(),
  events: [...new Set([...events, ...(typed.trim() === '' ? [] : [typed.trim()])])],
  active,
})

export const isPattern = (text: string): boolean => webhookInput.shape.events.safeParse([text]).success

/** The faults of the draft, by field. */
export function checkWebhook(
  say: Say<'webhooks.form'>,
  sayText: Say<'forms.faults'>,
  draft: WebhookDraft,
): FieldErrors<WebhookField> {
  const { name, url, events } = sentWebhook(draft)
  const wrong = events.find((text) => !isPattern(text))
  return {
    ...textFaults(sayText, webhookInput, { name }),
    ...(!webhookInput.shape.url.safeParse(url).success && { url: say('noAddress') }),
    ...(events.length === 0 && { events: say('noEvents') }),
    ...(wrong !== undefined && { events: say('noPattern', { text: wrong }) }),
  }
}
