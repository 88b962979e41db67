import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import { useNavigate } from 'react-router'
import { useMay, useSession } from '#components/layout/session'
import { paths } from '#components/paths'
import { refusalOf, type ScopeAction, type ScopeSubject } from './scope-rules'

/** What is asked for in a dialog: to move or to delete a scope. */
export type Asked = { action: 'move' | 'delete'; scope: ScopeSubject }

type ScopeMenuProps = {
  scope: ScopeSubject
  actions: readonly ScopeAction[]
  /** Text of the button; without it the button is three dots. */
  text?: string
  onAsk: (asked: Asked) => void
}

const texts: Record<ScopeAction, string> = {
  newChild: 'New scope below',
  edit: 'Edit',
  move: 'Move',
  delete: 'Delete',
}

/** The actions on one scope, each disabled with the reason where it cannot be. Absent for who may not change scopes. */
export function ScopeMenu({ scope, actions, text, onAsk }: ScopeMenuProps) {
  const own = useSession().scope
  const navigate = useNavigate()
  if (!useMay('USERS_MANAGE_SCOPES')) return null

  const run: Record<ScopeAction, () => void> = {
    newChild: () => void navigate(paths.newScope(scope.id)),
    edit: () => void navigate(paths.editScope(scope.id)),
    move: () => onAsk({ action: 'move', scope }),
    delete: () => onAsk({ action: 'delete', scope }),
  }

  return (
    <ButtonDropdown
      variant={text ? 'normal' : 'inline-icon'}
      expandToViewport={!text}
      ariaLabel={`Actions for ${scope.name}`}
      items={actions.map((action) => {
        const disabledReason = refusalOf(action, scope, own)
        return { id: action, text: texts[action], disabled: disabledReason !== undefined, disabledReason }
      })}
      onItemClick={({ detail }) =>
        actions.filter((action) => action === detail.id).map((action) => run[action]())
      }
    >
      {text}
    </ButtonDropdown>
  )
}
