import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Status } from '#components/kit/status'
import type { TableColumn } from '#components/table/table-columns'
import type { EnterpriseDocument, EnterpriseFields } from '#lib/people/identity/identity.schema'
import type { LabelId } from '#lib/words/words'

type Field = keyof EnterpriseFields

type Looks = { [Name in Field]: Look<EnterpriseFields[Name]> }

/** How a field reads. `id` is that of its label and its column. */
type Look<Value> = {
  id: LabelId
  label: string
  /** In a conflict with the change of another user. */
  text: (value: Value) => string
  /** In the list and on the page. By default the text. */
  cell?: (value: Value) => ReactNode
  fact?: (value: Value) => ReactNode
}

/** Every field of an enterprise: the form, the list and the page show no others. */
export function useEnterpriseFields(): Looks {
  const label = useTranslations('labels')
  const say = useTranslations('enterprises')
  const labelled = (id: LabelId) => ({ id, label: label(id) })
  return {
    name: { ...labelled('name'), text: String },
    twoFactorAuthenticationMandatory: {
      ...labelled('twoFactor'),
      text: (isMandatory) => say(isMandatory ? 'form.mandatory' : 'form.notMandatory'),
      cell: (isMandatory) =>
        isMandatory ? (
          <Status kind="good">{say('list.mandatory')}</Status>
        ) : (
          <div className="quiet">{say('list.optional')}</div>
        ),
      fact: (isMandatory) => say(isMandatory ? 'page.twoFactorOn' : 'page.twoFactorOff'),
    },
    description: { ...labelled('description'), text: String },
    tags: { ...labelled('tags'), text: (tags) => tags.join(', ') },
  }
}

/** All but the name, which leads every screen, and the notes, which are the same of every resource. */
const others = ({ name: _, description: __, tags: ___, ...looks }: Looks) =>
  Object.entries(looks as Record<string, Look<never>>) as [Field, Look<never>][]

export const fieldColumns = (looks: Looks): TableColumn<EnterpriseDocument>[] =>
  others(looks).map(([field, { id, text, cell = text }]) => ({
    id,
    cell: (enterprise) => cell(enterprise[field] as never),
  }))

export const fieldFacts = (looks: Looks, enterprise: EnterpriseDocument) =>
  others(looks).map(([field, { label, text, fact = text }]) => ({
    label,
    value: fact(enterprise[field] as never),
  }))
