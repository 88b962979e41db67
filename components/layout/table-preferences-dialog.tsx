import CollectionPreferences, {
  type CollectionPreferencesProps,
} from '@cloudscape-design/components/collection-preferences'
import { columnDisplay, type TableColumn } from './table-columns'
import type { TablePreferences } from './table-preferences'
import { pageSizes } from './table-url'

type TablePreferencesDialogProps<Row> = {
  columns: readonly TableColumn<Row>[]
  preferences: TablePreferences
  size: number
  onConfirm: (preferences: TablePreferences) => void
}

const shown = (items: readonly CollectionPreferencesProps.ContentDisplayItem[] = []) =>
  items.map(({ id, visible }) => ({ id, visible }))

/** Columns, page size, density and wrapping, chosen by the user for this table. */
export const TablePreferencesDialog = <Row,>({
  columns,
  preferences,
  size,
  onConfirm,
}: TablePreferencesDialogProps<Row>) => (
  <CollectionPreferences
    title="Table preferences"
    confirmLabel="Save"
    cancelLabel="Cancel"
    closeAriaLabel="Close the preferences"
    preferences={{
      pageSize: size,
      wrapLines: preferences.wrap ?? false,
      contentDensity: preferences.density ?? 'comfortable',
      contentDisplay: columnDisplay(columns, preferences),
    }}
    pageSizePreference={{
      title: 'Rows per page',
      options: pageSizes.map((value) => ({ value, label: `${value} rows` })),
    }}
    wrapLinesPreference={{ label: 'Wrap lines', description: 'Show long texts whole, on several lines' }}
    contentDensityPreference={{ label: 'Compact', description: 'Show more rows in the same space' }}
    contentDisplayPreference={{
      title: 'Columns',
      description: 'Choose which columns are shown and in what order.',
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
        ...(detail.contentDensity && { density: detail.contentDensity }),
        columns: shown(detail.contentDisplay),
      })
    }
  />
)
