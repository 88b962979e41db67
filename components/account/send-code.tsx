import Box from '@cloudscape-design/components/box'
import Button, { type ButtonProps } from '@cloudscape-design/components/button'
import LiveRegion from '@cloudscape-design/components/live-region'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useMutation, useMutationState } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { Failure } from '#components/layout/failure'
import { mailCode, mailedCodes } from '#lib/auth/two-factor.queries'
import { useSecondsLeft } from '../layout/use-seconds-left'

/** A code by mail: whether one was asked for, and when another may be. All parts of the console wait together. */
export function useCodeMail() {
  const mail = useMutation(mailCode())
  const times = useMutationState({ filters: mailedCodes, select: ({ state }) => Number(state.data) })
  const wait = useSecondsLeft(Math.max(0, ...times))
  return { mail, wait }
}

type SendCodeProps = ReturnType<typeof useCodeMail> & {
  /** Where the code goes. */
  email: string
  button?: RefObject<ButtonProps.Ref | null>
  onSent: () => void
}

/** Has a code mailed, and says to whom; another one after a while. */
export function SendCode({ mail, wait, email, button, onSent }: SendCodeProps) {
  const isSent = mail.isSuccess || wait > 0
  const [before, after] = mail.isSuccess ? sent : wait > 0 ? sentElsewhere : unsent
  const send = () => {
    if (wait === 0) mail.mutate(undefined, { onSuccess: onSent })
  }
  return (
    <SpaceBetween size="s">
      <LiveRegion tagName="div">
        {before} <Box variant="strong">{email}</Box>
        {after}
      </LiveRegion>
      <Button
        ref={button}
        iconName="envelope"
        loading={mail.isPending}
        loadingText="Sending a code"
        disabled={wait > 0}
        onClick={send}
      >
        {isSent ? 'Send another code' : 'Send a code'}
        {wait > 0 && ` (in ${wait} s)`}
      </Button>
      {mail.isError && <Failure error={mail.error} />}
    </SpaceBetween>
  )
}

const unsent = ['The code comes by mail to', '.'] as const
const sent = ['A code was sent to', '. It can take a minute to come.'] as const
const sentElsewhere = ['A code was sent a moment ago to', '. It works once.'] as const
