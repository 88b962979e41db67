import { useState } from 'react'
import { Checkbox } from '#components/kit/checkbox'
import { CopyButton } from '#components/kit/copy'
import { Disclosure } from '#components/kit/disclosure'
import { type Pair, PairsEditor } from '#components/kit/pairs-editor'
import { Progress } from '#components/kit/progress'
import { Radio } from '#components/kit/radio'
import { Segments } from '#components/kit/segments'
import { Select } from '#components/kit/select'
import { Steps } from '#components/kit/steps'
import { Suggest } from '#components/kit/suggest'
import { TextArea } from '#components/kit/text-area'
import { Tokens } from '#components/kit/tokens'
import { Sample } from './sample'

const modes = [
  { value: 'lowest', text: 'Lowest free', about: 'The first address that nobody has.' },
  { value: 'one', text: 'One address', about: 'You type it.' },
  { value: 'range', text: 'A range', about: 'Up to 1,000 addresses in a row.', refused: 'Nothing is free.' },
] as const

const protocols = [
  { value: 'TCP', text: 'TCP' },
  { value: 'UDP', text: 'UDP' },
  { value: 'ANY', text: 'ANY', about: 'Any other protocol.' },
] as const

export const Choices = () => (
  <>
    <Sample title="Select" as="grid">
      <Selects />
    </Sample>
    <Sample title="Checkbox" as="grid">
      <Checkboxes />
    </Sample>
    <Sample title="Radio" as="stack">
      <Radios />
    </Sample>
    <Sample title="Segments">
      <Looks />
    </Sample>
    <Sample title="Text area" as="grid">
      <Key />
    </Sample>
    <Sample title="Tokens" as="grid">
      <Networks />
    </Sample>
    <Sample title="Suggest" as="grid">
      <Patterns />
    </Sample>
    <Sample title="Pairs" as="stack">
      <Properties />
    </Sample>
    <Sample title="Progress" as="grid">
      <Progress label="Comparing" value={0.4} about="400 of 1,000 rows" />
    </Sample>
    <Sample title="Copy">
      <CopyButton text="203.0.113.1" label="Copy 203.0.113.1" copied="Copied" failed="Press Ctrl+C">
        Copy
      </CopyButton>
      <CopyButton text="203.0.113.1" label="Copy the address" copied="Copied" failed="Press Ctrl+C" />
    </Sample>
    <Sample title="Steps" as="stack">
      <Steps
        label="Steps"
        words={{ done: 'Done:', now: 'Now:', later: 'To do:' }}
        steps={[
          { text: 'Choose', state: 'done' },
          { text: 'Scan', state: 'now' },
          { text: 'Prove', state: 'later' },
        ]}
      />
    </Sample>
    <Sample title="Disclosure" as="stack">
      <Disclosure title="All privileges" counter="(12)">
        View users, change users.
      </Disclosure>
      <Disclosure
        look="card"
        isOpen
        title="Rules without effect"
        counter="(3)"
        about="Warning. Nothing is translated."
      >
        Three rules of a machine that is gone.
      </Disclosure>
    </Sample>
  </>
)

function Selects() {
  const [value, setValue] = useState<(typeof protocols)[number]['value']>()
  return (
    <>
      <Select label="Protocol" placeholder="Choose" options={protocols} value={value} onChange={setValue} />
      <Select
        label="Type"
        hint="It decides what the device can do."
        error="Choose a type."
        options={modes}
        value="lowest"
        onChange={() => undefined}
      />
      <Select label="Time" disabled options={modes} value="one" onChange={() => undefined} />
    </>
  )
}

function Checkboxes() {
  const [isChosen, setChosen] = useState(true)
  return (
    <>
      <Checkbox isChosen={isChosen} about="Enterprises can attach it." onChange={setChosen}>
        Available
      </Checkbox>
      <Checkbox isChosen={!isChosen} onChange={(chosen) => setChosen(!chosen)}>
        Quarantine
      </Checkbox>
      <Checkbox isChosen refused="Your role does not have it." onChange={() => undefined}>
        Manage users
      </Checkbox>
    </>
  )
}

function Radios() {
  const [mode, setMode] = useState<(typeof modes)[number]['value']>('lowest')
  const [protocol, setProtocol] = useState<(typeof protocols)[number]['value']>('TCP')
  return (
    <>
      <Radio label="Which addresses" choices={modes} value={mode} onChange={setMode} />
      <Radio label="Which addresses, as tiles" look="tiles" choices={modes} value={mode} onChange={setMode} />
      <Radio
        label="Protocol"
        look="row"
        choices={protocols.map(({ value, text }) => ({ value, text }))}
        value={protocol}
        onChange={setProtocol}
      />
    </>
  )
}

function Looks() {
  const [look, setLook] = useState<'chart' | 'rows'>('chart')
  return (
    <Segments
      label="Shown as"
      value={look}
      choices={[
        { value: 'chart', text: 'Chart' },
        { value: 'rows', text: 'Rows' },
      ]}
      onChange={setLook}
    />
  )
}

function Key() {
  const [key, setKey] = useState('')
  return (
    <TextArea label="Public key" hint="As PEM." rows={4} spellCheck={false} value={key} onChange={setKey} />
  )
}

const patterns = [
  { text: 'user.*', about: 'All that happens to users' },
  { text: 'user.create', about: 'A user is created' },
  { text: 'natip.attach', about: 'A NAT IP is attached' },
]

function Patterns() {
  const [typed, setTyped] = useState('')
  return (
    <Suggest
      label="Events"
      hint="One of the list, or a pattern of your own."
      placeholder="user.*"
      suggestions={patterns}
      value={typed}
      onChange={setTyped}
      onChoose={setTyped}
    />
  )
}

function Properties() {
  const [pairs, setPairs] = useState<readonly Pair[]>([
    { row: 1, name: 'cost centre', value: '4711' },
    { row: 2, name: 'cost centre', value: '4712', nameError: 'This name is taken.' },
  ])
  return (
    <PairsEditor
      pairs={pairs}
      words={{
        name: 'Name',
        value: 'Value',
        add: 'Add property',
        remove: ({ name }) => `Remove ${name}`,
        removed: 'The property is removed.',
        empty: 'No properties.',
        about: 'At most 100.',
      }}
      readOnly={false}
      isFull={false}
      onChange={(row, change) =>
        setPairs(pairs.map((pair) => (pair.row === row ? { ...pair, ...change } : pair)))
      }
      onAdd={() => setPairs([...pairs, { row: pairs.length + 1, name: '', value: '' }])}
      onRemove={(index) => setPairs(pairs.filter((_, place) => place !== index))}
    />
  )
}

function Networks() {
  const [networks, setNetworks] = useState(['203.0.113.0/24', '2001:db8::/32'])
  return (
    <Tokens
      label="Networks"
      items={networks.map((name) => ({ id: name, name }))}
      removeLabel={(name) => `Remove ${name}`}
      onRemove={(gone) => setNetworks(networks.filter((name) => name !== gone))}
    />
  )
}
