import { lazy, type ReactNode, Suspense, useState } from 'react'
import { access } from '#components/base/screens/access'
import { useMay } from '#components/base/session/session'
import type { Privilege } from '#lib/caller/auth/privileges'
import type { ExportEntity } from '#lib/state/plans/plans.schema'

const ImportDialog = lazy(async () => ({ default: (await import('./import-dialog')).ImportDialog }))

/** The privileges that a change of the table's resources needs. */
const changers = {
  enterprises: access.manageEnterprises,
  scopes: access.manageScopes,
  roles: access.manageRoles,
  users: access.manageUsers,
  natnetworks: access.changeNatNetworks,
  natips: access.changeNatNetworks,
  natrules: ['VAPP_CUSTOMISE_SETTINGS'],
} as const satisfies Record<ExportEntity, readonly Privilege[]>

/** Opens the import of a whole list; absent where the user may not change it. The dialog stands outside of menus and panels, which close. */
export function useImport(entity: ExportEntity | undefined): {
  open?: () => void
  dialog: ReactNode
} {
  const may = useMay(...changers[entity ?? 'scopes'])
  const [isOpen, setOpen] = useState(false)
  if (!entity || !may) return { dialog: null }
  return {
    open: () => setOpen(true),
    dialog: <Suspense>{isOpen && <ImportDialog entity={entity} onClose={() => setOpen(false)} />}</Suspense>,
  }
}
