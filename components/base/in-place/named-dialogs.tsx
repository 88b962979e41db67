import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { resourceForm } from '#components/base/forms/declared-form'
import { FormInDialog, type MadeProps } from '#components/base/forms/declared-screens'
import { linked, textLine } from '#components/base/forms/field-kinds'
import { NamedField } from '#components/base/pickers/named-picker'
import { access } from '#components/base/screens/access'
import { useMay, useSession } from '#components/base/session/session'
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

const name = { as: textLine(), label: 'name', hint: 'uniqueName' } as const

const enterpriseForm = resourceForm(enterpriseInput.pick({ name: true }), { name })
const scopeForm = resourceForm(scopeInput.pick({ name: true }), { name })

/** `like`: the role whose privileges a new role gets. */
const roleForm = resourceForm(roleInput.pick({ name: true }), {
  name,
  like: {
    as: {
      ...linked,
      Input: ({ form: _, autoFocus: __, ...field }) => <NamedField {...field} kind="role" />,
    },
    label: 'forms.inPlace.role.like',
    hint: 'forms.inPlace.role.likeWhat',
    missing: 'forms.inPlace.role.likeMissing',
  },
})

/** An enterprise with the caller's own scope as its default. */
export function NewEnterprise(props: MadeProps<Named>) {
  const say = useTranslations('forms.inPlace.enterprise')
  const label = useTranslations('labels')
  const own = useSession().scope
  const saving = useSaveEnterprise()
  return (
    <FormInDialog
      {...props}
      of={enterpriseForm}
      title={label('createEnterprise')}
      save={({ draft: { name } }) =>
        saving.mutateAsync({ draft: { ...empty(enterpriseFields), name, scope: undefined } })
      }
      done={({ name }) => say('created', { name })}
    >
      <div className="quiet">{say('about', { scope: own.name })}</div>
    </FormInDialog>
  )
}

type NewScopeProps = MadeProps<Named> & {
  enterprise: Named
  /** Of the new scope, too. */
  datacenter?: Named | undefined
  /** Suggested. */
  name?: string
}

/** A scope that contains one enterprise, and is below the caller's own scope if that is limited. */
export function NewScope({ enterprise, datacenter, name = '', ...props }: NewScopeProps) {
  const say = useTranslations('forms.inPlace.scope')
  const label = useTranslations('labels')
  const own = useSession().scope
  const saving = useSaveScope()
  const beside = {
    ...empty(scopeFields),
    enterprises: [enterprise.id],
    datacenters: datacenter ? [datacenter.id] : [],
    scopeParent: seesEverything(own) ? undefined : own.id,
  }
  return (
    <FormInDialog
      {...props}
      of={scopeForm}
      first={{ name }}
      title={label('createScope')}
      save={({ draft: { name } }) => saving.mutateAsync({ draft: { ...beside, name } })}
      done={({ name }) => say('created', { name })}
    >
      <div className="quiet">
        {datacenter
          ? say('aboutBoth', { enterprise: enterprise.name, datacenter: datacenter.name })
          : say('about', { enterprise: enterprise.name })}{' '}
        {say('why', { enterprise: enterprise.name })}
      </div>
    </FormInDialog>
  )
}

/** A role with the privileges of another, limited to those that the user may grant. */
export function NewRole(props: MadeProps<Named>) {
  const say = useTranslations('forms.inPlace.role')
  const label = useTranslations('labels')
  const client = useQueryClient()
  const { enterprise, scope, privileges } = useSession()
  const saving = useSaveRole()
  return (
    <FormInDialog
      {...props}
      of={roleForm}
      title={label('createRole')}
      save={async ({ draft: { name, like } }) => {
        const granted = await client.query(rolePrivilegesQuery(like ?? 0))
        const names = granted.map((one) => one.name).filter(isPrivilege)
        return saving.mutateAsync({
          draft: {
            name,
            enterprise: scope.allEnterprises ? undefined : enterprise.id,
            scope: undefined,
            privilege: names.filter((one) => privileges.includes(one)),
          },
        })
      }}
      done={({ name }) => say('created', { name })}
    />
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
