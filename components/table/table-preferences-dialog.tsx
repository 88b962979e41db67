import { useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/kit/button'
import { Dialog } from '#components/kit/dialog'
import { screenIcons } from '#components/kit/screen-icons'
import { Tool } from '#components/kit/tool'
import styles from './table.module.css'
import { type ColumnWithHeader, columnDisplay } from './table-columns'
import { rowHeights, type TablePreferences } from './table-preferences'

export type TablePreferencesDialogProps = {
  columns: readonly ColumnWithHeader<never>[]
  preferences: TablePreferences
  onConfirm: (preferences: TablePreferences) => void
  onClose: () => void
}

const heights = Object.keys(rowHeights) as (keyof typeof rowHeights)[]

export function TablePreferencesDialog(props: TablePreferencesDialogProps) {
  const { preferences, onConfirm, onClose } = props
  const say = useTranslations('layout.preferences')
  const sayCommon = useTranslations('common')
  const [draft, setDraft] = useState<TablePreferences>({})
  const change = (changes: TablePreferences) => setDraft({ ...draft, ...changes })
  const { density, wrap, columns } = {
    columns: columnDisplay(props.columns, preferences),
    ...preferences,
    ...draft,
  }
  return (
    <Dialog
      title={say('title')}
      onClose={onClose}
      actions={
        <>
          {Object.keys(preferences.widths ?? {}).length > 0 && (
            <Button
              look="quiet"
              onPress={() => change({ widths: {} })}
              refused={draft.widths && say('widthsReset')}
            >
              {say('resetWidths')}
            </Button>
          )}
          <Button onPress={onClose}>{sayCommon('cancel')}</Button>
          <Button
            look="main"
            onPress={() => {
              onConfirm(draft)
              onClose()
            }}
          >
            {sayCommon('save')}
          </Button>
        </>
      }
    >
      <div className={styles.preferences}>
        <Choice
          title={say('height')}
          options={heights.map((value) => ({ value, text: say(`heights.${value}`) }))}
          value={density ?? 'normal'}
          onChange={(next) => change({ density: next })}
        />
        <fieldset>
          <legend>{say('columns')}</legend>
          <ColumnList
            headers={props.columns}
            columns={columns}
            onChange={(next) => change({ columns: next })}
          />
        </fieldset>
        <label>
          <input
            type="checkbox"
            checked={wrap ?? false}
            onChange={({ target }) => change({ wrap: target.checked })}
          />
          {say('wrap')}
        </label>
      </div>
    </Dialog>
  )
}

type ChoiceProps<Value> = {
  title: string
  options: readonly { value: Value; text: string }[]
  value: Value
  onChange: (value: Value) => void
}

function Choice<Value extends string | number>({ title, options, value, onChange }: ChoiceProps<Value>) {
  const name = useId()
  return (
    <fieldset>
      <legend>{title}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.text}
        </label>
      ))}
    </fieldset>
  )
}

type Columns = NonNullable<TablePreferences['columns']>

type ColumnListProps = {
  headers: readonly ColumnWithHeader<never>[]
  columns: Columns
  onChange: (columns: Columns) => void
}

/** Which columns are shown, and in which order. */
function ColumnList({ headers, columns, onChange }: ColumnListProps) {
  const say = useTranslations('layout.preferences')
  const move = (index: number, by: number) => {
    const moved = [...columns]
    moved.splice(index + by, 0, ...moved.splice(index, 1))
    onChange(moved)
  }
  return (
    <ol className={styles.columns}>
      {columns.map((column, index) => {
        const { header = '', isRowHeader = false } = headers.find(({ id }) => id === column.id) ?? {}
        return (
          <li key={column.id}>
            <label>
              <input
                type="checkbox"
                checked={column.visible}
                disabled={isRowHeader}
                onChange={({ target }) =>
                  onChange(columns.with(index, { ...column, visible: target.checked }))
                }
              />
              {header}
            </label>
            <Tool
              look="quiet"
              icon={screenIcons.up}
              label={say('up', { column: header })}
              refused={index > 0 ? undefined : say('first')}
              onPress={() => move(index, -1)}
            />
            <Tool
              look="quiet"
              icon={screenIcons.down}
              label={say('down', { column: header })}
              refused={index < columns.length - 1 ? undefined : say('last')}
              onPress={() => move(index, 1)}
            />
          </li>
        )
      })}
    </ol>
  )
}
