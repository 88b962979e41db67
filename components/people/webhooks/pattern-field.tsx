import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Stack } from '#components/kit/layout'
import { Suggest } from '#components/kit/suggest'
import { Tokens } from '#components/kit/tokens'
import { entityTypes } from '#lib/record/events/events.schema'
import type { Say } from '#lib/words/words'
import { isPattern } from './webhook-draft'

type PatternFieldProps = {
  patterns: readonly string[]
  /** Typed text that is not in the list yet. */
  typed: string
  error: ReactNode
  onChange: (changes: { events?: readonly string[]; typed: string }) => void
}

/** The events that a webhook sends: chosen from suggestions, or typed. */
export function PatternField({ patterns, typed, error, onChange }: PatternFieldProps) {
  const say = useTranslations('webhooks.form')
  const sayEvents = useTranslations('events')
  const add = (text: string) => {
    const pattern = text.trim()
    if (isPattern(pattern)) onChange({ events: [...new Set([...patterns, pattern])], typed: '' })
    else onChange({ typed: text })
  }
  const isWrong = typed.includes('.') && !typed.endsWith('.') && !isPattern(typed.trim())
  return (
    <Stack gap="s">
      <Suggest
        label={say('events')}
        hint={`${say('eventsHint')} ${say('eventsExample')}`}
        error={isWrong ? say('noPattern', { text: typed }) : error}
        value={typed}
        placeholder={say('choose')}
        suggestions={suggestions(say, sayEvents).filter(({ text }) => !patterns.includes(text))}
        onChange={(text) => onChange({ typed: text })}
        onChoose={add}
      />
      {patterns.length > 0 && (
        <Tokens
          label={say('events')}
          items={patterns.map((name) => ({ id: name, name }))}
          removeLabel={(pattern) => say('removeEvent', { pattern })}
          onRemove={(gone) => onChange({ events: patterns.filter((pattern) => pattern !== gone), typed })}
        />
      )}
    </Stack>
  )
}

const changes = ['create', 'update', 'delete'] as const

/** Further actions that programs often wait for. */
const others = [
  ['natip', 'attach'],
  ['natip', 'release'],
  ['user', 'sign-in'],
  ['user', 'sign-in-refused'],
  ['user', 'lock'],
  ['webhook', 'stop'],
] as const

type Suggestion = { text: string; about: string }

const suggestions = (say: Say<'webhooks.form'>, sayEvents: Say<'events'>): Suggestion[] => [
  { text: '*', about: say('allEvents') },
  ...changes.map((action) => ({
    text: `*.${action}`,
    about: say('ofAllKinds', { action: sayEvents(`actions.${action}`) }),
  })),
  ...entityTypes.flatMap((entity) => {
    const kind = sayEvents(`kinds.${entity}`)
    return [
      { text: `${entity}.*`, about: say('allOfKind', { kind }) },
      ...[
        ...changes.map((action) => [entity, action] as const),
        ...others.filter(([of]) => of === entity),
      ].map(([, action]) => ({
        text: `${entity}.${action}`,
        about: say('one', { kind, action: sayEvents(`actions.${action}`) }),
      })),
    ]
  }),
]
