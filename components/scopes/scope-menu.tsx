import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { paths } from '#components/screens/paths'
import { useMay, useSession } from '#components/session/session'
import type { ScopeName } from '#lib/scopes/scopes.queries'
import { carryKeys } from './carry-keys'
import { refusalOf, type ScopeAction, type ScopeSubject } from './scope-rules'

/** What is asked for in a dialog: to move (where to, if that is chosen already) or to delete a scope. */
export type Asked =
  | { action: 'move'; scope: ScopeSubject; to?: ScopeName }
  | { action: 'delete'; scope: ScopeSubject }

type ScopeMenuProps = {
  scope: ScopeSubject
  actions: readonly ScopeAction[]
  /** Text of the button; without it the button is three dots. */
  text?: string
  onAsk: (asked: Asked) => void
}

/** The actions on one scope, each disabled with the reason where it cannot be. Absent for who may not change scopes. */
export function ScopeMenu({ scope, actions, text, onAsk }: ScopeMenuProps) {
  const say = useTranslations('scopes')
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
      ariaLabel={say('menu.label', { name: scope.name })}
      items={actions.map((action) => {
        const refusal = refusalOf(action, scope, own)
        return {
          id: action,
          text: say(`menu.${action}`),
          // The row of a tree is there to be picked up.
          ...(action === 'move' && !text && { secondaryText: say('menu.moveKeys', carryKeys()) }),
          disabled: refusal !== undefined,
          ...(refusal && { disabledReason: say(`rules.${refusal}`) }),
        }
      })}
      onItemClick={({ detail }) =>
        actions.filter((action) => action === detail.id).map((action) => run[action]())
      }
    >
      {text}
    </ButtonDropdown>
  )
}
