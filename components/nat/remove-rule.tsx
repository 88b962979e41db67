import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslations } from 'use-intl'
import { ConfirmDelete } from '#components/forms/confirm-delete'
import { useFlash } from '#components/forms/flash'
import { linkOf } from '#lib/http/view'
import { useRemoveNatRule } from '#lib/nat/rules.queries'
import type { NatRuleDocument } from '#lib/nat/rules.schema'
import { ruleName } from './rule-columns'
import { Translation } from './translation'

type RemoveRuleProps = { datacenter: number; rule: NatRuleDocument; onClose: () => void }

export function RemoveRule({ datacenter, rule, onClose }: RemoveRuleProps) {
  const say = useTranslations('nat.rules')
  const notify = useFlash()
  const remove = useRemoveNatRule(datacenter)
  const confirm = () =>
    remove.mutate(rule, {
      onSuccess: () => {
        notify({ type: 'success', content: say('deleted', { name: ruleName(say, rule) }) })
        onClose()
      },
    })
  return (
    <ConfirmDelete
      title={say('deleteTitle')}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <SpaceBetween size="s">
        <Translation rule={rule} />
        <span>{say('deleteText', { machine: linkOf(rule, 'virtualmachine')?.title ?? '' })}</span>
      </SpaceBetween>
    </ConfirmDelete>
  )
}
