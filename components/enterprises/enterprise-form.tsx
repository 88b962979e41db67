import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Form from '@cloudscape-design/components/form'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Toggle from '@cloudscape-design/components/toggle'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { access } from '#components/access'
import { Conflict } from '#components/forms/conflict'
import { Failure } from '#components/forms/failure'
import { useFlash } from '#components/forms/flash'
import { LeaveGuard } from '#components/forms/leave-guard'
import { useNeeds } from '#components/forms/reasons'
import { useResourceForm } from '#components/forms/use-resource-form'
import { useFollow } from '#components/layout/app-link'
import { paths } from '#components/paths'
import { useMay, useSession } from '#components/session/session'
import { NamedPicker, useMayPick } from '#components/users/named-picker'
import type { Tagged } from '#lib/client/resources.queries'
import { useSaveEnterprise } from '#lib/identity/enterprises.queries'
import type { EnterpriseDocument } from '#lib/identity/identity.schema'
import type { Found, Named } from '#lib/identity/pickers.queries'
import { usersQuery } from '#lib/identity/users.queries'
import type { Say } from '#lib/words/words'
import {
  checkEnterprise,
  draftOfEnterprise,
  type EnterpriseDraft,
  type EnterpriseField,
  emptyEnterprise,
  fieldOfEnterpriseFault,
  sentEnterprise,
} from './enterprise-draft'

type EnterpriseFormProps = {
  /** The newest that is known of the enterprise to change. */
  current?: Tagged<EnterpriseDocument>
  /** Reads it anew. */
  refresh?: () => Promise<unknown>
}

const nothingToRead = () => Promise.resolve()

/** Creates an enterprise, or changes one. */
export function EnterpriseForm({ current, refresh = nothingToRead }: EnterpriseFormProps) {
  const say = useTranslations('enterprises.form')
  const sayText = useTranslations('datacenters.faults')
  const sayLeave = useTranslations('users.form')
  const navigate = useNavigate()
  const notify = useFlash()
  const saving = useSaveEnterprise()
  const form = useResourceForm<EnterpriseDraft, EnterpriseDocument, EnterpriseField>({
    first: current ? draftOfEnterprise(current.document) : emptyEnterprise,
    current,
    refresh,
    draftOf: draftOfEnterprise,
    check: (draft) => checkEnterprise(draft, sayText),
    fieldOf: fieldOfEnterpriseFault,
    save: ({ draft, current: over }) =>
      saving.mutateAsync({ draft: sentEnterprise(draft), ...(over && { current: over }) }),
    onSaved: ({ id, name }) => {
      notify({ type: 'success', content: say('saved', { enterprise: name }) })
      void navigate(paths.enterprise(id))
    },
  })
  const { draft, errors, change } = form
  const id = current?.document.id
  return (
    <form ref={form.ref} onSubmit={form.submit} noValidate>
      <Form actions={<Actions id={id} isSaving={form.isSaving} isBlocked={form.conflict} />}>
        <SpaceBetween size="l">
          {form.conflict && current && (
            <Conflict
              theirs={theirFacts(say, draftOfEnterprise(current.document))}
              isSaving={form.isSaving}
              onKeepMine={form.saveMine}
              onTakeTheirs={form.takeTheirs}
            />
          )}
          {form.failure && <Failure error={form.failure} />}
          <Container>
            <SpaceBetween size="l">
              <FormField label={say('name')} constraintText={say('nameHint')} errorText={errors.name} stretch>
                <Input
                  value={draft.name}
                  ariaRequired
                  autoComplete={false}
                  onChange={({ detail }) => change({ name: detail.value })}
                />
              </FormField>
              <ScopeField
                isNew={id === undefined}
                scope={draft.scope}
                error={errors.scope}
                onChange={(scope) => change({ scope })}
              />
              <FormField label={say('twoFactor')} stretch>
                <Toggle
                  checked={draft.isTwoFactorMandatory}
                  description={
                    <>
                      {say('mandatoryHint')}{' '}
                      {id !== undefined && draft.isTwoFactorMandatory && !form.base.isTwoFactorMandatory && (
                        <Affected enterprise={id} />
                      )}
                    </>
                  }
                  onChange={({ detail }) => change({ isTwoFactorMandatory: detail.checked })}
                >
                  {say('mandatory')}
                </Toggle>
              </FormField>
            </SpaceBetween>
          </Container>
        </SpaceBetween>
      </Form>
      <LeaveGuard loses={form.loses} header={sayLeave('leaveTitle')}>
        {sayLeave('leaveText')}
      </LeaveGuard>
    </form>
  )
}

const theirFacts = (say: Say<'enterprises.form'>, { name, isTwoFactorMandatory, scope }: EnterpriseDraft) => [
  { label: say('name'), value: name },
  { label: say('scope'), value: scope?.name ?? '–' },
  { label: say('twoFactor'), value: say(isTwoFactorMandatory ? 'mandatory' : 'notMandatory') },
]

type ScopeFieldProps = {
  isNew: boolean
  scope: Named | undefined
  error: ReactNode
  onChange: (scope: Named | undefined) => void
}

function ScopeField({ isNew, scope, error, onChange }: ScopeFieldProps) {
  const say = useTranslations('enterprises.form')
  const sayUser = useTranslations('users.form')
  const needs = useNeeds()
  const own = useSession().scope
  const mayPick = useMayPick('scope')
  const refusalOf = ({ automaticAddEnterprise, automaticAddDatacenter }: Found) =>
    (automaticAddEnterprise && !own.allEnterprises) || (automaticAddDatacenter && !own.allDatacenters)
      ? sayUser('wider')
      : undefined
  return (
    <FormField
      label={say('scope')}
      description={mayPick ? say('scopeHint') : needs('USERS_VIEW_PRIVILEGES')}
      errorText={error}
      stretch
    >
      <NamedPicker
        kind="scope"
        value={scope}
        disabled={!mayPick}
        {...(isNew && { none: { label: say('ownScope', { scope: own.name }) } })}
        refusalOf={refusalOf}
        onChange={onChange}
      />
    </FormField>
  )
}

/** How many users a new duty meets. */
function Affected({ enterprise }: { enterprise: number }) {
  const say = useTranslations('enterprises.form')
  const maySee = useMay(...access.users)
  const without = useQuery({ ...usersQuery(enterprise, { twofactor: false, limit: 1 }), enabled: maySee })
  return without.data && say('mandatoryUsers', { count: without.data.totalSize })
}

type ActionsProps = { id: number | undefined; isSaving: boolean; isBlocked: boolean }

function Actions({ id, isSaving, isBlocked }: ActionsProps) {
  const say = useTranslations('enterprises.form')
  const sayCommon = useTranslations('common')
  const follow = useFollow()
  const back = id === undefined ? paths.enterprises() : paths.enterprise(id)
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button variant="link" href={back} onFollow={follow}>
        {sayCommon('cancel')}
      </Button>
      <Button
        variant="primary"
        loading={isSaving}
        loadingText={say('saving')}
        disabled={isBlocked}
        disabledReason={say('decideFirst')}
      >
        {id === undefined ? say('create') : sayCommon('save')}
      </Button>
    </SpaceBetween>
  )
}
