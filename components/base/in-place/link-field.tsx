import type { ReactNode } from 'react'
import type { Around, FieldKind } from '#components/base/forms/declared-form'
import { linked } from '#components/base/forms/field-kinds'
import { RequiredPrivilege } from '#components/base/forms/why'
import { NamedField, type NamedFieldProps } from '#components/base/pickers/named-picker'
import { useMayPick } from '#components/base/session/session'
import type { Privilege } from '#lib/caller/auth/privileges'
import { kinds } from '#lib/caller/kinds/kinds'
import type { Named } from '#lib/ground/http/view'
import { CreatingEnterprise, CreatingRole, CreatingScope } from './named-dialogs'

const creating = { enterprise: CreatingEnterprise, role: CreatingRole, scope: CreatingScope }

type Linked = keyof typeof creating

type Look = Pick<NamedFieldProps, 'filter' | 'none' | 'refusalOf' | 'known'> & {
  hint?: ReactNode
  /** Before the fault of the form. */
  error?: ReactNode
  /** Without it, the field cannot be changed. */
  missing?: Privilege | undefined
  /** Nothing can be created in the list. */
  isClosed?: boolean
  /** The enterprise of a new scope. */
  enterprise?: Named | undefined
}

/** A link that is chosen from a list, with a button that creates what is missing in it. A list that cannot be read locks it, unless `known` has a choice. */
export const linkField = <Draft = object, Document = object>(
  kind: Linked,
  useLook: (form: Around<Draft, Document>) => Look,
): FieldKind<Named | undefined, number | undefined, Draft, Document> => ({
  ...linked,
  Input: ({ form, autoFocus: _, ...field }) => {
    const { missing: lacking, isClosed = false, enterprise, hint, error, ...look } = useLook(form)
    const mayPick = useMayPick(kind)
    const missing = lacking ?? (mayPick || look.known ? undefined : kinds[kind].readers[0])
    const Creating = creating[kind]
    return (
      <NamedField
        {...field}
        {...look}
        kind={kind}
        hint={missing ? <RequiredPrivilege privilege={missing} /> : (hint ?? field.hint)}
        error={error ?? field.error}
        disabled={missing !== undefined}
        around={(picker) => (
          <Creating
            disabled={isClosed || missing !== undefined || !mayPick}
            enterprise={enterprise}
            onMade={field.onChange}
          >
            {picker}
          </Creating>
        )}
      />
    )
  },
})
