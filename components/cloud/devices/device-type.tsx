import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import type { InputProps } from '#components/base/forms/declared-form'
import { Stack } from '#components/kit/layout'
import { Radio } from '#components/kit/radio'
import { Select, type SelectOption } from '#components/kit/select'
import { deviceTypesQuery, LIST_TYPE } from '#lib/cloud/infrastructure/devices.queries'
import type { DeviceTypeDocument } from '#lib/cloud/infrastructure/devices.schema'
import { GATEWAY_TYPE } from '#lib/cloud/infrastructure/devices.schema'
import type { Named } from '#lib/ground/http/view'

/** What a device is for. `carry`: its gateway translates. `list`: the console keeps a list, others configure the device. */
const purposes = ['carry', 'list'] as const
type Purpose = (typeof purposes)[number]

/** The type that a purpose begins with. */
export function typeFor(purpose: Purpose, types: readonly Named[]): Named | undefined {
  const wanted = purpose === 'carry' ? GATEWAY_TYPE : LIST_TYPE
  const type = types.find(({ name }) => name === wanted)
  return type && { id: type.id, name: type.name }
}

/** Types that support NAT come first; others are refused where NAT is needed. */
export const listTypes = (
  types: readonly DeviceTypeDocument[],
  words: { nat: string; noNat: string; refused: string | undefined },
): SelectOption<string>[] =>
  types
    .filter(({ name }) => name !== GATEWAY_TYPE)
    .toSorted((one, other) => Number(other.nat) - Number(one.nat))
    .map(({ id, name, nat }) => ({
      value: String(id),
      text: name,
      about: nat ? words.nat : words.noNat,
      refused: nat ? undefined : words.refused,
    }))

type TypeInputProps = InputProps<Named | undefined>

export const TypeInput = (props: TypeInputProps) => <PurposeInput {...props} needsNat={false} />

export const NatTypeInput = (props: TypeInputProps) => <PurposeInput {...props} needsNat />

function PurposeInput({ label, error, value, onChange, needsNat }: TypeInputProps & { needsNat: boolean }) {
  const say = useTranslations('datacenters.deviceForm')
  const types = useQuery(deviceTypesQuery()).data?.collection ?? []
  const purpose: Purpose = value?.name === GATEWAY_TYPE ? 'carry' : 'list'
  const refused = needsNat ? say('natNeeded') : undefined
  return (
    <Stack>
      <Radio
        label={say('purpose')}
        value={purpose}
        choices={purposes.map((one) => ({
          value: one,
          text: say(`purposes.${one}`),
          about: say(`purposes.${one}About`),
        }))}
        onChange={(chosen) => onChange(typeFor(chosen, types))}
      />
      {purpose === 'list' && (
        <Select
          label={label}
          error={error}
          value={value && String(value.id)}
          options={listTypes(types, { nat: say('nat'), noNat: say('noNat'), refused })}
          placeholder={say('typeChoose')}
          onChange={(chosen) => {
            const type = types.find(({ id }) => String(id) === chosen)
            onChange(type && { id: type.id, name: type.name })
          }}
        />
      )}
    </Stack>
  )
}
