import { type KeyboardEvent, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { Dialog } from '#components/base/forms/dialog'
import { useFlash } from '#components/base/forms/flash'
import { FormDialog } from '#components/base/forms/form-dialog'
import { useFieldFocus } from '#components/base/forms/use-field-focus'
import { Button } from '#components/kit/button'
import { TextField } from '#components/kit/field'
import { Row } from '#components/kit/layout'
import { screenIcons } from '#components/kit/screen-icons'
import { Tool } from '#components/kit/tool'
import styles from './table.module.css'
import { faultOfView, type SavedView, viewLimits, viewNamed, withView } from './table-views'

type SaveViewProps = {
  views: readonly SavedView[]
  /** The current view. */
  view: Omit<SavedView, 'name'>
  onSave: (views: readonly SavedView[]) => void
  onClose: () => void
}

/** Saves the current view under a name; an existing view of that name is replaced. */
export function SaveView({ views, view, onSave, onClose }: SaveViewProps) {
  const say = useTranslations('layout.views')
  const label = useTranslations('labels')
  const sayCommon = useTranslations('common')
  const collator = new Intl.Collator(useLocale())
  const notify = useFlash()
  const form = useRef<HTMLFormElement>(null)
  const [typed, setTyped] = useState('')
  const [attempts, setAttempts] = useState(0)
  useFieldFocus(form, attempts)

  const name = typed.trim()
  const next = withView(views, { name, ...view }, collator)
  const fault = faultOfView(name, next)
  const submit = () => {
    setAttempts(attempts + 1)
    if (fault) return
    onSave(next)
    onClose()
    notify(say('saved', { name }))
  }

  return (
    <FormDialog
      ref={form}
      visible
      header={say('save')}
      submit={{ label: sayCommon('save') }}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={label('name')}
        hint={say('hint')}
        error={attempts > 0 && fault && say(`fault.${fault}`, viewLimits)}
        warning={viewNamed(views, name) && say('replaces')}
        name="view"
        autoComplete="off"
        value={typed}
        onChange={setTyped}
      />
      {views.length > 0 && (
        <Row gap="s">
          <span>{say('orReplace')}</span>
          {views.map(({ name: other }) => (
            <Button key={other} look="link" onPress={() => setTyped(other)}>
              {other}
            </Button>
          ))}
        </Row>
      )}
    </FormDialog>
  )
}

type ManageViewsProps = {
  title: string
  views: readonly SavedView[]
  onChange: (views: readonly SavedView[]) => void
  onClose: () => void
}

/** Renames and deletes views of the table, also those of other screens; each deletion can be undone. */
export function ManageViews({ title, views, onChange, onClose }: ManageViewsProps) {
  const say = useTranslations('layout.views')
  const sayCommon = useTranslations('common')
  const notify = useFlash()
  const collator = new Intl.Collator(useLocale())
  const remove = (removed: SavedView) => {
    const left = views.filter((view) => view !== removed)
    onChange(left)
    if (left.length === 0) onClose()
    notify({
      type: 'success',
      content: say('deleted', { name: removed.name }),
      undo: () => onChange(views),
    })
  }
  return (
    <Dialog
      visible
      header={say('manageTitle', { title })}
      onDismiss={onClose}
      actions={
        <Button look="main" onPress={onClose}>
          {sayCommon('close')}
        </Button>
      }
    >
      <ul className={styles.views}>
        {views.map((view) => {
          const others = views.filter((other) => other !== view)
          return (
            <li key={view.name}>
              <ViewName
                name={view.name}
                others={others}
                onRename={(name) => onChange(withView(others, { ...view, name }, collator))}
              />
              <Tool
                look="quiet"
                icon={screenIcons.remove}
                label={say('delete', { name: view.name })}
                onPress={() => remove(view)}
              />
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}

type ViewNameProps = { name: string; others: readonly SavedView[]; onRename: (name: string) => void }

/** Leaving the field, or Enter, renames the view; a name that is not possible is left as it was. */
function ViewName({ name, others, onRename }: ViewNameProps) {
  const say = useTranslations('layout.views')
  const [typed, setTyped] = useState(name)
  const rename = () => {
    const next = typed.trim()
    const isPossible = next !== '' && next.length <= viewLimits.name && !viewNamed(others, next)
    if (isPossible && next !== name) onRename(next)
    setTyped(isPossible ? next : name)
  }
  return (
    <TextField
      aria-label={say('nameOf', { name })}
      value={typed}
      onChange={setTyped}
      onBlur={rename}
      onKeyDown={({ key }: KeyboardEvent) => key === 'Enter' && rename()}
    />
  )
}
