import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input, { type InputProps } from '@cloudscape-design/components/input'
import { type ReactNode, type Ref, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Say } from '#lib/words/words'
import { type CidrFacts, type CidrProblem, cidrFacts, countText } from './cidr-facts'

type CidrFieldProps = {
  value: string
  /** What refuses the value, found at the last save. */
  error: ReactNode
  /** Why it cannot be changed. */
  locked: ReactNode
  onChange: (cidr: string) => void
  ref?: Ref<InputProps.Ref>
}

/** A network in CIDR notation that explains itself while it is typed. */
export function CidrField({ value, error, locked, onChange, ref }: CidrFieldProps) {
  const say = useTranslations('nat.cidr')
  const [wasLeft, setWasLeft] = useState(false)
  const facts = cidrFacts(value)
  const proposal = facts.kind === 'host-bits' && (
    <HostBits value={value} network={facts.network} onUse={() => onChange(facts.network)} />
  )
  const wrong = facts.kind === 'wrong' && (wasLeft || error) ? problemText(say, facts) : undefined
  const errorText = wrong ?? (error && (proposal || error))
  return (
    <FormField
      label={say('label')}
      description={locked || say('description')}
      constraintText={<Facts facts={facts} />}
      errorText={errorText}
      warningText={proposal}
      stretch
    >
      <Input
        {...(ref && { ref })}
        value={value}
        disabled={Boolean(locked)}
        ariaRequired
        spellcheck={false}
        autoComplete={false}
        placeholder="203.0.113.0/24"
        invalid={Boolean(errorText)}
        warning={Boolean(proposal)}
        onChange={({ detail }) => onChange(detail.value)}
        onBlur={() => setWasLeft(true)}
        onFocus={() => setWasLeft(false)}
      />
    </FormField>
  )
}

function problemText(say: Say<'nat.cidr'>, facts: CidrProblem): string {
  switch (facts.problem) {
    case 'slashes':
      return say('slashes')
    case 'address':
      return say('noAddress', { address: facts.address })
    case 'noLength':
      return say('noLength', { example: facts.example })
    case 'length':
      return say('length', { most: facts.most })
  }
}

/** What a network holds, or what one looks like. */
function Facts({ facts }: { facts: CidrFacts }) {
  const say = useTranslations('nat.cidr')
  const format = useFormatter()
  const write = (number: bigint) => format.number(number)
  if (facts.kind !== 'network') return say('examples')
  const { version, network, first, last } = facts
  const counts = {
    network,
    version: String(version),
    size: countText(facts.size, write),
    given: countText(facts.given, write),
  }
  return first === last ? say('one', { ...counts, first }) : say('facts', { ...counts, first, last })
}

const HostBits = ({ value, network, onUse }: { value: string; network: string; onUse: () => void }) => {
  const say = useTranslations('nat.cidr')
  return (
    <>
      {say('within', { address: value.trim() })}{' '}
      <Button variant="inline-link" formAction="none" onClick={onUse}>
        {say('use', { network })}
      </Button>
    </>
  )
}
