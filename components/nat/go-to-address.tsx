import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Navigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { FailureText } from '#components/forms/failure'
import type { TableState } from '#components/table/use-table-state'
import type { NatIpDocument } from '#lib/nat/ips.schema'
import styles from './nat.module.css'
import { canonical, type GoTo, neighboursOf } from './use-go-to'

/** Asks for an address and opens the page where it stands. */
export function GoToAddress({ goTo }: { goTo: GoTo }) {
  const say = useTranslations('nat.goTo')
  const [text, setText] = useState('')
  const [fault, setFault] = useState<ReactNode>()
  const [isGoing, setGoing] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const ip = canonical(text)
    if (ip === undefined) return setFault(say(text.trim() === '' ? 'missing' : 'noAddress'))
    setGoing(true)
    try {
      await goTo.go(ip)
      setText('')
    } catch (error) {
      setFault(<FailureText error={error} />)
    } finally {
      setGoing(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} className={styles.goTo} noValidate>
      <div className={styles.goToField}>
        <FormField errorText={fault} stretch>
          <Input
            value={text}
            ariaLabel={say('label')}
            placeholder={say('label')}
            autoComplete={false}
            spellcheck={false}
            invalid={fault !== undefined}
            onChange={({ detail }) => {
              setText(detail.value)
              setFault(undefined)
            }}
          />
        </FormField>
      </div>
      <Button loading={isGoing} loadingText={say('going')}>
        {say('go')}
      </Button>
    </form>
  )
}

type PlaceProps = {
  goTo: GoTo
  table: Pick<TableState, 'page' | 'size'>
  rows: readonly NatIpDocument[]
  /** Adds the address, where that is possible. */
  onAdd: ((ip: string) => void) | undefined
}

/** Whether the address that was gone to is in the list, and where it stands or would stand. */
export function PlaceOfAddress({ goTo, table, rows, onAdd }: PlaceProps) {
  const say = useTranslations('nat.goTo')
  const { at, position, leave } = goTo
  if (at === undefined || !position) return null
  if (goTo.searchOfPlace !== undefined) return <Navigate replace to={{ search: goTo.searchOfPlace }} />
  const row = position.position + 1
  const { before, after } = neighboursOf(position, table, rows)
  const isShown = position.exists
    ? rows.some(({ ip }) => ip === at)
    : before !== undefined || after !== undefined
  const place = () => {
    if (before && after) return say('between', { ip: at, row, before, after })
    if (before) return say('after', { ip: at, row, before })
    return after ? say('before', { ip: at, row, after }) : say('elsewhere', { ip: at, row })
  }
  return (
    <div className={styles.place} role="status">
      {position.exists ? (
        <StatusIndicator type="success">{say('there', { ip: at, row })}</StatusIndicator>
      ) : (
        <StatusIndicator type="info" wrapText>
          {place()}
        </StatusIndicator>
      )}
      {!position.exists && onAdd && (
        <Button variant="inline-link" onClick={() => onAdd(at)}>
          {say('add', { ip: at })}
        </Button>
      )}
      {!isShown && (
        <Button variant="inline-link" onClick={() => void goTo.go(at)}>
          {say('show')}
        </Button>
      )}
      <Button variant="inline-link" onClick={leave}>
        {say('leave')}
      </Button>
    </div>
  )
}
