import { useTranslations } from 'use-intl'
import { Select } from '#components/kit/select'
import { type ExportEntity, wantedItems } from '#lib/state/plans/plans.schema'
import styles from './column-matches.module.css'

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
    <table aria-label={say('columns')} className={styles.columns}>
      <thead>
        <tr>
          <th scope="col">{say('column')}</th>
          <th scope="col">{say('field')}</th>
        </tr>
      </thead>
      <tbody>
        {columns.map((column, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a file may have two columns of one name.
          <tr key={index}>
            <th scope="row">{column}</th>
            <td>
              <Select
                label={say('fieldOf', { column })}
                labelUnseen
                value={fields[index] || ignored}
                options={options}
                onChange={(field) => onChange(column, field === ignored ? '' : field)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
