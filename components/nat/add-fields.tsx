import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Tiles from '@cloudscape-design/components/tiles'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { natNetworkPickerQuery } from '#lib/nat/pickers.queries'
import { type AddField, mostAtOnce } from './add-draft'
import { ResourcePicker } from './resource-picker'
import type { useAddIps } from './use-add-ips'

type AddFieldsProps = { datacenter: number; add: ReturnType<typeof useAddIps>; isNetworkFixed: boolean }

const modes = ['lowest', 'address', 'range'] as const

/** Which IPs, and in what state they come. */
export function AddFields({ datacenter, add, isNetworkFixed }: AddFieldsProps) {
  const say = useTranslations('nat.add')
  const { draft, change } = add
  const errorOf = useErrorOf(add)
  return (
    <SpaceBetween size="l">
      {!isNetworkFixed && (
        <FormField label={say('network')} errorText={errorOf('network')} stretch>
          <ResourcePicker
            kind="network"
            value={draft.network && { value: String(draft.network.id), label: draft.network.name }}
            pages={(has) => natNetworkPickerQuery(datacenter, has)}
            optionOf={({ id, name, cidr }) => ({ value: String(id), label: name, labelTag: cidr })}
            onChange={({ id, name, cidr }) => change({ network: { id, name, cidr } })}
          />
        </FormField>
      )}
      <FormField label={say('mode')} errorText={errorOf('mode')} stretch>
        <Tiles
          value={draft.mode}
          columns={3}
          items={modes.map((mode) => ({
            value: mode,
            label: say(`modes.${mode}`),
            description: say(`modes.${mode}What`),
          }))}
          onChange={({ detail }) => {
            const mode = modes.find((known) => known === detail.value)
            if (mode) change({ mode })
          }}
        />
      </FormField>
      {draft.mode !== 'lowest' && <AddressField add={add} error={errorOf('ip')} />}
      {draft.mode === 'range' && (
        <FormField
          label={say('count')}
          constraintText={say('countLimit', { most: mostAtOnce })}
          errorText={errorOf('count')}
        >
          <Input
            value={draft.count}
            inputMode="numeric"
            autoComplete={false}
            ariaRequired
            onChange={({ detail }) => change({ count: detail.value.trim() })}
          />
        </FormField>
      )}
      <FormField label={say('state')} stretch>
        <SpaceBetween size="xs">
          <Checkbox
            checked={draft.available}
            description={say('availableWhat')}
            onChange={({ detail }) => change({ available: detail.checked })}
          >
            {say('available')}
          </Checkbox>
          <Checkbox
            checked={draft.quarantine}
            description={say('quarantineWhat')}
            onChange={({ detail }) => change({ quarantine: detail.checked })}
          >
            {say('quarantine')}
          </Checkbox>
        </SpaceBetween>
      </FormField>
    </SpaceBetween>
  )
}

function AddressField({ add: { draft, change }, error }: { add: AddFieldsProps['add']; error: ReactNode }) {
  const say = useTranslations('nat.add')
  const isRange = draft.mode === 'range'
  return (
    <FormField
      label={isRange ? say.rich('from', { optional: (inside) => <i>{inside}</i> }) : say('ip')}
      description={isRange && say('fromWhat')}
      constraintText={draft.network && say('within', { cidr: draft.network.cidr })}
      errorText={error}
    >
      <Input
        value={draft.ip}
        autoComplete={false}
        spellcheck={false}
        ariaRequired={!isRange}
        onChange={({ detail }) => change({ ip: detail.value })}
      />
    </FormField>
  )
}

/** What is wrong with a field: found here, or told by the API. */
function useErrorOf({ draft, problems, refused }: AddFieldsProps['add']) {
  const say = useTranslations('nat.add')
  return (field: AddField) => {
    const problem = problems[field]
    if (problem) return say(problem, { cidr: draft.network?.cidr ?? '', most: mostAtOnce })
    return refused[field]
  }
}
