import Button from '@cloudscape-design/components/button'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import { access } from '#components/screens/access'
import { useMay } from '#components/session/session'
import type { Privilege } from '#lib/auth/privileges'
import type { ExportEntity } from '#lib/plans/plans.schema'

const ImportDialog = lazy(async () => ({ default: (await import('./import-dialog')).ImportDialog }))

/** The privileges that change what a table lists. */
const changers = {
  enterprises: access.manageEnterprises,
  scopes: access.manageScopes,
  roles: access.manageRoles,
  users: access.manageUsers,
  natnetworks: access.changeNatNetworks,
  natips: access.changeNatNetworks,
  natrules: ['VAPP_CUSTOMISE_SETTINGS'],
} as const satisfies Record<ExportEntity, readonly Privilege[]>

/**
 * The button beside the export of a whole list, and the dialog, which stands elsewhere: on a narrow screen the button is in a panel that
 * closes. The headings of lists have no room for its text at 1440 (e2e/density.e2e.ts).
 */
export function useImport(entity: ExportEntity | undefined): { button: ReactNode; dialog: ReactNode } {
  const say = useTranslations('layout.import')
  const may = useMay(...changers[entity ?? 'scopes'])
  const [isOpen, setOpen] = useState(false)
  if (!entity || !may) return { button: null, dialog: null }
  return {
    button: <Button iconName="upload" ariaLabel={say('button')} onClick={() => setOpen(true)} />,
    dialog: <Suspense>{isOpen && <ImportDialog entity={entity} onClose={() => setOpen(false)} />}</Suspense>,
  }
}
