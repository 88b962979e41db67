import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { type FieldKind, type InputProps, resourceForm } from '#components/base/forms/declared-form'
import { FormOnPage } from '#components/base/forms/declared-screens'
import { Waiting } from '#components/base/forms/failure'
import { textLine } from '#components/base/forms/field-kinds'
import { networks } from '#components/base/forms/networks-field'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { Field } from '#components/kit/field'
import { PrivilegeMatrix } from '#components/people/roles/privilege-matrix'
import type { Privilege } from '#lib/caller/auth/privileges'
import { useOnce } from '#lib/client/once'
import { makeToken } from '#lib/people/access-tokens/access-tokens.queries'
import { accessTokenInput } from '#lib/people/access-tokens/access-tokens.schema'
import { tokenEnd } from './token-end'
import { useCrumbs, useGrantable, useOwner } from './use-owner'

const limits: FieldKind<readonly Privilege[], Privilege[]> = {
  Input: Limits,
  send: (names) => [...names],
}

export const tokenForm = resourceForm(accessTokenInput.omit({ oldPassword: true }), {
  name: { as: textLine(), label: 'name', about: NameHint, card: { title: 'accessTokens.form.use' } },
  expires: {
    as: tokenEnd,
    label: 'accessTokens.form.expires',
    about: MailHint,
    wrong: 'accessTokens.form.noDay',
  },
  allowedCIDRs: {
    as: networks,
    label: 'forms.networks.label',
    hint: 'accessTokens.form.networksHint',
    wrong: 'users.faults.network',
  },
  privileges: {
    as: limits,
    label: 'privileges',
    missing: 'accessTokens.form.noPrivilege',
    card: { title: 'reach', about: 'accessTokens.form.reachHint' },
  },
})

/** Makes a token of one's own, or of the service account in the address. */
export function Component() {
  const say = useTranslations('accessTokens')
  const owner = useOwner()
  return (
    <Page title={say('create')} breadcrumbs={useCrumbs(owner)} maxContentWidth={1000}>
      {useGrantable(owner) ? <TokenForm {...owner} /> : <Waiting read={owner.read} boxed />}
    </Page>
  )
}

function TokenForm({ owner, isOwn, back }: ReturnType<typeof useOwner>) {
  const say = useTranslations('accessTokens')
  const making = useMutation(makeToken(owner, useOnce()))
  return (
    <FormOnPage
      of={tokenForm}
      label={say('create')}
      back={back}
      save={({ draft }) => making.mutateAsync(draft)}
      done={({ name }) => say('form.made', { name })}
      href={({ id }) => (isOwn ? paths.token(id) : paths.tokenOf(owner.enterprise, owner.id, id))}
      replaces
    />
  )
}

/** A mail comes only where there is a mail server. */
function MailHint() {
  const say = useTranslations('accessTokens.form')
  return useSession().twoFactorProviders.includes('EMAIL') ? say('expiresHint') : null
}

function NameHint() {
  const say = useTranslations('accessTokens.form')
  const label = useTranslations('labels')
  return `${say('nameHint')} ${label('uniqueName')}`
}

/** At first none is chosen. */
function Limits({ label, error, value, onChange }: InputProps<readonly Privilege[]>) {
  const say = useTranslations('accessTokens.form')
  const grantable = useGrantable(useOwner()) ?? []
  return (
    <PrivilegeMatrix
      chosen={value}
      base={value}
      offered={grantable}
      onChange={onChange}
      around={(search) => (
        <Field
          role="group"
          label={label}
          hint={say('count', { count: value.length, all: grantable.length })}
          error={error}
        >
          {() => search}
        </Field>
      )}
    />
  )
}
