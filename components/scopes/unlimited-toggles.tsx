import FormField from '@cloudscape-design/components/form-field'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Toggle from '@cloudscape-design/components/toggle'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useSession } from '#components/session/session'
import type { ScopeDraft } from './scope-draft'

type UnlimitedTogglesProps = {
  draft: ScopeDraft
  /** What was unlimited before may stay so. */
  base: ScopeDraft
  error: ReactNode
  onChange: (change: Partial<ScopeDraft>) => void
}

/** In what a scope is unlimited; nobody makes one wider than the own. */
export function UnlimitedToggles({ draft, base, error, onChange }: UnlimitedTogglesProps) {
  const say = useTranslations('scopes')
  const own = useSession().scope
  const mayEnterprises = own.allEnterprises || base.allEnterprises
  const mayDatacenters = own.allDatacenters || base.allDatacenters
  const refusal = limitOf(mayEnterprises, mayDatacenters)
  return (
    <FormField
      label={say('form.unlimited')}
      description={refusal && say(`rules.${refusal}`)}
      errorText={error}
      stretch
    >
      <SpaceBetween size="xs">
        <Toggle
          checked={draft.allEnterprises}
          disabled={!mayEnterprises}
          description={say('kinds.ENTERPRISE.everything')}
          onChange={({ detail }) => onChange({ allEnterprises: detail.checked })}
        >
          {say('marks.enterprises')}
        </Toggle>
        <Toggle
          checked={draft.allDatacenters}
          disabled={!mayDatacenters}
          description={say('kinds.DATACENTER.everything')}
          onChange={({ detail }) => onChange({ allDatacenters: detail.checked })}
        >
          {say('marks.datacenters')}
        </Toggle>
      </SpaceBetween>
    </FormField>
  )
}

function limitOf(mayEnterprises: boolean, mayDatacenters: boolean) {
  if (mayEnterprises && mayDatacenters) return undefined
  if (mayEnterprises) return 'limitedInDatacenters'
  return mayDatacenters ? 'limitedInEnterprises' : 'limitedInBoth'
}
