import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Stack } from '#components/kit/layout'
import { Suggest } from '#components/kit/suggest'
import { TextArea } from '#components/kit/text-area'
import { Tokens } from '#components/kit/tokens'
import { noted } from '#lib/caller/kinds/notes.schema'
import { isNamed } from '#lib/caller/kinds/tag-names'
import { tagsQuery } from '#lib/state/search/tags.queries'
import type { TagDocument } from '#lib/state/search/tags.schema'
import type { FieldKind, InputProps } from './declared-form'
import { useTyped } from './use-typed'

/* The description and the tags of a resource, in every form. */

/** Several lines of text. */
const lines: FieldKind<string> = {
  Input: ({ label, hint, error, value, onChange }) => (
    <TextArea label={label} hint={hint} error={error} rows={3} value={value} onChange={onChange} />
  ),
  send: (text) => text.trim(),
  Text: ({ value }) => {
    const none = useTranslations('common')('none')
    return value || none
  },
}

const tags: FieldKind<readonly string[], string[]> = {
  Input: TagsField,
  send: (names) => names.map((name) => name.trim()),
  Members: ({ value }) => value.join(', '),
}

export const tagsField = {
  tags: { as: tags, label: 'tags', wrong: 'forms.tags.wrong' },
} as const

export const noteFields = {
  description: { as: lines, label: 'description' },
  ...tagsField,
} as const

const typedTag = (typed: string) => (typed.trim() === '' ? [] : [typed.trim()])

type TagsFieldProps = Pick<
  InputProps<readonly string[]>,
  'label' | 'hint' | 'error' | 'value' | 'onChange'
> & {
  /** The suggestions, which open with the field. Without them, the tags that are in use anywhere. */
  known?: readonly Pick<TagDocument, 'name' | 'count'>[] | undefined
  autoFocus?: boolean
}

/** Tags in use are suggested; any other can be typed. */
export function TagsField({ label, hint, error, value, onChange, known, autoFocus }: TagsFieldProps) {
  const say = useTranslations('forms.tags')
  const { added, typed, type, add, remove } = useTyped(value, onChange, typedTag)
  const found = useQuery({ ...tagsQuery(typed), enabled: !known && typed.trim() !== '' })
  const suggestions = (known ?? found.data?.collection ?? []).filter(({ name }) => !isNamed(added, name))
  return (
    <Stack gap="s">
      <Suggest
        label={String(label)}
        hint={hint ?? say('hint')}
        error={error}
        value={typed}
        opensOnFocus={known !== undefined}
        autoFocus={autoFocus ?? false}
        suggestions={suggestions.map(({ name, count }) => ({ text: name, about: say('count', { count }) }))}
        onChange={type}
        onChoose={(name) =>
          noted.tags.safeParse([...added, name]).success ? add([name.trim()]) : type(name)
        }
      />
      {added.length > 0 && (
        <Tokens
          label={String(label)}
          items={added.map((name) => ({ id: name, name }))}
          removeLabel={(tag) => say('remove', { tag })}
          onRemove={remove}
        />
      )}
    </Stack>
  )
}
