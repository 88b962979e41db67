import Button from '@cloudscape-design/components/button'
import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import { useTranslations } from 'use-intl'
import type { Query } from '#lib/client/resources.queries'

/** The path of the full export of this query as CSV. */
export function csvHref(path: string, query: Query, extra: Query = {}): string {
  const search = new URLSearchParams()
  const all: Query = { ...query, ...extra, startwith: undefined, limit: 0, format: 'csv' }
  for (const [key, value] of Object.entries(all)) if (value !== undefined) search.set(key, String(value))
  return `${path}?${search}`
}

type CsvLinkProps = {
  href: string
  total: number | undefined
  /** Opens the import of the same list. */
  onImport?: (() => void) | undefined
}

/** Downloads the full export with the current filters and order. With an import it is a menu of both. */
export function CsvLink({ href, total, onImport }: CsvLinkProps) {
  const say = useTranslations('layout.table')
  const isEmpty = total === 0
  const off = { disabled: true, disabledReason: say('nothingToExport') }
  if (!onImport)
    return (
      <Button
        iconName="download"
        ariaLabel={say('exportCsv')}
        {...(isEmpty ? off : { href, download: true })}
      >
        CSV
      </Button>
    )
  return (
    <ButtonDropdown
      items={[
        { id: 'export', text: say('exportCsv'), iconName: 'download', ...(isEmpty ? off : { href }) },
        { id: 'import', text: say('importCsv'), iconName: 'upload' },
      ]}
      onItemClick={({ detail }) => detail.id === 'import' && onImport()}
    >
      CSV
    </ButtonDropdown>
  )
}
