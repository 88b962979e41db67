import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { NetworksField } from '#components/base/forms/networks-field'
import type { FormFields } from '#components/base/forms/use-resource-form'
import { TextField } from '#components/kit/field'
import { ownSessionsQuery } from '#lib/caller/auth/own-account.queries'
import type { SettingsDraft } from './rule-draft'

/* The fields of a DNAT rule that may change later. */

type FieldsProps = {
  form: Pick<FormFields<SettingsDraft, keyof SettingsDraft>, 'draft' | 'errors' | 'change'>
}

type PortProps = FieldsProps & {
  field: 'originalPort' | 'translatedPort'
  /** Why the ports are not free. */
  taken?: ReactNode
}

export function PortField({ form: { draft, errors, change }, field, taken }: PortProps) {
  const say = useTranslations('nat.rule')
  return (
    <TextField
      value={draft[field]}
      error={taken ?? errors[field]}
      label={say(field)}
      hint={say(field === 'originalPort' ? 'portsWhat' : 'translatedWhat')}
      autoComplete="off"
      placeholder={say('allPorts')}
      onChange={(port) => change({ [field]: port.trim() })}
    />
  )
}

/** The networks whose clients reach the port. */
export function SourcesField({ form: { draft, errors, change } }: FieldsProps) {
  const say = useTranslations('nat.rule')
  const { data: address } = useQuery({
    ...ownSessionsQuery({ limit: 25 }),
    select: ({ collection }) => collection.find(({ current }) => current)?.address,
  })
  return (
    <NetworksField
      value={draft.sources}
      error={errors.sources}
      onChange={(sources) => change({ sources })}
      label={say('sources')}
      hint={
        <>
          {say('sourcesWhat')} {address && say('yourAddress', { address })}
        </>
      }
    />
  )
}
