import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input, { type InputProps } from '@cloudscape-design/components/input'
import { type ReactNode, type Ref, useState } from 'react'
import { type CidrFacts, cidrFacts } from './cidr-facts'

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
  const [wasLeft, setWasLeft] = useState(false)
  const facts = cidrFacts(value)
  const proposal = facts.kind === 'host-bits' && (
    <HostBits value={value} network={facts.network} onUse={() => onChange(facts.network)} />
  )
  const wrong = facts.kind === 'wrong' && (wasLeft || error) ? facts.reason : undefined
  const errorText = wrong ?? (error && (proposal || error))
  return (
    <FormField
      label="CIDR"
      description={locked || 'The range of addresses that translate to machines inside.'}
      constraintText={factsText(facts)}
      errorText={errorText}
      warningText={proposal}
      i18nStrings={{ errorIconAriaLabel: 'Error', warningIconAriaLabel: 'Warning' }}
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

function factsText(facts: CidrFacts): string {
  if (facts.kind !== 'network') return 'For example 203.0.113.0/24 or 2001:db8:10::/64.'
  const { version, size, given, first, last } = facts
  const range = first === last ? first : `${first} to ${last}`
  return `IPv${version}, ${size} ${size === '1' ? 'address' : 'addresses'}; ${given} to give out: ${range}.`
}

const HostBits = ({ value, network, onUse }: { value: string; network: string; onUse: () => void }) => (
  <>
    {value.trim()} lies within a network.{' '}
    <Button variant="inline-link" formAction="none" onClick={onUse}>
      Use {network}
    </Button>
  </>
)
