import { useTranslations } from 'use-intl'
import type { FieldKind, InputProps } from '#components/base/forms/declared-form'
import { useTyped } from '#components/base/forms/use-typed'
import { Stack } from '#components/kit/layout'
import { Suggest } from '#components/kit/suggest'
import { Tokens } from '#components/kit/tokens'
import { webhookInput } from '#lib/people/webhooks/webhooks.schema'
import { entityTypes } from '#lib/record/events/events.schema'
import type { Say } from '#lib/words/words'

const isPattern = (text: string): boolean => webhookInput.shape.events.safeParse([text]).success

const patternsIn = (typed: string) => (typed.trim() === '' ? [] : [typed.trim()])

/** The events that a webhook sends: chosen from suggestions, or typed. */
export const patterns: FieldKind<readonly string[], string[]> = {
  Input: PatternField,
  send: (patterns) => [...new Set(patterns)],
  Text: ({ value }) => value.join(', '),
}

function PatternField({ hint, error, value, onChange }: InputProps<readonly string[]>) {
  const say = useTranslations('webhooks.form')
  const sayEvents = useTranslations('events')
  const { added, typed, type, add, remove } = useTyped(value, onChange, patternsIn)
  const isWrong = typed.includes('.') && !typed.endsWith('.') && !isPattern(typed.trim())
  return (
    <Stack gap="s">
      <Suggest
        label={say('events')}
        hint={
          <>
            {hint} {say('eventsExample')}
          </>
        }
        error={isWrong ? say('noPattern', { text: typed }) : error}
        value={typed}
        placeholder={say('choose')}
        suggestions={suggestions(say, sayEvents).filter(({ text }) => !added.includes(text))}
        onChange={type}
        onChoose={(text) => (isPattern(text.trim()) ? add([text.trim()]) : type(text))}
      />
      {added.length > 0 && (
        <Tokens
          label={say('events')}
          items={added.map((name) => ({ id: name, name }))}
          removeLabel={(pattern) => say('removeEvent', { pattern })}
          onRemove={remove}
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
  ['plan', 'apply-plan'],
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
