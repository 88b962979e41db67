import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Spinner from '@cloudscape-design/components/spinner'
import { productName } from '#components/layout/product'
import { Failure } from './failure'
import styles from './layout.module.css'

/** Before anything can be shown; stays invisible for the moment that it mostly takes. */
export const Starting = () => (
  <div className={styles.starting} role="status">
    <Spinner size="large" />
    <span>Loading…</span>
  </div>
)

export const Unreachable = ({ error, retry }: { error: unknown; retry: () => void }) => (
  <main className={styles.alone}>
    <h1>{productName}</h1>
    <Failure error={error} retry={retry} />
  </main>
)

/** The last net: not even the frame of the console could be shown. */
export const Broken = () => (
  <main className={styles.alone}>
    <h1>{productName}</h1>
    <Alert
      type="error"
      header="The console could not be started"
      action={<Button onClick={() => window.location.reload()}>Load again</Button>}
      i18nStrings={{ errorIconAriaLabel: 'Error' }}
    >
      A new version may have been installed a moment ago. Load the page again; if that does not help, tell
      your administrator.
    </Alert>
  </main>
)
