import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslations } from 'use-intl'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import type { Call } from '#lib/client/calls'
import { curlOf } from '#lib/client/curl'
import styles from './calls.module.css'
import { Copy } from './copy'
import { Dialog } from './dialog'
import { Waiting } from './failure'

type CallsDialogProps = { found: Promise<readonly Call[]>; onClose: () => void }

/** The requests as curl commands, the first one open. */
export function CallsDialog({ found, onClose }: CallsDialogProps) {
  const say = useTranslations('layout.calls')
  const sayCommon = useTranslations('common')
  const read = useQuery({ queryKey: ['calls', useId()], queryFn: () => found, gcTime: 0, retry: false })
  return (
    <Dialog
      header={say('title')}
      size="large"
      onDismiss={onClose}
      actions={
        <Button variant="primary" formAction="none" onClick={onClose}>
          {sayCommon('close')}
        </Button>
      }
    >
      {read.data ? <Calls calls={read.data} /> : <Waiting read={read} />}
    </Dialog>
  )
}

const link = (inside: React.ReactNode) => <AppLink to={paths.account()}>{inside}</AppLink>

function Calls({ calls }: { calls: readonly Call[] }) {
  const say = useTranslations('layout.calls')
  const [first, ...others] = calls
  if (!first) return <div>{say('none')}</div>
  return (
    <SpaceBetween size="m">
      <div>{say.rich('about', { code: (text) => <Box variant="code">{text}</Box>, link })}</div>
      <Command call={first} />
      {others.length > 0 && (
        <ExpandableSection headerText={say('others', { count: others.length })}>
          <SpaceBetween size="m">
            {others.map((call) => (
              <Command key={`${call.method} ${call.address}`} call={call} />
            ))}
          </SpaceBetween>
        </ExpandableSection>
      )}
    </SpaceBetween>
  )
}

function Command({ call }: { call: Call }) {
  const say = useTranslations('layout.calls')
  const command = curlOf(call, window.location.origin)
  const name = `${call.method} ${call.address.split('?')[0]}`
  return (
    <div className={styles.command}>
      <div className={styles.head}>
        <Box variant="h4" tagOverride="h3">
          {name}
        </Box>
        <Copy text={command} label={say('copy', { name })} />
      </div>
      <pre className={styles.text}>{command}</pre>
    </div>
  )
}
