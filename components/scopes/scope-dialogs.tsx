import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ConfirmDelete } from '#components/layout/confirm-delete'
import { useFlash } from '#components/layout/flash'
import {
  moveScope,
  parentOf,
  removeScope,
  type ScopeName,
  scopeQuery,
  scopeRemoved,
  scopesChanged,
} from '#lib/scopes/scopes.queries'
import { ParentDialog } from './parent-dialog'
import type { Asked } from './scope-menu'
import { deleteAdvice, type ScopeSubject } from './scope-rules'

type ScopeDialogsProps = {
  asked: Asked | undefined
  onClose: () => void
  onMoved?: (parent: number | undefined) => void
  onRemoved?: (id: number) => void
}

/** The dialogs that the actions on a scope open. */
export function ScopeDialogs({ asked, onClose, onMoved, onRemoved }: ScopeDialogsProps) {
  if (asked?.action === 'move') return <MoveDialog scope={asked.scope} onClose={onClose} onMoved={onMoved} />
  if (asked?.action === 'delete')
    return <DeleteDialog scope={asked.scope} onClose={onClose} onRemoved={onRemoved} />
  return null
}

type MoveDialogProps = { scope: ScopeSubject; onClose: () => void; onMoved: ScopeDialogsProps['onMoved'] }

function MoveDialog({ scope, onClose, onMoved }: MoveDialogProps) {
  const client = useQueryClient()
  const notify = useFlash()
  const current = useQuery(scopeQuery(scope.id))
  const move = useMutation({
    mutationFn: (parent: ScopeName | undefined) => moveScope(scope.id, parent?.id),
    onSuccess: async (_, parent) => {
      await scopesChanged(client)
      notify({
        type: 'success',
        content: parent ? `${scope.name} is now below ${parent.name}.` : `${scope.name} has no parent now.`,
      })
      onMoved?.(parent?.id)
      onClose()
    },
  })
  return (
    <ParentDialog
      title={`Move ${scope.name}`}
      description={`Choose the scope that ${scope.name} and all below it shall stand under.`}
      confirmLabel="Move"
      scope={scope}
      current={current.data && { parent: parentOf(current.data.document) }}
      busy={move.isPending}
      error={move.error}
      onChoose={(parent) => move.mutate(parent)}
      onCancel={onClose}
    />
  )
}

type DeleteDialogProps = {
  scope: ScopeSubject
  onClose: () => void
  onRemoved: ScopeDialogsProps['onRemoved']
}

function DeleteDialog({ scope, onClose, onRemoved }: DeleteDialogProps) {
  const client = useQueryClient()
  const notify = useFlash()
  const remove = useMutation({
    mutationFn: () => removeScope(scope.id),
    onSuccess: async () => {
      onRemoved?.(scope.id)
      onClose()
      notify({ type: 'success', content: `${scope.name} is deleted.` })
      await scopeRemoved(client, scope.id)
    },
  })
  return (
    <ConfirmDelete
      title={`Delete ${scope.name}?`}
      typed={scope.name}
      busy={remove.isPending}
      error={remove.error}
      advice={deleteAdvice}
      onConfirm={() => remove.mutate()}
      onCancel={onClose}
    >
      The scope is gone for good. Its enterprises and datacenters stay. A scope that users, roles, enterprises
      or other scopes still need is not deleted.
    </ConfirmDelete>
  )
}
