import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { z } from 'zod'
import { textFaults } from '#components/base/forms/form-faults'
import { ResourceDialog } from '#components/base/forms/resource-form'
import { useResourceForm } from '#components/base/forms/use-resource-form'
import { NamedField } from '#components/base/pickers/named-picker'
import { access } from '#components/base/screens/access'
import { useMay, useSession } from '#components/base/session/session'
import { TextField } from '#components/kit/field'
import { isPrivilege, seesEverything } from '#lib/caller/auth/privileges'
import { useSaveScope } from '#lib/caller/scopes/scopes.queries'
import { scopeFields, scopeInput } from '#lib/caller/scopes/scopes.schema'
import { empty } from '#lib/ground/http/fields.schema'
import type { Named } from '#lib/ground/http/view'
import { useSaveEnterprise } from '#lib/people/identity/enterprises.queries'
import { enterpriseFields, enterpriseInput, roleInput } from '#lib/people/identity/identity.schema'
import { rolePrivilegesQuery, useSaveRole } from '#lib/people/identity/roles.queries'
import { CreateInPlace } from './create-in-place'

/* The dialogs that create a missing item of a picker, with the fields that it needs to be useful. Its own page has the other fields. */

type DialogProps = { onMade: (made: Named) => void; onClose: () => void }

/** `like`: the role whose privileges a new role gets. */
type Draft = { name: string; like: Named | undefined }

const schemas = { enterprise: enterpriseInput, role: roleInput, scope: scopeInput }

type Options = DialogProps & { kind: keyof typeof schemas; save: (draft: Draft) => Promise<Named> }

function useNamedForm({ kind, save, onMade, onClose }: Options) {
  const say = useTranslations('forms.inPlace')
  const sayFault = useTranslations('forms.faults')
  return useResourceForm<Draft, never, keyof Draft, Named>({
    first: { name: '', like: undefined },
    check: ({ name, like }) => {
      const { name: fault } = textFaults<{ name: z.ZodType }>(sayFault, schemas[kind], { name: name.trim() })
      return {
        ...(fault && { name: fault }),
        ...(kind === 'role' && !like && { like: say('role.likeMissing') }),
      }
    },
    save: ({ draft }) => save({ ...draft, name: draft.name.trim() }),
    done: ({ name }) => say(`${kind}.created`, { name }),
    onDone: ({ id, name }) => {
      onMade({ id, name })
      onClose()
    },
  })
}

type NamedDialogProps = {
  kind: Options['kind']
  form: ReturnType<typeof useNamedForm>
  onClose: () => void
  children: ReactNode
}

function NamedDialog({ kind, form, onClose, children }: NamedDialogProps) {
  const label = useTranslations('labels')
  const title = label(
    ({ enterprise: 'createEnterprise', role: 'createRole', scope: 'createScope' } as const)[kind],
  )
  return (
    <ResourceDialog header={title} form={form} onClose={onClose}>
      <TextField
        {...form.field('name')}
        label={label('name')}
        hint={label('uniqueName')}
        autoFocus
        required
        autoComplete="off"
      />
      {children}
    </ResourceDialog>
  )
}

/** An enterprise with the caller's own scope as its default. */
export function NewEnterprise(props: DialogProps) {
  const say = useTranslations('forms.inPlace.enterprise')
  const own = useSession().scope
  const saving = useSaveEnterprise()
  const save = ({ name }: Draft) =>
    saving.mutateAsync({ draft: { ...empty(enterpriseFields), name, scope: undefined } })
  const form = useNamedForm({ ...props, kind: 'enterprise', save })
  return (
    <NamedDialog kind="enterprise" form={form} onClose={props.onClose}>
      <div className="quiet">{say('about', { scope: own.name })}</div>
    </NamedDialog>
  )
}

/** A scope that contains one enterprise, and is below the caller's own scope if that is limited. */
export function NewScope({ enterprise, ...props }: DialogProps & { enterprise: Named }) {
  const say = useTranslations('forms.inPlace.scope')
  const own = useSession().scope
  const creating = useSaveScope()
  const save = ({ name }: Draft) =>
    creating.mutateAsync({
      draft: {
        ...empty(scopeFields),
        name,
        enterprises: [enterprise.id],
        datacenters: [],
        scopeParent: seesEverything(own) ? undefined : own.id,
      },
    })
  const form = useNamedForm({ ...props, kind: 'scope', save })
  return (
    <NamedDialog kind="scope" form={form} onClose={props.onClose}>
      <div className="quiet">{say('about', { enterprise: enterprise.name })}</div>
    </NamedDialog>
  )
}

/** A role with the privileges of another, limited to those that the user may grant. */
export function NewRole(props: DialogProps) {
  const say = useTranslations('forms.inPlace.role')
  const client = useQueryClient()
  const { enterprise, scope, privileges } = useSession()
  const saving = useSaveRole()
  const save = async ({ name, like }: Draft) => {
    const granted = await client.query(rolePrivilegesQuery(like?.id ?? 0))
    const names = granted.map((one) => one.name).filter(isPrivilege)
    return saving.mutateAsync({
      draft: {
        name,
        enterprise: scope.allEnterprises ? undefined : enterprise.id,
        scope: undefined,
        privilege: names.filter((one) => privileges.includes(one)),
      },
    })
  }
  const form = useNamedForm({ ...props, kind: 'role', save })
  return (
    <NamedDialog kind="role" form={form} onClose={props.onClose}>
      <NamedField {...form.field('like')} kind="role" label={say('like')} hint={say('likeWhat')} required />
    </NamedDialog>
  )
}

type CreatingProps = { disabled?: boolean; onMade: (made: Named) => void; children: ReactNode }

/** Puts a button that creates an enterprise below the picker of enterprises. */
export function CreatingEnterprise({ disabled = false, onMade, children }: CreatingProps) {
  const say = useTranslations('forms.inPlace.enterprise')
  const may = useMay(...access.manageEnterprises)
  return (
    <CreateInPlace
      label={say('create')}
      mayCreate={may && !disabled}
      dialog={(onClose) => <NewEnterprise onMade={onMade} onClose={onClose} />}
    >
      {children}
    </CreateInPlace>
  )
}

/** The same for roles. */
export function CreatingRole({ disabled = false, onMade, children }: CreatingProps) {
  const say = useTranslations('forms.inPlace.role')
  const may = useMay(...access.manageRoles)
  return (
    <CreateInPlace
      label={say('create')}
      mayCreate={may && !disabled}
      dialog={(onClose) => <NewRole onMade={onMade} onClose={onClose} />}
    >
      {children}
    </CreateInPlace>
  )
}

/** The same for scopes. The new one contains this enterprise, by default the caller's own. */
export function CreatingScope({
  disabled = false,
  enterprise,
  onMade,
  children,
}: CreatingProps & { enterprise?: Named | undefined }) {
  const say = useTranslations('forms.inPlace.scope')
  const own = useSession().enterprise
  const may = useMay(...access.manageScopes)
  return (
    <CreateInPlace
      label={say('create')}
      mayCreate={may && !disabled}
      dialog={(onClose) => <NewScope enterprise={enterprise ?? own} onMade={onMade} onClose={onClose} />}
    >
      {children}
    </CreateInPlace>
  )
}
