import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslations } from 'use-intl'
import { useTitle } from '#components/frame/layout/title'
import { Card, Outcome } from './card'
import styles from './sign-in.module.css'

/** Shows the verifier (RFC 5849 §2.2) that the user types into a program without a callback. */
export function Verifier() {
  const say = useTranslations('signIn.verifier')
  const query = new URLSearchParams(window.location.search)
  const verifier = query.get('oauth_verifier') ?? ''
  useTitle(say('tab'))
  return (
    <Card>
      {/^\w{1,32}$/.test(verifier) ? (
        <SpaceBetween size="l">
          <Outcome title={say('title')}>{say('lead')}</Outcome>
          <p className={styles.verifier}>{verifier}</p>
          <CopyToClipboard
            copyButtonText={say('copy')}
            textToCopy={verifier}
            copySuccessText={say('copied')}
            copyErrorText={say('noCopy')}
          />
        </SpaceBetween>
      ) : (
        <Outcome title={say(query.has('oauth_problem') ? 'denied' : 'none')}>{say('noneLead')}</Outcome>
      )}
    </Card>
  )
}
