import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useFlash } from '#components/base/forms/flash'
import { useMay, useSession } from '#components/base/session/session'
import { Button } from '#components/kit/button'
import { Notice } from '#components/kit/notice'
import type { ScopeTreeNode } from '#lib/caller/scopes/scopes.schema'
import { carryKeys, type ScopeRequest } from './scope-menu'
import { refusalOf } from './scope-rules'
import { parentRefusal } from './tree-rows'
import type { ScopeTree } from './use-scope-tree'
import type { Carrying } from './use-tree-keys'

/** Moves a scope in the tree, by keyboard or by dragging: the user takes it at its row and puts it down on its new parent. */
export function useCarrying(tree: ScopeTree, onRequest: (request: ScopeRequest) => void) {
  const say = useTranslations('scopes.rules')
  const notify = useFlash()
  const own = useSession().scope
  const mayChange = useMay('USERS_MANAGE_SCOPES')
  const [carried, setCarried] = useState<ScopeTreeNode>()
  const putBack = () => setCarried(undefined)

  const refusalAt = (scope: ScopeTreeNode, target: ScopeTreeNode) =>
    parentRefusal(target, { scope, parentNow: scope.parent, nodeOf: tree.nodeOf })
  const move = (scope: ScopeTreeNode, target: ScopeTreeNode) => {
    const refusal = refusalAt(scope, target)
    if (refusal) return notify({ type: 'warning', content: say(refusal, { name: scope.name }) })
    putBack()
    onRequest({ action: 'move', scope, to: { id: target.id, name: target.name } })
  }

  const carrying: Carrying = {
    canPickUp: (node) => refusalOf('move', node, own) === undefined,
    canPutDown: (scope, target) => refusalAt(scope, target) === undefined,
    move,
    onPickUp: setCarried,
    onPutDown: carried && ((target) => move(carried, target)),
    onPutBack: putBack,
  }
  return { carried, putBack, carrying: mayChange ? carrying : undefined }
}

/** Announces that a scope is picked up, and the keys that finish the move. */
export function Carried({ name, onPutBack }: { name: string; onPutBack: () => void }) {
  const say = useTranslations('scopes.tree')
  return (
    <div role="status">
      <Notice action={<Button onPress={onPutBack}>{say('putBack')}</Button>}>
        {say('carried', { name, keys: carryKeys().putDown })}
      </Notice>
    </div>
  )
}
