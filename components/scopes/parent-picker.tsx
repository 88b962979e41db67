import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/base/forms/dialog'
import { useSession } from '#components/base/session/session'
import { Button } from '#components/kit/button'
import { Checkbox } from '#components/kit/checkbox'
import { Field, TextInput } from '#components/kit/field'
import { Stack } from '#components/kit/layout'
import { Tool } from '#components/kit/tool'
import { NoMatch, NothingYet } from '#components/table/table-states'
import { seesEverything } from '#lib/caller/auth/privileges'
import type { ScopeTreeNode } from '#lib/caller/scopes/scopes.schema'
import type { Named } from '#lib/ground/http/view'
import type { OpenScopes } from './open-scopes'
import { ScopeTreeGrid, TreeFilter } from './scope-tree'
import styles from './scopes.module.css'
import { parentRefusal } from './tree-rows'
import { useScopeTree } from './use-scope-tree'

type ParentDialogProps = {
  title: string
  description: string
  confirmLabel: string
  /** The scope to place; absent for a new one. */
  scope: Named | undefined
  current: { parent: Named | undefined } | undefined
  onChoose: (parent: Named | undefined) => void
  onCancel: () => void
}

type Choice = { parent: ScopeTreeNode | undefined }

/** Chooses the parent of a scope in the tree. Scopes that cannot be the parent show the reason. */
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
          <Button look="quiet" onPress={onCancel}>
            {words('cancel')}
          </Button>
          <Tool
            look="main"
            refused={!choice ? say('parent.anotherFirst') : undefined}
            onPress={() => choice && onChoose(choice.parent)}
          >
            {confirmLabel}
          </Tool>
        </>
      }
    >
      <p>{description}</p>
      <Checkbox
        isChosen={asRoot}
        disabled={isRootNow && !choice}
        refused={mayBeRoot ? undefined : say('rules.topmost')}
        onChange={(isChosen) => setChoice(isChosen && !isRootNow ? { parent: undefined } : undefined)}
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

  const refusal = (node: ScopeTreeNode): string | undefined => {
    const rule = parentRefusal(node, { scope, parentNow: current?.parent?.id, nodeOf: tree.nodeOf })
    return rule && say(`rules.${rule}`, { name: scope?.name ?? '' })
  }

  return (
    <Stack gap="s">
      <TreeFilter tree={tree} onSearch={(next) => setHas(next.has)} />
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
    </Stack>
  )
}

type ParentFieldProps = {
  /** The scope to change; absent in the form of a new one. */
  scope: Named | undefined
  parent: Named | undefined
  /** Why the parent cannot be chosen. */
  refusal: string | undefined
  error: ReactNode
  onChange: (parent: Named | undefined) => void
}

/** The field of a form that opens the dialog. */
export function ParentField({ scope, parent, refusal, error, onChange }: ParentFieldProps) {
  const say = useTranslations('scopes.parent')
  const label = useTranslations('labels')
  const [choosing, setChoosing] = useState(false)
  return (
    <>
      <Field label={label('parentScope')} hint={refusal} error={error}>
        {(ties) => (
          <div className={styles.parentField}>
            <TextInput
              {...ties}
              readOnly
              value={refusal ? '' : (parent?.name ?? '')}
              placeholder={say('none')}
              disabled={refusal !== undefined}
            />
            <Tool label={say('chooseLabel')} refused={refusal} onPress={() => setChoosing(true)}>
              {say('choose')}
            </Tool>
          </div>
        )}
      </Field>
      {choosing && (
        <ParentDialog
          title={label('parentScope')}
          description={say('about')}
          confirmLabel={say('choose')}
          scope={scope}
          current={{ parent }}
          onChoose={(chosen) => {
            onChange(chosen && { id: chosen.id, name: chosen.name })
            setChoosing(false)
          }}
          onCancel={() => setChoosing(false)}
        />
      )}
    </>
  )
}
