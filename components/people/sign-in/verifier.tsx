import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { OpenPage } from '#components/frame/layout/open-page'
import { useTitle } from '#components/frame/layout/title'
import { Button } from '#components/kit/button'
import { icons } from '#components/kit/icons'
import { Outcome } from './heading'
import styles from './sign-in.module.css'

/** Shows the verifier (RFC 5849 §2.2) that the user types into a program without a callback. */
export function Verifier() {
  const say = useTranslations('signIn.verifier')
  const query = new URLSearchParams(window.location.search)
  const verifier = query.get('oauth_verifier') ?? ''
  useTitle(say('tab'))
  return (
    <OpenPage>
      {/^\w{1,32}$/.test(verifier) ? (
        <div className={styles.stack}>
          <Outcome title={say('title')}>{say('lead')}</Outcome>
          <p className={styles.verifier}>{verifier}</p>
          <CopyVerifier verifier={verifier} />
        </div>
      ) : (
        <Outcome title={say(query.has('oauth_problem') ? 'denied' : 'none')}>{say('noneLead')}</Outcome>
      )}
    </OpenPage>
  )
}

function CopyVerifier({ verifier }: { verifier: string }) {
  const say = useTranslations('signIn.verifier')
  const [outcome, setOutcome] = useState<'copied' | 'noCopy'>()
  const copy = async () => navigator.clipboard.writeText(verifier)
  const copyAndTell = () =>
    void copy().then(
      () => setOutcome('copied'),
      // The clipboard is missing without TLS, and the user may refuse it.
      () => setOutcome('noCopy'),
    )
  return (
    <div className={styles.copying}>
      <Button icon={outcome === 'copied' ? icons.check : icons.copy} onPress={copyAndTell}>
        {say('copy')}
      </Button>
      <span role="status">{outcome && say(outcome)}</span>
    </div>
  )
}
