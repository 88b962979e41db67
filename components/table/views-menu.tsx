import { useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useLocale, useTranslations } from 'use-intl'
import { Dialog } from '#components/base/forms/dialog'
import { useFlash } from '#components/base/forms/flash'
import { FormDialog } from '#components/base/forms/form-dialog'
import { useFieldFocus } from '#components/base/forms/use-field-focus'
import { Button } from '#components/kit/button'
import { TextField } from '#components/kit/field'
import { Row } from '#components/kit/layout'
import { MenuButton } from '#components/kit/menu'
import { screenIcons } from '#components/kit/screen-icons'
import { Tool } from '#components/kit/tool'
import styles from './table.module.css'
import { faultOfView, type SavedView, useSavedViews, viewLimits, viewNamed, withView } from './table-views'
import type { TableState } from './use-table-state'

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
      <MenuButton
        label={say('menu')}
        entries={[
          {
            title: say('mine'),
            entries:
              here.length === 0
                ? [{ id: 'none', text: say('none'), refused: '', run: () => undefined }]
                : here.map(({ name, view }) => ({
                    id: `view:${name}`,
                    text: name,
                    isChosen: table.isCurrent(view),
                    run: () => table.openView(view),
                  })),
          },
          {
            entries: [
              { id: 'save', text: say('save'), icon: screenIcons.plus, run: () => setDialog('save') },
              ...(views.length > 0
                ? [
                    {
                      id: 'manage',
                      text: say('manage'),
                      icon: screenIcons.edit,
                      run: () => setDialog('manage'),
                    },
                  ]
                : []),
            ],
          },
        ]}
      >
        <Tool look="quiet" icon={screenIcons.views} label={say('menu')} />
      </MenuButton>
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
      undo: () => onChange(views),
    })
  }
  return (
    <Dialog
      visible={visible}
      header={say('manageTitle', { title })}
      onDismiss={onClose}
      actions={
        <Button look="main" onPress={onClose}>
          {sayCommon('close')}
        </Button>
      }
    >
      <ul className={styles.views}>
        {views.map((view) => (
          <li key={view.name}>
            <span>{view.name}</span>
            <Tool
              look="quiet"
              icon={screenIcons.remove}
              label={say('delete', { name: view.name })}
              onPress={() => remove(view)}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
