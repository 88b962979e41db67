import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { ManageViews } from './manage-views'
import { SaveView } from './save-view'
import { useSavedViews } from './table-views'
import type { TableState } from './use-table-state'

type ViewsProps = {
  title: string
  table: Pick<TableState<string>, 'name' | 'kept' | 'openKept' | 'isKept'>
}

const idOfView = (name: string) => `view:${name}`

/** The views that the user has saved of this table: to open, to save another, to delete. */
export function ViewsMenu({ title, table }: ViewsProps) {
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
                    checked: table.isKept(view),
                  })),
          },
          { id: 'save', text: say('save'), iconName: 'add-plus' },
          ...(views.length > 0 ? [{ id: 'manage', text: say('manage'), iconName: 'edit' } as const] : []),
        ]}
        onItemClick={({ detail: { id } }) => {
          if (id === 'save' || id === 'manage') return setDialog(id)
          const opened = here.find(({ name }) => idOfView(name) === id)
          if (opened) table.openKept(opened.view)
        }}
      >
        {say('menu')}
      </ButtonDropdown>
      <SaveView
        visible={dialog === 'save'}
        views={views}
        view={{ view: table.kept.text, ...(table.kept.isOfHere && { path: pathname }) }}
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
