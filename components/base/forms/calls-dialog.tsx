import { useQuery } from '@tanstack/react-query'
import { useContext, useId } from 'react'
import { useTranslations } from 'use-intl'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { SeenUserContext } from '#components/base/screens/see-as'
import { Button } from '#components/kit/button'
import { Disclosure } from '#components/kit/disclosure'
import { Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
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
        <Button look="main" onPress={onClose}>
          {sayCommon('close')}
        </Button>
      }
    >
      {read.data ? <Calls calls={read.data} /> : <Waiting read={read} />}
    </Dialog>
  )
}

function Calls({ calls }: { calls: readonly Call[] }) {
  const say = useTranslations('layout.calls')
  const seen = useContext(SeenUserContext)
  const [first, ...others] = calls
  if (!first) return <div>{say('none')}</div>
  return (
    <Stack>
      {seen !== undefined && <Notice kind="info">{say('inView', { nick: seen })}</Notice>}
      <div>
        {say.rich('about', {
          code: (text) => <code>{text}</code>,
          // In the view of another user the account is not shown.
          link: (inside) => (seen === undefined ? <AppLink to={paths.account()}>{inside}</AppLink> : inside),
        })}
      </div>
      <Command call={first} />
      {others.length > 0 && (
        <Disclosure title={say('others', { count: others.length })}>
          <Stack>
            {others.map((call) => (
              <Command key={`${call.method} ${call.address}`} call={call} />
            ))}
          </Stack>
        </Disclosure>
      )}
    </Stack>
  )
}

function Command({ call }: { call: Call }) {
  const say = useTranslations('layout.calls')
  const command = curlOf(call, window.location.origin)
  const name = `${call.method} ${call.address.split('?')[0]}`
  return (
    <div className={styles.command}>
      <div className={styles.head}>
        <h3>{name}</h3>
        <Copy text={command} label={say('copy', { name })} />
      </div>
      <pre className={styles.text}>{command}</pre>
    </div>
  )
}
