import DatePicker from '@cloudscape-design/components/date-picker'
import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { NetworksField } from '#components/base/forms/networks-field'
import { ResourceForm } from '#components/base/forms/resource-form'
import { TextField } from '#components/base/forms/text-field'
import { type FormFields, useResourceForm } from '#components/base/forms/use-resource-form'
import { paths } from '#components/base/screens/paths'
import { Card } from '#components/frame/layout/card'
import { Page } from '#components/frame/layout/page'
import { PrivilegeMatrix } from '#components/people/roles/privilege-matrix'
import type { Privilege } from '#lib/caller/auth/privileges'
import { useOnce } from '#lib/client/once'
import { makeToken } from '#lib/people/access-tokens/access-tokens.queries'
import type { AccessTokenDocument } from '#lib/people/access-tokens/access-tokens.schema'
import {
  checkToken,
  emptyToken,
  endAfter,
  isPossibleEnd,
  lifetimes,
  sentToken,
  type TokenDraft,
  type TokenField,
} from './token-draft'
import { useCrumbs, useGrantable, useOwner } from './use-owner'

/** Makes a token of one's own, or of the service account in the address. */
export function Component() {
  const say = useTranslations('accessTokens')
  const place = useOwner()
  const grantable = useGrantable(place)
  return (
    <Page title={say('create')} breadcrumbs={useCrumbs(place)} maxContentWidth={1000}>
      {grantable ? <TokenForm place={place} grantable={grantable} /> : <Waiting read={place.read} boxed />}
    </Page>
  )
}

type TokenFormProps = { place: ReturnType<typeof useOwner>; grantable: readonly Privilege[] }

function TokenForm({ place: { owner, isOwn, back }, grantable }: TokenFormProps) {
  const say = useTranslations('accessTokens.form')
  const create = useTranslations('accessTokens')('create')
  const sayText = useTranslations('forms.faults')
  const sayNetwork = useTranslations('users.faults')
  const navigate = useNavigate()
  const making = useMutation(makeToken(owner, useOnce()))
  const form = useResourceForm<TokenDraft, AccessTokenDocument, TokenField>({
    first: emptyToken,
    check: (draft) => checkToken({ say, sayText, sayNetwork }, draft),
    names: () => ({ expires: 'expires' }),
    save: ({ draft }) => making.mutateAsync(sentToken(draft, Date.now())),
    done: ({ name }) => say('made', { name }),
    onDone: ({ id }) =>
      void navigate(isOwn ? paths.token(id) : paths.tokenOf(owner.enterprise, owner.id, id), {
        replace: true,
      }),
  })
  return (
    <ResourceForm form={form} label={create} back={back}>
      <Card title={say('use')}>
        <SpaceBetween size="l">
          <NameField {...form} />
          <EndField {...form} />
          <NetworksField
            networks={form.draft.allowedCIDRs}
            typed={form.draft.network}
            error={form.errors.allowedCIDRs}
            description={say('networksHint')}
            onChange={form.change}
          />
        </SpaceBetween>
      </Card>
      <LimitFields {...form} grantable={grantable} />
    </ResourceForm>
  )
}

type FieldsProps = FormFields<TokenDraft, TokenField>

function NameField({ field }: FieldsProps) {
  const say = useTranslations('accessTokens.form')
  const label = useTranslations('labels')
  return (
    <TextField
      {...field('name')}
      label={label('name')}
      description={say('nameHint')}
      constraintText={label('uniqueName')}
      ariaRequired
      autoComplete={false}
    />
  )
}

const OTHER = 'other'

function EndField({ draft, errors, change }: FieldsProps) {
  const say = useTranslations('accessTokens.form')
  const format = useFormatter()
  const now = Date.now()
  const choices = lifetimes.map((days) => ({
    value: String(days),
    label: say('days', { days }),
    description: format.dateTime(endAfter(days, now), { dateStyle: 'long' }),
  }))
  const other = { value: OTHER, label: say('otherDay') }
  const options = [...choices, other]
  return (
    <FormField label={say('expires')} description={say('expiresHint')} errorText={errors.expires} stretch>
      <SpaceBetween size="xs">
        <Select
          options={options}
          selectedOption={options.find(({ value }) => value === String(draft.days)) ?? other}
          onChange={({ detail: { selectedOption } }) =>
            change({ days: lifetimes.find((days) => String(days) === selectedOption.value) })
          }
        />
        {draft.days === undefined && (
          <DatePicker
            value={draft.day}
            placeholder="YYYY/MM/DD"
            openCalendarAriaLabel={(day) => (day ? say('chosenDay', { day }) : say('chooseDay'))}
            ariaLabel={say('otherDay')}
            isDateEnabled={(day) => isPossibleEnd(day, now)}
            onChange={({ detail }) => change({ day: detail.value })}
          />
        )}
      </SpaceBetween>
    </FormField>
  )
}

function LimitFields({
  draft,
  errors,
  change,
  grantable,
}: FieldsProps & { grantable: readonly Privilege[] }) {
  const say = useTranslations('accessTokens.form')
  const label = useTranslations('labels')
  return (
    <Card title={label('reach')} description={say('reachHint')}>
      <PrivilegeMatrix
        chosen={draft.privileges}
        base={draft.privileges}
        offered={grantable}
        onChange={(privileges) => change({ privileges })}
        around={(search) => (
          <FormField
            label={label('privileges')}
            description={say('count', { count: draft.privileges.length, all: grantable.length })}
            errorText={errors.privileges}
            stretch
          >
            {search}
          </FormField>
        )}
      />
    </Card>
  )
}
