import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useFlash } from '#components/forms/flash'
import { useMay, useSession } from '#components/session/session'
import type { ScopeTreeNode } from '#lib/scopes/scopes.schema'
import type { Asked } from './scope-menu'
import { refusalOf } from './scope-rules'
import { parentRefusal } from './tree-rows'
import type { ScopeTree } from './use-scope-tree'
import type { Carrying } from './use-tree-keys'

/** Moving a scope by the keyboard: it is picked up where it is and put down on its new parent. */
export function useCarrying(tree: ScopeTree, onAsk: (asked: Asked) => void) {
  const say = useTranslations('scopes.rules')
  const notify = useFlash()
  const own = useSession().scope
  const mayChange = useMay('USERS_MANAGE_SCOPES')
  const [carried, setCarried] = useState<ScopeTreeNode>()
  const putBack = () => setCarried(undefined)

  const putDown = (scope: ScopeTreeNode) => (target: ScopeTreeNode) => {
    const rows = new Map(tree.rows.map((node) => [node.id, node]))
    const refusal = parentRefusal(target, scope, scope.parent, (id) => rows.get(id))
    if (refusal) return notify({ type: 'warning', content: say(refusal, { name: scope.name }) })
    putBack()
    onAsk({ action: 'move', scope, to: { id: target.id, name: target.name } })
  }

  const carrying: Carrying = {
    canPickUp: (node) => refusalOf('move', node, own) === undefined,
    onPickUp: setCarried,
    onPutDown: carried && putDown(carried),
    onPutBack: putBack,
  }
  return { carried, putBack, carrying: mayChange ? carrying : undefined }
}
