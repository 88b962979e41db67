import Button from '@cloudscape-design/components/button'
import { useTranslations } from 'use-intl'
import type { Query } from '#lib/client/resources.queries'

/** The path of the full export of this query as CSV. */
export function csvHref(path: string, query: Query, extra: Query = {}): string {
  const search = new URLSearchParams()
  const all: Query = { ...query, ...extra, startwith: undefined, limit: 0, format: 'csv' }
  for (const [key, value] of Object.entries(all)) if (value !== undefined) search.set(key, String(value))
  return `${path}?${search}`
}

/** Downloads the full export with the current filters and order. */
export function CsvLink({ href, total }: { href: string; total: number | undefined }) {
  const say = useTranslations('layout.table')
  return (
    <Button
      iconName="download"
      {...(total === 0
        ? { disabled: true, disabledReason: say('nothingToExport') }
        : { href, download: true })}
    >
      {say('exportCsv')}
    </Button>
  )
}
