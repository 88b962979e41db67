import { type ReactNode, useState } from 'react'
import { useMay } from '#components/base/session/session'
import { deferredOver } from '#components/kit/deferred-over'
import { itemKindOf } from '#lib/state/plans/items'
import type { ExportEntity } from '#lib/state/plans/plans.schema'

const ImportDialog = deferredOver(async () => (await import('./import-dialog')).ImportDialog)

/**
 * Opens the import of a whole list; absent if the user may not change it. The dialog is mounted outside of menus and panels, which close.
 */
export function useImport(entity: ExportEntity | undefined): {
  open?: () => void
  dialog: ReactNode
} {
  const may = useMay(...itemKindOf(entity ?? 'scopes').writers)
  const [isOpen, setOpen] = useState(false)
  if (!entity || !may) return { dialog: null }
  return {
    open: () => setOpen(true),
    dialog: isOpen && <ImportDialog entity={entity} onClose={() => setOpen(false)} />,
  }
}
