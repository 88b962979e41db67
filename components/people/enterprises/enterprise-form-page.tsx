import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Toggle from '@cloudscape-design/components/toggle'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { textFaults } from '#components/base/forms/form-faults'
import { useId } from '#components/base/forms/ids'
import { ResourceForm } from '#components/base/forms/resource-form'
import { TextField } from '#components/base/forms/text-field'
import { type FormFields, type Read, useResourceForm } from '#components/base/forms/use-resource-form'
import { RequiredPrivilege } from '#components/base/forms/why'
import { CreatingScope } from '#components/base/in-place/named-dialogs'
import { NamedField, useMayPick, useScopeRefusal } from '#components/base/pickers/named-picker'
import { access } from '#components/base/screens/access'
import { paths } from '#components/base/screens/paths'
import { useMay, useSession } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { useFresh } from '#lib/client/resources.queries'
import { empty, type Texts, textsOf, trimmed } from '#lib/ground/http/fields.schema'
import { type Named, namedBy } from '#lib/ground/http/view'
import {
  enterpriseQuery,
  type EnterpriseDraft as SentDraft,
  useSaveEnterprise,
} from '#lib/people/identity/enterprises.queries'
import {
  type EnterpriseDocument,
  type EnterpriseFields,
  enterpriseFields,
  enterpriseInput,
} from '#lib/people/identity/identity.schema'
import { usersQuery } from '#lib/people/identity/users.queries'
import { useEnterpriseFields } from './enterprise-fields'

type EnterpriseDraft = EnterpriseFields & { scope: Named | undefined }

type EnterpriseField = keyof EnterpriseDraft

const emptyEnterprise: EnterpriseDraft = { ...empty(enterpriseFields), scope: undefined }

const draftOfEnterprise = ({ id: _, links, ...fields }: EnterpriseDocument): EnterpriseDraft => ({
  ...fields,
  scope: namedBy({ links }, 'scope'),
})

const sentEnterprise = ({ scope, ...fields }: EnterpriseDraft): SentDraft => ({
  ...trimmed(fields),
  scope: scope?.id,
})

const readable = 800

export function Component() {
  const id = useId('enterprise')
  return id === 0 ? <NewEnterprise /> : <EditEnterprise key={id} id={id} />
}

function NewEnterprise() {
  const say = useTranslations('enterprises')
  const label = useTranslations('labels')
  return (
    <Page
      title={label('createEnterprise')}
      breadcrumbs={[{ text: say('list.title'), href: paths.enterprises() }]}
      maxContentWidth={readable}
    >
      <EnterpriseForm />
    </Page>
  )
}

function EditEnterprise({ id }: { id: number }) {
  const say = useTranslations('enterprises')
  const read = useFresh(enterpriseQuery(id))
  const name = read.data?.document.name ?? say('page.unknown', { id: String(id) })
  return (
    <Page
      title={say('form.edit', { enterprise: name })}
      breadcrumbs={[
        { text: say('list.title'), href: paths.enterprises() },
        { text: name, href: paths.enterprise(id) },
      ]}
      maxContentWidth={readable}
    >
      {read.data ? <EnterpriseForm read={read} /> : <Waiting read={read} boxed />}
    </Page>
  )
}

/** Creates an enterprise, or changes one. */
function EnterpriseForm({ read }: { read?: Read<EnterpriseDocument> }) {
  const say = useTranslations('enterprises.form')
  const label = useTranslations('labels')
  const sayText = useTranslations('forms.faults')
  const navigate = useNavigate()
  const saving = useSaveEnterprise()
  const fields = useEnterpriseFields()
  const form = useResourceForm<EnterpriseDraft, EnterpriseDocument, EnterpriseField>({
    first: emptyEnterprise,
    editing: {
      read,
      draftOf: draftOfEnterprise,
      shown: {
        ...fields,
        scope: { label: say('scope'), text: (scope) => scope?.name ?? '–' },
      },
    },
    check: (draft) => textFaults(sayText, enterpriseInput, sentEnterprise(draft)),
    save: ({ draft, ...over }) => saving.mutateAsync({ draft: sentEnterprise(draft), ...over }),
    done: ({ name }) => say('saved', { enterprise: name }),
    onDone: ({ id }) => void navigate(paths.enterprise(id)),
  })
  const { draft, change } = form
  const id = read?.data?.document.id
  const inputs: Record<Exclude<keyof EnterpriseFields, Texts<typeof enterpriseFields>>, ReactNode> = {
    twoFactorAuthenticationMandatory: (
      <FormField label={label('twoFactor')} stretch>
        <Toggle
          checked={draft.twoFactorAuthenticationMandatory}
          description={
            <>
              {say('mandatoryHint')}{' '}
              {id !== undefined &&
                draft.twoFactorAuthenticationMandatory &&
                !form.base.twoFactorAuthenticationMandatory && <Affected enterprise={id} />}
            </>
          }
          onChange={({ detail }) => change({ twoFactorAuthenticationMandatory: detail.checked })}
        >
          {say('mandatory')}
        </Toggle>
      </FormField>
    ),
  }
  return (
    <ResourceForm
      form={form}
      label={id === undefined ? label('createEnterprise') : undefined}
      back={id === undefined ? paths.enterprises() : paths.enterprise(id)}
    >
      <Container>
        <SpaceBetween size="l">
          {textsOf(enterpriseFields).map((name) => (
            <TextField
              key={name}
              {...form.field(name)}
              label={fields[name].label}
              constraintText={fields[name].hint}
              ariaRequired={!enterpriseFields[name].safeParse('').success}
              autoComplete={false}
            />
          ))}
          <ScopeField {...form} isNew={id === undefined} />
          {Object.entries(inputs).map(([name, input]) => (
            <Fragment key={name}>{input}</Fragment>
          ))}
        </SpaceBetween>
      </Container>
    </ResourceForm>
  )
}

type ScopeFieldProps = FormFields<EnterpriseDraft, EnterpriseField> & { isNew: boolean }

function ScopeField({ field, change, isNew }: ScopeFieldProps) {
  const say = useTranslations('enterprises.form')
  const own = useSession().scope
  const mayPick = useMayPick('scope')
  return (
    <NamedField
      {...field('scope')}
      kind="scope"
      label={say('scope')}
      description={mayPick ? say('scopeHint') : <RequiredPrivilege privilege="USERS_VIEW_PRIVILEGES" />}
      disabled={!mayPick}
      {...(isNew && { none: { label: say('ownScope', { scope: own.name }) } })}
      refusalOf={useScopeRefusal()}
      around={(picker) => (
        <CreatingScope disabled={!mayPick} onMade={(scope) => change({ scope })}>
          {picker}
        </CreatingScope>
      )}
    />
  )
}

/** The number of users who would have to enrol. */
function Affected({ enterprise }: { enterprise: number }) {
  const say = useTranslations('enterprises.form')
  const maySee = useMay(...access.users)
  const without = useQuery({
    ...usersQuery(enterprise, { twofactor: false, service: false, limit: 1 }),
    enabled: maySee,
  })
  return without.data && say('mandatoryUsers', { count: without.data.totalSize })
}
