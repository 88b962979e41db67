import { useState } from 'react'
import { PasswordField, TextField } from '#components/kit/field'
import { ManyPicker, type Option, Picker } from '#components/kit/picker'
import { Switch } from '#components/kit/switch'
import { enterprises } from './made-up-ips'
import { Sample } from './sample'

const options: readonly Option[] = enterprises.map((name, index) => ({
  id: index + 1,
  name,
  refused: index === 3 ? 'It is being deleted.' : undefined,
}))

const matching = (text: string) =>
  options.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))

export function Fields() {
  const [name, setName] = useState('Madrid public')
  const [fault, setFault] = useState('10.0.0.0/33')
  const [password, setPassword] = useState('correct horse')
  const [code, setCode] = useState('402 118')
  return (
    <>
      <Sample title="Text" as="grid">
        <TextField label="Name" value={name} onChange={setName} />
        <TextField label="With a hint" hint="Unique in its datacenter." value={name} onChange={setName} />
        <TextField
          label="With a fault"
          error="A prefix has at most 32 bits."
          hint="IPv4 or IPv6, as CIDR."
          value={fault}
          onChange={setFault}
        />
        <TextField label="Read-only" readOnly value="203.0.113.0/24" onChange={() => undefined} />
        <PasswordField label="Password" show="Show the password" value={password} onChange={setPassword} />
        <TextField label="Code" digits large value={code} onChange={setCode} />
      </Sample>
      <Sample title="Picker" as="grid">
        <OneEnterprise />
        <Many />
        <Picker
          label="Refused"
          hint="Only the owner chooses it."
          disabled
          value={options[1]}
          options={options}
          placeholder="Find an enterprise"
          empty="No enterprise found"
          onSearch={() => undefined}
          onChange={() => undefined}
        />
      </Sample>
      <Sample title="Switch" as="grid">
        <Toggles />
      </Sample>
    </>
  )
}

/** One enterprise of all. */
export function OneEnterprise() {
  const [value, setValue] = useState<Option | undefined>(options[0])
  const [text, setText] = useState('')
  return (
    <Picker
      label="Enterprise"
      hint="Found by the server while you type."
      placeholder="Find an enterprise"
      empty="No enterprise found"
      options={matching(text)}
      value={value}
      onSearch={setText}
      onChange={setValue}
    />
  )
}

function Many() {
  const [ids, setIds] = useState([2, 3])
  const [text, setText] = useState('')
  return (
    <ManyPicker
      label="Enterprises"
      placeholder="Add an enterprise"
      empty="No enterprise found"
      removeLabel={(name) => `Remove ${name}`}
      options={matching(text)}
      chosen={options.filter(({ id }) => ids.includes(id))}
      onSearch={setText}
      onChange={setIds}
    />
  )
}

function Toggles() {
  const [isOn, setOn] = useState(true)
  const [isMandatory, setMandatory] = useState(false)
  return (
    <>
      <Switch on={isOn} about="Of new machines, by its first rule." onChange={setOn}>
        Default SNAT
      </Switch>
      <Switch on={isMandatory} onChange={setMandatory}>
        Two factors for everybody
      </Switch>
      <Switch on refused="Your role does not change it." onChange={() => undefined}>
        Sign-in by a provider
      </Switch>
    </>
  )
}
