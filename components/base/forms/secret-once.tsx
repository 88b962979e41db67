import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { Row, Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { forgetSecret, newSecretQuery } from '#lib/client/new-secrets.queries'
import { Copy } from './copy'

type SecretOnceProps = {
  /** The text that is copied. */
  secret: string
  /** The description of the secret, and the name of the copy button. */
  label: string
  copyLabel: string
  /** The displayed secret, if not as text beside the copy button. */
  shown?: ReactNode
  /** Further ways to keep the secret, beside the copy button. */
  actions?: ReactNode
  /** Instructions for the secret. */
  children: string
}

/** The secret that was generated just before, until the user leaves the page. */
export function useNewSecret(...named: Parameters<typeof newSecretQuery>): string | null | undefined {
  const client = useQueryClient()
  const [kind, id] = named
  useEffect(() => () => forgetSecret(client, kind, id), [client, kind, id])
  return useQuery(newSecretQuery(kind, id)).data
}

/** The only component that shows a secret: once, with a copy button. The secret cannot be read again later. */
export function SecretOnce({ secret, label, copyLabel, shown, actions, children }: SecretOnceProps) {
  const say = useTranslations('forms')
  return (
    <Notice kind="warn" title={label}>
      <Stack gap={shown ? 'm' : 's'}>
        {shown}
        <Row>
          <Copy inline={!shown} text={secret} label={copyLabel} />
          {actions}
        </Row>
        <div>
          {children} {say('shownOnce')}
        </div>
      </Stack>
    </Notice>
  )
}
