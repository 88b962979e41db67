import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Checkbox from '@cloudscape-design/components/checkbox'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/forms/dialog'
import { useSession } from '#components/session/session'
import { NoMatch, NothingYet } from '#components/table/table-states'
import { seesEverything } from '#lib/auth/privileges'
import type { ScopeName } from '#lib/scopes/scopes.queries'
import type { ScopeTreeNode } from '#lib/scopes/scopes.schema'
import type { OpenScopes } from './open-scopes'
import { ScopeTreeGrid, TreeFilter } from './scope-tree'
import styles from './scopes.module.css'
import { parentRefusal } from './tree-rows'
import { useScopeTree } from './use-scope-tree'

type ParentDialogProps = {
  title: string
  description: string
  confirmLabel: string
  /** The scope that wants a parent; a new one is not there yet. */
  scope: ScopeName | undefined
  /** Where it stands now. */
  current: { parent: ScopeName | undefined } | undefined
  onChoose: (parent: ScopeName | undefined) => void
  onCancel: () => void
}

type Choice = { parent: ScopeTreeNode | undefined }

/** Chooses the parent of a scope in the tree. What cannot be chosen says why. */
export function ParentDialog(props: ParentDialogProps) {
  const { title, description, confirmLabel, current, onChoose, onCancel } = props
  const say = useTranslations('scopes')
  const words = useTranslations('common')
  const [choice, setChoice] = useState<Choice>()
  const mayBeRoot = seesEverything(useSession().scope)
  const isRootNow = current !== undefined && current.parent === undefined
  const asRoot = choice ? choice.parent === undefined : isRootNow

  return (
    <Dialog
      size="large"
      header={title}
      onDismiss={onCancel}
      actions={
        <>
          <Button variant="link" onClick={onCancel}>
            {words('cancel')}
          </Button>
          <Button
            variant="primary"
            disabled={!choice}
            disabledReason={say('parent.anotherFirst')}
            onClick={() => choice && onChoose(choice.parent)}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <Box variant="p">{description}</Box>
      <Checkbox
        checked={asRoot}
        disabled={!mayBeRoot || (isRootNow && !choice)}
        description={mayBeRoot ? undefined : say('rules.topmost')}
        onChange={({ detail }) => setChoice(detail.checked && !isRootNow ? { parent: undefined } : undefined)}
      >
        {say('parent.top')}
      </Checkbox>
      <ParentTree {...props} chosen={choice?.parent} onPick={(parent) => setChoice({ parent })} />
    </Dialog>
  )
}

type ParentTreeProps = Pick<ParentDialogProps, 'scope' | 'current'> & {
  chosen: ScopeTreeNode | undefined
  onPick: (parent: ScopeTreeNode) => void
}

function ParentTree({ scope, current, chosen, onPick }: ParentTreeProps) {
  const say = useTranslations('scopes')
  const [has, setHas] = useState('')
  const [open, setOpen] = useState<OpenScopes>()
  const tree = useScopeTree({ has, open, onOpenChange: setOpen })

  const nodes = new Map(tree.rows.map((node) => [node.id, node]))
  const refusal = (node: ScopeTreeNode): string | undefined => {
    const rule = parentRefusal(node, scope, current?.parent?.id, (id) => nodes.get(id))
    return rule && say(`rules.${rule}`, { name: scope?.name ?? '' })
  }

  return (
    <SpaceBetween size="xs">
      <TreeFilter tree={tree} onSearch={setHas} />
      <div className={styles.pickTree}>
        <ScopeTreeGrid
          tree={tree}
          label={say('parent.tree')}
          empty={
            has === '' ? (
              <NothingYet title={say('tree.empty')} hint={say('parent.emptyHint')} />
            ) : (
              <NoMatch onClear={() => setHas('')} />
            )
          }
          picking={{ chosen: chosen?.id, refusal, onChoose: onPick }}
        />
      </div>
    </SpaceBetween>
  )
}
