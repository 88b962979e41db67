import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ConfirmDelete } from '#components/forms/confirm-delete'
import { useFlash } from '#components/forms/flash'
import {
  impactQuery,
  moveQuery,
  parentOf,
  removeScope,
  type ScopeName,
  scopeQuery,
  scopeRemoved,
  scopesChanged,
  updateScope,
} from '#lib/scopes/scopes.queries'
import { ImpactDialog, ImpactFacts } from './impact-dialog'
import { ParentDialog } from './parent-dialog'
import type { Asked } from './scope-menu'
import type { ScopeSubject } from './scope-rules'

type ScopeDialogsProps = {
  asked: Asked | undefined
  onClose: () => void
  onMoved?: (parent: number | undefined) => void
  onRemoved?: (id: number) => void
}

/** The dialogs that the actions on a scope open. */
export function ScopeDialogs({ asked, onClose, onMoved, onRemoved }: ScopeDialogsProps) {
  if (asked?.action === 'move') {
    return <MoveDialogs scope={asked.scope} to={asked.to} onClose={onClose} onMoved={onMoved} />
  }
  if (asked?.action === 'delete') {
    return <DeleteDialog scope={asked.scope} onClose={onClose} onRemoved={onRemoved} />
  }
  return null
}

type Target = { parent: ScopeName | undefined }

type MoveDialogsProps = {
  scope: ScopeSubject
  /** Where to, if that is chosen already. */
  to: ScopeName | undefined
  onClose: () => void
  onMoved: ScopeDialogsProps['onMoved']
}

/** First the new parent, then what the move changes. */
function MoveDialogs({ scope, to, onClose, onMoved }: MoveDialogsProps) {
  const say = useTranslations('scopes.move')
  const [target, setTarget] = useState<Target | undefined>(to && { parent: to })
  const current = useQuery(scopeQuery(scope.id))
  if (target) {
    return (
      <MoveDialog
        scope={scope}
        target={target}
        onBack={() => setTarget(undefined)}
        onClose={onClose}
        onMoved={onMoved}
      />
    )
  }
  return (
    <ParentDialog
      title={say('title', { name: scope.name })}
      description={say('about', { name: scope.name })}
      confirmLabel={say('next')}
      scope={scope}
      current={current.data && { parent: parentOf(current.data.document) }}
      onChoose={(parent) => setTarget({ parent })}
      onCancel={onClose}
    />
  )
}

type MoveDialogProps = Omit<MoveDialogsProps, 'to'> & { target: Target; onBack: () => void }

function MoveDialog({ scope: { id, name }, target: { parent }, onBack, onClose, onMoved }: MoveDialogProps) {
  const say = useTranslations('scopes.move')
  const client = useQueryClient()
  const notify = useFlash()
  const plan = useQuery(moveQuery(id, parent?.id))
  const move = useMutation({
    mutationFn: ({ body, etag }: NonNullable<typeof plan.data>) => updateScope(id, body, etag),
    onSuccess: async () => {
      await scopesChanged(client)
      notify({
        type: 'success',
        content: parent ? say('done', { name, parent: parent.name }) : say('doneTop', { name }),
      })
      onMoved?.(parent?.id)
      onClose()
    },
    // It was changed meanwhile: the next attempt starts from what it is now.
    onError: () => plan.refetch(),
  })
  return (
    <ImpactDialog
      title={parent ? say('below', { name, parent: parent.name }) : say('toTop', { name })}
      asking={{ ...plan, impact: plan.data?.impact }}
      refusedTitle={say('refused')}
      confirmLabel={say('confirm')}
      busyLabel={say('busy')}
      busy={move.isPending}
      error={move.error}
      back={{ label: say('back'), onBack }}
      onConfirm={() => plan.data && move.mutate(plan.data)}
      onCancel={onClose}
    />
  )
}

type DeleteDialogProps = {
  scope: ScopeSubject
  onClose: () => void
  onRemoved: ScopeDialogsProps['onRemoved']
}

function DeleteDialog({ scope: { id, name }, onClose, onRemoved }: DeleteDialogProps) {
  const say = useTranslations('scopes.remove')
  const client = useQueryClient()
  const notify = useFlash()
  const asked = useQuery(impactQuery(id))
  const asking = { ...asked, impact: asked.data }
  const remove = useMutation({
    mutationFn: () => removeScope(id),
    onSuccess: async () => {
      onRemoved?.(id)
      onClose()
      notify({ type: 'success', content: say('done', { name }) })
      await scopeRemoved(client, id)
    },
    // What refuses it now, the impact says with links.
    onError: () => asked.refetch(),
  })
  const title = say('title', { name })
  if (!asked.data || asked.data.refusals.length > 0) {
    return (
      <ImpactDialog
        title={title}
        asking={asking}
        refusedTitle={say('refused')}
        confirmLabel={say('confirm')}
        busyLabel={say('busy')}
        busy={false}
        error={null}
        onConfirm={() => undefined}
        onCancel={onClose}
      />
    )
  }
  return (
    <ConfirmDelete
      title={title}
      typed={name}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onCancel={onClose}
    >
      <p>{say('about')}</p>
      <ImpactFacts asking={asking} refusedTitle={say('refused')} />
    </ConfirmDelete>
  )
}
