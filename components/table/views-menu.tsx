import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useLocale, useTranslations } from 'use-intl'
import { Dialog } from '#components/base/forms/dialog'
import { useFlash } from '#components/base/forms/flash'
import { FormDialog } from '#components/base/forms/form-dialog'
import { TextField } from '#components/base/forms/text-field'
import { useFieldFocus } from '#components/base/forms/use-field-focus'
import styles from '#components/frame/layout/layout.module.css'
import { faultOfView, type SavedView, useSavedViews, viewLimits, viewNamed, withView } from './table-views'
import type { TableState } from './use-table-state'

const idOfView = (name: string) => `view:${name}`

/** Opens, saves and deletes the user's views of this table. */
export function ViewsMenu({ title, table }: { title: string; table: TableState<string> }) {
  const say = useTranslations('layout.views')
  const { pathname } = useLocation()
  const [dialog, setDialog] = useState<'save' | 'manage'>()
  const [views, keep] = useSavedViews(table.name)
  const here = views.filter(({ path }) => path === undefined || path === pathname)
  const close = () => setDialog(undefined)
  return (
    <>
      <ButtonDropdown
        expandToViewport
        items={[
          {
            id: 'mine',
            text: say('mine'),
            items:
              here.length === 0
                ? [{ id: 'none', text: say('none'), disabled: true }]
                : here.map(({ name, view }) => ({
                    id: idOfView(name),
                    text: name,
                    itemType: 'checkbox',
                    checked: table.isCurrent(view),
                  })),
          },
          { id: 'save', text: say('save'), iconName: 'add-plus' },
          ...(views.length > 0 ? [{ id: 'manage', text: say('manage'), iconName: 'edit' } as const] : []),
        ]}
        onItemClick={({ detail: { id } }) => {
          if (id === 'save' || id === 'manage') return setDialog(id)
          const opened = here.find(({ name }) => idOfView(name) === id)
          if (opened) table.openView(opened.view)
        }}
      >
        {say('menu')}
      </ButtonDropdown>
      <SaveView
        visible={dialog === 'save'}
        views={views}
        view={{ view: table.currentView.text, ...(table.currentView.isLocal && { path: pathname }) }}
        onSave={keep}
        onClose={close}
      />
      <ManageViews
        visible={dialog === 'manage'}
        title={title}
        views={views}
        onChange={keep}
        onClose={close}
      />
    </>
  )
}

type SaveViewProps = {
  visible: boolean
  views: readonly SavedView[]
  /** The current view. */
  view: Omit<SavedView, 'name'>
  onSave: (views: readonly SavedView[]) => void
  onClose: () => void
}

/** Saves the current view under a name; an existing view of that name is replaced. */
function SaveView({ visible, views, view, onSave, onClose }: SaveViewProps) {
  const say = useTranslations('layout.views')
  const label = useTranslations('labels')
  const sayCommon = useTranslations('common')
  const collator = new Intl.Collator(useLocale())
  const notify = useFlash()
  const form = useRef<HTMLFormElement>(null)
  const [typed, setTyped] = useState('')
  const [attempts, setAttempts] = useState(0)
  useFieldFocus(form, visible ? attempts : undefined)

  const name = typed.trim()
  const next = withView(views, { name, ...view }, collator)
  const fault = faultOfView(name, next)
  const close = () => {
    setTyped('')
    setAttempts(0)
    onClose()
  }
  const submit = () => {
    setAttempts(attempts + 1)
    if (fault) return
    onSave(next)
    close()
    notify(say('saved', { name }))
  }

  return (
    <FormDialog
      ref={form}
      visible={visible}
      header={say('save')}
      submit={{ label: sayCommon('save') }}
      onSubmit={submit}
      onClose={close}
    >
      <TextField
        label={label('name')}
        description={say('hint')}
        error={attempts > 0 && fault && say(`fault.${fault}`, viewLimits)}
        warningText={viewNamed(views, name) && say('replaces')}
        name="view"
        autoComplete={false}
        value={typed}
        onChange={setTyped}
      />
      {views.length > 0 && (
        <SpaceBetween direction="horizontal" size="s">
          <span>{say('orReplace')}</span>
          {views.map(({ name: other }) => (
            <Button key={other} variant="inline-link" formAction="none" onClick={() => setTyped(other)}>
              {other}
            </Button>
          ))}
        </SpaceBetween>
      )}
    </FormDialog>
  )
}

type ManageViewsProps = {
  visible: boolean
  title: string
  views: readonly SavedView[]
  onChange: (views: readonly SavedView[]) => void
  onClose: () => void
}

/** Deletes views of the table, also those of other screens; each deletion can be undone. */
function ManageViews({ visible, title, views, onChange, onClose }: ManageViewsProps) {
  const say = useTranslations('layout.views')
  const sayCommon = useTranslations('common')
  const notify = useFlash()
  const remove = (removed: SavedView) => {
    const left = views.filter((view) => view !== removed)
    onChange(left)
    if (left.length === 0) onClose()
    notify({
      type: 'success',
      content: say('deleted', { name: removed.name }),
      action: <Button onClick={() => onChange(views)}>{say('undo')}</Button>,
    })
  }
  return (
    <Dialog
      visible={visible}
      header={say('manageTitle', { title })}
      onDismiss={onClose}
      actions={
        <Button variant="primary" onClick={onClose}>
          {sayCommon('close')}
        </Button>
      }
    >
      <ul className={styles.views}>
        {views.map((view) => (
          <li key={view.name}>
            <Box>{view.name}</Box>
            <Button
              variant="icon"
              iconName="remove"
              ariaLabel={say('delete', { name: view.name })}
              onClick={() => remove(view)}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
