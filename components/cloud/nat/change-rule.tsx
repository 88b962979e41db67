import { useTranslations } from 'use-intl'
import { LoadingDialog, ResourceDialog } from '#components/base/forms/resource-form'
import { type Read, useResourceForm } from '#components/base/forms/use-resource-form'
import { Columns, Stack } from '#components/kit/layout'
import { useFresh } from '#lib/client/resources.queries'
import { ruleToChange, useChangeNatRule } from '#lib/cloud/nat/rules.queries'
import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import { checkSettings, overlapsOf, type SettingsDraft, settingsDraftOf, settingsOf } from './rule-draft'
import { ruleName } from './rule-ends'
import { PortField, SourcesField } from './rule-settings'
import { useTakenPorts } from './taken-ports'
import { Translation } from './translation'

type ChangeRuleProps = { datacenter: number | undefined; rule: NatRuleDocument; onClose: () => void }

/** The dialog that changes the ports and the sources of a DNAT rule. Its addresses and its protocol stay as they are. */
export function ChangeRule(props: ChangeRuleProps) {
  const say = useTranslations('nat.rule')
  const read = useFresh(ruleToChange(props.rule))
  return read.data ? (
    <ChangeForm {...props} read={read} />
  ) : (
    <LoadingDialog header={say('change')} read={read} onClose={props.onClose} />
  )
}

type FormProps = ChangeRuleProps & { read: Read<NatRuleDocument> }

function ChangeForm(props: FormProps) {
  const say = useTranslations('nat.rule')
  const { rule, onClose } = props
  const form = useChangeForm(props)
  const { draft, base } = form
  const taken = useTakenPorts({
    center: idOfLink(linkOf(rule, 'virtualdatacenter')),
    natIp: idOfLink(linkOf(rule, 'original')),
    overlaps: draft.originalPort === base.originalPort ? undefined : overlapsOf(draft, rule.protocol),
    self: rule.id,
  })
  return (
    <ResourceDialog header={say('change')} size="large" form={form} onClose={onClose}>
      <Stack gap="l">
        <Translation rule={withDraft(rule, form.draft)} />
        <Columns count={2}>
          <PortField form={form} field="originalPort" taken={taken} />
          <PortField form={form} field="translatedPort" />
        </Columns>
        <SourcesField form={form} />
      </Stack>
    </ResourceDialog>
  )
}

/** The rule as it would be. */
const withDraft = (rule: NatRuleDocument, draft: SettingsDraft): NatRuleDocument => {
  const { originalPort: _port, originalPortEnd: _last, translatedPort: _inner, ...kept } = rule
  return { ...kept, ...settingsOf(draft) }
}

function useChangeForm({ datacenter, rule, read, onClose }: FormProps) {
  const say = useTranslations('nat.rule')
  const sayRules = useTranslations('nat.rules')
  const change = useChangeNatRule(datacenter)
  return useResourceForm<SettingsDraft, NatRuleDocument, keyof SettingsDraft, NatRuleDocument>({
    first: settingsDraftOf(rule),
    editing: {
      read,
      draftOf: settingsDraftOf,
      shown: {
        originalPort: { label: say('originalPort'), text: (port) => port || say('allPorts') },
        translatedPort: { label: say('translatedPort'), text: (port) => port || say('allPorts') },
        sources: { label: say('sources'), members: (all) => all.join(', ') },
      },
    },
    check: (draft) =>
      Object.fromEntries(
        Object.entries(checkSettings(draft, rule.protocol)).map(([field, problem]) => [field, say(problem)]),
      ),
    names: () => ({ originalPortEnd: 'originalPort' }),
    save: ({ draft, current }) => {
      if (!current) throw new Error('The rule is not read')
      return change.mutateAsync({ settings: settingsOf(draft), current })
    },
    done: (changed) => say('changed', { name: ruleName(sayRules, changed) }),
    onDone: onClose,
  })
}
