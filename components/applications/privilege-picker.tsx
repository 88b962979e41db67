import Multiselect from '@cloudscape-design/components/multiselect'
import { useTranslations } from 'use-intl'
import { useSession } from '#components/session/session'
import type { Privilege } from '#lib/auth/privileges'

type PrivilegePickerProps = {
  chosen: readonly Privilege[]
  onChange: (chosen: readonly Privilege[]) => void
}

/** Some of the user's own privileges. */
export function PrivilegePicker({ chosen, onChange }: PrivilegePickerProps) {
  const say = useTranslations('applications.form')
  const nameOf = useTranslations('roles.privileges')
  const { privileges } = useSession()
  const options = privileges.map((value) => ({ value, label: nameOf(value), description: value }))
  return (
    <Multiselect
      options={options}
      selectedOptions={options.filter(({ value }) => chosen.includes(value))}
      onChange={({ detail: { selectedOptions } }) =>
        onChange(privileges.filter((name) => selectedOptions.some(({ value }) => value === name)))
      }
      filteringType="auto"
      filteringPlaceholder={say('find')}
      filteringAriaLabel={say('find')}
      noMatch={say('noMatch')}
      placeholder={say('choose')}
    />
  )
}
