import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/base/forms/dialog'
import { ResourceDialog } from '#components/base/forms/resource-form'
import { Button } from '#components/kit/button'
import { Stack } from '#components/kit/layout'
import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { InDatacenter } from './datacenter-field'
import styles from './nat.module.css'
import { MachineFields, TranslationFields } from './new-rule-fields'
import { reachOf } from './reach'
import { Reached } from './reached'
import { draftEnds } from './rule-draft'
import { MoreOfRule } from './rule-more'
import { Ends, Translation } from './translation'
import { type NewRuleForm, useNewRule } from './use-new-rule'

type NewRuleProps = {
  /** If absent, the user chooses one. */
  datacenter: number | undefined
  onClose: () => void
}

/** The dialog that creates a NAT rule at a virtual machine. It ends with what the gateway counts, if one reports for the device. */
export function NewRule({ datacenter, onClose }: NewRuleProps) {
  const [made, setMade] = useState<NatRuleDocument>()
  if (made) return <NewRuleReached rule={made} onClose={onClose} />
  return (
    <RuleForm
      datacenter={datacenter}
      onMade={(rule) => (reachOf(rule) === 'unknown' ? onClose() : setMade(rule))}
      onClose={onClose}
    />
  )
}

function NewRuleReached({ rule, onClose }: { rule: NatRuleDocument; onClose: () => void }) {
  const say = useTranslations('nat.reached')
  const sayCommon = useTranslations('common')
  return (
    <Dialog
      header={say('title')}
      onDismiss={onClose}
      actions={
        <Button look="main" onPress={onClose}>
          {sayCommon('close')}
        </Button>
      }
    >
      <Stack gap="l">
        <Translation rule={rule} />
        <Reached rule={rule} />
      </Stack>
    </Dialog>
  )
}

function RuleForm({
  datacenter,
  onMade,
  onClose,
}: NewRuleProps & { onMade: (rule: NatRuleDocument) => void }) {
  const say = useTranslations('nat.rule')
  const form = useNewRule(datacenter, onMade)
  const { draft, errors, change } = form
  return (
    <ResourceDialog
      header={say('title')}
      size="large"
      form={form}
      label={say('create')}
      busyLabel={say('creating')}
      onClose={onClose}
    >
      <InDatacenter
        given={datacenter}
        value={draft.datacenter}
        error={errors.datacenter}
        // A selection from another datacenter is cleared.
        onChange={(datacenter) => change({ ...noPlace, datacenter })}
      >
        {(chosen) => (
          <Stack gap="l">
            <MachineFields datacenter={chosen} form={form} />
            <TranslationFields datacenter={chosen} form={form} />
            <Preview form={form} />
            <MoreOfRule form={form} />
          </Stack>
        )}
      </InDatacenter>
    </ResourceDialog>
  )
}

const noPlace = {
  center: undefined,
  appliance: undefined,
  machine: undefined,
  privateIp: undefined,
  natIp: undefined,
}

function Preview({ form }: { form: NewRuleForm }) {
  const say = useTranslations('nat.rule')
  const { original, translated } = draftEnds(form.draft)
  return (
    <div className={styles.preview}>
      <Stack gap="s">
        <span>{say('preview')}</span>
        <Ends original={original} translated={translated} unknown="…" />
      </Stack>
    </div>
  )
}
