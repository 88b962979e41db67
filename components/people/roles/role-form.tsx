import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import {
  type DraftOf,
  type FieldKind,
  type InputProps,
  resourceForm,
  sentBy,
} from '#components/base/forms/declared-form'
import { FormOnPage } from '#components/base/forms/declared-screens'
import { textLine } from '#components/base/forms/field-kinds'
import { noteFields } from '#components/base/forms/note-fields'
import type { Read } from '#components/base/forms/use-resource-form'
import { linkField } from '#components/base/in-place/link-field'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { Heading, Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { allPrivileges, type Privilege } from '#lib/caller/auth/privileges'
import { roleInput } from '#lib/people/identity/identity.schema'
import { PrivilegeDifference } from './privilege-difference'
import { PrivilegeMatrix } from './privilege-matrix'
import { useSaveWholeRole, type WholeRole } from './use-role'

type Granted = { privilege: readonly Privilege[] }

const grants: FieldKind<readonly Privilege[], readonly Privilege[], Granted> = {
  Input: GrantsInput,
  empty: [],
  Members: ({ value }) => value.join(', '),
}

const ownEnterprise = linkField('enterprise', () => {
  const say = useTranslations('roles.form')
  const label = useTranslations('labels')
  const { enterprise: own, scope } = useSession()
  return {
    hint: say(scope.allEnterprises ? 'enterpriseHint' : 'enterpriseLimited'),
    known: [own],
    isClosed: !scope.allEnterprises,
    none: scope.allEnterprises ? { label: label('allEnterprises') } : undefined,
  }
})

const allEnterprises: typeof ownEnterprise = {
  ...ownEnterprise,
  Text: ({ value }) => {
    const label = useTranslations('labels')
    return value?.name ?? label('allEnterprises')
  },
}

const ownScope = linkField('scope', () => {
  const say = useTranslations('roles.form')
  const label = useTranslations('labels')
  return { hint: say('scopeHint'), none: { label: label('noScope') } }
})

export const roleForm = resourceForm(roleInput, {
  name: { as: textLine({ spellCheck: false }), label: 'name', hint: 'uniqueName', card: { title: 'role' } },
  enterprise: { as: allEnterprises, label: 'enterprise' },
  scope: { as: ownScope, label: 'scope' },
  ...noteFields,
  privilege: { as: grants, label: 'privileges', card: false },
})

type RoleFormProps = {
  /** What a new role begins with. */
  first?: Partial<DraftOf<typeof roleForm.fields>>
  /** The role to change; absent for a new one. */
  read?: Read<WholeRole>
}

/** Creates a role, or changes one. */
export function RoleForm({ first = {}, read }: RoleFormProps) {
  const say = useTranslations('roles.form')
  const label = useTranslations('labels')
  return (
    <FormOnPage
      of={roleForm}
      read={read}
      first={first}
      label={label('createRole')}
      back={paths.roles()}
      href={({ id }) => paths.role(id)}
      check={({ privilege }, before) =>
        read && before.privilege.length > 0 && privilege.length === 0 ? { privilege: say('noneChosen') } : {}
      }
      save={useSaveWholeRole()}
      done={(role) => say('saved', { role: role.name })}
      below={({ saved, base, draft, change }) =>
        saved && (
          <PrivilegeDifference
            role={saved.id}
            before={base.privilege}
            draft={sentBy(roleForm, draft)}
            onUndo={() => change({ privilege: base.privilege })}
          />
        )
      }
    />
  )
}

function GrantsInput({ label, error, value, form, onChange }: InputProps<readonly Privilege[], Granted>) {
  const say = useTranslations('roles.form')
  return (
    <Stack>
      <Heading level={2} counter={`(${value.length}/${allPrivileges.length})`} about={say('privilegesAbout')}>
        {label}
      </Heading>
      {error && <Refused>{error}</Refused>}
      <PrivilegeMatrix chosen={value} base={form.base.privilege} onChange={onChange} />
    </Stack>
  )
}

const Refused = ({ children }: { children: ReactNode }) => (
  <div role="alert">
    <Notice kind="bad">{children}</Notice>
  </div>
)
