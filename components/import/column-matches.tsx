import Select from '@cloudscape-design/components/select'
import Table from '@cloudscape-design/components/table'
import { useTranslations } from 'use-intl'
import { type ExportEntity, wantedItems } from '#lib/state/plans/plans.schema'

type ColumnMatchesProps = {
  entity: ExportEntity
  columns: readonly string[]
  /** The field of each column, if any. */
  fields: readonly (string | undefined)[]
  /** An empty field ignores the column. */
  onChange: (column: string, field: string) => void
}

/** Which field each column of the file fills. */
export function ColumnMatches({ entity, columns, fields, onChange }: ColumnMatchesProps) {
  const say = useTranslations('layout.import')
  const ignored = { value: '', label: say('ignore') }
  const options = [
    ignored,
    ...Object.keys(wantedItems[entity].shape).map((field) => ({ value: field, label: field })),
  ]
  const rows = columns.map((column, index) => ({ id: `${index}`, column, field: fields[index] }))
  return (
    <Table
      variant="embedded"
      contentDensity="compact"
      items={rows}
      trackBy="id"
      ariaLabels={{ tableLabel: say('columns') }}
      columnDefinitions={[
        { id: 'column', header: say('column'), isRowHeader: true, cell: ({ column }) => column },
        {
          id: 'field',
          header: say('field'),
          cell: ({ column, field }) => (
            <Select
              ariaLabel={say('fieldOf', { column })}
              expandToViewport
              selectedOption={options.find(({ value }) => value === field) ?? ignored}
              options={options}
              onChange={({ detail }) => onChange(column, detail.selectedOption.value ?? '')}
            />
          ),
        },
      ]}
    />
  )
}
