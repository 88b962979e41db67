import { useTranslations } from 'use-intl'
import { Field, TextInput } from '#components/kit/field'
import { Stack } from '#components/kit/layout'
import { Tokens } from '#components/kit/tokens'
import { Tool } from '#components/kit/tool'
import { type Cidr, cidrSize, formatAddress, formatCidr, parseCidr } from '#lib/ground/net/addresses'
import type { Say } from '#lib/words/words'
import type { FieldKind, InputProps } from './declared-form'
import styles from './networks-field.module.css'
import { useTyped } from './use-typed'

const most = 100

const networksIn = (typed: string) => typed.split(/[\s,;]+/).filter(Boolean)

/** Networks of clients. Each is checked while the user types; several can be pasted at once. */
export const networks: FieldKind<readonly string[], string[]> = {
  Input: NetworksField,
  send: (list) => [...list],
  Members: ({ value }) => value.join(', '),
}

export function NetworksField({
  label,
  hint,
  error,
  value,
  onChange,
}: Pick<InputProps<readonly string[]>, 'label' | 'hint' | 'error' | 'value' | 'onChange'>) {
  const say = useTranslations('forms.networks')
  const { added, typed, ...list } = useTyped(value, onChange, networksIn)
  const texts = networksIn(typed)
  const read = texts.map((text) => readNetwork(text, added))
  const fault = added.length + texts.length > most ? say('full', { most }) : faultOf(say, read)
  const ready = texts.length > 0 && fault === undefined
  const add = () => {
    if (!ready) return
    list.add(read.flatMap((one) => (one.kind === 'network' ? [formatCidr(one.cidr)] : [])))
  }
  return (
    <Stack gap="s">
      <Field
        role="group"
        label={label}
        hint={
          <>
            {hint} {ready ? read.map((one) => factOf(say, one)).join(' ') : say('example')}
          </>
        }
        error={fault ?? error}
      >
        {(ties) => (
          <div className={styles.adding}>
            <TextInput
              {...ties}
              aria-label={say('input')}
              value={typed}
              autoComplete="off"
              spellCheck={false}
              onChange={list.type}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || texts.length === 0) return
                event.preventDefault()
                add()
              }}
            />
            <Tool refused={ready ? undefined : (fault ?? say('typeFirst'))} onPress={add}>
              {say('add')}
            </Tool>
          </div>
        )}
      </Field>
      {added.length > 0 && (
        <Tokens
          label={say('label')}
          items={added.map((name) => ({ id: name, name }))}
          removeLabel={(network) => say('remove', { network })}
          onRemove={list.remove}
        />
      )}
    </Stack>
  )
}

type Read =
  | { kind: 'network'; cidr: Cidr }
  | { kind: 'mean' | 'twice'; network: string }
  | { kind: 'none'; text: string }

function readNetwork(text: string, networks: readonly string[]): Read {
  const cidr = parseCidr(text)
  if (!cidr) return { kind: 'none', text }
  const network = formatCidr(cidr)
  if (!cidr.hostBitsZero) return { kind: 'mean', network }
  return networks.includes(network) ? { kind: 'twice', network } : { kind: 'network', cidr }
}

function faultOf(say: Say<'forms.networks'>, read: readonly Read[]): string | undefined {
  const wrong = read.find(({ kind }) => kind !== 'network')
  if (wrong?.kind === 'none') return say('none', { text: wrong.text })
  if (wrong?.kind === 'mean') return say('mean', { network: wrong.network })
  return wrong?.kind === 'twice' ? say('twice', { network: wrong.network }) : undefined
}

// For larger networks the first and last address are more useful than a number.
const countable = 2n ** 24n

function factOf(say: Say<'forms.networks'>, read: Read): string {
  if (read.kind !== 'network') return ''
  const { version, first, last } = read.cidr
  const size = cidrSize(read.cidr)
  const ends = { first: formatAddress(version, first), last: formatAddress(version, last) }
  if (size === 1n) return say('single', ends)
  return size <= countable ? say('covers', { count: Number(size), ...ends }) : say('coversMany', ends)
}
