import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/forms/dialog'
import { useFlash } from '#components/forms/flash'
import styles from '#components/layout/layout.module.css'
import type { SavedView } from './table-views'

type ManageViewsProps = {
  visible: boolean
  title: string
  views: readonly SavedView[]
  onChange: (views: readonly SavedView[]) => void
  onClose: () => void
}

/** Every view of the table, those of other screens too; what is deleted by mistake comes back at once. */
export function ManageViews({ visible, title, views, onChange, onClose }: ManageViewsProps) {
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
