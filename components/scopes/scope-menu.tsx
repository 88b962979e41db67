import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { paths } from '#components/base/screens/paths'
import { useMay, useSession } from '#components/base/session/session'
import { Button } from '#components/kit/button'
import { MenuAt, MenuButton, type MenuEntry } from '#components/kit/menu'
import { screenIcons } from '#components/kit/screen-icons'
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
  onRequest: (request: ScopeRequest) => void
}

/** The actions on one scope, each refused with its reason. */
function useEntries({ scope, actions, onRequest }: ScopeMenuProps, isInTree: boolean): MenuEntry[] {
  const say = useTranslations('scopes')
  const own = useSession().scope
  const navigate = useNavigate()
  const run: Record<ScopeAction, () => void> = {
    newChild: () => void navigate(paths.newScope(scope.id)),
    edit: () => void navigate(paths.editScope(scope.id)),
    map: () => void navigate(paths.scopeMap(scope.id)),
    move: () => onRequest({ action: 'move', scope }),
    delete: () => onRequest({ action: 'delete', scope }),
  }
  return actions.map((action) => {
    const refusal = refusalOf(action, scope, own)
    return {
      id: action,
      text: say(`menu.${action}`),
      isDanger: action === 'delete',
      refused: refusal && say(`rules.${refusal}`),
      // Only rows of a tree can be picked up.
      ...(action === 'move' && isInTree && { about: say('menu.moveKeys', carryKeys()) }),
      run: run[action],
    }
  })
}

/** A button with the actions. Absent for users who may not change scopes. */
export function ScopeMenu({ text, ...props }: ScopeMenuProps & { text: string }) {
  const label = useTranslations('scopes.menu')('label', { name: props.scope.name })
  const entries = useEntries(props, false)
  if (!useMay('USERS_MANAGE_SCOPES')) return null
  return (
    <MenuButton label={label} entries={entries}>
      <Button icon={screenIcons.down} label={label}>
        {text}
      </Button>
    </MenuButton>
  )
}

type RowMenuProps = Pick<ScopeMenuProps, 'scope' | 'onRequest'> & { at: HTMLElement; onClose: () => void }

/** The one menu of all rows: a thousand would make the tree slow. */
export function RowMenu({ scope, onRequest, at, onClose }: RowMenuProps) {
  const say = useTranslations('scopes.menu')
  const actions = ['newChild', 'edit', 'move', 'map', 'delete'] as const
  return (
    <MenuAt
      at={{ current: at }}
      label={say('label', { name: scope.name })}
      entries={useEntries({ scope, actions, onRequest }, true)}
      onClose={onClose}
    />
  )
}
