import { useTranslations } from 'use-intl'
import { faultsOf, sentBy, useWord } from '#components/base/forms/declared-form'
import { useResourceForm } from '#components/base/forms/use-resource-form'
import { useCreateNatRule } from '#lib/cloud/nat/rules.queries'
import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { checkRule, emptyRule, type RuleDraft, type RuleField, ruleNames, ruleOf } from './rule-draft'
import { ruleName } from './rule-ends'
import { moreOfRule } from './rule-more'

export type NewRuleForm = ReturnType<typeof useNewRule>

/** The draft of a new NAT rule, its faults, and how it is saved. */
export function useNewRule(datacenter: number | undefined, onMade: (rule: NatRuleDocument) => void) {
  const say = useTranslations('nat.rule')
  const sayRules = useTranslations('nat.rules')
  const label = useTranslations('labels')
  const says = { word: useWord(), sayText: useTranslations('forms.faults') }
  const create = useCreateNatRule(datacenter)
  return useResourceForm<RuleDraft, never, RuleField, NatRuleDocument>({
    first: emptyRule,
    check: (draft) =>
      datacenter === undefined && !draft.datacenter
        ? { datacenter: label('datacenterMissing') }
        : {
            ...faultsOf(says, moreOfRule, draft),
            ...Object.fromEntries(
              Object.entries(checkRule(draft)).map(([field, problem]) => [field, say(problem)]),
            ),
          },
    names: ruleNames,
    save: ({ draft }) => {
      const { machine, rule } = ruleOf(draft)
      return create.mutateAsync({ machine, rule: { ...rule, ...sentBy(moreOfRule, draft) } })
    },
    done: (rule) => say('created', { name: ruleName(sayRules, rule) }),
    onDone: onMade,
  })
}
