import { useTranslations } from 'use-intl'
import { useAddress } from '#components/kit/address'
import { LinkButton } from '#components/kit/button'
import { MenuButton } from '#components/kit/menu'
import { screenIcons } from '#components/kit/screen-icons'
import { Tool } from '#components/kit/tool'
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
  const addressOf = useAddress()
  const refused = total === 0 ? say('nothingToExport') : undefined
  if (!onImport)
    return refused !== undefined ? (
      <Tool look="quiet" icon={screenIcons.download} label={say('exportCsv')} refused={refused} />
    ) : (
      <LinkButton look="quiet" icon={screenIcons.download} label={say('exportCsv')} href={href} download />
    )
  return (
    <MenuButton
      label="CSV"
      entries={[
        {
          id: 'export',
          text: say('exportCsv'),
          icon: screenIcons.download,
          refused,
          run: () =>
            Object.assign(document.createElement('a'), { href: addressOf(href), download: '' }).click(),
        },
        { id: 'import', text: say('importCsv'), icon: screenIcons.upload, run: onImport },
      ]}
    >
      <Tool look="quiet" icon={screenIcons.download} label="CSV" />
    </MenuButton>
  )
}
