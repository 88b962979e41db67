import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTitle } from '#components/layout/title'
import { Card, Outcome } from './card'
import styles from './sign-in.module.css'

/** Where the answer to a program ends that cannot be sent back to: the user types the code there. */
export function Verifier() {
  const query = new URLSearchParams(window.location.search)
  const verifier = query.get('oauth_verifier') ?? ''
  useTitle('Code for the program')
  return (
    <Card>
      {/^\w{1,32}$/.test(verifier) ? (
        <SpaceBetween size="l">
          <Outcome title="Type this code in the program">
            It lets the program that you have just approved act in your name. Show it to nobody else.
          </Outcome>
          <p className={styles.verifier}>{verifier}</p>
          <CopyToClipboard
            copyButtonText="Copy the code"
            textToCopy={verifier}
            copySuccessText="Code copied"
            copyErrorText="The browser does not allow copying here. Type the code."
          />
        </SpaceBetween>
      ) : (
        <Outcome title={query.has('oauth_problem') ? 'You have denied it' : 'There is no code here'}>
          The program may not act in your name. You can close this page.
        </Outcome>
      )}
    </Card>
  )
}
