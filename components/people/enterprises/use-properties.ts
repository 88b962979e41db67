import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isConflict, isStaleWrite } from '#components/base/forms/conflict'
import type { ShownFields } from '#components/base/forms/merge'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { useMerge } from '#components/base/forms/use-merge'
import type { Tagged } from '#lib/client/resources.queries'
import {
  enterprisePropertiesQuery,
  useSaveEnterpriseProperties,
} from '#lib/people/identity/enterprises.queries'
import type { EnterpriseProperties } from '#lib/people/identity/identity.schema'
import {
  changesBetween,
  isSame,
  isSound,
  nextRow,
  type Property,
  propertiesOf,
  rowsOf,
  sentOf,
} from './properties-draft'

type Properties = Readonly<Record<string, string | undefined>>

/** Each key is a field. A property that one of the versions lacks reads as “–”. */
const shownOf = (...versions: readonly Properties[]): ShownFields<Properties> =>
  Object.fromEntries(
    versions.flatMap(Object.keys).map((key) => [key, { label: key, text: (value) => value || '–' }]),
  )

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
  const [before, theirs, mine] = [
    base?.document.properties ?? {},
    known?.document.properties ?? {},
    propertiesOf(rows),
  ]
  const { merge, typed, end } = useMerge<Properties>({
    shown: shownOf(before, theirs, mine),
    version: conflict ? known?.etag : undefined,
    before,
    theirs,
    draft: mine,
    onDraft: (properties) => base && setEditing({ base, rows: rowsOf(sentOf(properties)) }),
  })

  const setRows = (change: (rows: Property[]) => Property[]) => {
    if (!base) return
    const changed = change(rows)
    setEditing({ base, rows: changed })
    typed(changesBetween(mine, propertiesOf(changed)))
    if (!conflict) saving.reset()
  }
  const discard = () => {
    setEditing(undefined)
    setWasSent(false)
    saving.reset()
  }
  const saveOver = (target: Tagged<EnterpriseProperties> | undefined, onSaved: () => void) => {
    setWasSent(true)
    if (!target || !isSound(rows) || (merge && !merge.isDecided)) return
    end()
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
    merge,
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
    save: (onSaved: () => void) => saveOver(merge ? known : base, onSaved),
    discard,
  }
}

export type PropertiesForm = ReturnType<typeof useProperties>
