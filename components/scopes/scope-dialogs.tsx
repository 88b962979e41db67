import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Confirm } from '#components/base/forms/confirm'
import { useFlash } from '#components/base/forms/flash'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import {
  impactQuery,
  moveQuery,
  parentOf,
  removeScope,
  saveScope,
  scopeQuery,
  scopeRemoved,
  scopesChanged,
} from '#lib/caller/scopes/scopes.queries'
import type { ScopeImpact } from '#lib/caller/scopes/scopes.schema'
import { useOnce } from '#lib/client/once'
import type { Named } from '#lib/ground/http/view'
import { ImpactDialog, ImpactFacts } from './impact-dialog'
import { ParentDialog } from './parent-picker'
import type { ScopeRequest } from './scope-menu'
import type { ScopeSubject } from './scope-rules'

type ScopeDialogsProps = {
  request: ScopeRequest | undefined
  onClose: () => void
  onMoved?: (parent: number | undefined) => void
  onRemoved?: (id: number) => void
}

/** The dialogs that the actions on a scope open. */
export function ScopeDialogs({ request, onClose, onMoved, onRemoved }: ScopeDialogsProps) {
  if (request?.action === 'move') {
    return <MoveDialogs scope={request.scope} to={request.to} onClose={onClose} onMoved={onMoved} />
  }
  return request && <DeleteDialog scope={request.scope} onClose={onClose} onRemoved={onRemoved} />
}

type Target = { parent: Named | undefined }

type MoveDialogsProps = {
  scope: ScopeSubject
  /** The new parent, if the user has chosen one already. */
  to: Named | undefined
  onClose: () => void
  onMoved: ScopeDialogsProps['onMoved']
}

/** Asks for the new parent first, then shows the effects of the move. */
function MoveDialogs({ scope, to, onClose, onMoved }: MoveDialogsProps) {
  const say = useTranslations('scopes.move')
  const sayCommon = useTranslations('common')
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
      confirmLabel={sayCommon('next')}
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
  const once = useOnce()
  const guard = useOneAtATime()
  const move = useMutation({
    mutationFn: ({ body, current }: NonNullable<typeof plan.data>) => saveScope({ body, current }, once),
    onSuccess: async () => {
      await scopesChanged(client)
      notify({
        type: 'success',
        content: parent ? say('done', { name, parent: parent.name }) : say('doneTop', { name }),
      })
      onMoved?.(parent?.id)
      onClose()
    },
    // If another user changed the scope meanwhile, the next attempt starts from the newest version.
    onError: () => plan.refetch(),
  })
  return (
    <ImpactDialog
      title={parent ? say('below', { name, parent: parent.name }) : say('toTop', { name })}
      read={{ ...plan, impact: plan.data?.impact }}
      refusedTitle={say('refused')}
      confirmLabel={say('confirm')}
      busyLabel={say('busy')}
      busy={move.isPending}
      error={move.error}
      back={{ label: say('back'), onBack }}
      onConfirm={() => {
        const { data } = plan
        if (data) guard(() => move.mutateAsync(data))
      }}
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
  const sayCommon = useTranslations('common')
  const client = useQueryClient()
  const impact = useQuery(impactQuery(id))
  const read = { ...impact, impact: impact.data }
  const remove = useMutation({
    mutationFn: (_: ScopeImpact) => removeScope(id),
    // Not awaited: the dialog and its page close before anything reads the scope again.
    onSuccess: () => void scopeRemoved(client, id),
  })
  const title = say('title', { name })
  if (!impact.data || impact.data.refusals.length > 0) {
    return (
      <ImpactDialog
        title={title}
        read={read}
        refusedTitle={say('refused')}
        confirmLabel={sayCommon('delete')}
        onConfirm={() => undefined}
        onCancel={onClose}
      />
    )
  }
  return (
    <Confirm
      title={title}
      typed={name}
      read={impact}
      mutation={remove}
      done={() => say('done', { name })}
      onDone={() => {
        onRemoved?.(id)
        onClose()
      }}
      onCancel={onClose}
    >
      <p>{say('about')}</p>
      <ImpactFacts read={read} refusedTitle={say('refused')} />
    </Confirm>
  )
}
