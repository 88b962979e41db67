import CollectionPreferences, {
  type CollectionPreferencesProps,
} from '@cloudscape-design/components/collection-preferences'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useAppearance } from '#components/base/session/use-appearance'
import { type ColumnWithHeader, columnDisplay } from './table-columns'
import type { TablePreferences } from './table-preferences'
import { pageSizes } from './table-url'

export type TablePreferencesDialogProps = {
  columns: readonly ColumnWithHeader<never>[]
  preferences: TablePreferences
  size: number
  onConfirm: (preferences: TablePreferences) => void
}

const shown = (items: readonly CollectionPreferencesProps.ContentDisplayItem[] = []) =>
  items.map(({ id, visible }) => ({ id, visible }))

/** Opens at once: it is loaded when the user has asked for it. Its own button then opens it again. */
export function TablePreferencesDialog({
  columns,
  preferences,
  size,
  onConfirm,
}: TablePreferencesDialogProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.querySelector('button')?.click(), [])
  const say = useTranslations('layout.preferences')
  const sayCommon = useTranslations('common')
  const { density } = useAppearance()
  return (
    <div ref={place}>
      <CollectionPreferences
        title={say('title')}
        confirmLabel={sayCommon('save')}
        cancelLabel={sayCommon('cancel')}
        closeAriaLabel={say('close')}
        preferences={{
          pageSize: size,
          wrapLines: preferences.wrap ?? false,
          contentDensity: preferences.density ?? 'comfortable',
          contentDisplay: columnDisplay(columns, preferences),
        }}
        pageSizePreference={{
          title: say('size'),
          options: pageSizes.map((value) => ({ value, label: say('sizeOption', { count: value }) })),
        }}
        wrapLinesPreference={{ label: say('wrap'), description: say('wrapHint') }}
        // In a compact console every table is compact.
        {...(density === 'comfortable' && {
          contentDensityPreference: { label: say('compact'), description: say('compactHint') },
        })}
        contentDisplayPreference={{
          title: say('columns'),
          description: say('columnsHint'),
          options: columns.map(({ id, header, isRowHeader = false }) => ({
            id,
            label: header,
            alwaysVisible: isRowHeader,
          })),
        }}
        onConfirm={({ detail }) =>
          onConfirm({
            ...(detail.pageSize && { size: detail.pageSize }),
            ...(detail.wrapLines !== undefined && { wrap: detail.wrapLines }),
            ...(detail.contentDensity && density === 'comfortable' && { density: detail.contentDensity }),
            columns: shown(detail.contentDisplay),
          })
        }
      />
    </div>
  )
}
