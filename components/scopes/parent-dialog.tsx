import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Checkbox from '@cloudscape-design/components/checkbox'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { Failure } from '#components/layout/failure'
import { useSession } from '#components/layout/session'
import { NoMatch, NothingYet } from '#components/layout/table-states'
import { seesEverything } from '#lib/auth/privileges'
import type { ScopeName } from '#lib/scopes/scopes.queries'
import type { ScopeTreeNode } from '#lib/scopes/scopes.schema'
import { MarkedText } from './marked-text'
import type { OpenScopes } from './open-scopes'
import { ScopeTreeTable, TreeFilter } from './scope-tree'
import { ScopeNameCell } from './tree-columns'
import { isWithin } from './tree-rows'
import { useScopeTree } from './use-scope-tree'

type ParentDialogProps = {
  title: string
  description: string
  confirmLabel: string
  /** The scope that wants a parent; a new one is not there yet. */
  scope: ScopeName | undefined
  /** Where it stands now. */
  current: { parent: ScopeName | undefined } | undefined
  busy: boolean
  error: Error | null
  onChoose: (parent: ScopeName | undefined) => void
  onCancel: () => void
}

type Choice = { parent: ScopeTreeNode | undefined }

/** Chooses the parent of a scope in the tree. What cannot be chosen says why. */
export function ParentDialog(props: ParentDialogProps) {
  const { title, description, confirmLabel, current, busy, error, onChoose, onCancel } = props
  const [choice, setChoice] = useState<Choice>()
  const mayBeRoot = seesEverything(useSession().scope)
  const isRootNow = current !== undefined && current.parent === undefined
  const asRoot = choice ? choice.parent === undefined : isRootNow

  return (
    <Modal
      visible
      size="large"
      position="top"
      header={title}
      closeAriaLabel="Close"
      onDismiss={onCancel}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onCancel}>
              Cancel
            </Button>
            <Button
              variant="primary"
              disabled={!choice}
              disabledReason="Choose another parent first"
              loading={busy}
              loadingText="Saving"
              onClick={() => choice && onChoose(choice.parent)}
            >
              {confirmLabel}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Box variant="p">{description}</Box>
        <Checkbox
          checked={asRoot}
          disabled={!mayBeRoot || (isRootNow && !choice)}
          description={mayBeRoot ? undefined : 'Only for who is unlimited in datacenters and in enterprises.'}
          onChange={({ detail }) =>
            setChoice(detail.checked && !isRootNow ? { parent: undefined } : undefined)
          }
        >
          No parent: at the top of the tree
        </Checkbox>
        <ParentTree {...props} chosen={choice?.parent} onPick={(parent) => setChoice({ parent })} />
        {error && <Failure error={error} />}
      </SpaceBetween>
    </Modal>
  )
}

type ParentTreeProps = Pick<ParentDialogProps, 'scope' | 'current'> & {
  chosen: ScopeTreeNode | undefined
  onPick: (parent: ScopeTreeNode) => void
}

function ParentTree({ scope, current, chosen, onPick }: ParentTreeProps) {
  const [has, setHas] = useState('')
  const [open, setOpen] = useState<OpenScopes>()
  const tree = useScopeTree({ has, open, onOpenChange: setOpen })

  const nodes = new Map(tree.rows.map((node) => [node.id, node]))
  const refusal = (node: ScopeTreeNode): string | undefined => {
    if (node.id === current?.parent?.id) return 'The parent now'
    if (!scope || !isWithin(node, scope.id, (id) => nodes.get(id))) return undefined
    return node.id === scope.id ? 'A scope cannot be its own parent' : `Stands below ${scope.name}`
  }

  return (
    <ScopeTreeTable
      variant="borderless"
      tree={tree}
      label="Scopes to choose the parent from"
      columns={[
        {
          id: 'name',
          header: 'Name',
          isRowHeader: true,
          cell: (node) => <PickableName node={node} has={has} refusal={refusal(node)} />,
        },
      ]}
      filter={<TreeFilter tree={tree} onSearch={setHas} />}
      empty={
        has === '' ? (
          <NothingYet title="No scopes" hint="You see no scope that could be the parent." />
        ) : (
          <NoMatch onClear={() => setHas('')} />
        )
      }
      picking={{ chosen, refusal, onChoose: onPick }}
    />
  )
}

const PickableName = ({
  node,
  has,
  refusal,
}: {
  node: ScopeTreeNode
  has: string
  refusal: string | undefined
}) => (
  <ScopeNameCell node={node} has={has}>
    <Box display="inline" color={refusal ? 'text-status-inactive' : undefined}>
      <MarkedText text={node.name} search={has} />
    </Box>
    {refusal && (
      <Box display="inline" variant="small">
        {refusal}
      </Box>
    )}
  </ScopeNameCell>
)
