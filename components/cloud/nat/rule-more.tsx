import { useTranslations } from 'use-intl'
import { z } from 'zod'
import { DeclaredFields, More } from '#components/base/forms/declared-fields'
import { type Around, type DraftOf, resourceForm } from '#components/base/forms/declared-form'
import { end } from '#components/base/forms/ends-field'
import { noteFields } from '#components/base/forms/note-fields'
import type { FormFields } from '#components/base/forms/use-resource-form'
import { noted } from '#lib/caller/kinds/notes.schema'
import { ends } from '#lib/ground/http/ends.schema'

/** Besides its translation, a new rule may have notes and an end. */
export const moreOfRule = resourceForm(z.object({ ...noted, ends }), {
  ...noteFields,
  ends: { as: end, label: 'ends.disabledAt', wrong: 'ends.wrong' },
})

type Draft = DraftOf<typeof moreOfRule.fields>

type MoreProps = { form: Around<Draft> & Pick<FormFields<Draft, keyof Draft>, 'errors'> }

/** Most rules have neither. */
export function MoreOfRule({ form }: MoreProps) {
  const say = useTranslations('nat.rule')
  const { draft, errors, change } = form
  const field = <Name extends keyof Draft>(name: Name) => ({
    value: draft[name],
    error: errors[name],
    onChange: (value: Draft[Name]) => change({ [name]: value }),
  })
  return (
    <More title={say('more')} isAtFault={Boolean(errors.description || errors.tags || errors.ends)}>
      <DeclaredFields of={moreOfRule} form={{ ...form, field }} />
    </More>
  )
}
