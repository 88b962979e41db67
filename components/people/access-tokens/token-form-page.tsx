import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { NetworksField } from '#components/base/forms/networks-field'
import { ResourceForm } from '#components/base/forms/resource-form'
import { useDates } from '#components/base/forms/use-dates'
import { type FormFields, useResourceForm } from '#components/base/forms/use-resource-form'
import { paths } from '#components/base/screens/paths'
import { Page } from '#components/frame/layout/page'
import { DateField } from '#components/kit/date-field'
import { Field, TextField } from '#components/kit/field'
import { Card, Stack } from '#components/kit/layout'
import { Select } from '#components/kit/select'
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
        <Stack gap="l">
          <NameField {...form} />
          <EndField {...form} />
          <NetworksField
            networks={form.draft.allowedCIDRs}
            typed={form.draft.network}
            error={form.errors.allowedCIDRs}
            description={say('networksHint')}
            onChange={form.change}
          />
        </Stack>
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
      hint={`${say('nameHint')} ${label('uniqueName')}`}
      required
      autoComplete="off"
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
    text: say('days', { days }),
    about: format.dateTime(endAfter(days, now), { dateStyle: 'long' }),
  }))
  const dates = useDates()
  return (
    <>
      <Select
        label={say('expires')}
        hint={say('expiresHint')}
        error={draft.days !== undefined && errors.expires}
        options={[...choices, { value: OTHER, text: say('otherDay') }]}
        value={draft.days === undefined ? OTHER : String(draft.days)}
        onChange={(chosen) => change({ days: lifetimes.find((days) => String(days) === chosen) })}
      />
      {draft.days === undefined && (
        <DateField
          {...dates}
          label={say('otherDay')}
          error={errors.expires}
          value={draft.day}
          isPossible={(day) => isPossibleEnd(new Date(`${day}T00:00`), now)}
          onChange={(day) => change({ day })}
        />
      )}
    </>
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
    <Card title={label('reach')} about={say('reachHint')}>
      <PrivilegeMatrix
        chosen={draft.privileges}
        base={draft.privileges}
        offered={grantable}
        onChange={(privileges) => change({ privileges })}
        around={(search) => (
          <Field
            role="group"
            label={label('privileges')}
            hint={say('count', { count: draft.privileges.length, all: grantable.length })}
            error={errors.privileges}
          >
            {() => search}
          </Field>
        )}
      />
    </Card>
  )
}
