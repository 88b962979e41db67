import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/kit/button'
import { Row } from '#components/kit/layout'

type EditAndDeleteProps = {
  /** Their dialogs. */
  edit: (onClose: () => void) => ReactNode
  remove: (onClose: () => void) => ReactNode
  /** Whether the user may change the resource. */
  may: boolean
  /** What else can be done on the page. */
  children?: ReactNode
}

/** The actions of a page whose resource is changed and deleted in dialogs. */
export function EditAndDelete({ edit, remove, may, children }: EditAndDeleteProps) {
  const words = useTranslations('common')
  const [dialog, setDialog] = useState<'edit' | 'remove'>()
  const close = () => setDialog(undefined)
  if (!may && !children) return null
  return (
    <Row>
      {may && <Button onPress={() => setDialog('remove')}>{words('delete')}</Button>}
      {may && (
        <Button onPress={() => setDialog('edit')} data-key="e">
          {words('edit')}
        </Button>
      )}
      {children}
      {dialog === 'edit' && edit(close)}
      {dialog === 'remove' && remove(close)}
    </Row>
  )
}
