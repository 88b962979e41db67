import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { paths } from '#components/base/screens/paths'
import { useMay, useSession } from '#components/base/session/session'
import type { Named } from '#lib/ground/http/view'
import { refusalOf, type ScopeAction, type ScopeSubject } from './scope-rules'

/** The keys that pick a scope up and put it down, by their names on this machine. */
export const carryKeys = () =>
  /Mac|iP(hone|ad)/.test(navigator.userAgent)
    ? { pickUp: '⌘X', putDown: '⌘V' }
    : { pickUp: 'Ctrl+X', putDown: 'Ctrl+V' }

/** An action that opens a dialog. `to`: the new parent, if the user has chosen one already. */
export type ScopeRequest =
  | { action: 'move'; scope: ScopeSubject; to?: Named }
  | { action: 'delete'; scope: ScopeSubject }

type ScopeMenuProps = {
  scope: ScopeSubject
  actions: readonly ScopeAction[]
  /** Text of the button; without it the button is three dots. */
  text?: string
  onRequest: (request: ScopeRequest) => void
}

/** The actions on one scope, each disabled with its reason. Absent for users who may not change scopes. */
export function ScopeMenu({ scope, actions, text, onRequest }: ScopeMenuProps) {
  const say = useTranslations('scopes')
  const own = useSession().scope
  const navigate = useNavigate()
  if (!useMay('USERS_MANAGE_SCOPES')) return null

  const run: Record<ScopeAction, () => void> = {
    newChild: () => void navigate(paths.newScope(scope.id)),
    edit: () => void navigate(paths.editScope(scope.id)),
    map: () => void navigate(paths.scopeMap(scope.id)),
    move: () => onRequest({ action: 'move', scope }),
    delete: () => onRequest({ action: 'delete', scope }),
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
          // Only rows of a tree can be picked up.
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
