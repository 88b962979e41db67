import { useTranslations } from 'use-intl'
import { Select } from '#components/kit/select'
import { SimpleTable } from '#components/kit/simple-table'
import { type ExportEntity, wantedItems } from '#lib/state/plans/plans.schema'

type ColumnMatchesProps = {
  entity: ExportEntity
  columns: readonly string[]
  /** The field of each column, if any. */
  fields: readonly (string | undefined)[]
  /** An empty field ignores the column. */
  onChange: (column: string, field: string) => void
}

const ignored = '-'

/** Which field each column of the file fills. */
export function ColumnMatches({ entity, columns, fields, onChange }: ColumnMatchesProps) {
  const say = useTranslations('layout.import')
  const options = [
    { value: ignored, text: say('ignore') },
    ...Object.keys(wantedItems[entity].shape).map((field) => ({ value: field, text: field })),
  ]
  return (
    <SimpleTable
      label={say('columns')}
      rows={columns.map((column, index) => ({ id: index, column, field: fields[index] }))}
      keyOf={({ id }) => id}
      columns={[
        { id: 'column', header: say('column'), isRowHeader: true, cell: ({ column }) => column },
        {
          id: 'field',
          header: say('field'),
          cell: ({ column, field }) => (
            <Select
              label={say('fieldOf', { column })}
              labelUnseen
              value={field || ignored}
              options={options}
              onChange={(chosen) => onChange(column, chosen === ignored ? '' : chosen)}
            />
          ),
        },
      ]}
    />
  )
}
