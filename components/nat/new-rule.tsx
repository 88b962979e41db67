import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/forms/dialog'
import { Failure } from '#components/forms/failure'
import { useFlash } from '#components/forms/flash'
import { faultsByField } from '#components/forms/form-faults'
import { LeaveGuard } from '#components/forms/leave-guard'
import { useCreateNatRule } from '#lib/nat/rules.queries'
import styles from './nat.module.css'
import { ruleName } from './rule-columns'
import {
  checkRule,
  draftEnds,
  emptyRule,
  fieldOfRuleFault,
  type RuleDraft,
  type RuleField,
  ruleOf,
} from './rule-draft'
import { MachineFields, TranslationFields } from './rule-fields'
import { Ends } from './translation'

/** The state of the form of a new rule. */
function useNewRule(datacenter: number, onCreated: () => void) {
  const say = useTranslations('nat.rule')
  const sayRules = useTranslations('nat.rules')
  const notify = useFlash()
  const create = useCreateNatRule(datacenter)
  const [draft, setDraft] = useState(emptyRule)
  const [wasSent, setWasSent] = useState(false)
  const problems = checkRule(draft)
  const refused = faultsByField<RuleField>(create.error, fieldOfRuleFault(draft))
  return {
    draft,
    errorOf: (field: RuleField) => {
      const problem = wasSent && problems[field]
      return problem ? say(problem) : refused.fields[field]
    },
    failure: refused.rest,
    isSaving: create.isPending,
    /** Closing would lose what was chosen. */
    loses: () => !create.isSuccess && draft !== emptyRule,
    change: (changes: Partial<RuleDraft>) => {
      setDraft({ ...draft, ...changes })
      create.reset()
    },
    submit: () => {
      setWasSent(true)
      const made = ruleOf(draft)
      if (create.isPending || !made || Object.keys(problems).length > 0) return
      create.mutate(made, {
        onSuccess: (rule) => {
          notify({ type: 'success', content: say('created', { name: ruleName(sayRules, rule) }) })
          onCreated()
        },
      })
    },
  }
}

export type NewRuleForm = ReturnType<typeof useNewRule>

/** Creates a NAT rule at a virtual machine. */
export function NewRule({ datacenter, onClose }: { datacenter: number; onClose: () => void }) {
  const say = useTranslations('nat.rule')
  const guard = useTranslations('nat.form')
  const common = useTranslations('common')
  const formId = useId()
  const form = useRef<HTMLFormElement>(null)
  const rule = useNewRule(datacenter, onClose)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    rule.submit()
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  const { original, translated } = draftEnds(rule.draft)
  return (
    <Dialog
      header={say('title')}
      size="large"
      onDismiss={(reason) => !(reason === 'overlay' && rule.loses()) && onClose()}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <Button variant="link" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button variant="primary" form={formId} loading={rule.isSaving} loadingText={say('creating')}>
            {say('create')}
          </Button>
        </SpaceBetween>
      }
    >
      <LeaveGuard loses={rule.loses} header={guard('leave')}>
        {guard('leaveText')}
      </LeaveGuard>
      <form ref={form} id={formId} onSubmit={submit} noValidate>
        <SpaceBetween size="l">
          {rule.failure && <Failure error={rule.failure} />}
          <MachineFields datacenter={datacenter} rule={rule} />
          <TranslationFields rule={rule} />
          <div className={styles.preview}>
            <SpaceBetween size="xs">
              <span>{say('preview')}</span>
              <Ends original={original} translated={translated} unknown="…" />
            </SpaceBetween>
          </div>
        </SpaceBetween>
      </form>
    </Dialog>
  )
}
