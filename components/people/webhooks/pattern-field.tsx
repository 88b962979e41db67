import Autosuggest from '@cloudscape-design/components/autosuggest'
import FormField from '@cloudscape-design/components/form-field'
import SpaceBetween from '@cloudscape-design/components/space-between'
import TokenGroup from '@cloudscape-design/components/token-group'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
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
    <FormField
      label={say('events')}
      description={say('eventsHint')}
      constraintText={say('eventsExample')}
      errorText={isWrong ? say('noPattern', { text: typed }) : error}
      stretch
    >
      <SpaceBetween size="xs">
        <Autosuggest
          value={typed}
          placeholder={say('choose')}
          options={suggestions(say, sayEvents).filter(({ value }) => !patterns.includes(value))}
          enteredTextLabel={(text) => say('use', { text })}
          empty={say('noSuggestion')}
          onChange={({ detail }) => onChange({ typed: detail.value })}
          onSelect={({ detail }) => add(detail.value)}
        />
        {patterns.length > 0 && (
          <TokenGroup
            disableOuterPadding
            items={patterns.map((label) => ({ label, dismissLabel: say('removeEvent', { pattern: label }) }))}
            onDismiss={({ detail }) =>
              onChange({ events: patterns.filter((_, index) => index !== detail.itemIndex), typed })
            }
          />
        )}
      </SpaceBetween>
    </FormField>
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

type Suggestion = { value: string; description: string }

const suggestions = (say: Say<'webhooks.form'>, sayEvents: Say<'events'>): Suggestion[] => [
  { value: '*', description: say('allEvents') },
  ...changes.map((action) => ({
    value: `*.${action}`,
    description: say('ofAllKinds', { action: sayEvents(`actions.${action}`) }),
  })),
  ...entityTypes.flatMap((entity) => {
    const kind = sayEvents(`kinds.${entity}`)
    return [
      { value: `${entity}.*`, description: say('allOfKind', { kind }) },
      ...[
        ...changes.map((action) => [entity, action] as const),
        ...others.filter(([of]) => of === entity),
      ].map(([, action]) => ({
        value: `${entity}.${action}`,
        description: say('one', { kind, action: sayEvents(`actions.${action}`) }),
      })),
    ]
  }),
]
