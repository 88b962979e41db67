import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isConflict, isStaleWrite } from '#components/forms/conflict'
import { useOneAtATime } from '#components/forms/one-at-a-time'
import type { Tagged } from '#lib/client/resources.queries'
import { enterprisePropertiesQuery, useSaveEnterpriseProperties } from '#lib/identity/enterprises.queries'
import type { EnterpriseProperties } from '#lib/identity/identity.schema'
import { isSame, isSound, nextRow, type Property, propertiesOf, rowsOf } from './properties-draft'

type Editing = { base: Tagged<EnterpriseProperties>; rows: Property[] }

/**
 * The form of an enterprise's properties. `enabled`: the tab is open. Until the user types, the form follows the newest
 * version. From then on the draft builds on `base`, and survives a visit to another tab.
 */
export function useProperties(enterprise: number, enabled: boolean) {
  const read = useQuery({ ...enterprisePropertiesQuery(enterprise), enabled })
  const [editing, setEditing] = useState<Editing>()
  const [wasSent, setWasSent] = useState(false)
  const saving = useSaveEnterpriseProperties(enterprise)
  const guard = useOneAtATime()
  const known = read.data
  const base = editing?.base ?? known
  const rows = editing?.rows ?? rowsOf(known?.document.properties ?? {})
  const isChanged = editing !== undefined && !isSame(rows, editing.base.document.properties)
  const conflict = isConflict(saving.error, base, known)

  const setRows = (change: (rows: Property[]) => Property[]) => {
    if (!base) return
    setEditing({ base, rows: change(rows) })
    if (!conflict) saving.reset()
  }
  const discard = () => {
    setEditing(undefined)
    setWasSent(false)
    saving.reset()
  }
  const saveOver = (target: Tagged<EnterpriseProperties> | undefined, onSaved: () => void) => {
    setWasSent(true)
    if (!target || !isSound(rows)) return
    setEditing({ base: target, rows })
    const report = {
      onSuccess: () => {
        discard()
        onSaved()
      },
      onError: (error: Error) => isStaleWrite(error) && void read.refetch(),
    }
    guard(() => saving.mutateAsync({ properties: propertiesOf(rows), etag: target.etag }, report))
  }

  return {
    read,
    rows,
    isChanged,
    conflict,
    theirs: known?.document.properties ?? {},
    error: conflict ? null : saving.error,
    isSaving: saving.isPending,
    /** Empty rows count as faults only after the first attempt to save. */
    wasSent,
    change: (row: number, changes: Partial<Property>) =>
      setRows((now) =>
        now.map((property) => (property.row === row ? { ...property, ...changes } : property)),
      ),
    add: () => setRows((now) => [...now, { row: nextRow(now), key: '', value: '' }]),
    remove: (index: number) => setRows((now) => now.filter((_, place) => place !== index)),
    save: (onSaved: () => void) => saveOver(base, onSaved),
    saveMine: (onSaved: () => void) => saveOver(known, onSaved),
    discard,
  }
}

export type PropertiesForm = ReturnType<typeof useProperties>
